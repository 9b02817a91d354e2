//! Why nothing could be made of a bundle.

use crate::input;

/// An error of a reader, with its file once known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    file: Option<String>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
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
    /// A Parquet file is packed by a codec that is not part of the page: Brotli, left
    /// out to keep the worker inside its size budget, or LZO. The producers write zstd.
    #[error(
        "this Parquet file is packed with Brotli or LZO; zstd, snappy, gzip and LZ4 can be read"
    )]
    Packing,
    /// A column of a Parquet file is encoded in a way that the producer does not write; which.
    #[error(
        "this Parquet file holds values in the encoding {0}; plain and dictionary values can be read"
    )]
    Encoding(&'static str),
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
        Self(Box::new(Inner { kind, file: None }))
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
            ErrorKind::Input(err) => Some(err.at()),
            _ => None,
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

impl From<arrow_schema::ArrowError> for Error {
    fn from(err: arrow_schema::ArrowError) -> Self {
        Self::new(ErrorKind::Table(err.to_string()))
    }
}

impl From<parquet::errors::ParquetError> for Error {
    /// What the library says of a footer, in words that say what it means to whoever has the file.
    fn from(err: parquet::errors::ParquetError) -> Self {
        const PREFIXES: [&str; 3] = ["Parquet error: ", "External: ", "EOF: "];
        let text = err.to_string();
        let words = PREFIXES
            .iter()
            .fold(text.as_str(), |words, prefix| words.strip_prefix(prefix).unwrap_or(words));
        let is_thrift =
            ["struct field", "thrift", "Thrift", "varint"].iter().any(|part| words.contains(part));
        let reason = if is_thrift {
            "a header inside it cannot be read".to_owned()
        } else {
            format!("a part of it does not fit the rest ({:?})", words.trim_end_matches('.'))
        };
        Self::new(ErrorKind::Parquet(reason))
    }
}
