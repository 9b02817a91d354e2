//! Which model and which run a line file of 0.17 and later holds.
//!
//! In this order: the rows' own `model_handle` (0.22 and later); folder and file name; the figures of the
//! summaries; what is left over.

use crate::input::json::f64_from_value;
use crate::model::{NoteKind, Place, Run};
use crate::readers::letta_evals::cases::LettaRows;
use crate::readers::letta_evals::grouping::names::{run_number, slug, stem};
use crate::readers::letta_evals::grouping::sums::Sums;
use crate::readers::{Claimed, Context};
use serde_json::{Map, Value};
use std::rc::Rc;

type IdentifiedObject = Map<String, Value>;

/// A file of rows on its way to a model and a run.
pub struct FileOfRows<'a> {
    claimed: &'a Rc<Claimed>,
    rows: LettaRows,
    model: Option<String>,
    /// Run, 1-based, once known.
    pub repeat: Option<u32>,
}

impl<'a> FileOfRows<'a> {
    /// A file whose rows are read.
    pub fn new(claimed: &'a Rc<Claimed>, rows: LettaRows) -> Self {
        let models: Vec<&String> =
            rows.runs.iter().filter_map(|run| run.key.subject.as_ref()).collect();
        let model = match models.as_slice() {
            [model] => Some((*model).clone()),
            _ => None,
        };
        Self { claimed, model, rows, repeat: None }
    }

    /// Whether it has rows of `model`.
    pub fn has_model(&self, model: &str) -> bool {
        self.model.as_deref() == Some(model)
            || self.rows.runs.iter().any(|run| run.key.subject.as_deref() == Some(model))
    }

    /// Its runs, named.
    pub fn into_runs(self) -> Vec<Run> {
        let mut runs = self.rows.runs;
        for run in &mut runs {
            run.key.repeat = self.repeat.unwrap_or(1);
            if run.key.subject.is_none() {
                run.key.subject.clone_from(&self.model);
            }
        }
        runs
    }
}

/// Figures of one model and run by which its file can be recognised.
struct Fingerprint {
    model: String,
    repeat: u32,
    prompt_tokens: Option<f64>,
    mean_secs: Option<f64>,
}

