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
    fn from(err: parquet::errors::ParquetError) -> Self {
        let text = err.to_string();
        if text.contains("Disabled feature at compile time") {
            return Self::new(ErrorKind::Packing);
        }
        Self::new(ErrorKind::Parquet(parquet_reason(&text)))
    }
}

/// What the library says about damage, in words that say what it means to whoever has the file.
pub(super) fn parquet_reason(text: &str) -> String {
    const PREFIXES: [&str; 6] = [
        "External: ",
        "Arrow: ",
        "Parquet argument error: ",
        "Parquet error: ",
        "External: ",
        "EOF: ",
    ];
    let words =
        PREFIXES.iter().fold(text, |words, prefix| words.strip_prefix(prefix).unwrap_or(words));
    let has = |part: &str| words.contains(part);
    if has("Corrupt footer") || has("too small") {
        return "its footer is missing or does not fit, so the file is probably cut off".to_owned();
    }
    if has("struct field") || has("thrift") || has("Thrift") || has("varint") {
        return "a header inside it cannot be read".to_owned();
    }
    if ["ecompress", "zstd", "frame", "orrupt", "hecksum", "Src size", "Restored data", "ictionary"]
        .iter()
        .any(|part| has(part))
    {
        return "a page cannot be unpacked".to_owned();
    }
    format!("a part of it does not fit the rest ({:?})", words.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::Error;
    use parquet::errors::ParquetError;

    #[test]
    fn a_codec_that_is_not_there_is_not_called_damage() {
        let err = ParquetError::General("Disabled feature at compile time: brotli".to_owned());
        insta::assert_snapshot!(
            Error::from(err),
            @"this Parquet file is packed with Brotli or LZO; zstd, snappy, gzip and LZ4 can be read"
        );
    }
}
