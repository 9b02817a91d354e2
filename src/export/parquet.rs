//! The tables of cases and checks as Parquet, packed with zstd.
//!
//! A column that may lack values is optional, and what is missing is null; numbers are doubles and may be
//! NaN or infinite. Texts are UTF-8 strings, numbers of things 64-bit integers.

use super::columns::{CASES, CHECKS, Column, Kind, Row, RunCx, Value};
use super::job::{Context, Format};
use super::selection::Piece;
use crate::readers::Texts;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::io;
use std::sync::Arc;

/// Rows of a row group.
const GROUP_ROWS: usize = 1 << 16;

/// Bytes of text after which a row group ends, however few its rows are.
const GROUP_BYTES: usize = 32 << 20;

/// One of the two tables.
pub(super) struct ParquetTable {
    name: &'static str,
    columns: &'static [Column],
    has_checks: bool,
    /// The rows that are not written yet, column by column.
    cells: Vec<Cells>,
    n_rows: usize,
    n_bytes: usize,
    writer: Option<SerializedFileWriter<Vec<u8>>>,
}

/// Cells of a column: the values that there are, and for each row whether there is one.
struct Cells {
    values: Values,
    is_there: Vec<i16>,
}

enum Values {
    Texts(Vec<ByteArray>),
    Numbers(Vec<f64>),
    Counts(Vec<i64>),
    Flags(Vec<bool>),
}

impl ParquetTable {
    /// One row for each case.
    pub(super) fn cases() -> Self {
        Self::new("evalglass-cases/1", &CASES, false)
    }

    /// One row for each check.
    pub(super) fn checks() -> Self {
        Self::new("evalglass-checks/1", &CHECKS, true)
    }

    fn new(name: &'static str, columns: &'static [Column], has_checks: bool) -> Self {
        let cells = columns.iter().map(|column| Cells::new(column.kind)).collect();
        Self { name, columns, has_checks, cells, n_rows: 0, n_bytes: 0, writer: None }
    }

    fn push(&mut self, row: &Row<'_>) {
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            self.n_bytes += cells.push((column.get)(row));
        }
        self.n_rows += 1;
    }

    /// Writes the rows so far as a row group, and hands what the file has grown by to `out`.
    fn flush(&mut self, out: &mut Vec<u8>) -> Result<(), ParquetError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if self.n_rows > 0 {
            let mut group = writer.next_row_group()?;
            for (column, cells) in self.columns.iter().zip(&mut self.cells) {
                cells.write(column, &mut group)?;
            }
            group.close()?;
        }
        (self.n_rows, self.n_bytes) = (0, 0);
        out.append(writer.inner_mut());
        Ok(())
    }
}

impl Format for ParquetTable {
    fn begin(&mut self, _cx: &Context<'_>, _out: &mut Vec<u8>) -> io::Result<()> {
        let writer = SerializedFileWriter::new(
            Vec::new(),
            schema(self.columns).map_err(into_io)?,
            Arc::new(properties(self.name)),
        );
        self.writer = Some(writer.map_err(into_io)?);
        Ok(())
    }

    fn piece(&mut self, cx: &Context<'_>, piece: &Piece, out: &mut Vec<u8>) -> io::Result<()> {
        let Some(run) = RunCx::new(cx.workspace, piece.run) else { return Ok(()) };
        let texts = Texts::new(&run.entry.bundle);
        for idx in piece.rows() {
            let row = run.row(idx);
            if self.has_checks {
                for check in run.run.checks_of(idx) {
                    let place = run.run.checks.reason_of(check);
                    let reason = place.and_then(|place| texts.text_at(place));
                    self.push(&Row { check, reason: reason.as_deref(), ..row });
                }
            } else {
                self.push(&row);
            }
            if self.n_rows >= GROUP_ROWS || self.n_bytes >= GROUP_BYTES {
                self.flush(out).map_err(into_io)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, _cx: &Context<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        self.flush(out).map_err(into_io)?;
        if let Some(writer) = self.writer.take() {
            out.extend(writer.into_inner().map_err(into_io)?);
        }
        Ok(())
    }
}

impl Cells {
    fn new(kind: Kind) -> Self {
        let values = match kind {
            Kind::Text => Values::Texts(Vec::new()),
            Kind::Number => Values::Numbers(Vec::new()),
            Kind::Count => Values::Counts(Vec::new()),
            Kind::Flag => Values::Flags(Vec::new()),
        };
        Self { values, is_there: Vec::new() }
    }

    /// Adds a cell and returns how many bytes of text it takes.
    fn push(&mut self, value: Option<Value<'_>>) -> usize {
        let mut n_bytes = 0;
        let is_there = match (&mut self.values, value) {
            (Values::Texts(texts), Some(Value::Text(text))) => {
                let last = texts.last().filter(|last| last.data() == text.as_bytes());
                // Names of runs and the like repeat from row to row.
                let same = last.cloned();
                n_bytes = if same.is_some() { 0 } else { text.len() };
                texts.push(same.unwrap_or_else(|| ByteArray::from(text)));
                true
            }
            (Values::Numbers(numbers), Some(Value::Number(number))) => {
                numbers.push(number);
                true
            }
            (Values::Counts(counts), Some(Value::Count(n))) => {
                counts.push(i64::try_from(n).unwrap_or(i64::MAX));
                true
            }
            (Values::Flags(flags), Some(Value::Flag(flag))) => {
                flags.push(flag);
                true
            }
            _ => false,
        };
        self.is_there.push(i16::from(is_there));
        n_bytes
    }

    /// Writes the cells as the next column of `group` and forgets them.
    fn write(
        &mut self,
        column: &Column,
        group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    ) -> Result<(), ParquetError> {
        let Some(mut writer) = group.next_column()? else { return Ok(()) };
        let levels = (!column.is_required).then_some(self.is_there.as_slice());
        match &mut self.values {
            Values::Texts(texts) => {
                writer.typed::<ByteArrayType>().write_batch(texts, levels, None)?;
                texts.clear();
            }
            Values::Numbers(numbers) => {
                writer.typed::<DoubleType>().write_batch(numbers, levels, None)?;
                numbers.clear();
            }
            Values::Counts(counts) => {
                writer.typed::<Int64Type>().write_batch(counts, levels, None)?;
                counts.clear();
            }
            Values::Flags(flags) => {
                writer.typed::<BoolType>().write_batch(flags, levels, None)?;
                flags.clear();
            }
        }
        self.is_there.clear();
        writer.close()
    }
}

fn schema(columns: &[Column]) -> Result<Arc<Type>, ParquetError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.kind {
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Number => (Physical::DOUBLE, None),
            Kind::Count => (Physical::INT64, None),
            Kind::Flag => (Physical::BOOLEAN, None),
        };
        let repetition =
            if column.is_required { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        let field = Type::primitive_type_builder(column.name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()?;
        Ok(Arc::new(field))
    };
    let fields: Result<Vec<_>, ParquetError> = columns.iter().map(field).collect();
    Ok(Arc::new(Type::group_type_builder("table").with_fields(fields?).build()?))
}

fn properties(name: &str) -> WriterProperties {
    let schema = KeyValue::new("evalglass.schema".to_owned(), name.to_owned());
    WriterProperties::builder()
        .set_created_by(format!("evalglass version {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(vec![schema]))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build()
}

fn into_io(err: ParquetError) -> io::Error {
    io::Error::other(err.to_string())
}
