//! How far files were read, so that one that has grown can be read on from where it ended.
//!
//! A mark is a value of its reader's own. Between programs it travels packed, as a source that only the
//! same reader understands: who keeps it for the next reading does not hold it in memory where the
//! platform has another place for it.

use crate::input::{MemorySource, ReadAt};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How far a file was read, in a type of its reader's own.
pub trait ReadMark: Any {
    /// The mark as bytes; `None`: it cannot be packed, and the file is read from its start next time.
    fn pack(&self) -> Option<Vec<u8>>;

    /// The mark that was packed into `packed`; `None`: that is something else.
    fn unpack(packed: &dyn ReadAt) -> Option<Self>
    where
        Self: Sized;
}

/// What readings of files leave for the next ones, by path.
#[derive(Default)]
pub struct Marks {
    by_path: RefCell<BTreeMap<String, ResumeState>>,
    n_continued: Cell<u64>,
    are_unwanted: bool,
}

/// What a reading of a file has left.
#[derive(Clone)]
enum ResumeState {
    /// Nothing: the file was read, and that is all.
    Nothing,
    /// A mark.
    Live(Rc<dyn ReadMark>),
    /// A mark from another program.
    Packed(Rc<dyn ReadAt>),
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
            let own = own.iter().map(|(path, kept)| (path.clone(), kept.clone()));
            together.by_path.borrow_mut().extend(own);
        }
        together
    }

    /// The mark of the file `path`, when there is one of this type.
    pub fn find<T: ReadMark>(&self, path: &str) -> Option<Rc<T>> {
        let kept = self.by_path.borrow().get(path).cloned()?;
        match kept {
            ResumeState::Nothing => None,
            ResumeState::Live(mark) => {
                let mark: Rc<dyn Any> = mark;
                mark.downcast().ok()
            }
            ResumeState::Packed(packed) => T::unpack(&*packed).map(Rc::new),
        }
    }

    /// Whether there is a mark of the file `path`, of whatever type.
    pub fn has(&self, path: &str) -> bool {
        self.by_path.borrow().get(path).is_some_and(|kept| !matches!(kept, ResumeState::Nothing))
    }

    /// Whether the file `path` was read before, whether it left a mark or not.
    pub fn knows(&self, path: &str) -> bool {
        self.by_path.borrow().contains_key(path)
    }

    /// Leaves a mark of the file `path`.
    pub fn leave<T: ReadMark>(&self, path: &str, mark: T) {
        self.keep(path, ResumeState::Live(Rc::new(mark)));
    }

    /// Leaves the mark of the file `path` that `before` has, for a file that is the same as it was.
    pub fn leave_again(&self, path: &str, before: &Self) {
        let kept = before.by_path.borrow().get(path).cloned();
        if let Some(kept) = kept {
            self.keep(path, kept);
        }
    }

    /// Leaves a mark of the file `path` that another program has [packed](Self::packed).
    pub fn leave_packed(&self, path: &str, packed: Rc<dyn ReadAt>) {
        self.keep(path, ResumeState::Packed(packed));
    }

    /// Remembers that the files `paths` were read, whether they left marks or not.
    pub fn know<'a>(&self, paths: impl IntoIterator<Item = &'a str>) {
        let mut by_path = self.by_path.borrow_mut();
        for path in paths {
            by_path.entry(path.to_owned()).or_insert(ResumeState::Nothing);
        }
    }

    /// The mark of the file `path` as another program can have it.
    pub fn packed(&self, path: &str) -> Option<Rc<dyn ReadAt>> {
        match self.by_path.borrow().get(path)? {
            ResumeState::Nothing => None,
            ResumeState::Live(mark) => Some(Rc::new(MemorySource::new(mark.pack()?))),
            ResumeState::Packed(packed) => Some(Rc::clone(packed)),
        }
    }

    /// The paths of files that were read.
    pub fn paths(&self) -> Vec<String> {
        self.by_path.borrow().keys().cloned().collect()
    }

    fn keep(&self, path: &str, kept: ResumeState) {
        self.by_path.borrow_mut().insert(path.to_owned(), kept);
    }

    /// Counts a file that was read on from its mark.
    pub fn count_continued(&self) {
        self.count_all_continued(1);
    }

    /// Counts `n` files that were.
    pub fn count_all_continued(&self, n: u64) {
        self.n_continued.set(self.n_continued.get() + n);
    }

    /// How many files were read on from their marks.
    pub fn n_continued(&self) -> u64 {
        self.n_continued.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Length(u8);

    impl ReadMark for Length {
        fn pack(&self) -> Option<Vec<u8>> {
            Some(vec![self.0])
        }

        fn unpack(packed: &dyn ReadAt) -> Option<Self> {
            let mut byte = [0];
            packed.read_at(0, &mut byte).ok()?;
            (packed.len() == 1).then_some(Self(byte[0]))
        }
    }

    #[derive(Debug)]
    struct Other;

    impl ReadMark for Other {
        fn pack(&self) -> Option<Vec<u8>> {
            None
        }

        fn unpack(_packed: &dyn ReadAt) -> Option<Self> {
            None
        }
    }

    #[test]
    fn a_mark_is_found_live_and_packed_by_its_own_type_alone() {
        let live = Marks::default();
        live.leave("a", Length(7));
        live.leave("b", Other);
        live.know(["a", "c"]);
        let packed = Marks::default();
        for path in live.paths() {
            live.packed(&path).into_iter().for_each(|mark| packed.leave_packed(&path, mark));
        }
        packed.know(["a", "b", "c"]);
        for (marks, has) in [(&live, [true, true, false]), (&packed, [true, false, false])] {
            assert_eq!(["a", "b", "c"].map(|path| marks.has(path)), has);
            assert_eq!(
                ["a", "b", "c", "d"].map(|path| marks.knows(path)),
                [true, true, true, false]
            );
            assert_eq!(marks.find::<Length>("a").as_deref(), Some(&Length(7)));
            assert!(marks.find::<Other>("a").is_none());
            assert!(marks.find::<Length>("b").is_none() && marks.find::<Length>("c").is_none());
        }
        let next = Marks::default();
        next.leave_again("a", &packed);
        next.leave_again("d", &packed);
        assert_eq!(next.paths(), ["a"]);
        let together = Marks::of([&live, &next]);
        assert_eq!(together.packed("a").unwrap().len(), 1);
    }
}
