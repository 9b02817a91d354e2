//! A Parquet file that is being written, row group by row group.
//!
//! ```text
//! PAR1 │ row group: column chunks ─ pages │ … │ footer │ its length │ PAR1
//! ```
//!
//! Format: `README.md` and `FileMetaData` in `parquet.thrift` of parquet-format.

use super::super::columns::{Column, Kind, Value};
use super::cells::Cells;
use super::page::{CODEC, Chunk, Encoding, whole};
use super::thrift::{self, Fields};
use std::io;

/// Rows of a row group.
const GROUP_ROWS: usize = 1 << 16;

/// Bytes of text after which a row group ends, however few its rows are; a text that repeats in its
/// column counts once.
const GROUP_BYTES: usize = 32 << 20;

/// What a file begins and ends with.
const MAGIC: &[u8] = b"PAR1";

/// Version of the file, which readers are to ignore.
const VERSION: i32 = 1;

/// Writes a file.
pub(super) struct FileWriter<'a> {
    columns: &'a [Column],
    /// The rows that are not written yet, column by column.
    cells: Vec<Cells>,
    n_rows: usize,
    n_bytes: usize,
    groups: Vec<Group>,
    /// Bytes written so far.
    at: u64,
}

/// A row group that is written.
struct Group {
    chunks: Vec<Chunk>,
    n_rows: i64,
}

impl<'a> FileWriter<'a> {
    /// A file with `columns`, of which nothing is written yet.
    pub(super) fn new(columns: &'a [Column]) -> Self {
        let cells = |column: &Column| Cells::new(column.kind, column.is_required);
        Self {
            columns,
            cells: columns.iter().map(cells).collect(),
            n_rows: 0,
            n_bytes: 0,
            groups: Vec::new(),
            at: 0,
        }
    }

    /// Appends what stands before the rows to `out`.
    pub(super) fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(MAGIC);
        self.at += MAGIC.len() as u64;
    }

    /// Adds a row, whose cell `cell` says for each column.
    pub(super) fn push<'v>(&mut self, cell: impl Fn(&Column) -> Option<Value<'v>>) {
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            self.n_bytes += cells.push(cell(column));
        }
        self.n_rows += 1;
    }

    /// Whether the rows that are not written yet are enough for a row group.
    pub(super) fn is_full(&self) -> bool {
        self.n_rows >= GROUP_ROWS || self.n_bytes >= GROUP_BYTES
    }

    /// Appends the rows that are not written yet to `out`, as a row group; none when there are none.
    ///
    /// # Errors
    /// When something is longer than the format can say, or a value is missing that every row must have.
    pub(super) fn end_group(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        if self.n_rows == 0 {
            return Ok(());
        }
        let mut chunks = Vec::with_capacity(self.cells.len());
        for cells in &mut self.cells {
            let (start, n_nulls) = (out.len(), cells.n_nulls());
            chunks.push(cells.take_pages()?.write(self.at, n_nulls, out)?);
            self.at += (out.len() - start) as u64;
        }
        self.groups.push(Group { chunks, n_rows: whole(self.n_rows as u64)? });
        (self.n_rows, self.n_bytes) = (0, 0);
        Ok(())
    }

    /// Appends the rows that are left and the footer to `out`; `pairs` of key and value go into
    /// its metadata.
    ///
    /// # Errors
    /// As [`FileWriter::end_group`].
    pub(super) fn end(&mut self, pairs: &[(&str, &str)], out: &mut Vec<u8>) -> io::Result<()> {
        self.end_group(out)?;
        let start = out.len();
        let n_rows = self.groups.iter().map(|group| group.n_rows).sum();
        thrift::structure(out, |file| {
            file.i32(1, VERSION);
            self.schema(file);
            file.i64(3, n_rows);
            file.structures(4, self.groups.len(), |fields, at| {
                if let Some(group) = self.groups.get(at) {
                    group.describe(self.columns, fields);
                }
            });
            file.structures(5, pairs.len(), |pair, at| {
                if let Some((key, value)) = pairs.get(at) {
                    pair.text(1, key);
                    pair.text(2, value);
                }
            });
            file.text(6, concat!("evalglass version ", env!("CARGO_PKG_VERSION")));
        });
        let len = u32::try_from(out.len() - start).map_err(io::Error::other)?;
        out.extend(len.to_le_bytes());
        out.extend_from_slice(MAGIC);
        Ok(())
    }

    /// The root, which has every column as a child, then the columns.
    fn schema(&self, file: &mut Fields<'_>) {
        const NAME: &str = "table";
        let n_columns = i32::try_from(self.columns.len()).unwrap_or(i32::MAX);
        file.structures(2, self.columns.len() + 1, |element, at| {
            match at.checked_sub(1).and_then(|at| self.columns.get(at)) {
                Some(column) => describe(column, element),
                None => {
                    element.text(4, NAME);
                    element.i32(5, n_columns);
                }
            }
        });
    }
}

/// `SchemaElement` of a column.
fn describe(column: &Column, element: &mut Fields<'_>) {
    const UTF8: i32 = 0;
    element.i32(1, physical(column.kind));
    element.i32(3, i32::from(!column.is_required));
    element.text(4, column.name);
    if column.kind == Kind::Text {
        // As older readers and as newer ones know a text.
        element.i32(6, UTF8);
        element.structure(10, |logical| logical.structure(1, |_string| {}));
    }
}

/// parquet-format's number of the type that holds a `kind`.
const fn physical(kind: Kind) -> i32 {
    match kind {
        Kind::Flag => 0,
        Kind::Count => 2,
        Kind::Number => 5,
        Kind::Text => 6,
    }
}

impl Group {
    /// `RowGroup`.
    fn describe(&self, columns: &[Column], group: &mut Fields<'_>) {
        group.structures(1, self.chunks.len(), |fields, at| {
            if let (Some(chunk), Some(column)) = (self.chunks.get(at), columns.get(at)) {
                // Where metadata beside the footer would stand.
                fields.i64(2, 0);
                fields.structure(3, |fields| chunk.describe(column, fields));
            }
        });
        group.i64(2, self.chunks.iter().map(|chunk| chunk.len).sum());
        group.i64(3, self.n_rows);
        let first = self.chunks.first();
        if let Some(start) = first.map(|chunk| chunk.dictionary_at.unwrap_or(chunk.data_at)) {
            group.i64(5, start);
        }
        group.i64(6, self.chunks.iter().map(|chunk| chunk.packed_len).sum());
    }
}

impl Chunk {
    /// `ColumnMetaData`.
    fn describe(&self, column: &Column, chunk: &mut Fields<'_>) {
        let plain_and_levels = [Encoding::Plain.number(), Encoding::LEVELS];
        chunk.i32(1, physical(column.kind));
        match self.encoding {
            Encoding::Plain => chunk.enums(2, &plain_and_levels),
            Encoding::Dictionary => {
                let [plain, levels] = plain_and_levels;
                chunk.enums(2, &[plain, levels, self.encoding.number()]);
            }
        }
        chunk.texts(3, &[column.name]);
        chunk.i32(4, CODEC);
        chunk.i64(5, self.n_values);
        chunk.i64(6, self.len);
        chunk.i64(7, self.packed_len);
        chunk.i64(9, self.data_at);
        if let Some(at) = self.dictionary_at {
            chunk.i64(11, at);
        }
        chunk.structure(12, |statistics| statistics.i64(3, self.n_nulls));
    }
}
