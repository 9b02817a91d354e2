//! What loose files say about what they belong to.
//!
//! Files that lie in folders are put together by their places. Where that is not enough, their content decides:
//! a reader reads the keys, and the files are put together again.

use super::Claimed;
use crate::model::SourceId;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What a file says about what it belongs to. Empty where it says nothing, or is damaged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentKeys {
    /// Whether the file was read. One that was not is joined with no other.
    pub is_known: bool,
    /// Problem.
    pub problem: Option<String>,
    /// Checkpoint.
    pub checkpoint: Option<String>,
    /// When it was begun, or when its first case ended.
    pub timestamp: Option<String>,
    /// Group and id of its cases, or of the first ones, in file order.
    pub ids: Vec<(String, String)>,
    /// Columns of each table in it, or of the one that a mapping file is for.
    pub columns: Vec<Vec<String>>,
}

/// Gives the keys of a file.
pub type KeysOf<'a> = dyn Fn(&Claimed) -> Rc<ContentKeys> + 'a;

/// The keys that are known, and the files that were asked for and are not.
#[derive(Default)]
pub(super) struct KnownKeys {
    known: HashMap<SourceId, Rc<ContentKeys>>,
    missing: RefCell<HashSet<SourceId>>,
}

impl KnownKeys {
    /// The keys of a file; empty ones, and noted as missing, while nobody has read them.
    pub(super) fn of(&self, claimed: &Claimed) -> Rc<ContentKeys> {
        let id = claimed.file.id;
        self.known.get(&id).cloned().unwrap_or_else(|| {
            self.missing.borrow_mut().insert(id);
            Rc::default()
        })
    }

    /// The files whose keys are missing.
    pub(super) fn take_missing(&mut self) -> HashSet<SourceId> {
        std::mem::take(self.missing.get_mut())
    }

    /// Keeps the keys of a file.
    pub(super) fn keep(&mut self, id: SourceId, keys: ContentKeys) {
        self.known.insert(id, Rc::new(keys));
    }
}
