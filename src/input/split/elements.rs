//! The elements of a JSON array, or the members of an object, however long.

use super::{Record, Slices, SplitWindow, Tail};
use crate::input::error::{Error, ErrorKind};
use crate::input::json::{LevelEvent, LevelWalk};
use crate::input::pulse::Pulse;
use crate::input::shape::ValueKind;
use crate::input::source::InputFile;
use std::ops::Range;

/// Calls `record` for each element of the JSON array at `span` (of any length), in slices.
///
/// When the array is cut off or broken, the elements before that come, and then
/// the reason is returned in [`Tail::cut`] with offset and index of the broken element.
/// An element past the record limit is left out and named in [`Tail::cut`], and those after it
/// still come.
/// Counts the bytes on `pulse`.
///
/// # Errors
/// When the source cannot be read, the work is cancelled, or `record` fails.
pub async fn each_element(
    file: &InputFile,
    span: Range<u64>,
    pulse: &Pulse,
    record: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
) -> Result<Tail, Error> {
    each_element_with(file, span, &Slices::default(), pulse, record).await
}

/// [`each_element`] with slices of another size.
///
/// # Errors
/// As [`each_element`].
#[doc(hidden)]
pub async fn each_element_with(
    file: &InputFile,
    span: Range<u64>,
    slices: &Slices,
    pulse: &Pulse,
    record: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
) -> Result<Tail, Error> {
    each_part(file, span, ValueKind::Array, slices, pulse, &mut |_, part| record(part)).await
}

/// Calls `member` for each member of the JSON object at `span`, as [`each_element`] does for elements of an array:
/// with its key, and its value as record.
///
/// # Errors
/// As [`each_element`].
pub async fn each_member(
    file: &InputFile,
    span: Range<u64>,
    pulse: &Pulse,
    member: &mut dyn FnMut(&str, Record<'_>) -> Result<(), Error>,
) -> Result<Tail, Error> {
    each_part(file, span, ValueKind::Object, &Slices::default(), pulse, member).await
}

/// Calls `part` for each element or member of the value at `span`, which is to be of kind `wanted`; elements have no key.
async fn each_part(
    file: &InputFile,
    span: Range<u64>,
    wanted: ValueKind,
    slices: &Slices,
    pulse: &Pulse,
    part: &mut dyn FnMut(&str, Record<'_>) -> Result<(), Error>,
) -> Result<Tail, Error> {
    let limit = slices.max_record_bytes;
    let mut window = SplitWindow::new(file, span.start, span.end.min(file.len()), slices);
    let mut level = LevelWalk::new();
    let mut tail = Tail::default();
    let mut number = 0;
    // Offsets in the source: what was scanned, and where the element being scanned begins.
    let mut at = span.start;
    let mut element: Option<u64> = None;
    let mut name = String::new();
    loop {
        window.fill(pulse).await?;
        loop {
            let from = (at - window.start) as usize;
            let (n_taken, event) = match level.next(window.bytes().get(from..).unwrap_or_default())
            {
                Ok(step) => step,
                Err((offset, reason)) => {
                    let fault = at + offset as u64;
                    let reason = Error::new(ErrorKind::Json(reason), fault);
                    tail.cut.get_or_insert((element.unwrap_or(fault), number, reason));
                    return Ok(tail);
                }
            };
            at += n_taken as u64;
            match event {
                None => break,
                Some(LevelEvent::Start(_)) => element = Some(at),
                Some(LevelEvent::End) => {
                    let offset = element.take().unwrap_or(at);
                    if at - offset > limit {
                        let found = at - offset;
                        let reason = Error::new(ErrorKind::TooLarge { found, limit }, offset);
                        tail.cut.get_or_insert((offset, number, reason));
                    } else {
                        let range = (offset - window.start) as usize..(at - window.start) as usize;
                        let bytes = window.bytes().get(range).unwrap_or_default();
                        part(&name, Record { bytes, offset, number })?;
                    }
                    number += 1;
                }
                Some(LevelEvent::Close) => return Ok(tail),
                Some(LevelEvent::Key(key)) => name = key,
                Some(LevelEvent::Open(kind)) if kind == wanted => {}
                Some(LevelEvent::Open(_)) => {
                    let expected = match wanted {
                        ValueKind::Object => "an object was expected",
                        _ => "an array was expected",
                    };
                    let reason = Error::new(ErrorKind::Json(expected), at);
                    tail.cut = Some((at, 0, reason));
                    return Ok(tail);
                }
            }
        }
        if window.is_at_end() {
            let reason = Error::new(ErrorKind::Json(level.reason_at_end()), at);
            tail.cut.get_or_insert((element.unwrap_or(at), number, reason));
            return Ok(tail);
        }
        window.drop_first((element.unwrap_or(at).max(window.start) - window.start) as usize);
        if window.is_full() && !window.grow(limit.saturating_add(1)) {
            // Past the limit: only its end matters now.
            window.drop_first(window.n_filled);
        }
    }
}
