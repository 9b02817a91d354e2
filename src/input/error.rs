//! What can go wrong with bytes.

use super::pulse::Cancelled;
use crate::model::NoteKind;
use crate::model::word::{self, Word};
use serde::{Deserialize, Serialize};
use std::io;

/// An error at a byte offset of a source. The file is added by the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error(Box<(ErrorKind, u64)>);

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The source could not be read; the system's words.
    #[error("cannot be read: {0}")]
    Read(String),
    /// The bytes are why they could not be read: damaged packing, an end before its time; how.
    #[error("cannot be read: {0}")]
    Damaged(String),
    /// Larger than can be held.
    #[error("{found} bytes are more than the limit of {limit}")]
    TooLarge {
        /// Found.
        found: u64,
        /// Allowed.
        limit: u64,
    },
    /// Not JSON; the reason.
    #[error("not valid JSON: {0}")]
    Json(#[serde(with = "word")] Word),
    /// JSON, but not what the format says; how.
    #[error("{0}")]
    Format(#[serde(with = "word")] Word),
    /// A compressed stream or archive is damaged; how.
    #[error("damaged {format} data: {reason}")]
    Archive {
        /// `gzip`, `zstd`, `zip`.
        #[serde(with = "word")]
        format: Word,
        /// Reason.
        reason: String,
    },
    /// An archive expands past a limit.
    #[error("{format} data expands past the limit of {limit} bytes")]
    Expands {
        /// `gzip`, `zstd`, `zip`.
        #[serde(with = "word")]
        format: Word,
        /// Limit in bytes.
        limit: u64,
    },
    /// The program that was at it stopped.
    #[error("the reader stopped while {doing} this file: {reason}")]
    Stopped {
        /// `unwrapping`, `looking at`, `reading`, `reading a part of`.
        #[serde(with = "word")]
        doing: Word,
        /// Why.
        reason: String,
    },
    /// Nobody is there to read it.
    #[error("no reader could be started for this file")]
    NoReader,
    /// The user asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl ErrorKind {
    /// Whether it is about the program that reads, not about a byte of the file.
    pub fn is_of_program(&self) -> bool {
        matches!(self, Self::Stopped { .. } | Self::NoReader)
    }

    /// What a note of it is: a file is broken only where something is wrong with its bytes.
    pub fn note_kind(&self) -> NoteKind {
        match self {
            Self::Read(_) | Self::Stopped { .. } | Self::NoReader | Self::Cancelled => {
                NoteKind::NotRead
            }
            Self::TooLarge { .. } | Self::Expands { .. } => NoteKind::Limit,
            Self::Damaged(_) | Self::Json(_) | Self::Format(_) | Self::Archive { .. } => {
                NoteKind::Broken
            }
        }
    }
}

impl Error {
    /// An error at byte `at`.
    pub fn new(kind: ErrorKind, at: u64) -> Self {
        Self(Box::new((kind, at)))
    }

    /// What a source said when it was asked for the bytes from `at` on.
    pub fn of_source(err: &io::Error, at: u64) -> Self {
        let is_damage =
            matches!(err.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof);
        let words = err.to_string();
        Self::new(if is_damage { ErrorKind::Damaged(words) } else { ErrorKind::Read(words) }, at)
    }

    /// What happened.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.0
    }

    /// What a note of it is.
    pub fn note_kind(&self) -> NoteKind {
        self.kind().note_kind()
    }

    /// Byte offset in the source.
    pub fn at(&self) -> u64 {
        self.0.1
    }

    /// What happened, for a sentence that says already that something is broken or cut off.
    pub fn reason(&self) -> String {
        match self.kind() {
            ErrorKind::Json(reason) => (*reason).to_owned(),
            kind => kind.to_string(),
        }
    }

    /// Whether the work was stopped on request.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.kind(), ErrorKind::Cancelled)
    }

    /// The same error, `by` bytes further on.
    pub fn shifted(mut self, by: u64) -> Self {
        self.0.1 += by;
        self
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind().fmt(f)
    }
}

impl std::error::Error for Error {}

impl From<Cancelled> for Error {
    fn from(_: Cancelled) -> Self {
        Self::new(ErrorKind::Cancelled, 0)
    }
}
