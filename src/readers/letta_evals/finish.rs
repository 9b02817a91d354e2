//! The end of every reading: labels, order, configuration, what is stated.

use super::judging::generation::Generation;
use super::judging::rules::LettaRules;
use super::sniff::role;
use super::totals::declared::{ObjectFigures, part};
use crate::model::{Declared, Evaluation, NoteKind, Place, Run, Scope};
use crate::readers::unchecked_claims::Claims;
use crate::readers::{Bundle, Context, Error, ErrorKind};
use crate::secrets::mask_named;
use serde_json::{Map, Value};
use std::rc::Rc;

/// What the files of an evaluation gave.
#[derive(Default)]
pub struct EvaluationParts {
    /// Suite name.
    pub suite: Option<String>,
    /// Graders in the order in which configuration and rows name them.
    pub metrics: Vec<String>,
    /// Runs, in order.
    pub runs: Vec<Run>,
    /// Figures.
    pub declared: Vec<Declared>,
    /// What is stated beside them.
    pub claims: Claims,
    /// Documents as written, by path, secrets masked.
    pub documents: Map<String, Value>,
    /// When it was made, as the file writes it.
    pub started_at: Option<String>,
}

impl EvaluationParts {
    /// Keeps a document.
    pub fn document(&mut self, path: &str, map: &Map<String, Value>) {
        let mut value = Value::Object(map.clone());
        mask_named(&mut value);
        self.documents.insert(path.to_owned(), value);
    }

    /// Declares the figures of the document (or the part of it at `prefix`) in the file `path`, and
    /// lists whatever else it states.
    pub fn declare(
        &mut self,
        path: &str,
        prefix: &str,
        map: &Map<String, Value>,
        why: Option<&'static str>,
        declare: impl FnOnce(&mut ObjectFigures<'_>),
    ) {
        let (file, before): (Rc<str>, _) = (path.into(), self.declared.len());
        declare(&mut ObjectFigures {
            out: &mut self.declared,
            scope: Scope::Evaluation,
            file: Rc::clone(&file),
            prefix: prefix.to_owned(),
            why,
        });
        let own = self.declared.get(before..).unwrap_or_default();
        self.claims.walk(&file, &Value::Object(map.clone()), prefix, own, &part);
    }
}

/// The evaluation.
///
/// # Errors
/// When there is neither a run nor a stated figure.
pub fn finish(
    bundle: &Bundle,
    rules: LettaRules,
    parts: EvaluationParts,
    cx: &Context<'_>,
) -> Result<Evaluation, Error> {
    if parts.runs.is_empty() && parts.declared.is_empty() {
        let reason = "there is no result row and no summary";
        return Err(Error::new(ErrorKind::Format(reason.to_owned())));
    }
    let mut config = rules.config;
    if !config.metrics.is_empty() {
        for name in parts.metrics.iter().skip(config.metrics.len()) {
            let detail = format!("the rows have a grader {name:?} that the configuration lacks");
            cx.notes.add(&bundle.path, NoteKind::Unknown, Place::File, detail);
        }
    }
    config.metrics = parts.metrics;
    if config.primary_metric.is_none() && rules.generation != Generation::Guide {
        config.primary_metric = config.metrics.first().cloned();
    }
    for claimed in bundle.of_role(role::LOG) {
        log(&claimed.file, cx);
    }
    let suite = parts.suite.filter(|suite| !suite.is_empty());
    let is_multi = parts.runs.iter().any(|run| run.key.repeat > 1);
    let mut runs = parts.runs;
    for run in &mut runs {
        run.started_at.clone_from(&parts.started_at);
        let subject = run.key.subject.as_deref().or(suite.as_deref()).unwrap_or("run");
        run.label = if is_multi {
            // What is special about a run stands in its label so far.
            let aside =
                if run.label.is_empty() { String::new() } else { format!(" ({})", run.label) };
            format!("{subject} · run {}{aside}", run.key.repeat)
        } else {
            subject.to_owned()
        };
    }
    Ok(Evaluation {
        producer: super::ID.into(),
        generation: rules.generation.name().to_owned(),
        path: bundle.path.clone(),
        label: label(suite.as_deref(), &bundle.path),
        suite,
        config,
        declared: parts.declared,
        unchecked: parts.claims.into_vec(),
        declared_json: Value::Object(parts.documents),
        rows: Vec::new(),
        runs,
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}

/// What every newest result is called, wherever it lies.
const NEWEST: &str = "latest";

/// The name of an evaluation: its suite, else the folder that it lies in. What is only called the newest takes the
/// next name that says more.
fn label(suite: Option<&str>, path: &str) -> String {
    let folders = path.rsplit('/').filter(|folder| !folder.is_empty());
    let mut names = suite.into_iter().chain(folders);
    names.find(|name| *name != NEWEST).or(suite).unwrap_or(path).to_owned()
}

/// Counts the lines of a log: they add nothing to the figures, since rows carry their errors.
fn log(file: &crate::input::InputFile, cx: &Context<'_>) {
    const MAX_LOG: u64 = 4 << 20;
    if file.is_empty() {
        return;
    }
    let Ok(bytes) = file.bytes(0..file.len().min(MAX_LOG)) else { return };
    let count = |word: &[u8]| {
        bytes
            .split(|&byte| byte == b'\n')
            .filter(|line| line.split(|&byte| byte == b' ').nth(2) == Some(word))
            .count()
    };
    let detail = format!(
        "a log (errors: {}, warnings: {}); figures come from the results",
        count(b"ERROR") + count(b"CRITICAL"),
        count(b"WARNING")
    );
    cx.notes.add(&file.path, NoteKind::Skipped, Place::File, detail);
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn no_evaluation_is_called_only_the_newest() {
        assert_eq!(label(Some("tide"), "out/latest"), "tide");
        assert_eq!(label(None, "out/july"), "july");
        assert_eq!(label(Some("latest"), "out/july"), "july");
        assert_eq!(label(None, "out/latest"), "out");
        assert_eq!(label(Some("latest"), ""), "latest");
    }
}
