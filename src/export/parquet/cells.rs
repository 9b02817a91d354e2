//! The cells of a column in the rows that are being gathered, as Arrow builds them.

use super::super::columns::{Column, Kind, Value};
use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder,
};
use arrow_schema::{DataType, Field};

/// Cells of a column.
pub(super) enum Cells {
    /// [`Kind::Text`]
    Texts(StringBuilder),
    /// [`Kind::Number`]
    Numbers(Float64Builder),
    /// [`Kind::Count`]
    Counts(Int64Builder),
    /// [`Kind::Flag`]
    Flags(BooleanBuilder),
}

/// `column` in the schema of its table.
pub(super) fn field(column: &Column) -> Field {
    let kind = match column.kind {
        Kind::Text => DataType::Utf8,
        Kind::Number => DataType::Float64,
        Kind::Count => DataType::Int64,
        Kind::Flag => DataType::Boolean,
    };
    Field::new(column.name, kind, !column.is_required)
}

impl Cells {
    /// No cells yet, of a column of `kind`.
    pub(super) fn new(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Texts(StringBuilder::new()),
            Kind::Number => Self::Numbers(Float64Builder::new()),
            Kind::Count => Self::Counts(Int64Builder::new()),
            Kind::Flag => Self::Flags(BooleanBuilder::new()),
        }
    }

    /// Adds a cell, and returns how many bytes of text it has.
    pub(super) fn push(&mut self, value: Option<Value<'_>>) -> usize {
        match (self, value) {
            (Self::Texts(texts), Some(Value::Text(text))) => {
                texts.append_value(text);
                return text.len();
            }
            (Self::Numbers(numbers), Some(Value::Number(number))) => numbers.append_value(number),
            (Self::Counts(counts), Some(Value::Count(n))) => {
                counts.append_value(i64::try_from(n).unwrap_or(i64::MAX));
            }
            (Self::Counts(counts), Some(Value::Hash(bits))) => {
                counts.append_value(bits.cast_signed());
            }
            (Self::Flags(flags), Some(Value::Flag(flag))) => flags.append_value(flag),
            (Self::Texts(texts), _) => texts.append_null(),
            (Self::Numbers(numbers), _) => numbers.append_null(),
            (Self::Counts(counts), _) => counts.append_null(),
            (Self::Flags(flags), _) => flags.append_null(),
        }
        0
    }

    /// Takes the cells.
    pub(super) fn take(&mut self) -> ArrayRef {
        let builder: &mut dyn ArrayBuilder = match self {
            Self::Texts(texts) => texts,
            Self::Numbers(numbers) => numbers,
            Self::Counts(counts) => counts,
            Self::Flags(flags) => flags,
        };
        builder.finish()
    }
}
