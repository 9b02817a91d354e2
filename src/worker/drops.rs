//! Under which names the files of each drop are open.

use crate::input::Dropped;
use crate::workspace::Entry;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// What was dropped or picked at once, by the page's number.
#[derive(Default)]
pub(super) struct Drops {
    /// New name of a dropped folder or file whose own was taken.
    renamed: RefCell<HashMap<(u32, String), String>>,
    /// Paths of files whose evaluations were removed: they do not come back by themselves.
    dismissed: RefCell<HashSet<String>>,
}

impl Drops {
    /// Has `root` of `drop` go by the name `free`.
    pub(super) fn rename(&self, drop: u32, root: String, free: String) {
        self.renamed.borrow_mut().insert((drop, root), free);
    }

    /// Gives `files` the paths that they are open under.
    pub(super) fn name(&self, drop: u32, files: &mut [Dropped]) {
        let renamed = self.renamed.borrow();
        for file in files {
            let own = root(&file.path).to_owned();
            let rest = file.path.strip_prefix(&own).unwrap_or_default();
            if let Some(free) = renamed.get(&(drop, own.clone())) {
                file.path = format!("{free}{rest}");
            }
        }
    }

    /// The same for files that somebody opens: even those that were removed are wanted again.
    pub(super) fn take_in(&self, drop: u32, files: &mut [Dropped]) {
        self.name(drop, files);
        let mut dismissed = self.dismissed.borrow_mut();
        for file in files {
            dismissed.remove(&file.path);
        }
    }

    /// Whether the file `path` belonged to an evaluation that was removed.
    pub(super) fn is_dismissed(&self, path: &str) -> bool {
        self.dismissed.borrow().contains(path)
    }

    /// Keeps in mind that `entries` are removed.
    pub(super) fn dismiss<'a>(&self, entries: impl Iterator<Item = &'a Entry>) {
        let files = entries.flat_map(|entry| &entry.bundle.files);
        self.dismissed.borrow_mut().extend(files.map(|claimed| claimed.file.path.clone()));
    }
}

/// The first part of a path: the dropped folder or file.
pub(super) fn root(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}
