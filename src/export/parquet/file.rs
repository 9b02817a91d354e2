//! A Parquet file that is being written, row group by row group.

use super::cells::{ExportCells, field};
use crate::export::columns::{HasField, Value};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type};
use std::io;
use std::sync::Arc;

/// Bytes of text after which a row group ends, however few its rows are.
const GROUP_BYTES: usize = 32 << 20;

/// Rows that are encoded at once.
const BATCH_ROWS: usize = 1 << 10;

/// Bytes of text after which rows are encoded, however few they are.
const BATCH_BYTES: usize = 1 << 20;

/// How hard zstd packs: by its fastest way, which is the only one that the page has.
const ZSTD_LEVEL: i32 = 2;

/// How a file is laid out for those who read it.
#[derive(Debug, Clone, Copy)]
pub struct ParquetPacking {
    /// Rows of a row group.
    pub group_rows: usize,
    /// Whether the smallest and the largest value of each page stand in the footer, beside those of each row group.
    pub is_indexed: bool,
    /// Columns with a bloom filter, and how many different values they have in a row group at the most.
    pub ids: (&'static [&'static str], u64),
}

impl Default for ParquetPacking {
    /// That of exports.
    fn default() -> Self {
        Self { group_rows: 1 << 16, is_indexed: false, ids: (&[], 0) }
    }
}

/// Writes a file.
pub struct FileWriter<C> {
    columns: Vec<C>,
    group_rows: usize,
    /// The row group at hand, column by column.
    cells: Vec<ExportCells>,
    /// Its rows, and bytes of text.
    n_group_rows: usize,
    n_group_bytes: usize,
    /// Rows of it that are not encoded yet, and their bytes of text.
    n_rows: usize,
    n_bytes: usize,
    writer: SerializedFileWriter<Vec<u8>>,
}

impl<C: HasField> FileWriter<C> {
    /// A file with `columns`, in which nothing stands yet but its beginning.
    ///
    /// # Errors
    /// When the library knows no such file.
    pub fn new(columns: Vec<C>, packing: ParquetPacking) -> io::Result<Self> {
        let statistics = match packing.is_indexed {
            true => EnabledStatistics::Page,
            // The smallest and the largest value of a row group say whether to look into it.
            false => EnabledStatistics::Chunk,
        };
        let begun = || -> Result<_> {
            let mut properties = WriterProperties::builder()
                .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
                .set_created_by(concat!("evalglass version ", env!("CARGO_PKG_VERSION")).to_owned())
                .set_statistics_enabled(statistics);
            let (ids, n_values) = packing.ids;
            for id in ids {
                let path = ColumnPath::from(*id);
                properties = properties.set_column_bloom_filter_max_ndv(path, n_values.max(1));
            }
            let properties = Arc::new(properties.build());
            let fields = columns.iter().map(|column| field(column.field()).map(Arc::new));
            let fields = fields.collect::<Result<_>>()?;
            let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?);
            let descr = SchemaDescriptor::new(Arc::clone(&schema));
            let cells = columns.iter().zip(descr.columns());
            let cells = cells.map(|(own, descr)| {
                ExportCells::new(own.field().kind, Arc::clone(descr), &properties)
            });
            let cells = cells.collect();
            Ok((cells, SerializedFileWriter::new(Vec::new(), schema, properties)?))
        };
        let (cells, writer) = begun().map_err(io::Error::other)?;
        let (n_group_rows, n_group_bytes, n_rows, n_bytes) = (0, 0, 0, 0);
        let group_rows = packing.group_rows;
        Ok(Self {
            columns,
            group_rows,
            cells,
            n_group_rows,
            n_group_bytes,
            n_rows,
            n_bytes,
            writer,
        })
    }

    /// Adds a row, whose cell `cell` says for each column; what is complete is appended to `out`.
    ///
    /// # Errors
    /// When a value is missing that every row must have, or the library cannot write one.
    pub fn push<'v>(
        &mut self,
        cell: impl Fn(&C) -> Option<Value<'v>>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            self.n_bytes += cells.push(cell(column))?;
        }
        self.n_rows += 1;
        let is_full = self.n_group_rows + self.n_rows >= self.group_rows;
        if self.n_rows < BATCH_ROWS && self.n_bytes < BATCH_BYTES && !is_full {
            return Ok(());
        }
        self.encode()?;
        if is_full || self.n_group_bytes >= GROUP_BYTES {
            self.end_group()?;
        }
        self.drain(out)
    }

    /// Appends the rows that are left and the footer to `out`; `pairs` of key and value go into
    /// its metadata.
    ///
    /// # Errors
    /// As [`FileWriter::push`].
    pub fn end(&mut self, pairs: &[(&str, &str)], out: &mut Vec<u8>) -> io::Result<()> {
        self.encode()?;
        self.end_group()?;
        for (key, value) in pairs {
            let pair = KeyValue::new((*key).to_owned(), (*value).to_owned());
            self.writer.append_key_value_metadata(pair);
        }
        self.writer.finish().map_err(io::Error::other)?;
        self.drain(out)
    }

    /// Has the library encode the rows that were gathered.
    fn encode(&mut self) -> io::Result<()> {
        self.n_group_rows += self.n_rows;
        self.n_group_bytes += self.n_bytes;
        (self.n_rows, self.n_bytes) = (0, 0);
        self.cells.iter_mut().try_for_each(ExportCells::encode).map_err(io::Error::other)
    }

    fn end_group(&mut self) -> io::Result<()> {
        if self.n_group_rows == 0 {
            return Ok(());
        }
        (self.n_group_rows, self.n_group_bytes) = (0, 0);
        let (cells, writer) = (&mut self.cells, &mut self.writer);
        let mut written = || -> Result<()> {
            let mut group = writer.next_row_group()?;
            for cells in cells.iter_mut() {
                let (bytes, closed) = cells.end_group()?;
                group.append_column(&bytes, closed)?;
            }
            group.close().map(drop)
        };
        written().map_err(io::Error::other)
    }

    /// Moves what the library has written to `out`.
    fn drain(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        self.writer.flush()?;
        out.append(self.writer.inner_mut());
        Ok(())
    }
}
