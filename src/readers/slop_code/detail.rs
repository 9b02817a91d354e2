//! The whole record of one case, read again.
//!
//! G2: what pytest said of the test, phase by phase. G1: see `detail_row`.

use super::detail_row;
use crate::input::json::Cursor;
use crate::model::{CaseDetail, Content, ContentFormat, Fact, Locator, RawRecord, Run};
use crate::readers::{Bundle, Error, ErrorKind};
use serde_json::Value;

/// The record of a case: the only one of its run.
///
/// # Errors
/// When a file is gone, or no longer holds it.
pub(super) fn detail(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let mut detail = CaseDetail::default();
    let places = [case.cases.locator_of(0), case.cases.partner_of(0)];
    for place in places.into_iter().flatten() {
        let file = bundle.file(place.source()).ok_or_else(|| Error::new(ErrorKind::Gone))?;
        let bytes = match place {
            Locator::Row { row, .. } => {
                detail_row::fill(&mut detail, file, row)?;
                continue;
            }
            Locator::Span { .. } => bundle.span_bytes(place)?.unwrap_or_default(),
        };
        let tree = Cursor::new(&bytes).tree();
        let tree = tree.map_err(|err| Error::from(err).in_file(&file.path))?;
        if tree.get("nodeid").is_some() {
            phases(&mut detail, &tree);
        } else if tree.get("filePath").is_some() || tree.get("rawStatus").is_some() {
            ctrf(&mut detail, &tree);
        } else if let Value::Object(members) = &tree {
            let known = ["id", "checkpoint", "group_type"];
            let rest = members.iter().filter(|(key, _)| !known.contains(&key.as_str()));
            detail.facts.extend(rest.map(|(key, value)| fact(key, value)));
        }
        let Locator::Span { offset, len, .. } = place else { continue };
        detail.raw.push(RawRecord {
            file: file.path.clone(),
            at: format!("bytes {offset} – {}", offset + len),
            json: String::from_utf8_lossy(&bytes).into_owned(),
            left_out: None,
        });
    }
    Ok(detail)
}

/// A text as it is, anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn fact(label: &str, value: &Value) -> Fact {
    Fact { label: label.to_owned(), value: plain(value) }
}

fn text(label: String, value: &Value) -> Option<Content> {
    let body = match value {
        Value::Null => return None,
        Value::String(text) if text.is_empty() => return None,
        Value::Array(items) if items.is_empty() => return None,
        other => plain(other),
    };
    let format = if value.is_string() { ContentFormat::Text } else { ContentFormat::Json };
    Some(Content { label, body, format })
}

/// A test of pytest-json-report.
fn phases(detail: &mut CaseDetail, test: &Value) {
    for key in ["nodeid", "outcome", "lineno"] {
        detail.facts.extend(test.get(key).map(|value| fact(key, value)));
    }
    if let Some(words) = test.get("keywords").and_then(Value::as_array) {
        let words: Vec<&str> =
            words.iter().filter_map(Value::as_str).filter(|word| !word.is_empty()).collect();
        detail.facts.push(Fact { label: "keywords".to_owned(), value: words.join(", ") });
    }
    for name in ["setup", "call", "teardown"] {
        let Some(phase) = test.get(name) else { continue };
        let outcome = phase.get("outcome").map(plain).unwrap_or_default();
        let secs = phase.get("duration").and_then(Value::as_f64);
        let secs = secs.map_or(String::new(), |secs| format!(", {secs} s"));
        detail.facts.push(Fact { label: name.to_owned(), value: format!("{outcome}{secs}") });
        if let Some(crash) = phase.get("crash") {
            let part = |key: &str| crash.get(key).map(plain).unwrap_or_default();
            let label = format!("{name}: crash at {}:{}", part("path"), part("lineno"));
            detail.failure.extend(crash.get("message").and_then(|value| text(label, value)));
        }
        let texts = [
            ("longrepr", "report"),
            ("stdout", "captured stdout"),
            ("stderr", "captured stderr"),
            ("log", "captured log"),
        ];
        for (key, label) in texts {
            let label = format!("{name}: {label}");
            detail.failure.extend(phase.get(key).and_then(|value| text(label, value)));
        }
    }
}

/// A test of a CTRF report.
fn ctrf(detail: &mut CaseDetail, test: &Value) {
    let Some(members) = test.as_object() else { return };
    for (key, value) in members {
        if matches!(key.as_str(), "message" | "trace") {
            detail.failure.extend(text(key.clone(), value));
        } else {
            detail.facts.push(fact(key, value));
        }
    }
}
