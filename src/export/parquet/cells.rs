//! A column of the row group that is being written: its cells are encoded some rows at a time, and its pages
//! kept until the row group ends.
//!
//! `parquet::arrow::ArrowWriter` does the same for any column of Arrow; with it come kernels for every type
//! that Arrow knows, a quarter of a megabyte that the workspace is loaded with. Our columns have four types.

use crate::export::columns::{ColumnField, ExportType, Value};
use bytes::Bytes;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnCloseResult, ColumnWriterImpl};
use parquet::data_type::{BoolType, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type};
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// The pages of a column of a row group, and what the footer says of them.
pub(super) type ColumnChunkPages = (Bytes, ColumnCloseResult);

/// Cells of a column.
pub(super) enum ExportCells {
    /// [`ExportType::Text`]
    Texts(Typed<ByteArrayType>),
    /// [`ExportType::Number`]
    Numbers(Typed<DoubleType>),
    /// [`ExportType::Count`]
    Counts(Typed<Int64Type>),
    /// [`ExportType::Flag`]
    Flags(Typed<BoolType>),
}

/// `column` in the schema of its table.
///
/// # Errors
/// When the library knows no such column.
pub(super) fn field(column: ColumnField) -> Result<Type> {
    let (physical, logical) = match column.kind {
        ExportType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ExportType::Number => (Physical::DOUBLE, None),
        ExportType::Count => (Physical::INT64, None),
        ExportType::Flag => (Physical::BOOLEAN, None),
    };
    let repetition = if column.is_required { Repetition::REQUIRED } else { Repetition::OPTIONAL };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .build()
}

impl ExportCells {
    /// No cells yet, of a column of `kind` that the file describes as `descr`.
    pub(super) fn new(
        kind: ExportType,
        descr: ColumnDescPtr,
        properties: &WriterPropertiesPtr,
    ) -> Self {
        let properties = Arc::clone(properties);
        match kind {
            ExportType::Text => Self::Texts(Typed::new(descr, properties)),
            ExportType::Number => Self::Numbers(Typed::new(descr, properties)),
            ExportType::Count => Self::Counts(Typed::new(descr, properties)),
            ExportType::Flag => Self::Flags(Typed::new(descr, properties)),
        }
    }

    /// Adds a cell, and returns how many bytes of text it has.
    ///
    /// # Errors
    /// When a value is missing that every row must have.
    pub(super) fn push(&mut self, value: Option<Value<'_>>) -> io::Result<usize> {
        let mut n_bytes = 0;
        match (self, value) {
            (Self::Texts(texts), Some(Value::Text(text))) => {
                n_bytes = text.len();
                texts.push(Some(text.into()))?;
            }
            (Self::Numbers(numbers), Some(Value::Number(number))) => numbers.push(Some(number))?,
            (Self::Counts(counts), Some(Value::Count(n))) => {
                counts.push(Some(i64::try_from(n).unwrap_or(i64::MAX)))?;
            }
            (Self::Counts(counts), Some(Value::Hash(bits))) => {
                counts.push(Some(bits.cast_signed()))?;
            }
            (Self::Flags(flags), Some(Value::Flag(flag))) => flags.push(Some(flag))?,
            (Self::Texts(texts), _) => texts.push(None)?,
            (Self::Numbers(numbers), _) => numbers.push(None)?,
            (Self::Counts(counts), _) => counts.push(None)?,
            (Self::Flags(flags), _) => flags.push(None)?,
        }
        Ok(n_bytes)
    }

    /// Encodes the cells that were added.
    ///
    /// # Errors
    /// When the library cannot.
    pub(super) fn encode(&mut self) -> Result<()> {
        match self {
            Self::Texts(texts) => texts.encode(),
            Self::Numbers(numbers) => numbers.encode(),
            Self::Counts(counts) => counts.encode(),
            Self::Flags(flags) => flags.encode(),
        }
    }

    /// Takes the column of the row group, and begins with the next one.
    ///
    /// # Errors
    /// As [`ExportCells::encode`].
    pub(super) fn end_group(&mut self) -> Result<ColumnChunkPages> {
        match self {
            Self::Texts(texts) => texts.end_group(),
            Self::Numbers(numbers) => numbers.end_group(),
            Self::Counts(counts) => counts.end_group(),
            Self::Flags(flags) => flags.end_group(),
        }
    }
}

/// Cells of one physical type.
pub(super) struct Typed<T: DataType> {
    descr: ColumnDescPtr,
    properties: WriterPropertiesPtr,
    /// The values that are not encoded yet.
    values: Vec<T::T>,
    /// Of each cell that is not encoded yet: 1 when it has a value.
    levels: Vec<i16>,
    writer: ColumnWriterImpl<'static, T>,
    pages: ColumnPages,
}

impl<T: DataType> Typed<T> {
    fn new(descr: ColumnDescPtr, properties: WriterPropertiesPtr) -> Self {
        let (writer, pages) = begun(&descr, &properties);
        Self { descr, properties, values: Vec::new(), levels: Vec::new(), writer, pages }
    }

    fn push(&mut self, value: Option<T::T>) -> io::Result<()> {
        if value.is_none() && self.is_required() {
            return Err(io::Error::other("a row lacks a value that every row must have"));
        }
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
        Ok(())
    }

    fn is_required(&self) -> bool {
        self.descr.max_def_level() == 0
    }

    fn encode(&mut self) -> Result<()> {
        let levels = (!self.is_required()).then_some(self.levels.as_slice());
        self.writer.write_batch(&self.values, levels, None)?;
        self.values.clear();
        self.levels.clear();
        Ok(())
    }

    fn end_group(&mut self) -> Result<ColumnChunkPages> {
        self.encode()?;
        let (writer, pages) = begun(&self.descr, &self.properties);
        let closed = mem::replace(&mut self.writer, writer).close()?;
        let bytes = mem::replace(&mut self.pages, pages).take()?;
        Ok((bytes, closed))
    }
}

/// A writer of a column that writes pages.
fn begun<T: DataType>(
    descr: &ColumnDescPtr,
    properties: &WriterPropertiesPtr,
) -> (ColumnWriterImpl<'static, T>, ColumnPages) {
    let pages = ColumnPages::default();
    let to = Box::new(pages.clone());
    (ColumnWriterImpl::new(Arc::clone(descr), Arc::clone(properties), to), pages)
}

/// The pages of a column, one after the other. Copies are the same ones.
#[derive(Clone)]
struct ColumnPages(Arc<Mutex<TrackedWrite<Vec<u8>>>>);

impl Default for ColumnPages {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(TrackedWrite::new(Vec::new()))))
    }
}

impl ColumnPages {
    fn take(self) -> Result<Bytes> {
        let written = Arc::into_inner(self.0);
        let written =
            written.ok_or_else(|| ParquetError::General("a column is open".to_owned()))?;
        let written = written.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(written.into_inner()?.into())
    }
}

impl PageWriter for ColumnPages {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        SerializedPageWriter::new(&mut written).write_page(page)
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}
