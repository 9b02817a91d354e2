//! A Parquet file that is being written, row group by row group.

use super::super::columns::{Column, Value};
use super::cells::{Cells, field};
use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use std::io;
use std::sync::Arc;

/// Rows of a row group.
const GROUP_ROWS: usize = 1 << 16;

/// Bytes of text after which a row group ends, however few its rows are.
const GROUP_BYTES: usize = 32 << 20;

/// Rows that are encoded at once.
const BATCH_ROWS: usize = 1 << 10;

/// Bytes of text after which rows are encoded, however few they are.
const BATCH_BYTES: usize = 1 << 20;

/// How hard zstd packs: as it does unless told otherwise.
const ZSTD_LEVEL: i32 = 3;

/// Writes a file.
pub(super) struct FileWriter<'a> {
    columns: &'a [Column],
    schema: SchemaRef,
    /// The rows that are not encoded yet, column by column.
    cells: Vec<Cells>,
    n_rows: usize,
    n_bytes: usize,
    /// Bytes of text in the row group at hand.
    n_group_bytes: usize,
    writer: ArrowWriter<Vec<u8>>,
}

impl<'a> FileWriter<'a> {
    /// A file with `columns`, in which nothing stands yet but its beginning.
    ///
    /// # Errors
    /// When the library knows no such file.
    pub(super) fn new(columns: &'a [Column]) -> io::Result<Self> {
        let schema: SchemaRef =
            Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let level = ZstdLevel::try_new(ZSTD_LEVEL).map_err(io::Error::other)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_created_by(concat!("evalglass version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            // The smallest and the largest value of a row group say whether to look into it.
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .build();
        let options = ArrowWriterOptions::new()
            .with_properties(properties)
            // Texts, doubles, integers and flags are the same to every reader.
            .with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(Vec::new(), Arc::clone(&schema), options);
        Ok(Self {
            columns,
            schema,
            cells: columns.iter().map(|column| Cells::new(column.kind)).collect(),
            n_rows: 0,
            n_bytes: 0,
            n_group_bytes: 0,
            writer: writer.map_err(io::Error::other)?,
        })
    }

    /// Adds a row, whose cell `cell` says for each column; what is complete is appended to `out`.
    ///
    /// # Errors
    /// When a value is missing that every row must have, or the library cannot write one.
    pub(super) fn push<'v>(
        &mut self,
        cell: impl Fn(&Column) -> Option<Value<'v>>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            self.n_bytes += cells.push(cell(column));
        }
        self.n_rows += 1;
        if self.n_rows < BATCH_ROWS && self.n_bytes < BATCH_BYTES {
            return Ok(());
        }
        self.encode()?;
        if self.n_group_bytes >= GROUP_BYTES {
            self.end_group()?;
        }
        self.drain(out)
    }

    /// Appends the rows that are left and the footer to `out`; `pairs` of key and value go into
    /// its metadata.
    ///
    /// # Errors
    /// As [`FileWriter::push`].
    pub(super) fn end(&mut self, pairs: &[(&str, &str)], out: &mut Vec<u8>) -> io::Result<()> {
        self.encode()?;
        self.end_group()?;
        for (key, value) in pairs {
            let pair = KeyValue::new((*key).to_owned(), (*value).to_owned());
            self.writer.append_key_value_metadata(pair);
        }
        self.writer.finish().map_err(io::Error::other)?;
        self.drain(out)
    }

    /// Hands the rows that were gathered to the library.
    fn encode(&mut self) -> io::Result<()> {
        if self.n_rows == 0 {
            return Ok(());
        }
        let cells: Vec<ArrayRef> = self.cells.iter_mut().map(Cells::take).collect();
        let lacks =
            |(column, cells): (&Column, &ArrayRef)| column.is_required && cells.null_count() > 0;
        if self.columns.iter().zip(&cells).any(lacks) {
            return Err(io::Error::other("a row lacks a value that every row must have"));
        }
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), cells);
        let batch = batch.map_err(io::Error::other)?;
        self.n_group_bytes += self.n_bytes;
        (self.n_rows, self.n_bytes) = (0, 0);
        self.writer.write(&batch).map_err(io::Error::other)?;
        if self.writer.in_progress_rows() == 0 {
            self.n_group_bytes = 0;
        }
        Ok(())
    }

    fn end_group(&mut self) -> io::Result<()> {
        self.n_group_bytes = 0;
        self.writer.flush().map_err(io::Error::other)
    }

    /// Moves what the library has written to `out`.
    fn drain(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        self.writer.sync()?;
        out.append(self.writer.inner_mut());
        Ok(())
    }
}
