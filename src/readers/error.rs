//! Why nothing could be made of a bundle.

use crate::input;
use crate::model::NoteKind;
use serde::{Deserialize, Serialize};

/// An error of a reader, with its file once known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error(Box<ErrorInner>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ErrorInner {
    kind: ErrorKind,
    file: Option<String>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes could not be read or are not JSON.
    #[error(transparent)]
    Input(#[from] input::Error),
    /// The bytes are JSON but not what the format says; which field, and how.
    #[error("{0}")]
    Format(String),
    /// A Parquet file is damaged; how, in our words.
    #[error("damaged Parquet data: {0}")]
    Parquet(String),
    /// A Parquet file is packed with LZO, which no library of the field reads.
    #[error("this Parquet file is packed with LZO; zstd, snappy, gzip, LZ4 and Brotli can be read")]
    Packing,
    /// The columns could not be made.
    #[error("the table could not be built: {0}")]
    Table(String),
    /// The file is no longer there.
    #[error("the file is no longer open")]
    Gone,
}

impl Error {
    /// An error without a file.
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(ErrorInner { kind, file: None }))
    }

    /// The same error, about `path`, unless it names a file already.
    pub fn in_file(mut self, path: &str) -> Self {
        self.0.file.get_or_insert_with(|| path.to_owned());
        self
    }

    /// What happened.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The file, when one is known.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// Byte in the file, when one is known.
    pub fn at(&self) -> Option<u64> {
        match &self.0.kind {
            ErrorKind::Input(err) if err.kind().is_of_program() => None,
            ErrorKind::Input(err) => Some(err.at()),
            _ => None,
        }
    }

    /// What a note of it is.
    pub fn note_kind(&self) -> NoteKind {
        match &self.0.kind {
            ErrorKind::Input(err) => err.note_kind(),
            ErrorKind::Gone => NoteKind::NotRead,
            ErrorKind::Format(_)
            | ErrorKind::Parquet(_)
            | ErrorKind::Packing
            | ErrorKind::Table(_) => NoteKind::Broken,
        }
    }

    /// Whether the work was stopped on request.
    pub fn is_cancelled(&self) -> bool {
        matches!(&self.0.kind, ErrorKind::Input(err) if err.is_cancelled())
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.kind.fmt(f)
    }
}

impl std::error::Error for Error {}

impl From<input::Error> for Error {
    fn from(err: input::Error) -> Self {
        Self::new(ErrorKind::Input(err))
    }
}

impl From<input::Cancelled> for Error {
    fn from(err: input::Cancelled) -> Self {
        input::Error::from(err).into()
    }
}

impl From<super::Misread> for Error {
    fn from(err: super::Misread) -> Self {
        Self::new(ErrorKind::Format(err.to_string()))
    }
}

impl From<arrow_schema::ArrowError> for Error {
    fn from(err: arrow_schema::ArrowError) -> Self {
        Self::new(ErrorKind::Table(err.to_string()))
    }
}

impl From<parquet::errors::ParquetError> for Error {
    /// What the library says of damage, in words that say what it means to one who has the file.
    fn from(err: parquet::errors::ParquetError) -> Self {
        const PREFIXES: [&str; 4] =
            ["Parquet argument error: ", "Parquet error: ", "External: ", "EOF: "];
        let text = err.to_string();
        let mut words = text.as_str();
        while let Some(rest) = PREFIXES.iter().find_map(|prefix| words.strip_prefix(prefix)) {
            words = rest;
        }
        let is_about =
            |parts: &[&str]| parts.iter().any(|part| words.to_ascii_lowercase().contains(part));
        let is_own = ["a page ", "a dictionary "].iter().any(|start| words.starts_with(start));
        let reason = if is_own {
            words.to_owned()
        } else if is_about(&["struct field", "thrift", "varint", "invalid page header"]) {
            "a header inside it cannot be read".to_owned()
        } else if is_about(&["utf-8", "utf8"]) {
            "a text is not UTF-8".to_owned()
        } else if is_about(PACKING) {
            format!("a page cannot be unpacked ({:?})", words.trim_end_matches('.'))
        } else {
            format!("a part of it does not fit the rest ({:?})", words.trim_end_matches('.'))
        };
        Self::new(ErrorKind::Parquet(reason))
    }
}

/// Words of the libraries that unpack, in small letters.
const PACKING: &[&str] = &[
    "snappy",
    "gzip",
    "deflate",
    "zlib",
    "zstd",
    "lz4",
    "brotli",
    "frame",
    "corrupt",
    "decompress",
    "checksum",
    "invalid data",
    "src size",
    "buffer is too small",
];
