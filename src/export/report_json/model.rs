//! What the report holds besides figures, so that the model can be built from it again: rules, declared
//! figures and recorded rows of an evaluation, what is known of a run as a whole, places of notes.

use super::{put, separated};
use crate::export::selection::Selection;
use crate::model::{Declared, Note, Run};
use crate::report::Entry;
use std::io;

/// Adds to an evaluation that is being written, and ends it.
pub(super) fn put_evaluation(
    out: &mut Vec<u8>,
    entry: &Entry,
    selection: &Selection,
) -> io::Result<()> {
    let evaluation = &entry.evaluation;
    out.extend(b",\"config\":");
    put(out, &evaluation.config)?;
    out.extend(b",\"declared_figures\":[");
    separated(out, evaluation.declared.iter(), |out, one: &Declared| put(out, one))?;
    out.extend(b"],\"unchecked_figures\":[");
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
