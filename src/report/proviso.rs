//! What keeps a verdict from being the last word: a run that was interrupted, a file that is cut off,
//! cases that are declared and not here.

use super::all_notes::notes_of_run;
use super::audit::{Compared, Partial, compared};
use super::workspace::Entry;
use crate::model::{Figure, Note, NoteKind, Scope};
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
pub(crate) fn of_evaluation(entry: &Entry) -> Option<&str> {
    known(entry).of_all.as_deref()
}

/// The same of one of its runs.
pub(crate) fn of_run(entry: &Entry, run_idx: usize) -> Option<&str> {
    known(entry).of_runs.get(run_idx)?.as_deref()
}

fn known(entry: &Entry) -> &Provisos {
    entry.provisos.get_or_init(|| {
        let n_runs = entry.recorded_runs().len();
        let is_told = |note: &&Note| says_so(note);
        let short = shortfalls(entry);
        let of_runs: Vec<Option<String>> = if entry.notes.iter().any(says_so) {
            let words = |idx: usize| {
                words(notes_of_run(entry, idx).into_iter().filter(is_told))
                    .or_else(|| short.get(&idx).cloned())
            };
            (0..n_runs).map(words).collect()
        } else {
            (0..n_runs).map(|idx| short.get(&idx).cloned()).collect()
        };
        let n_short = of_runs.iter().flatten().count();
        let of_all = match of_runs.iter().flatten().next() {
            Some(first) if n_short > 1 => {
                Some(format!("of {n_short} runs a part is here; {first}"))
            }
            Some(first) => Some(first.clone()),
            None => words(entry.notes.iter().filter(is_told)),
        };
        Provisos { of_all, of_runs }
    })
}

fn says_so(note: &Note) -> bool {
    matches!(note.kind, NoteKind::Unfinished | NoteKind::Truncated)
}

/// The first note, with how many more there are.
fn words<'a>(mut notes: impl Iterator<Item = &'a Note>) -> Option<String> {
    let first = &notes.next()?.detail;
    Some(match notes.count() {
        0 => first.clone(),
        n => format!("{first} (and {n} more in the notes)"),
    })
}

/// Runs that have fewer cases here than a file declares.
fn shortfalls(entry: &Entry) -> HashMap<usize, String> {
    let mut by_file: HashMap<(usize, Rc<str>), Vec<Compared<'_>>> = HashMap::new();
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
        let own: Vec<&Compared<'_>> = own.iter().collect();
        if let Some(partial) = Partial::of(&own) {
            short.insert(idx, partial.words());
        }
    }
    short
}