impl Fingerprint {
    fn new(model: &str, repeat: u32, map: &IdentifiedObject) -> Self {
        let number = |group: &str, key: &str| f64_from_value(map.get(group)?.get(key)?);
        Self {
            model: model.to_owned(),
            repeat,
            prompt_tokens: number("usage", "prompt_tokens"),
            mean_secs: number("timing", "mean_total"),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of rows stay far below 2^53")]
    fn fits(&self, sums: &Sums) -> bool {
        let (secs, n_rows) = (sums.secs, sums.n_secs);
        let mean = (n_rows > 0).then(|| secs / n_rows as f64);
        let same_secs = match (self.mean_secs, mean) {
            (Some(stated), Some(mean)) => (stated - mean).abs() <= 1e-9 * stated.abs(),
            _ => false,
        };
        same_secs
            && self.prompt_tokens.is_none_or(|stated| (stated - sums.prompt_tokens).abs() < 0.5)
    }
}

/// Finds model and run of every file; models found on the way are added to `models`.
pub fn identify(
    files: &mut [FileOfRows<'_>],
    models: &mut Vec<String>,
    model_summaries: &[(&Rc<Claimed>, IdentifiedObject)],
    summaries: &[(&Rc<Claimed>, IdentifiedObject)],
    root: &str,
    cx: &Context<'_>,
) {
    let prints = fingerprints(model_summaries, summaries);
    let summary_folder = |folder: &str| {
        let mut found =
            model_summaries.iter().filter(|(claimed, _)| claimed.file.folder() == folder);
        let first = found.next();
        first.filter(|_| found.next().is_none()).and_then(|(_, map)| map.get("model")?.as_str())
    };
    for file in files.iter_mut() {
        let folder = file.claimed.file.folder();
        let name = stem(file.claimed.file.name());
        let own_folder = (folder != root).then(|| folder.rsplit('/').next().unwrap_or(folder));
        file.repeat = run_number(name);
        let slug_text = match (own_folder, file.repeat) {
            (Some(folder), _) => Some(folder),
            (None, Some(_)) => None,
            (None, None) => Some(name),
        };
        if file.model.is_none() {
            // A summary beside the rows names their model in full; a file name only nearly.
            let beside = own_folder.and_then(|_| summary_folder(folder)).map(str::to_owned);
            file.model = beside.or_else(|| slug_text.and_then(|text| by_slug(text, models)));
        }
        if file.model.is_none() || file.repeat.is_none() {
            let fitting = |print: &&Fingerprint| {
                print.fits(&file.rows.sums) && file.model.as_ref().is_none_or(|m| *m == print.model)
            };
            if let Some(print) = prints.iter().find(fitting) {
                file.model.get_or_insert_with(|| print.model.clone());
                file.repeat.get_or_insert(print.repeat);
            }
        }
    }
    name_the_rest(files, models, cx);
    number_the_rest(files);
    for file in files.iter() {
        let named = file.rows.runs.iter().filter_map(|run| run.key.subject.as_ref());
        for model in named.chain(&file.model) {
            if !models.contains(model) {
                models.push(model.clone());
            }
        }
    }
    note_duplicates(files, cx);
}

fn fingerprints(
    model_summaries: &[(&Rc<Claimed>, IdentifiedObject)],
    summaries: &[(&Rc<Claimed>, IdentifiedObject)],
) -> Vec<Fingerprint> {
    let mut prints = Vec::new();
    for (_, map) in model_summaries {
        let Some(model) = map.get("model").and_then(Value::as_str) else { continue };
        for run in map.get("runs").and_then(Value::as_array).into_iter().flatten() {
            let Some(run) = run.as_object() else { continue };
            let repeat = run.get("run").and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
            prints.extend(repeat.map(|repeat| Fingerprint::new(model, repeat, run)));
        }
    }
    let models = summaries.iter().filter_map(|(_, map)| map.get("models")?.as_array()).flatten();
    for map in models.filter_map(Value::as_object) {
        if let Some(model) = map.get("model").and_then(Value::as_str) {
            prints.push(Fingerprint::new(model, 1, map));
        }
    }
    prints
}

/// The only model whose file name is `text`.
fn by_slug(text: &str, models: &[String]) -> Option<String> {
    let mut fitting = models.iter().filter(|model| slug(model) == text);
    let first = fitting.next()?;
    fitting.next().is_none().then(|| first.clone())
}

/// Names files that nothing named: the last model left over, else the name as it is.
fn name_the_rest(files: &mut [FileOfRows<'_>], models: &[String], cx: &Context<'_>) {
    let left: Vec<String> = models
        .iter()
        .filter(|model| !files.iter().any(|file| file.has_model(model)))
        .cloned()
        .collect();
    let open = |file: &FileOfRows<'_>| {
        file.model.is_none() && file.rows.runs.iter().any(|run| run.key.subject.is_none())
    };
    let n_open = files.iter().filter(|file| open(file)).count();
    for file in files.iter_mut().filter(|file| open(file)) {
        let path = &file.claimed.file.path;
        let folder = file.claimed.file.folder();
        let own = if file.repeat.is_some() && !folder.is_empty() {
            folder.rsplit('/').next().unwrap_or(folder)
        } else {
            stem(file.claimed.file.name())
        };
        let (model, why) = match (left.as_slice(), n_open) {
            ([only], 1) => (only.clone(), "the only model without rows"),
            _ => (own.to_owned(), "the name of the file, since nothing else names the model"),
        };
        let detail = format!("the model is taken to be {model:?}: {why}");
        cx.notes.add(path, NoteKind::Assumed, Place::File, detail);
        file.model = Some(model);
    }
}

/// Numbers files that nothing numbered, in the order of the files.
fn number_the_rest(files: &mut [FileOfRows<'_>]) {
    for idx in 0..files.len() {
        let Some(file) = files.get(idx) else { continue };
        if file.repeat.is_some() {
            continue;
        }
        let taken: Vec<u32> = files
            .iter()
            .filter(|other| other.model == file.model)
            .filter_map(|other| other.repeat)
            .collect();
        let free = (1..).find(|number| !taken.contains(number));
        if let Some(file) = files.get_mut(idx) {
            file.repeat = free;
        }
    }
}

fn note_duplicates(files: &[FileOfRows<'_>], cx: &Context<'_>) {
    for (idx, file) in files.iter().enumerate() {
        let is_again = file.rows.sums.n_rows > 0
            && files.iter().take(idx).any(|other| {
                other.rows.sums.n_rows > 0
                    && other.model == file.model
                    && other.repeat == file.repeat
            });
        if is_again {
            let detail = "another file has the same model and run";
            let path = &file.claimed.file.path;
            cx.notes.add(path, NoteKind::Duplicate, Place::File, detail);
        }
    }
}
