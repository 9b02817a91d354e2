//! Small documents: header, summary, suite, statistics. Read member by member, so that a file that
//! is cut off gives what stands before the cut.

use crate::input::json::Cursor;
use crate::input::{self, ErrorKind, InputFile};
use crate::model::{NoteKind, Place};
use crate::readers::{Claimed, Context, Error};
use serde_json::{Map, Value};
use std::ops::Range;

/// Largest member of a document that is read whole.
const MAX_MEMBER: u64 = 64 << 20;

/// The members of a document, without those in `except`. What cannot be read is noted.
///
/// # Errors
/// When the file cannot be read.
pub fn read(
    claimed: &Claimed,
    except: &[&str],
    cx: &Context<'_>,
) -> Result<Map<String, Value>, Error> {
    let file = &claimed.file;
    let outline = &claimed.shape.outline;
    let mut map = Map::new();
    for (number, member) in outline.members.iter().enumerate() {
        if except.contains(&member.key.as_str()) {
            continue;
        }
        let place = || Place::Field(member.key.clone());
        let len = member.span.end.saturating_sub(member.span.start);
        if len > MAX_MEMBER {
            let detail = format!("a member of {len} bytes is not read whole");
            cx.notes.add(&file.path, NoteKind::Limit, place(), detail);
            continue;
        }
        match value(file, member.span.clone()) {
            Ok(value) => drop(map.insert(member.key.clone(), value)),
            Err(err) if matches!(err.kind(), ErrorKind::Json(_)) => {
                let is_last = number + 1 == outline.members.len();
                if !(is_last && outline.cut.is_some()) {
                    let place = Place::Byte(err.at());
                    cx.notes.add(&file.path, err.note_kind(), place, err.to_string());
                }
            }
            Err(err) => return Err(Error::from(err).in_file(&file.path)),
        }
    }
    if let Some(cut) = &outline.cut {
        let place = Place::Byte(cut.at());
        cx.notes.add(&file.path, NoteKind::Truncated, place, cut.reason());
    }
    Ok(map)
}

/// The value at `span`, whole.
///
/// # Errors
/// When it cannot be read or is not JSON.
pub fn value(file: &InputFile, span: Range<u64>) -> Result<Value, input::Error> {
    let start = span.start;
    let bytes = file.bytes(span)?;
    let mut cursor = Cursor::new(&bytes);
    let value = cursor.tree().map_err(|err| err.shifted(start))?;
    cursor.end().map_err(|err| err.shifted(start))?;
    Ok(value)
}

/// The short text that the member `key` of a claimed file holds.
pub fn text_member(claimed: &Claimed, key: &str) -> Option<String> {
    crate::readers::letta_evals::sniff::text_member(&claimed.file, &claimed.shape, key)
}

/// The member at a dotted path.
pub fn at<'a>(map: &'a Map<String, Value>, path: &[&str]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    let mut value = map.get(*first)?;
    for key in rest {
        value = value.get(*key)?;
    }
    Some(value)
}

/// The texts of a list at a path; empty when there is none.
pub fn texts_at(map: &Map<String, Value>, path: &[&str]) -> Vec<String> {
    at(map, path)
        .and_then(Value::as_array)
        .map(|items| items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default()
}
