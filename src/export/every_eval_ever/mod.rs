//! Results in the common schema of Every Eval Ever 0.3.0: for each run an aggregate (`UUID.json`) and its samples
//! (`UUID_samples.jsonl`), in the folders of the tool's data store.
//!
//! A zip, because a page downloads one file, and the schema knows no aggregate with its samples inside: unpacked, it is
//! what `every_eval_ever validate` takes. The samples of a run are written before its aggregate, which counts them.
//! `docs/exports.md` says what has no place in the schema.

mod aggregate;
mod sample;

use super::columns::RunCx;
use super::job::{ExportContext, ExportFormat};
use super::selection::CaseBatch;
use super::zip::Zip;
use crate::model::Run;
use crate::workspace::{Entry, Need};
use sample::Samples;
use serde::Serialize;
use std::collections::HashMap;
use std::io;

/// Version of the schema.
const VERSION: &str = "0.3.0";

/// Id of the result that the cases' own scores make.
const SCORE: &str = "score";
/// Id of the result that passing makes, of a run whose cases have no scores.
const PASSED: &str = "passed";

/// The archive.
#[derive(Default)]
pub(super) struct EveryEvalEverArchive {
    zip: Zip,
    /// The run that is being written.
    open: Option<Writing>,
}

/// A run that is being written.
struct Writing {
    names: RunNames,
    results: Vec<ResultOf>,
    /// How often each id was written.
    ids: HashMap<String, u32>,
    n_rows: u64,
}

/// What a score of a sample counts in.
struct ResultOf {
    id: String,
    /// The scores that were written.
    scores: Vec<f64>,
}

/// What the files of a run call it.
struct RunNames {
    /// `evaluation_name`: suite and part of it.
    evaluation: String,
    model: String,
    /// Seconds since 1970 when the run began; 0 where nobody knows.
    started: String,
    /// `evaluation_id`
    id: String,
    /// Path of its files without their ends.
    path: String,
}

impl ExportFormat for EveryEvalEverArchive {
    fn needs(&self, _cx: &ExportContext<'_>, piece: &CaseBatch) -> Vec<Need> {
        let rows = piece.rows().filter_map(|row| u32::try_from(row).ok());
        rows.map(|row| Need::Case(piece.run, row)).collect()
    }

    fn piece(
        &mut self,
        cx: &ExportContext<'_>,
        piece: &CaseBatch,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Some(of) = RunCx::new(cx.workspace, piece.run) else { return Ok(()) };
        if piece.is_first {
            let names = RunNames::new(of.entry, of.run, &of.key);
            self.zip.begin(format!("{}_samples.jsonl", names.path), out)?;
            let results = results(of.entry, of.run);
            self.open = Some(Writing { names, results, ids: HashMap::new(), n_rows: 0 });
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        let samples = Samples { cx, of: &of, at: piece.run };
        for idx in piece.rows() {
            let mut lines = Vec::new();
            samples.write(open, idx, &mut lines)?;
            self.zip.push(&lines, out)?;
        }
        if piece.is_last {
            self.zip.end(out)?;
            let aggregate = aggregate::of(cx, &of, piece.run, open);
            self.zip.begin(format!("{}.json", open.names.path), out)?;
            let mut text = Vec::new();
            serde_json::to_writer_pretty(&mut text, &aggregate)?;
            text.push(b'\n');
            self.zip.push(&text, out)?;
            self.zip.end(out)?;
            self.open = None;
        }
        Ok(())
    }

    fn end(&mut self, _cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        self.zip.finish(out)
    }
}

fn put_line(out: &mut Vec<u8>, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.push(b'\n');
    Ok(())
}

/// The results of a run: its cases' scores, else whether they passed; then each metric.
fn results(entry: &Entry, run: &Run) -> Vec<ResultOf> {
    let has_scores = (0..run.cases.len()).any(|idx| run.cases.score.get(idx).is_some());
    let own = if has_scores { SCORE } else { PASSED };
    let metrics = entry.evaluation.config.metrics.iter().filter(|name| !name.is_empty());
    let mut ids = vec![own.to_owned()];
    for name in metrics {
        // A metric may be called as the result of the cases is.
        let id = if name == own { format!("metric {name}") } else { name.clone() };
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids.into_iter().map(|id| ResultOf { id, scores: Vec::new() }).collect()
}

impl RunNames {
    fn new(entry: &Entry, run: &Run, key: &str) -> Self {
        let suite = run.key.suite.as_deref().filter(|suite| !suite.is_empty());
        let suite = suite.unwrap_or(&entry.evaluation.label);
        let evaluation = match &run.key.variant {
            Some(variant) => format!("{suite} ({variant})"),
            None => suite.to_owned(),
        };
        let model = run.key.subject.as_deref().filter(|model| !model.is_empty());
        let model = model.unwrap_or("unknown").to_owned();
        let started = run.started_at.as_deref().and_then(|at| at.parse::<jiff::Timestamp>().ok());
        let started = started.map_or(0, |at| at.as_second()).to_string();
        let repeat = run.key.repeat;
        let repeat = if repeat > 1 { format!("#{repeat}") } else { String::new() };
        let id = format!("{evaluation}{repeat}/{}/{started}", model.replace('/', "_"));
        let (developer, name) = model.split_once('/').unwrap_or(("unknown", &model));
        let folders = [&evaluation, developer, name].map(folder_name).join("/");
        let uuid = uuid(&format!("{}\0{key}", entry.key));
        let path = format!("data/{folders}/{uuid}");
        Self { evaluation, model, started, id, path }
    }
}

/// `text` as the name of one folder on any system: letters, digits and `._-` of ASCII, the others as `_`.
fn folder_name(text: &str) -> String {
    const LONGEST: usize = 80;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let plain = |letter: char| if is_plain(letter) { letter } else { '_' };
    let name: String = text.chars().take(LONGEST).map(plain).collect();
    let is_name = name.chars().any(|letter| letter != '.');
    if is_name { name } else { "_".to_owned() }
}

/// A UUID in the form of version 4, as the schema wants the file to be called; always the same one of the same key.
fn uuid(key: &str) -> String {
    let hash = |seed: u64| {
        // FNV-1a, and its end mixed as MurmurHash3 does: keys differ in their last letters.
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let mut hash = key.bytes().fold(seed, step);
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^ (hash >> 33)
    };
    let (high, low) = (hash(0xcbf2_9ce4_8422_2325), hash(0x8422_2325_cbf2_9ce4));
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        (low >> 48) & 0x3fff | 0x8000,
        low & 0xffff_ffff_ffff,
    )
}
