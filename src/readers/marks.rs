//! How far files were read, so that one that has grown can be read on from where it ended.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// What readings of files leave for the next ones, by path: each reader in a type of its own.
#[derive(Default)]
pub struct Marks {
    by_path: RefCell<HashMap<String, Rc<dyn Any>>>,
    n_continued: Cell<u64>,
    are_unwanted: bool,
}

impl Marks {
    /// None, and none are to be left: nobody will read on from them.
    pub fn unwanted() -> Self {
        Self { are_unwanted: true, ..Self::default() }
    }

    /// Whether marks are to be left.
    pub fn are_wanted(&self) -> bool {
        !self.are_unwanted
    }

    /// Empty ones for what the next reading is to leave.
    pub(super) fn next(&self) -> Self {
        Self { are_unwanted: self.are_unwanted, ..Self::default() }
    }

    /// The marks of several readings together; of the same path that of the last one.
    pub fn of<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let together = Self::default();
        for marks in all {
            let own = marks.by_path.borrow();
            let own = own.iter().map(|(path, mark)| (path.clone(), Rc::clone(mark)));
            together.by_path.borrow_mut().extend(own);
        }
        together
    }

    /// The mark of the file `path`, when there is one of this type.
    pub fn find<T: Any>(&self, path: &str) -> Option<Rc<T>> {
        let mark = self.by_path.borrow().get(path).cloned()?;
        mark.downcast().ok()
    }

    /// Leaves a mark of the file `path`.
    pub fn leave<T: Any>(&self, path: &str, mark: T) {
        self.by_path.borrow_mut().insert(path.to_owned(), Rc::new(mark));
    }

    /// Whether there is one of a file of `paths`.
    pub fn has_any<'a>(&self, mut paths: impl Iterator<Item = &'a str>) -> bool {
        let known = self.by_path.borrow();
        paths.any(|path| known.contains_key(path))
    }

    /// Counts a file that was read on from its mark.
    pub fn count_continued(&self) {
        self.n_continued.set(self.n_continued.get() + 1);
    }

    /// How many files were read on from their marks.
    pub fn n_continued(&self) -> u64 {
        self.n_continued.get()
    }
}
