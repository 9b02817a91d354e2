//! What keeps a verdict from being the last word: a run that was interrupted, a file that is cut off,
//! cases that are declared and not here.

use super::Outcome;
use super::all_notes::notes_of_run;
use super::pages::audit::{AuditedFigure, Partial, compared};
use crate::model::{Figure, Note, NoteKind, Scope};
use crate::words::report::runs as words;
use crate::workspace::Entry;
use std::collections::HashMap;
use std::rc::Rc;

/// Provisos of an evaluation and of each of its runs, in words.
#[derive(Debug, Default)]
pub(super) struct Provisos {
    /// Of the whole.
    of_all: Option<String>,
    /// By run.
    of_runs: Vec<Option<String>>,
}

/// What a verdict about the evaluation has to be taken with.
pub(crate) fn of_evaluation(entry: &Entry) -> Option<String> {
    known(entry).of_all.clone()
}

/// The same of one of its runs.
pub(crate) fn of_run(entry: &Entry, run_idx: usize) -> Option<String> {
    known(entry).of_runs.get(run_idx)?.clone()
}

/// In how many of its repeats the gate of an evaluation passes, and how many there are, where that is neither none
/// nor all: its verdict is that of any repeat.
fn in_part(entry: &Entry) -> Option<(u64, u64)> {
    let verdict = entry.figures.verdict.as_ref()?;
    let gates = entry.figures.repeats.iter().filter_map(|repeat| repeat.gate.as_ref());
    let passed: Vec<Option<bool>> = gates.map(|gate| gate.is_passed).collect();
    let n_passed = passed.iter().filter(|is_passed| **is_passed == Some(true)).count();
    let is_some = n_passed > 0 && n_passed < passed.len();
    (verdict.outcome == Outcome::Passed && is_some)
        .then_some((n_passed as u64, passed.len() as u64))
}

/// The same in words: `in 1 of 3 repeats`.
pub(crate) fn in_part_words(entry: &Entry) -> Option<String> {
    in_part(entry).map(|(n, all)| words::in_repeats(n, all))
}

fn known(entry: &Entry) -> Rc<Provisos> {
    entry.derived.get_or(|| {
        let n_runs = entry.recorded_runs().len();
        let is_told = |note: &&Note| says_so(note);
        let short = shortfalls(entry);
        let of_runs: Vec<Option<String>> = if entry.notes.iter().any(says_so) {
            let words = |idx: usize| {
                words(notes_of_run(entry, idx).into_iter().filter(is_told))
                    .or_else(|| short.get(&idx).cloned().or_else(|| stored(entry, idx)))
            };
            (0..n_runs).map(words).collect()
        } else {
            (0..n_runs).map(|idx| short.get(&idx).cloned().or_else(|| stored(entry, idx))).collect()
        };
        let n_short = of_runs.iter().flatten().count();
        let of_all = match of_runs.iter().flatten().next() {
            Some(first) if n_short > 1 => Some(words::incomplete_runs(n_short, first)),
            Some(first) => Some(first.clone()),
            None => words(entry.notes.iter().filter(is_told)),
        };
        Provisos { of_all, of_runs }
    })
}

/// The words that a dataset has for run `idx`.
fn stored(entry: &Entry, idx: usize) -> Option<String> {
    entry.stored()?.runs.get(idx)?.so_far.clone()
}

fn says_so(note: &Note) -> bool {
    matches!(note.kind, NoteKind::Unfinished | NoteKind::Truncated)
}

/// The first note, with how many more there are.
fn words<'a>(mut notes: impl Iterator<Item = &'a Note>) -> Option<String> {
    let first = &notes.next()?.detail;
    Some(match notes.count() {
        0 => first.clone(),
        n => words::and_more_notes(first, n),
    })
}

/// Runs that have fewer cases here than a file declares.
fn shortfalls(entry: &Entry) -> HashMap<usize, String> {
    let mut by_file: HashMap<(usize, Rc<str>), Vec<AuditedFigure<'_>>> = HashMap::new();
    for declared in &entry.evaluation.declared {
        if let Scope::Run(idx) = &declared.scope
            && matches!(declared.figure, Figure::KindTotal(_) | Figure::KindPassed(_))
            && let Ok(found) = compared(declared, entry)
            && declared.known.is_none()
        {
            by_file.entry((*idx, Rc::clone(&declared.file))).or_default().push(found);
        }
    }
    let mut short = HashMap::new();
    for ((idx, _), own) in by_file {
        let own: Vec<&AuditedFigure<'_>> = own.iter().collect();
        if let Some(partial) = Partial::of(&own) {
            short.insert(idx, partial.words());
        }
    }
    short
}
