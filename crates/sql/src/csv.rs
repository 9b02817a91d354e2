//! Rows as CSV: what is missing is empty, numbers read back to the same double.

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Float64Type};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

/// Appends the names of columns to `out`.
pub fn header(names: &[String], out: &mut Vec<u8>) {
    line(names.iter().map(String::as_str), out);
}

/// Appends the rows of `batch` to `out`.
///
/// # Errors
/// When a column is of a type that cannot be shown.
pub fn rows(batch: &RecordBatch, out: &mut Vec<u8>) -> Result<(), ArrowError> {
    let options = FormatOptions::default().with_null("");
    let shown: Vec<ArrayFormatter<'_>> = batch
        .columns()
        .iter()
        .map(|column| ArrayFormatter::try_new(column.as_ref(), &options))
        .collect::<Result<_, _>>()?;
    for row in 0..batch.num_rows() {
        let cells = batch.columns().iter().zip(&shown).map(|(column, shown)| {
            match number(column.as_ref(), row) {
                Some(number) => number,
                None => shown.value(row).to_string(),
            }
        });
        let cells: Vec<String> = cells.collect();
        line(cells.iter().map(String::as_str), out);
    }
    Ok(())
}

/// A double as text; `None` of anything else.
fn number(column: &dyn Array, row: usize) -> Option<String> {
    if column.data_type() != &DataType::Float64 || column.is_null(row) {
        return None;
    }
    let number = column.as_primitive::<Float64Type>().value(row);
    Some(match number {
        number if number.is_nan() => "NaN".to_owned(),
        number if number.is_infinite() && number > 0.0 => "Infinity".to_owned(),
        number if number.is_infinite() => "-Infinity".to_owned(),
        number => format!("{number:?}"),
    })
}

fn line<'a>(cells: impl Iterator<Item = &'a str>, out: &mut Vec<u8>) {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        if cell.contains(['"', ',', '\n', '\r']) {
            out.push(b'"');
            out.extend(cell.replace('"', "\"\"").bytes());
            out.push(b'"');
        } else {
            out.extend(cell.bytes());
        }
    }
    out.push(b'\n');
}
