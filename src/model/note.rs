//! Notes: what a reader could not use, or had to decide.
//!
//! Notes of the same file and kind are counted; the first five places are kept.

use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::hash::{BuildHasher as _, RandomState};

/// How many places of the same note are kept.
const PLACES_KEPT: usize = 5;

/// Where in a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The file as a whole.
    File,
    /// Line (1-based) and byte offset of its start.
    Line {
        /// Line, 1-based.
        line: u64,
        /// Byte offset in the file.
        byte: u64,
    },
    /// Byte offset.
    Byte(u64),
    /// Parquet row, 0-based.
    Row(u64),
    /// Path inside a JSON document.
    Field(String),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File => f.write_str("file"),
            Self::Line { line, byte } => write!(f, "line {line}, byte {byte}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Row(row) => write!(f, "row {row}"),
            Self::Field(path) => f.write_str(path),
        }
    }
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NoteKind {
    /// A file that no reader claims.
    Unrecognised,
    /// A file or record that is ours but broken.
    Broken,
    /// A file or a part of it that the system refused, or whose reader stopped; the file may be fine.
    NotRead,
    /// The end of a file is cut off.
    Truncated,
    /// A file that should be beside another one is not.
    MissingPartner,
    /// A run was interrupted or is not finished, or only a part of it is here.
    Unfinished,
    /// Two things claim the same identity.
    Duplicate,
    /// Two files disagree.
    Mismatch,
    /// A field or value that this version does not know.
    Unknown,
    /// A limit was reached.
    Limit,
    /// Left out on purpose (pruned folder, file that adds nothing).
    Skipped,
    /// A rule had to be chosen; which, and why.
    Assumed,
    /// The integrity check found a fault.
    Integrity,
}

impl NoteKind {
    const ALL: [Self; 13] = [
        Self::Unrecognised,
        Self::Broken,
        Self::NotRead,
        Self::Truncated,
        Self::MissingPartner,
        Self::Unfinished,
        Self::Duplicate,
        Self::Mismatch,
        Self::Unknown,
        Self::Limit,
        Self::Skipped,
        Self::Assumed,
        Self::Integrity,
    ];

    /// The kind that `text` spells as [`NoteKind::as_str`] does.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// The word that page and export show.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unrecognised => "unrecognised",
            Self::Broken => "broken",
            Self::NotRead => "not read",
            Self::Truncated => "truncated",
            Self::MissingPartner => "missing partner",
            Self::Unfinished => "unfinished",
            Self::Duplicate => "duplicate",
            Self::Mismatch => "mismatch",
            Self::Unknown => "unknown",
            Self::Limit => "limit",
            Self::Skipped => "skipped",
            Self::Assumed => "assumed",
            Self::Integrity => "integrity",
        }
    }

    /// Whether something that is in the files could not be used. A file that is not there, two files
    /// that disagree, a field that nobody knows: all that was read counts, so nothing is lost.
    pub fn is_loss(self) -> bool {
        matches!(
            self,
            Self::Unrecognised | Self::Broken | Self::NotRead | Self::Truncated | Self::Limit
        )
    }

    /// Whether it is worth the user's while: all but what was left out on purpose.
    pub fn matters(self) -> bool {
        self != Self::Skipped
    }
}

/// One note: same file, kind and detail are one note with a count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// File, relative to what was dropped.
    pub file: String,
    /// What happened.
    pub kind: NoteKind,
    /// Why, in words; lower case, no full stop.
    pub detail: String,
    /// The first places.
    pub places: Vec<Place>,
    /// How often.
    pub count: u64,
}

impl Note {
    /// What it is recognised by.
    fn words(&self) -> (&str, NoteKind, &str) {
        (&self.file, self.kind, &self.detail)
    }

    /// Counts it once more.
    fn count_at(&mut self, at: Place) {
        self.count += 1;
        if self.places.len() < PLACES_KEPT {
            self.places.push(at);
        }
    }
}

/// Collects notes. Passed in, so that a reader cannot forget that it exists.
#[derive(Debug, Default)]
pub struct Notes {
    collected: RefCell<Collected>,
}

#[derive(Debug, Default)]
struct Collected {
    notes: Vec<Note>,
    /// Numbers of notes, by the hash of what they say; of several that say the same the last one.
    by_words: HashTable<u32>,
    hasher: RandomState,
}

impl Collected {
    /// The note that says the same.
    fn same(&mut self, file: &str, kind: NoteKind, detail: &str) -> Option<&mut Note> {
        let hash = self.hasher.hash_one((file, kind, detail));
        let known = |at: &u32| self.notes.get(*at as usize);
        let is_same = |at: &u32| known(at).is_some_and(|note| note.words() == (file, kind, detail));
        let number = *self.by_words.find(hash, is_same)?;
        self.notes.get_mut(number as usize)
    }

