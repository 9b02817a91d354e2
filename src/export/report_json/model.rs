//! What the report holds besides figures, so that the model can be built from it again: rules, declared
//! figures and recorded rows of an evaluation, what is known of a run as a whole, places of notes.

use super::{put, separated};
use crate::export::selection::ExportSelection;
use crate::model::{Config, Declared, Mapping, Note, Run};
use crate::workspace::Entry;
use serde::Serialize;
use std::borrow::Cow;
use std::io;

/// Adds to an evaluation that is being written, and ends it.
pub(super) fn put_evaluation(
    out: &mut Vec<u8>,
    entry: &Entry,
    selection: &ExportSelection,
) -> io::Result<()> {
    let evaluation = &entry.evaluation;
    out.extend(b",\"config\":");
    put(out, &without_rows(&evaluation.config))?;
    out.extend(b",\"declared_figures\":[");
    separated(out, evaluation.declared.iter(), |out, one: &Declared| put(out, one))?;
    out.push(b']');
    put_declared(out, entry)?;
    out.extend(b",\"unchecked_figures\":[");
    separated(out, evaluation.unchecked.iter(), put)?;
    out.push(b']');
    if !evaluation.rows.is_empty() {
        out.extend(b",\"rows\":[");
        separated(out, evaluation.rows.iter(), put)?;
        out.push(b']');
    }
    if let Some([n_cases, of_cases]) = selection.part_of(entry) {
        out.extend(format!(",\"holds\":{{\"cases\":{n_cases},\"of\":{of_cases}}}").bytes());
    }
    out.push(b'}');
    Ok(())
}

/// The configuration without the first rows of a table: its cases are the rows.
fn without_rows(config: &Config) -> Cow<'_, Config> {
    match &config.mapping {
        Some(mapping) if !mapping.first_rows.is_empty() => {
            let mapping = Mapping { first_rows: Vec::new(), ..mapping.clone() };
            Cow::Owned(Config { mapping: Some(mapping), ..config.clone() })
        }
        _ => Cow::Borrowed(config),
    }
}

/// Adds what is declared only, by what it is about: made of the figures above, so that nobody who
/// reads the report has to put them together.
fn put_declared(out: &mut Vec<u8>, entry: &Entry) -> io::Result<()> {
    let sheet = entry.declared();
    if !sheet.parts.is_empty() {
        out.extend(b",\"declared_totals\":[");
        separated(out, sheet.parts.iter(), |out, part| put_marked(out, part.scope_word(), part))?;
        out.push(b']');
    }
    if !sheet.spreads.is_empty() {
        out.extend(b",\"declared_spread\":[");
        separated(out, sheet.spreads.iter(), |out, one| put_marked(out, "spread", one))?;
        out.push(b']');
    }
    Ok(())
}

/// `members` of an object, which says first that it is declared.
fn put_marked(out: &mut Vec<u8>, scope: &str, members: &impl Serialize) -> io::Result<()> {
    #[derive(Serialize)]
    struct Marked<'a, T> {
        declared: bool,
        scope: &'a str,
        #[serde(flatten)]
        members: &'a T,
    }
    put(out, &Marked { declared: true, scope, members })
}

/// Adds to a run that is being written.
pub(super) fn put_run(out: &mut Vec<u8>, entry: &Entry, run: &Run, n_cases: u64) -> io::Result<()> {
    if n_cases < run.cases.len() as u64 {
        out.extend(format!(",\"of_cases\":{}", run.cases.len()).bytes());
    }
    if let Some(usage) = &run.usage {
        out.extend(b",\"run_usage\":");
        put(out, usage)?;
    }
    if let Some(is_failure) = run.is_infrastructure_failure {
        out.extend(b",\"is_infrastructure_failure\":");
        put(out, &is_failure)?;
    }
    if let Some(state) = &run.state {
        out.extend(b",\"run_state\":");
        put(out, state)?;
    }
    if let Some(better) = &run.score_better {
        out.extend(b",\"score_better\":");
        put(out, better)?;
    }
    if !run.groups.is_empty() {
        out.extend(b",\"declared_groups\":");
        put(out, &run.groups)?;
    }
    // A report that it comes out of counts only where something in it was lost.
    let is_of_use =
        |path: &&str| run.origins.is_empty() || entry.notes.iter().any(|note| note.file == **path);
    let read_from = run.sources.iter().filter_map(|id| entry.bundle.file(*id));
    let read_from = read_from.map(|file| file.path.as_str()).filter(is_of_use);
    let files: Vec<&str> = run.origins.iter().map(String::as_str).chain(read_from).collect();
    out.extend(b",\"files\":");
    put(out, &files)
}

/// Adds to a note that is being written, and ends it. `of`: the evaluation that it is about.
pub(super) fn put_note(out: &mut Vec<u8>, of: Option<&Entry>, note: &Note) -> io::Result<()> {
    out.extend(b",\"evaluation\":");
    put(out, &of.map(|entry| entry.key.as_str()))?;
    out.extend(b",\"places\":");
    put(out, &note.places)?;
    out.push(b'}');
    Ok(())
}
