//! Identities: which source, and where in it.

use serde::{Deserialize, Serialize};

/// Number of a source in the workspace, in the order in which sources were opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceId(pub u32);

/// Where the full record of a case, or one text of it, lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Locator {
    /// `len` bytes from `offset` of an (unwrapped, UTF-8) source: one JSON value.
    Span {
        /// The source.
        source: SourceId,
        /// First byte.
        offset: u64,
        /// Number of bytes.
        len: u64,
    },
    /// Row `row` (0-based over all row groups) of a Parquet source.
    Row {
        /// The source.
        source: SourceId,
        /// Row number, 0-based.
        row: u64,
    },
}

impl Locator {
    /// The source it points into.
    pub fn source(self) -> SourceId {
        match self {
            Self::Span { source, .. } | Self::Row { source, .. } => source,
        }
    }

    /// As three columns: source, offset or row, and length (`None` for a row).
    pub(super) fn columns(self) -> (u32, u64, Option<u64>) {
        match self {
            Self::Span { source, offset, len } => (source.0, offset, Some(len)),
            Self::Row { source, row } => (source.0, row, None),
        }
    }

    /// Inverse of [`columns`](Self::columns).
    pub(super) fn from_columns(source: u32, at: u64, len: Option<u64>) -> Self {
        let source = SourceId(source);
        match len {
            Some(len) => Self::Span { source, offset: at, len },
            None => Self::Row { source, row: at },
        }
    }
}