    fn push(&mut self, note: Note) {
        let Self { notes, by_words, hasher } = self;
        // Those past the end of the numbers are not found again.
        if let Ok(number) = u32::try_from(notes.len()) {
            let words = |at: &u32| notes.get(*at as usize).map(Note::words);
            let is_same = |at: &u32| words(at) == Some(note.words());
            let hash_of = |at: &u32| words(at).map_or(0, |words| hasher.hash_one(words));
            let hash = hasher.hash_one(note.words());
            *by_words.entry(hash, is_same, hash_of).or_insert(number).get_mut() = number;
        }
        notes.push(note);
    }
}

impl Notes {
    /// Adds a note, or counts it when the same one is there.
    pub fn add(&self, file: &str, kind: NoteKind, at: Place, detail: impl Into<String>) {
        let detail = detail.into();
        let mut collected = self.collected.borrow_mut();
        match collected.same(file, kind, &detail) {
            Some(note) => note.count_at(at),
            None => collected.push(Note {
                file: file.to_owned(),
                kind,
                detail,
                places: vec![at],
                count: 1,
            }),
        }
    }

    /// Adds a note that was counted elsewhere, as if each of what it counts were added.
    pub fn add_counted(&self, note: Note) {
        let mut collected = self.collected.borrow_mut();
        match collected.same(&note.file, note.kind, &note.detail) {
            Some(known) => {
                known.count += note.count;
                let n_free = PLACES_KEPT.saturating_sub(known.places.len());
                known.places.extend(note.places.into_iter().take(n_free));
            }
            None => collected.push(note),
        }
    }

    /// Whether there is a note of this kind.
    pub fn has(&self, kind: NoteKind) -> bool {
        self.collected.borrow().notes.iter().any(|note| note.kind == kind)
    }

    /// How often something in `file` could not be used ([`NoteKind::is_loss`]).
    pub fn n_lost(&self, file: &str) -> u64 {
        let collected = self.collected.borrow();
        let lost = |note: &&Note| note.file == file && note.kind.is_loss();
        collected.notes.iter().filter(lost).map(|note| note.count).sum()
    }

    /// Number of notes so far; those that say the same are one.
    pub fn len(&self) -> usize {
        self.collected.borrow().notes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds finished notes.
    pub fn extend(&self, more: impl IntoIterator<Item = Note>) {
        let mut collected = self.collected.borrow_mut();
        more.into_iter().for_each(|note| collected.push(note));
    }

    /// All notes so far, in the order in which they came.
    pub fn to_vec(&self) -> Vec<Note> {
        self.collected.borrow().notes.clone()
    }

    /// All notes, in the order in which they came.
    pub fn into_vec(self) -> Vec<Note> {
        self.collected.into_inner().notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Adds a note for each number; equal numbers are the same note.
    fn add(notes: &Notes, said: &[u8], first_line: u64) {
        for (line, said) in (first_line..).zip(said) {
            let place = Place::Line { line, byte: line * 10 };
            notes.add("a.jsonl", NoteKind::Broken, place, said.to_string());
        }
    }

    proptest! {
        #[test]
        fn notes_counted_in_parts_are_those_counted_in_one(
            parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..5)
        ) {
            let (whole, joined) = (Notes::default(), Notes::default());
            let mut line = 1;
            for part in &parts {
                add(&whole, part, line);
                let own = Notes::default();
                add(&own, part, line);
                own.into_vec().into_iter().for_each(|note| joined.add_counted(note));
                line += part.len() as u64;
            }
            let (whole, joined) = (whole.into_vec(), joined.into_vec());
            prop_assert_eq!(&whole, &joined);
            prop_assert_eq!(whole.iter().map(|note| note.count).sum::<u64>(), line - 1);
            prop_assert!(whole.iter().all(|note| note.places.len() as u64 == note.count.min(5)));
        }
    }

    #[test]
    fn the_same_note_is_counted_however_many_others_came_between() {
        let notes = Notes::default();
        add(&notes, &(0..=255).collect::<Vec<u8>>(), 1);
        add(&notes, &[7], 1_000);
        let notes = notes.into_vec();
        assert_eq!(notes.len(), 256);
        assert_eq!((notes[7].count, notes[7].places.len()), (2, 2));
    }

    #[test]
    fn what_was_lost_is_counted_by_file() {
        let notes = Notes::default();
        add(&notes, &[1, 1, 2], 1);
        notes.extend(notes.to_vec());
        notes.add("a.jsonl", NoteKind::Duplicate, Place::File, "not lost");
        notes.add("b.jsonl", NoteKind::Truncated, Place::File, "another file");
        assert_eq!((notes.n_lost("a.jsonl"), notes.n_lost("b.jsonl")), (6, 1));
        assert_eq!(notes.n_lost("c.jsonl"), 0);
    }

    #[test]
    fn finished_notes_stay_apart_and_the_last_of_them_counts_on() {
        let notes = Notes::default();
        add(&notes, &[1, 1], 1);
        let finished = notes.to_vec();
        notes.extend(finished);
        add(&notes, &[1], 3);
        let counts: Vec<u64> = notes.into_vec().iter().map(|note| note.count).collect();
        assert_eq!(counts, [2, 3]);
    }
}
