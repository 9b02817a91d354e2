//! A small table as a Parquet file.

use super::SCHEMA;
use super::cell::RecordCell;
use crate::export::{ColumnField, ExportType, FileWriter, HasField, ParquetPacking, Value};
use std::io;

/// The columns of the table of parts.
pub(super) const PARTS: [ColumnField; 5] = [
    ColumnField { name: "evaluation", kind: ExportType::Text, is_required: true },
    ColumnField { name: "table_name", kind: ExportType::Text, is_required: true },
    ColumnField { name: "path", kind: ExportType::Text, is_required: true },
    ColumnField { name: "rows", kind: ExportType::Count, is_required: true },
    ColumnField { name: "bytes", kind: ExportType::Count, is_required: true },
];

/// The cells of a row, in the order of the table's columns.
pub(super) type TableRow = Vec<Option<RecordCell>>;

/// The row of a part: its evaluation, its table, where it lies; `[rows, bytes]`.
pub(super) fn part_row(
    evaluation: &str,
    table: &str,
    path: &str,
    [rows, bytes]: [u64; 2],
) -> TableRow {
    let words = [evaluation, table, path].map(|text| RecordCell::Text(text.to_owned()));
    let sizes = [rows, bytes].map(RecordCell::Count);
    words.into_iter().chain(sizes).map(Some).collect()
}

/// The file of the small table `name`.
pub(super) fn table_file(name: &str) -> String {
    format!("{name}.parquet")
}

/// A small table of `rows` as a file.
///
/// # Errors
/// When a required value is missing.
pub(super) fn table_bytes(fields: &[ColumnField], rows: &[TableRow]) -> io::Result<Vec<u8>> {
    let packing = ParquetPacking { is_indexed: true, ..ParquetPacking::default() };
    let columns: Vec<(usize, ColumnField)> = fields.iter().copied().enumerate().collect();
    let (mut writer, mut out) = (FileWriter::new(columns, packing)?, Vec::new());
    for row in rows {
        let cell = |(at, _): &(usize, ColumnField)| -> Option<Value<'_>> {
            row.get(*at)?.as_ref().map(RecordCell::value)
        };
        writer.push(cell, &mut out)?;
    }
    writer.end(&[("evalglass.schema", SCHEMA)], &mut out)?;
    Ok(out)
}

impl HasField for ColumnField {
    fn field(&self) -> ColumnField {
        *self
    }
}

impl HasField for (usize, ColumnField) {
    fn field(&self) -> ColumnField {
        self.1
    }
}
