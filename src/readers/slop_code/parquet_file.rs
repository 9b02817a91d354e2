//! Ranged access to a Parquet file, and its columns by name.
//!
//! The library wants a reader that can cross threads, which a file of the page cannot; so it gets a
//! number, and the thread that reads keeps the file under that number.

use super::super::{Error, ErrorKind};
use crate::input::InputFile;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::schema::types::SchemaDescriptor;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{BufReader, Read};

/// Longest stretch that is taken for one piece of a file; a larger one is a damaged length.
const MAX_PIECE: usize = 1 << 30;

/// Read ahead when the library looks for a page header.
const HEADER_READ: usize = 4 << 10;

thread_local! {
    static OPEN: RefCell<Opened> = RefCell::default();
}

#[derive(Default)]
struct Opened {
    next: u64,
    files: HashMap<u64, InputFile>,
}

/// An open file of this thread.
pub(super) struct Handle {
    key: u64,
    len: u64,
}

impl Handle {
    fn new(file: &InputFile) -> Self {
        let key = OPEN.with_borrow_mut(|opened| {
            opened.next += 1;
            opened.files.insert(opened.next, file.clone());
            opened.next
        });
        Self { key, len: file.len() }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // At the thread's end the table may be gone before the handle.
        let _ = OPEN.try_with(|opened| {
            opened.try_borrow_mut().map(|mut opened| opened.files.remove(&self.key))
        });
    }
}

fn read_at(key: u64, len: u64, start: u64, n_bytes: usize) -> Result<Vec<u8>, ParquetError> {
    let end = u64::try_from(n_bytes).ok().and_then(|n_bytes| start.checked_add(n_bytes));
    let Some(end) = end.filter(|&end| end <= len && n_bytes <= MAX_PIECE) else {
        return Err(ParquetError::EOF(format!("byte {start} + {n_bytes} of {len}")));
    };
    let file = OPEN.with_borrow(|opened| opened.files.get(&key).cloned());
    let file = file.ok_or_else(|| ParquetError::General("read on another thread".to_owned()))?;
    file.bytes(start..end).map_err(|err| ParquetError::General(err.to_string()))
}

impl Length for Handle {
    fn len(&self) -> u64 {
        self.len
    }
}

/// Reads on from a place.
pub(super) struct Stretch {
    key: u64,
    len: u64,
    at: u64,
}

impl Read for Stretch {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let left = usize::try_from(self.len.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let n_bytes = buf.len().min(left);
        let bytes = read_at(self.key, self.len, self.at, n_bytes).map_err(std::io::Error::other)?;
        for (to, from) in buf.iter_mut().zip(&bytes) {
            *to = *from;
        }
        self.at += bytes.len() as u64;
        Ok(bytes.len())
    }
}

impl ChunkReader for Handle {
    type T = BufReader<Stretch>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let stretch = Stretch { key: self.key, len: self.len, at: start };
        Ok(BufReader::with_capacity(HEADER_READ, stretch))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        read_at(self.key, self.len, start, length).map(Bytes::from)
    }
}

/// A Parquet file whose footer has been read.
pub(super) struct ParquetFile {
    file: InputFile,
    metadata: ArrowReaderMetadata,
}

impl ParquetFile {
    /// Reads the footer.
    ///
    /// # Errors
    /// When it is damaged.
    pub(super) fn open(file: &InputFile) -> Result<Self, Error> {
        // The writer's own Arrow schema may say dictionaries or large text; by the Parquet types
        // alone every column has one form.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = ArrowReaderMetadata::load(&Handle::new(file), options)
            .map_err(|err| Error::from(err).in_file(&file.path))?;
        if !is_within(metadata.metadata(), file.len()) {
            let reason = "a column lies outside the file".to_owned();
            return Err(Error::new(ErrorKind::Parquet(reason)).in_file(&file.path));
        }
        Ok(Self { file: file.clone(), metadata })
    }

    /// Number of columns.
    pub(super) fn n_columns(&self) -> usize {
        self.metadata.parquet_schema().num_columns()
    }

