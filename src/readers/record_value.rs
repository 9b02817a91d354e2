//! What records that were read as trees hold, for the page of a case: facts, texts, members that a reader
//! does not know.

use super::{Bundle, Error, ErrorKind};
use crate::input::json::{Cursor, f64_from_value};
use crate::model::{Content, ContentFormat, Fact, Locator, RawRecord, Run};
use serde_json::Value;

/// The items of the list called `key`; none when there is no such list.
pub(super) fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The items of the list at `pointer` (RFC 6901); none when there is no such list.
pub(super) fn items_at<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The text called `key`, which is not empty.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The number called `key`, also one that is written as a text (`"NaN"`).
pub(super) fn number(value: &Value, key: &str) -> Option<f64> {
    value.get(key).and_then(f64_from_value)
}

/// Members that `known` does not name and that say something.
pub(super) fn unknown_members<'a>(
    value: &'a Value,
    known: &'a [&str],
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let members = value.as_object().into_iter().flatten();
    members
        .map(|(key, value)| (key.as_str(), value))
        .filter(|(key, value)| !known.contains(key) && says_something(value))
}

/// Whether there is anything in it: not null, not empty, not a list of such things.
pub(super) fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => items.iter().any(says_something),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// A value in one line: text as it is, null as nothing, anything else as JSON.
pub(super) fn short_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A text under a label.
pub(super) fn text_content(label: &str, text: &str) -> Content {
    Content { label: label.to_owned(), body: text.to_owned(), format: ContentFormat::Text }
}

/// A value as indented JSON under a label.
pub(super) fn json_content(label: &str, value: &Value) -> Content {
    Content {
        label: label.to_owned(),
        body: serde_json::to_string_pretty(value).unwrap_or_default(),
        format: ContentFormat::Json,
    }
}

/// A text as it is, anything else as indented JSON; `None` of what says nothing.
pub(super) fn content(label: &str, value: Option<&Value>) -> Option<Content> {
    let value = value.filter(|value| says_something(value))?;
    Some(match value.as_str() {
        Some(text) => text_content(label, text),
        None => json_content(label, value),
    })
}

/// A time as words: `0.5 ms`, `1.250 s`.
pub(super) fn seconds(secs: f64) -> String {
    if secs < 1.0 { format!("{:.1} ms", secs * 1000.0) } else { format!("{secs:.3} s") }
}

/// `20250808_125233` as `2025-08-08T12:52:33`; `None` of anything else.
pub(super) fn iso_from_timestamp(timestamp: &str) -> Option<String> {
    let is_plain = timestamp.len() == 15
        && timestamp
            .char_indices()
            .all(|(at, c)| if at == 8 { c == '_' } else { c.is_ascii_digit() });
    let part = |from, to| timestamp.get(from..to).unwrap_or_default();
    is_plain.then(|| {
        format!(
            "{}-{}-{}T{}:{}:{}",
            part(0, 4),
            part(4, 6),
            part(6, 8),
            part(9, 11),
            part(11, 13),
            part(13, 15)
        )
    })
}

/// Collects facts; empty ones are left out.
#[derive(Default)]
pub(super) struct Facts(Vec<Fact>);

impl Facts {
    /// Adds a fact that says something.
    pub(super) fn add(&mut self, label: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.0.push(Fact { label: label.to_owned(), value });
        }
    }

    /// Adds the member called `key` of `value` in one line.
    pub(super) fn member(&mut self, label: &str, value: &Value, key: &str) {
        self.add(label, value.get(key).map(short_text).unwrap_or_default());
    }

    /// Adds every member that `known` does not name.
    pub(super) fn unknown(&mut self, value: &Value, known: &[&str]) {
        for (key, value) in unknown_members(value, known) {
            self.add(key, short_text(value));
        }
    }

    /// All of them, in the order in which they were added.
    pub(super) fn into_vec(self) -> Vec<Fact> {
        self.0
    }
}

/// The record of the only case of `case`, as a tree and as written.
///
/// # Errors
/// When its file is gone or damaged.
pub(super) fn record_of_case(bundle: &Bundle, case: &Run) -> Result<(Value, RawRecord), Error> {
    record_of(bundle, case.cases.locator_of(0).ok_or_else(|| Error::new(ErrorKind::Gone))?)
}

/// The JSON record at `locator`, as a tree and as written.
///
/// # Errors
/// When its file is gone or damaged, or the record lies in a row of a table.
pub(super) fn record_of(bundle: &Bundle, locator: Locator) -> Result<(Value, RawRecord), Error> {
    let bytes = bundle.span_bytes(locator)?.ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let tree = Cursor::new(&bytes).tree()?;
    Ok((tree, RawRecord { json: text_of(bytes), ..place_of(bundle, locator) }))
}

/// The record of the only case of `case` as written; its text is left out, where it has more than `max` bytes.
///
/// # Errors
/// As [`record_of`].
pub(super) fn raw_of_case(bundle: &Bundle, case: &Run, max: u64) -> Result<RawRecord, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let locator = case.cases.locator_of(0).ok_or_else(gone)?;
    let place = place_of(bundle, locator);
    Ok(match locator {
        Locator::Span { len, .. } if len > max => RawRecord { left_out: Some(len), ..place },
        _ => {
            let bytes = bundle.span_bytes(locator)?.ok_or_else(gone)?;
            RawRecord { json: text_of(bytes), ..place }
        }
    })
}

/// Where a record lies.
fn place_of(bundle: &Bundle, locator: Locator) -> RawRecord {
    let at = match locator {
        Locator::Span { offset, .. } => format!("byte {offset}"),
        Locator::Row { row, .. } => format!("row {row}"),
    };
    let file = bundle.file(locator.source()).map_or(String::new(), |file| file.path.clone());
    RawRecord { file, at, json: String::new(), left_out: None }
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|err| String::from_utf8_lossy(err.as_bytes()).into_owned())
}
