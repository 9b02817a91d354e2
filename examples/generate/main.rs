//! Writes result folders of any size. The same arguments write the same bytes, on every machine; what a folder holds is printed
//! to standard output, as JSON, so that a test or a benchmark can check what was read.
//!
//! ```text
//! cargo run --release --example generate -- --out DIR [--kind letta|slop-code|tree|parquet] [--seed 1] [--megabytes N]
//!   letta      a letta-evals folder with long transcripts  [--samples 50000] [--models 1] [--generation e|d]
//!   slop-code  one run directory of slop-code              [--checkpoints 1800]
//!   tree       run directories of many small files         [--files 10000]
//!   parquet    slop-code's first generation: one evaluation with its cases in reports.parquet  [--cases 300000]
//! ```
//!
//! `--megabytes` is the size of all `.jsonl` files together (letta; 400), or of all files (slop-code and tree; 60 kB a file). It is
//! met to a few percent, unless it is less than what the files must hold. Short rows: `--samples 1000000 --megabytes 1100`; ten
//! gigabytes: `--samples 1250000 --megabytes 10000`. What is kept in memory grows with the number of cases, not with the bytes.

mod letta;
mod random;
mod slop_checkpoint;
mod slop_parquet;
mod slop_run;
mod slop_summary;

use std::error::Error;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "usage: generate --out DIR [--kind letta|slop-code|tree|parquet] [--seed N] [--megabytes N] [--samples N] \
                     [--models N] [--generation e|d] [--checkpoints N] [--files N] [--cases N]";

/// What is made.
#[derive(Clone, Copy)]
enum Kind {
    Letta,
    SlopCode,
    Tree,
    Parquet,
}

struct Options {
    kind: Kind,
    out: PathBuf,
    seed: u64,
    /// Of the files that may be as long as wanted; each kind has its own default.
    bytes: Option<u64>,
    samples: u64,
    models: usize,
    /// Generation E (rewards, absent members left out) or D (gates, nulls written).
    rewards: bool,
    checkpoints: u64,
    files: u64,
    cases: u64,
}

fn main() -> ExitCode {
    let made = options().and_then(|options| match options.kind {
        Kind::Letta => letta::generate(&options),
        Kind::SlopCode => slop_run::one_run(&options),
        Kind::Tree => slop_run::tree(&options),
        Kind::Parquet => slop_parquet::generate(&options),
    });
    match made {
        Ok(facts) => {
            let written = writeln!(io::stdout(), "{facts:#}");
            ExitCode::from(u8::from(written.is_err()))
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options> {
    let mut options = Options {
        kind: Kind::Letta,
        out: PathBuf::new(),
        seed: 1,
        bytes: None,
        samples: 50_000,
        models: 1,
        rewards: true,
        checkpoints: 1_800,
        files: 10_000,
        cases: 300_000,
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or(USAGE)?;
        match name.as_str() {
            "--out" => options.out = PathBuf::from(value),
            "--kind" => {
                options.kind = match value.as_str() {
                    "letta" => Kind::Letta,
                    "slop-code" => Kind::SlopCode,
                    "tree" => Kind::Tree,
                    "parquet" => Kind::Parquet,
                    _ => return Err(USAGE.into()),
                }
            }
            "--seed" => options.seed = value.parse()?,
            "--megabytes" => options.bytes = Some(value.parse::<u64>()? * 1_000_000),
            "--samples" => options.samples = value.parse()?,
            "--models" => options.models = value.parse::<usize>()?.clamp(1, letta::MODELS.len()),
            "--generation" => options.rewards = value.eq_ignore_ascii_case("e"),
            "--checkpoints" => options.checkpoints = value.parse()?,
            "--files" => options.files = value.parse()?,
            "--cases" => options.cases = value.parse()?,
            _ => return Err(USAGE.into()),
        }
    }
    let least = options.samples.min(options.checkpoints).min(options.files).min(options.cases);
    if options.out.as_os_str().is_empty() || least == 0 {
        return Err(USAGE.into());
    }
    Ok(options)
}