    /// Number of rows, by the footer.
    pub(super) fn n_rows(&self) -> u64 {
        u64::try_from(self.metadata.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// Number of row groups.
    pub(super) fn n_row_groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    /// Number of rows in row group `idx`.
    pub(super) fn rows_of_group(&self, idx: usize) -> u64 {
        let groups = self.metadata.metadata().row_groups();
        groups.get(idx).map_or(0, |group| u64::try_from(group.num_rows()).unwrap_or(0))
    }

    /// Compressed bytes of the columns of `mask` in row group `idx`.
    pub(super) fn bytes_of_group(&self, idx: usize, mask: &ProjectionMask) -> u64 {
        let Some(group) = self.metadata.metadata().row_groups().get(idx) else { return 0 };
        let columns = group.columns().iter().enumerate();
        columns
            .filter(|(leaf, _)| mask.leaf_included(*leaf))
            .map(|(_, column)| u64::try_from(column.compressed_size()).unwrap_or(0))
            .sum()
    }

    /// The schema.
    pub(super) fn schema(&self) -> &SchemaDescriptor {
        self.metadata.parquet_schema()
    }

    /// Starts reading.
    pub(super) fn reader(&self) -> ParquetRecordBatchReaderBuilder<Handle> {
        ParquetRecordBatchReaderBuilder::new_with_metadata(
            Handle::new(&self.file),
            self.metadata.clone(),
        )
    }

    /// The leaf columns that `is_wanted` by the first and last part of their path.
    pub(super) fn leaves(&self, is_wanted: impl Fn(&str, &str) -> bool) -> ProjectionMask {
        let schema = self.schema();
        let wanted = (0..schema.num_columns()).filter(|&leaf| {
            let column = schema.column(leaf);
            let parts = column.path().parts();
            parts.first().zip(parts.last()).is_some_and(|(first, last)| is_wanted(first, last))
        });
        ProjectionMask::leaves(schema, wanted.collect::<Vec<_>>())
    }
}

/// Whether every column lies inside the file, and no count is negative: the library takes both for
/// granted.
fn is_within(metadata: &ParquetMetaData, len: u64) -> bool {
    let is_chunk_within = |column: &ColumnChunkMetaData| {
        let data = column.data_page_offset();
        let start = column.dictionary_page_offset().unwrap_or(data);
        let end = start.checked_add(column.compressed_size());
        let is_forward = start >= 0 && data >= 0 && column.compressed_size() >= 0;
        let counts = [column.num_values(), column.uncompressed_size()];
        is_forward
            && counts.iter().all(|&count| count >= 0)
            && end.and_then(|end| u64::try_from(end).ok()).is_some_and(|end| end <= len)
    };
    metadata
        .row_groups()
        .iter()
        .all(|group| group.num_rows() >= 0 && group.columns().iter().all(is_chunk_within))
}

/// What a Parquet file is to this reader.
pub(super) enum Kind {
    /// Case reports.
    Reports,
    /// Neither columns nor rows.
    NoColumns,
    /// The footer cannot be read.
    Damaged,
    /// Something else.
    Other,
}

/// What `file` is, by its schema.
pub(super) fn kind(file: &InputFile) -> Kind {
    let opened = match ParquetFile::open(file) {
        Ok(opened) => opened,
        Err(err) if matches!(err.kind(), ErrorKind::Parquet(_)) => return Kind::Damaged,
        Err(_) => return Kind::Other,
    };
    if opened.n_columns() == 0 {
        return if opened.n_rows() == 0 { Kind::NoColumns } else { Kind::Other };
    }
    let has = |first: &str, last: &str| {
        opened.schema().columns().iter().any(|column| {
            let parts = column.path().parts();
            parts.first().is_some_and(|part| part == first)
                && parts.last().is_some_and(|part| part == last)
        })
    };
    if has("results", "attribute") && has("id", "id") { Kind::Reports } else { Kind::Other }
}
