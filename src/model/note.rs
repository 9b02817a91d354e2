//! Notes: what a reader could not use, or had to decide.
//!
//! Notes of the same file and kind are counted; the first five places are kept.

use serde::{Deserialize, Serialize};
use std::cell::RefCell;

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
    const ALL: [Self; 12] = [
        Self::Unrecognised,
        Self::Broken,
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
        matches!(self, Self::Unrecognised | Self::Broken | Self::Truncated | Self::Limit)
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

/// Collects notes. Passed in, so that a reader cannot forget that it exists.
#[derive(Debug, Default)]
pub struct Notes {
    notes: RefCell<Vec<Note>>,
}

impl Notes {
    /// Adds a note, or counts it when the same one is there.
    pub fn add(&self, file: &str, kind: NoteKind, at: Place, detail: impl Into<String>) {
        let detail = detail.into();
        let mut notes = self.notes.borrow_mut();
        let same = notes
            .iter_mut()
            .rev()
            .take(64)
            .find(|note| note.kind == kind && note.file == file && note.detail == detail);
        match same {
            Some(note) => {
                note.count += 1;
                if note.places.len() < PLACES_KEPT {
                    note.places.push(at);
                }
            }
            None => {
                notes.push(Note { file: file.to_owned(), kind, detail, places: vec![at], count: 1 })
            }
        }
    }

    /// Whether there is a note of this kind.
    pub fn has(&self, kind: NoteKind) -> bool {
        self.notes.borrow().iter().any(|note| note.kind == kind)
    }

    /// Adds finished notes.
    pub fn extend(&self, more: impl IntoIterator<Item = Note>) {
        self.notes.borrow_mut().extend(more);
    }

    /// All notes so far, in the order in which they came.
    pub fn to_vec(&self) -> Vec<Note> {
        self.notes.borrow().clone()
    }

    /// All notes, in the order in which they came.
    pub fn into_vec(self) -> Vec<Note> {
        self.notes.into_inner()
    }
}
