//! The records of a file, one by one: what is broken costs only itself and is noted.

use super::{Claimed, Context, Error};
use crate::input::json::Cursor;
use crate::input::{self, Form, InputFile, Outline, Record, Tail, each_element, each_record};
use crate::model::{NoteKind, Place};
use serde_json::{Map, Value};
use std::ops::Range;

/// Hands the elements of the list called `key` of the claimed document to `take`, in order. `what` is what
/// one of them is called: `test case`. No such list: nothing is handed over.
///
/// # Errors
/// When the file cannot be read, or the work is cancelled.
pub(super) async fn elements(
    claimed: &Claimed,
    key: &str,
    what: &str,
    cx: &Context<'_>,
    take: &mut dyn FnMut(Record<'_>) -> Result<(), input::Error>,
) -> Result<(), Error> {
    let (file, outline) = (&claimed.file, &claimed.shape.outline);
    let Some(member) = outline.member(key) else { return Ok(()) };
    let tail = in_span(file, member.span.clone(), cx, take).await?;
    if tail.cut.is_some() {
        note_cut(file, &tail, outline.cut.as_ref(), what, cx);
    } else if let Some(err) = &outline.cut {
        let (kind, _) = damage(err, file);
        let detail = format!("{}; every {what} is read", err.reason());
        cx.notes.add(&file.path, kind, Place::Byte(err.at()), detail);
    } else if claimed.shape.form == Form::Lines {
        let detail = "something follows the report: only the first one of a file is read";
        cx.notes.add(&file.path, NoteKind::Broken, Place::Byte(outline.span.end), detail);
    }
    Ok(())
}

/// The same for a list anywhere in a file: its bytes are `span`.
///
/// # Errors
/// When the file cannot be read, or the work is cancelled.
pub(super) async fn elements_in(
    file: &InputFile,
    span: Range<u64>,
    what: &str,
    cx: &Context<'_>,
    take: &mut dyn FnMut(Record<'_>) -> Result<(), input::Error>,
) -> Result<(), Error> {
    let tail = in_span(file, span, cx, take).await?;
    note_cut(file, &tail, None, what, cx);
    Ok(())
}

/// Hands the records of the claimed file to `take`: its lines, its values one after another, or the elements
/// of the array that it is. `what` is what one of them is called: `event`.
///
/// # Errors
/// When the file cannot be read, or the work is cancelled.
pub(super) async fn records(
    claimed: &Claimed,
    what: &str,
    cx: &Context<'_>,
    take: &mut dyn FnMut(Record<'_>) -> Result<(), input::Error>,
) -> Result<(), Error> {
    let file = &claimed.file;
    let note = |offset: u64, number: u64, err: &input::Error| {
        let place = Place::Line { line: number, byte: offset + err.at() };
        cx.notes.add(&file.path, err.note_kind(), place, err.to_string());
    };
    let mut broken = |offset: u64, number: u64, err: &input::Error| note(offset, number, err);
    let mut checked = |record: Record<'_>| {
        if let Err(err) = take(record) {
            note(record.offset, record.number, &err);
        }
        Ok(())
    };
    let tail = each_record(file, &claimed.shape, cx.pulse, &mut checked, &mut broken)
        .await
        .map_err(|err| Error::from(err).in_file(&file.path))?;
    if let Some((offset, line, err)) = &tail.cut {
        let detail = format!("the last {what} is cut off: {}", err.reason());
        let place = Place::Line { line: *line, byte: *offset };
        cx.notes.add(&file.path, NoteKind::Truncated, place, detail);
    }
    Ok(())
}

/// The members of the object with this outline in the claimed file, as a tree without those called `but`. One
/// that is broken is noted and left out.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn members(
    claimed: &Claimed,
    outline: &Outline,
    but: &[&str],
    cx: &Context<'_>,
) -> Result<Value, Error> {
    let file = &claimed.file;
    let mut members = Map::new();
    let wanted = outline.members.iter().filter(|member| !but.contains(&member.key.as_str()));
    for member in wanted {
        let bytes =
            file.bytes(member.span.clone()).map_err(|err| Error::from(err).in_file(&file.path))?;
        match Cursor::new(&bytes).tree() {
            Ok(value) => {
                members.insert(member.key.clone(), value);
            }
            Err(err) => {
                let detail = format!("{:?} cannot be read: {}", member.key, err.reason());
                let at = err.at() + member.span.start;
                let is_cut = at >= file.len();
                let kind = if is_cut { NoteKind::Truncated } else { NoteKind::Broken };
                cx.notes.add(&file.path, kind, Place::Byte(at), detail);
            }
        }
    }
    Ok(Value::Object(members))
}

async fn in_span(
    file: &InputFile,
    span: Range<u64>,
    cx: &Context<'_>,
    take: &mut dyn FnMut(Record<'_>) -> Result<(), input::Error>,
) -> Result<Tail, Error> {
    let mut checked = |record: Record<'_>| {
        if let Err(err) = take(record) {
            let place = Place::Byte(err.at() + record.offset);
            cx.notes.add(&file.path, err.note_kind(), place, err.to_string());
        }
        Ok(())
    };
    let tail = each_element(file, span, cx.pulse, &mut checked).await;
    tail.map_err(|err| Error::from(err).in_file(&file.path))
}

/// Notes that a list ends early. Where the outline of the file does, too, that knows better why.
fn note_cut(
    file: &InputFile,
    tail: &Tail,
    of_outline: Option<&input::Error>,
    what: &str,
    cx: &Context<'_>,
) {
    let Some((offset, index, err)) = &tail.cut else { return };
    let err = of_outline.unwrap_or(err);
    let (kind, state) = damage(err, file);
    let detail = format!(
        "{what} {} {state}, {}: {} at byte {}",
        index + 1,
        kept(*index),
        err.reason(),
        err.at()
    );
    cx.notes.add(&file.path, kind, Place::Byte(*offset), detail);
}

/// Whether the file ends too early, or is broken before its end.
fn damage(err: &input::Error, file: &InputFile) -> (NoteKind, &'static str) {
    if err.at() >= file.len() {
        (NoteKind::Truncated, "is cut off")
    } else {
        (NoteKind::Broken, "and what follows cannot be read")
    }
}

fn kept(n_before: u64) -> String {
    match n_before {
        0 => "nothing is kept".to_owned(),
        1 => "the one before it is kept".to_owned(),
        _ => format!("the {n_before} before it are kept"),
    }
}
