//! One row of `reports.parquet`, with every column.
//!
//! `actual`, `expected`, `diff` and case values are texts that were strings or JSON before
//! (`ensure_json_string` of 6b31994, lossy), so they are shown as they are. In a DeepDiff, old
//! value and `-` are expected, new value and `+` are actual.

use super::super::{Error, ErrorKind};
use super::detail::plain;
use super::parquet_file::ParquetFile;
use super::reports::parquet_error;
use crate::input::InputFile;
use crate::input::json::value_from_f64;
use crate::model::{CaseDetail, CheckDetail, Content, ContentFormat, Fact, RawRecord};
use arrow_array::{
    Array, BinaryArray, BooleanArray, Float64Array, Int32Array, Int64Array, ListArray, RecordBatch,
    StringArray, StructArray, TimestampMicrosecondArray, TimestampMillisecondArray,
    TimestampNanosecondArray,
};
use arrow_schema::DataType;
use serde_json::{Map, Value};

/// Adds what row `row` says.
///
/// # Errors
/// When the file is damaged or has no such row.
pub(super) fn fill(detail: &mut CaseDetail, file: &InputFile, row: u64) -> Result<(), Error> {
    let record = read_row(file, row).map_err(|err| err.in_file(&file.path))?;
    for (key, value) in &record {
        match key.as_str() {
            "results" => detail.checks.extend(
                value.as_array().into_iter().flatten().filter_map(Value::as_object).map(check),
            ),
            "case" => detail.input.extend(
                value.as_array().into_iter().flatten().filter_map(Value::as_object).map(input),
            ),
            _ if value.is_null() => {}
            _ => detail.facts.push(Fact { label: key.clone(), value: plain(value) }),
        }
    }
    detail.raw.push(RawRecord {
        file: file.path.clone(),
        at: format!("row {row}"),
        json: Value::Object(record).to_string(),
    });
    Ok(())
}

fn read_row(file: &InputFile, row: u64) -> Result<Map<String, Value>, Error> {
    let opened = ParquetFile::open(file)?;
    let mut before = row;
    let groups = 0..opened.n_row_groups();
    for group in groups {
        let n_rows = opened.rows_of_group(group);
        if before >= n_rows {
            before -= n_rows;
            continue;
        }
        let skipped = usize::try_from(before).unwrap_or(usize::MAX);
        let reader =
            opened.reader().with_row_groups(vec![group]).with_offset(skipped).with_limit(1);
        return match reader.build()?.next() {
            Some(batch) => Ok(record(&batch.map_err(parquet_error)?, 0)),
            None => Err(Error::new(ErrorKind::Gone)),
        };
    }
    Err(Error::new(ErrorKind::Gone))
}

fn record(batch: &RecordBatch, row: usize) -> Map<String, Value> {
    let schema = batch.schema();
    let fields = schema.fields().iter().zip(batch.columns());
    fields.map(|(field, array)| (field.name().clone(), cell(array.as_ref(), row, 0))).collect()
}

/// Deepest nesting that is shown.
const MAX_DEPTH: usize = 16;

/// Cell `idx` of `array` as JSON.
fn cell(array: &dyn Array, idx: usize, depth: usize) -> Value {
    // A column without a type has no null marks of its own.
    let is_null = array.data_type() == &DataType::Null || idx >= array.len() || array.is_null(idx);
    if is_null || depth > MAX_DEPTH {
        return Value::Null;
    }
    let any = array.as_any();
    if let Some(array) = any.downcast_ref::<StringArray>() {
        return Value::from(array.value(idx));
    }
    if let Some(array) = any.downcast_ref::<Float64Array>() {
        return value_from_f64(array.value(idx));
    }
    if let Some(array) = any.downcast_ref::<BooleanArray>() {
        return Value::from(array.value(idx));
    }
    if let Some(array) = any.downcast_ref::<Int64Array>() {
        return Value::from(array.value(idx));
    }
    if let Some(array) = any.downcast_ref::<Int32Array>() {
        return Value::from(array.value(idx));
    }
    if let Some(array) = any.downcast_ref::<ListArray>() {
        let items = array.value(idx);
        return (0..items.len()).map(|at| cell(items.as_ref(), at, depth + 1)).collect();
    }
    if let Some(array) = any.downcast_ref::<StructArray>() {
        let fields = array.fields().iter().zip(array.columns());
        let members = fields
            .map(|(field, array)| (field.name().clone(), cell(array.as_ref(), idx, depth + 1)));
        return Value::Object(members.collect());
    }
    if let Some(array) = any.downcast_ref::<BinaryArray>() {
        return Value::from(String::from_utf8_lossy(array.value(idx)));
    }
    other(array, idx)
}

/// Types that other writers use for times; what is none of them is named.
fn other(array: &dyn Array, idx: usize) -> Value {
    let any = array.as_any();
    let timestamp = if let Some(array) = any.downcast_ref::<TimestampMicrosecondArray>() {
        jiff::Timestamp::from_microsecond(array.value(idx))
    } else if let Some(array) = any.downcast_ref::<TimestampMillisecondArray>() {
        jiff::Timestamp::from_millisecond(array.value(idx))
    } else if let Some(array) = any.downcast_ref::<TimestampNanosecondArray>() {
        jiff::Timestamp::from_nanosecond(i128::from(array.value(idx)))
    } else {
        return Value::from(format!("({})", array.data_type()));
    };
    timestamp.map_or(Value::Null, |time| Value::from(time.to_string()))
}

fn check(attribute: &Map<String, Value>) -> CheckDetail {
    let text = |key: &str| attribute.get(key).and_then(Value::as_str).map(str::to_owned);
    let diff = text("diff");
    let shown = diff.as_deref().and_then(unified);
    CheckDetail {
        attempt: 1,
        name: text("attribute").unwrap_or_default(),
        is_correct: attribute.get("is_correct").and_then(Value::as_bool),
        weight: attribute.get("weight").and_then(crate::input::json::f64_from_value),
        expected: text("expected"),
        actual: text("actual"),
        metadata: shown.is_some().then(|| diff.clone()).flatten(),
        diff: shown.or(diff),
        ..CheckDetail::default()
    }
}

/// The unified diffs inside a DeepDiff, when every change has one.
fn unified(text: &str) -> Option<String> {
    let deep: Value = serde_json::from_str(text).ok()?;
    let mut diffs = Vec::new();
    for changes in deep.as_object()?.values() {
        for (path, change) in changes.as_object()? {
            let diff = change.get("diff")?.as_str()?;
            diffs.push(if path == "root" { diff.to_owned() } else { format!("{path}\n{diff}") });
        }
    }
    (!diffs.is_empty()).then(|| diffs.join("\n"))
}

fn input(pair: &Map<String, Value>) -> Content {
    let text = |key: &str| pair.get(key).map(plain).unwrap_or_default();
    let body = text("value");
    let is_json = body.starts_with(['{', '[']) && serde_json::from_str::<Value>(&body).is_ok();
    let format = if is_json { ContentFormat::Json } else { ContentFormat::Text };
    Content { label: text("attribute"), body, format }
}
