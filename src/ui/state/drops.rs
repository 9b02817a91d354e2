//! Drops that are read again: which are looked at, what has changed in them, what is said once.

use crate::words::ui::status as words;
use std::collections::{BTreeMap, HashSet};

/// Size and time of change of a file: another one has other content.
pub type FileStamp = [f64; 2];

/// What the side bar shows of a drop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Freshness {
    /// Its number.
    pub drop: u32,
    /// Evaluations that came out of it.
    pub evaluations: Vec<u32>,
    /// Whether a folder was dropped or picked.
    pub is_folder: bool,
    /// Whether the browser gives out its files again.
    pub can_watch: bool,
    /// Whether it is read again when it changes.
    pub is_watched: bool,
    /// Time of day when it was last read.
    pub read_at: String,
}

/// The drop that the evaluation `id` came out of last.
pub fn drop_of(all: &[Freshness], id: u32) -> Option<&Freshness> {
    all.iter().rev().find(|one| one.evaluations.contains(&id))
}

/// Drops that are watched, and of which something is still loaded.
pub fn watched(all: &[Freshness], is_loaded: impl Fn(u32) -> bool) -> Vec<u32> {
    let is_wanted =
        |one: &&Freshness| one.is_watched && one.evaluations.iter().any(|id| is_loaded(*id));
    all.iter().filter(is_wanted).map(|one| one.drop).collect()
}

/// What is kept of a drop besides; `H` gives out its files again.
pub struct DropOrigin<H> {
    /// By which it is read again.
    pub handles: H,
    /// By path, each file as it was read; of what can be watched alone.
    files: BTreeMap<String, FileStamp>,
    is_busy: bool,
    /// What was said of it last, so that it is not said every two seconds.
    complaint: String,
}

/// What has become of the files of a drop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ComparedFiles {
    /// Places of the files that are not as they were.
    pub changed: Vec<usize>,
    /// What is wrong.
    pub complaint: Option<String>,
}

impl<H: Clone> DropOrigin<H> {
    /// Of what `handles` give out.
    pub fn new(handles: H) -> Self {
        Self { handles, files: BTreeMap::new(), is_busy: false, complaint: String::new() }
    }

    /// Begins to look; `None` while it is still looked at, or read.
    pub fn begin(&mut self) -> Option<H> {
        let is_free = !self.is_busy;
        self.is_busy = true;
        is_free.then(|| self.handles.clone())
    }

    /// Keeps how files were when they were read. It is no question whether that worked: what cannot be read is
    /// tried again when it has changed again.
    pub fn took(&mut self, files: impl IntoIterator<Item = (String, FileStamp)>) {
        self.files.extend(files);
    }

    /// Compares with what is there now; it stays busy when something is read again.
    pub fn compare(
        &mut self,
        files: &[(String, FileStamp)],
        unreadable: &[String],
    ) -> ComparedFiles {
        let there: HashSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        let gone = self.files.keys().find(|path| !there.contains(path.as_str()));
        let gone = gone.map(|path| words::gone(path));
        let is_other = |(_, (path, stamp)): &(usize, &(String, FileStamp))| {
            self.files.get(path) != Some(stamp)
        };
        let changed: Vec<usize> =
            files.iter().enumerate().filter(is_other).map(|(nth, _)| nth).collect();
        self.is_busy = !changed.is_empty();
        ComparedFiles { changed, complaint: unreadable.first().cloned().or(gone) }
    }

    /// It was read again, or not.
    pub fn ended(&mut self) {
        self.is_busy = false;
    }

    /// Everything is well again.
    pub fn is_well(&mut self) {
        self.complaint.clear();
    }

    /// Whether `what` is to be said: it was not said last.
    pub fn complains(&mut self, what: &str) -> bool {
        let is_new = self.complaint != what;
        what.clone_into(&mut self.complaint);
        is_new
    }
}

/// Said when a drop could not be read again.
pub fn not_read_again(what: &str) -> String {
    words::not_reloaded(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(all: &[(&str, f64)]) -> Vec<(String, FileStamp)> {
        all.iter().map(|&(path, time)| (path.to_owned(), [1.0, time])).collect()
    }

    fn origin() -> DropOrigin<&'static str> {
        let mut origin = DropOrigin::new("handle");
        origin.took(files(&[("a", 1.0), ("b", 1.0)]));
        origin
    }

    #[test]
    fn only_what_has_changed_is_read_again_and_nothing_twice_at_once() {
        let mut one = origin();
        assert_eq!(one.begin(), Some("handle"));
        assert_eq!(one.begin(), None, "it is being looked at");
        let same = one.compare(&files(&[("a", 1.0), ("b", 1.0)]), &[]);
        assert_eq!(same, ComparedFiles::default());
        assert!(one.begin().is_some());
        let more = one.compare(&files(&[("a", 2.0), ("b", 1.0), ("c", 1.0)]), &[]);
        assert_eq!(more, ComparedFiles { changed: vec![0, 2], complaint: None });
        assert_eq!(one.begin(), None, "it is being read");
        one.took(files(&[("a", 2.0), ("c", 1.0)]));
        one.ended();
        assert!(one.begin().is_some());
        let all = files(&[("a", 2.0), ("b", 1.0), ("c", 1.0)]);
        assert_eq!(one.compare(&all, &[]), ComparedFiles::default());
    }

    #[test]
    fn what_is_gone_is_said_once_until_it_is_well_again() {
        let mut one = origin();
        let ComparedFiles { changed, complaint } = one.compare(&files(&[("b", 1.0)]), &[]);
        let complaint = complaint.unwrap();
        assert_eq!((changed.len(), complaint.as_str()), (0, "a is not there any more"));
        assert!(one.complains(&complaint));
        assert!(!one.complains(&complaint));
        one.is_well();
        assert!(one.complains(&complaint));
        let unreadable = ["c (locked)".to_owned()];
        let said = one.compare(&files(&[("b", 1.0)]), &unreadable).complaint;
        assert_eq!(said.as_deref(), Some("c (locked)"), "what the browser says comes first");
    }

    #[test]
    fn a_drop_is_watched_as_long_as_something_of_it_is_loaded() {
        let drop = |drop, evaluations: &[u32], is_watched| Freshness {
            drop,
            evaluations: evaluations.to_vec(),
            is_watched,
            ..Freshness::default()
        };
        let all = [drop(0, &[1, 2], true), drop(1, &[3], false), drop(2, &[1], true)];
        assert_eq!(watched(&all, |_| true), [0, 2]);
        assert_eq!(watched(&all, |id| id == 2), [0]);
        assert_eq!(drop_of(&all, 1).map(|one| one.drop), Some(2), "the last that it came out of");
        assert_eq!(drop_of(&all, 9), None);
    }
}
