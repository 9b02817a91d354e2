//! Rows of an answer as the page takes them: each cell a number, a text, yes or no, or nothing.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use evalglass_sql::query::Rows;
use js_sys::{Array as List, Object, Reflect};
use wasm_bindgen::JsValue;

/// Whole numbers up to this one are exact as the page's numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The columns: name, and whether it holds numbers.
///
/// # Errors
/// Never, as far as is known.
pub fn columns(rows: &Rows) -> Result<JsValue, JsValue> {
    let columns = List::new();
    for field in rows.schema.fields() {
        let column = Object::new();
        Reflect::set(&column, &"name".into(), &field.name().as_str().into())?;
        Reflect::set(&column, &"isNumber".into(), &field.data_type().is_numeric().into())?;
        columns.push(&column);
    }
    Ok(columns.into())
}

/// The rows from `first`, at most `n` of them: all cells, one row after the other.
///
/// # Errors
/// When a column cannot be shown.
pub fn cells(rows: &Rows, first: usize, n: usize) -> Result<JsValue, String> {
    let found = List::new();
    let (mut skip, mut wanted) = (first, n);
    for batch in &rows.batches {
        if skip >= batch.num_rows() {
            skip -= batch.num_rows();
            continue;
        }
        let length = (batch.num_rows() - skip).min(wanted);
        let part = batch.slice(skip, length);
        let columns: Result<Vec<Vec<JsValue>>, ArrowError> =
            part.columns().iter().map(shown).collect();
        let columns = columns.map_err(|err| err.to_string())?;
        for row in 0..length {
            for column in &columns {
                found.push(column.get(row).unwrap_or(&JsValue::NULL));
            }
        }
        (skip, wanted) = (0, wanted - length);
        if wanted == 0 {
            break;
        }
    }
    Ok(found.into())
}

fn shown(column: &ArrayRef) -> Result<Vec<JsValue>, ArrowError> {
    let formatter = ArrayFormatter::try_new(column.as_ref(), &FormatOptions::default())?;
    let numbers = match column.data_type() {
        DataType::Boolean => None,
        kind if kind.is_numeric() => Some(cast(column, &DataType::Float64)?),
        _ => None,
    };
    let is_float = column.data_type().is_floating();
    let cell = |row: usize| {
        if column.is_null(row) {
            return JsValue::NULL;
        }
        if let Some(flags) = column.as_boolean_opt() {
            return JsValue::from_bool(flags.value(row));
        }
        let number =
            numbers.as_ref().map(|numbers| numbers.as_primitive::<Float64Type>().value(row));
        match number {
            Some(number) if is_float || number.abs() <= EXACT => JsValue::from_f64(number),
            _ => formatter.value(row).to_string().into(),
        }
    };
    Ok((0..column.len()).map(cell).collect())
}
