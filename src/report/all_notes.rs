//! Every note of a workspace, whoever has it.

use super::workspace::{Entry, Workspace};
use crate::model::{Note, NoteKind};
use crate::sorting::sort_by_key;

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
        sort_by_key(&mut notes, |(_, note)| match note.kind {
            kind if kind.is_loss() => 0,
            NoteKind::Assumed => 1,
            _ => 2,
        });
        notes
    }
}
