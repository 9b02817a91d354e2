//! Forgetting evaluations, and taking that back.

use super::{Entry, Workspace};
use crate::model::Note;
use crate::readers::{Claimed, Unclaimed};
use std::rc::Rc;

/// What was forgotten, so that it can come back as it was.
pub(super) struct Removed {
    /// Evaluations.
    entries: Vec<Entry>,
    claims: Vec<(&'static str, Rc<Claimed>)>,
    /// Tables among them, which nobody claims by their content.
    tables: Vec<Rc<Unclaimed>>,
    /// The rest of a workspace that was forgotten whole.
    rest: Option<WorkspaceRest>,
}

/// What a workspace holds beside its evaluations.
struct WorkspaceRest {
    unclaimed: Vec<Rc<Unclaimed>>,
    notes: Vec<Note>,
    open_notes: Vec<Note>,
    n_files: u64,
}

impl Workspace {
    /// Forgets an evaluation and its files.
    pub fn remove(&mut self, id: u32) {
        let Some(at) = self.entries.iter().position(|entry| entry.id == id) else { return };
        let entry = self.entries.remove(at);
        let sources = entry.sources();
        self.tell_apart();
        self.forget_answers();
        // Another evaluation may be of the same file.
        let is_used = |claimed: &Claimed| {
            self.entries.iter().any(|other| other.bundle.file(claimed.file.id).is_some())
        };
        let (claims, kept) = std::mem::take(&mut self.claims)
            .into_iter()
            .partition(|(_, claimed)| !is_used(claimed) && sources.contains(&claimed.file.id));
        self.claims = kept;
        let is_gone = |one: &Rc<Unclaimed>| {
            claims.iter().any(|(_, claimed): &(_, Rc<Claimed>)| claimed.file.id == one.file.id)
        };
        let (tables, kept) = std::mem::take(&mut self.unclaimed).into_iter().partition(is_gone);
        self.unclaimed = kept;
        self.removed = Some(Removed { entries: vec![entry], claims, tables, rest: None });
    }

    /// Forgets everything but the rules in force.
    pub fn clear(&mut self) {
        let old = std::mem::take(self);
        let rest = WorkspaceRest {
            unclaimed: old.unclaimed,
            notes: old.notes,
            open_notes: old.open_notes,
            n_files: old.n_files,
        };
        *self = Self {
            settings: old.settings,
            complaints: old.complaints,
            words: old.words,
            // A number is never used twice, and what comes back keeps its own.
            next_entry: old.next_entry,
            removed: Some(Removed {
                entries: old.entries,
                claims: old.claims,
                tables: Vec::new(),
                rest: Some(rest),
            }),
            ..Self::default()
        };
    }

    /// Takes back the last [`Workspace::remove`] or [`Workspace::clear`], unless something has been
    /// opened since.
    pub fn restore(&mut self) {
        let Some(removed) = self.removed.take() else { return };
        for mut entry in removed.entries {
            // The rules may have changed meanwhile.
            entry.apply(&self.settings);
            // Its place is that of its number: others may have come and gone while files were watched.
            let at = self.entries.partition_point(|other| other.id < entry.id);
            self.entries.insert(at, entry);
        }
        self.claims.extend(removed.claims);
        self.unclaimed.extend(removed.tables);
        if let Some(rest) = removed.rest {
            self.unclaimed = rest.unclaimed;
            self.notes = rest.notes;
            self.open_notes = rest.open_notes;
            self.n_files = rest.n_files;
        }
        self.tell_apart();
        self.forget_answers();
    }
}
