//! `--dataset`, `--index`, `--sql`: see `docs/dataset.md`.

use evalglass::dataset::{WriteOutcome, WriteWish, index, write};
use std::env::{current_exe, var_os};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is asked for about datasets.
#[derive(Default)]
pub struct Wish {
    /// The dataset that is written to.
    pub to: Option<PathBuf>,
    /// Whether long texts are packed.
    pub with_details: bool,
    /// The dataset whose small tables are derived.
    pub index: Option<PathBuf>,
    /// The query, over the dataset that the only path names.
    pub query: Option<String>,
}

impl Wish {
    /// Whether anything is asked for.
    pub fn is_asked(&self) -> bool {
        self.to.is_some() || self.index.is_some() || self.query.is_some()
    }
}

/// What is missing, or too much.
pub fn missing(wish: &super::Wish) -> Option<&'static str> {
    let Wish { to, index, query, .. } = &wish.dataset;
    let n_asked = [to.is_some(), index.is_some(), query.is_some()].iter().filter(|is| **is).count();
    let has_more = !wish.formats.is_empty()
        || !wish.rules.is_empty()
        || wish.page.is_some()
        || wish.baseline.is_some()
        || wish.out.is_some();
    if n_asked > 1 || has_more {
        Some(
            "--dataset, --index and --sql stand alone: figures in a dataset are by the rules of the files",
        )
    } else if index.is_some() {
        (!wish.paths.is_empty()).then_some("--index takes the dataset and no other path")
    } else if query.is_some() {
        (wish.paths.len() != 1).then_some("--sql takes a query and the folder of one dataset")
    } else {
        wish.paths.is_empty().then_some("nothing to read is named")
    }
}

/// Does what is asked for. There is nothing to fail on.
pub fn run(wish: &super::Wish) -> Result<bool, Vec<String>> {
    let failed = |err: std::io::Error| vec![err.to_string()];
    if let Some(root) = &wish.dataset.index {
        for fault in index(root).map_err(failed)? {
            eprintln!("{fault}");
        }
    } else if let (Some(query), [dataset]) = (&wish.dataset.query, wish.paths.as_slice()) {
        ask(query, dataset)?;
    } else if let Some(dataset) = &wish.dataset.to {
        let mappings = super::mappings(wish)?;
        let WriteOutcome { evaluations, n_rows: [n_cases, n_checks], remarks } =
            write(&WriteWish {
                dataset: dataset.clone(),
                paths: wish.paths.clone(),
                included: wish.included.clone(),
                mappings,
                with_details: wish.dataset.with_details,
            })
            .map_err(failed)?;
        for remark in remarks {
            eprintln!("{remark}");
        }
        if evaluations.is_empty() {
            return Err(vec!["nothing could be read".to_owned()]);
        }
        eprintln!("{} evaluations, {n_cases} cases, {n_checks} checks", evaluations.len());
    }
    Ok(false)
}

/// Has the program of `crates/sql` answer `query`.
fn ask(query: &str, dataset: &Path) -> Result<(), Vec<String>> {
    let named = var_os("EVALGLASS_SQL").map(PathBuf::from);
    // Beside this program, or where cargo has put both.
    let beside = current_exe().ok().and_then(|own| {
        let name = format!("evalglass-sql{}", std::env::consts::EXE_SUFFIX);
        let folders = own.ancestors().skip(1).take(3);
        folders.map(|folder| folder.join(&name)).find(|path| path.is_file())
    });
    let Some(program) = named.or(beside) else {
        return Err(vec![
            "--sql needs the program evalglass-sql, which is built with".to_owned(),
            "    cargo build --release --locked --manifest-path crates/sql/Cargo.toml".to_owned(),
            "and found beside this program, or where EVALGLASS_SQL says".to_owned(),
        ]);
    };
    let status = Command::new(&program).arg("--dataset").arg(dataset).arg(query).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(vec!["the query was not answered".to_owned()]),
        Err(err) => Err(vec![format!("{}: {err}", program.display())]),
    }
}
