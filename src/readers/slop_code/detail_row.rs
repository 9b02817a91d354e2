//! One row of `reports.parquet`, with every column.
//!
//! `actual`, `expected`, `diff` and case values are texts that were strings or JSON before
//! (`ensure_json_string` of 6b31994, lossy), so they are shown as they are. In a DeepDiff, old
//! value and `-` are expected, new value and `+` are actual.

use super::detail::plain;
use crate::input::InputFile;
use crate::input::json::Cursor;
use crate::model::{CaseDetail, CheckDetail, Content, ContentFormat, Fact, RawRecord};
use crate::readers::Error;
use crate::readers::parquet_file::ParquetFile;
use serde_json::{Map, Value};

/// Adds what row `row` says.
///
/// # Errors
/// When the file is damaged or has no such row.
pub(super) fn fill(detail: &mut CaseDetail, file: &InputFile, row: u64) -> Result<(), Error> {
    let record = ParquetFile::open(file)?.row(row).map_err(|err| err.in_file(&file.path))?;
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
        left_out: None,
    });
    Ok(())
}

/// Calls `take` with every text of part `part` of the file, and its row: a part is one column of one
/// row group. `false` when there is no such part.
///
/// # Errors
/// When the file is damaged.
pub(super) fn texts(
    file: &InputFile,
    part: usize,
    take: &mut dyn FnMut(u64, &str),
) -> Result<bool, Error> {
    ParquetFile::open(file)?.part_texts(part, take)
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

/// `text` when it is one JSON value; Python's `NaN` too.
fn tree(text: &str) -> Option<Value> {
    let mut cursor = Cursor::new(text.as_bytes());
    let tree = cursor.tree().ok()?;
    cursor.end().ok().map(|()| tree)
}

/// The unified diffs inside a DeepDiff, when every change has one.
fn unified(text: &str) -> Option<String> {
    let deep = tree(text)?;
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
    let is_json = body.starts_with(['{', '[']) && tree(&body).is_some();
    let format = if is_json { ContentFormat::Json } else { ContentFormat::Text };
    Content { label: text("attribute"), body, format }
}
