//! Everything that is loaded: the input of every report.

use crate::model::{Evaluation, Note};
use crate::readers::{Bundle, Claimed};
use std::rc::Rc;

/// One loaded evaluation.
pub struct Entry {
    /// Number in the session, never used twice.
    pub id: u32,
    /// Its files.
    pub bundle: Bundle,
    /// What was read.
    pub evaluation: Evaluation,
    /// Notes about it.
    pub notes: Vec<Note>,
}

/// All that is loaded.
#[derive(Default)]
pub struct Workspace {
    /// Evaluations, in the order in which they were opened.
    pub entries: Vec<Entry>,
    /// Every claimed file with its reader.
    pub claims: Vec<(&'static str, Rc<Claimed>)>,
    /// Notes that belong to no evaluation.
    pub notes: Vec<Note>,
    /// Number of files that were opened.
    pub n_files: u64,
}

impl Workspace {
    /// The evaluation numbered `id`.
    pub fn entry(&self, id: u32) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }
}
