//! Every note of a workspace, each with its owner, and those of one run.

use crate::model::{Note, NoteKind, Run};
use crate::order::Order as _;
use crate::workspace::{Entry, Workspace};
use std::collections::HashSet;

impl Workspace {
    /// Every note: of the whole, then of each evaluation; losses first.
    pub fn all_notes(&self) -> Vec<&Note> {
        self.notes_by_entry().into_iter().map(|(_, note)| note).collect()
    }

    /// The same, each with the evaluation that it is about.
    pub fn notes_by_entry<'a>(&'a self) -> Vec<(Option<&'a Entry>, &'a Note)> {
        let own = |entry: &'a Entry| entry.notes.iter().map(move |note| (Some(entry), note));
        let beside = self.entries.iter().flat_map(|entry| &entry.notes_beside);
        let of_none = self.notes.iter().chain(&self.open_notes).chain(beside);
        let mut notes: Vec<(Option<&Entry>, &Note)> =
            of_none.map(|note| (None, note)).chain(self.entries.iter().flat_map(own)).collect();
        notes.order_by_key(|(_, note)| match note.kind {
            kind if kind.is_loss() => 0,
            NoteKind::Skipped => 3,
            NoteKind::Assumed => 2,
            _ => 1,
        });
        notes
    }
}

/// The notes about one run of an evaluation: those about its files and folder, and those about no
/// run more than about another.
pub(super) fn notes_of_run(entry: &Entry, run_idx: usize) -> Vec<&Note> {
    let places: Vec<(HashSet<&str>, &str)> = entry
        .recorded_runs()
        .iter()
        .map(|run| (files_of(entry, run), run.key.path.as_str()))
        .collect();
    let is_about = |note: &Note, (files, folder): &(HashSet<&str>, &str)| {
        files.contains(note.file.as_str())
            || note.file == *folder
            || (note.file.strip_prefix(folder)).is_some_and(|rest| rest.starts_with('/'))
    };
    let is_own = |note: &&Note| {
        places.get(run_idx).is_some_and(|own| is_about(note, own))
            || !places.iter().any(|other| is_about(note, other))
    };
    entry.notes.iter().filter(is_own).collect()
}

/// Paths of the files that a run was read from.
pub(super) fn files_of<'a>(entry: &'a Entry, run: &'a Run) -> HashSet<&'a str> {
    let files = run.sources.iter().filter_map(|id| entry.bundle.file(*id));
    let origins = run.origins.iter().map(String::as_str);
    files.map(|file| file.path.as_str()).chain(origins).collect()
}
