//! What the values of a Parquet column are, by their physical and their logical type.
//!
//! Types: `LogicalTypes.md` of parquet-format. A file of the producer holds only texts, floats, whole
//! numbers, flags and columns without a type; the others come from tools that rewrite files.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::schema::types::ColumnDescriptor;

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text, which must be UTF-8.
    Text,
    /// Bytes that no type calls text.
    Bytes,
    /// Floats of either size.
    Float,
    /// Signed whole numbers of any size.
    Whole,
    /// Yes or no.
    Flag,
    /// Times since 1970, counted in this unit.
    Time(TimeUnit),
    /// Null in every row: the column has no type.
    Null,
    /// Something that is named, not read.
    Other(ConvertedType, Type),
}

impl Kind {
    /// The kind of `column`.
    pub(super) fn of(column: &ColumnDescriptor) -> Self {
        use ConvertedType as Old;
        let physical = column.physical_type();
        let converted = column.converted_type();
        match (physical, column.logical_type_ref(), converted) {
            (_, Some(LogicalType::Unknown), _) => Self::Null,
            (Type::BOOLEAN, ..) => Self::Flag,
            (Type::FLOAT | Type::DOUBLE, ..) => Self::Float,
            (Type::INT96, ..) => Self::Time(TimeUnit::NANOS),
            (Type::INT64, Some(LogicalType::Timestamp(time)), _) => Self::Time(time.unit),
            (Type::INT64, _, Old::TIMESTAMP_MILLIS) => Self::Time(TimeUnit::MILLIS),
            (Type::INT64, _, Old::TIMESTAMP_MICROS) => Self::Time(TimeUnit::MICROS),
            (Type::INT32 | Type::INT64, None, Old::NONE)
            | (
                Type::INT32 | Type::INT64,
                _,
                Old::INT_8 | Old::INT_16 | Old::INT_32 | Old::INT_64,
            ) => Self::Whole,
            (Type::BYTE_ARRAY, _, Old::UTF8 | Old::JSON) => Self::Text,
            (Type::BYTE_ARRAY, _, converted) if converted != Old::DECIMAL => Self::Bytes,
            _ => Self::Other(converted, physical),
        }
    }
}
