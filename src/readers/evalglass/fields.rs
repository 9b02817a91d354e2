//! Members of the report as the model has them.

use crate::input::json::{Cursor, f64_from_value};
use crate::input::{Error, ErrorKind, ValueKind};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;

type FieldResult<T> = std::result::Result<T, Error>;

/// The number that comes next, however it is spelled; `None` of anything else.
pub(super) fn number(cursor: &mut Cursor<'_>) -> FieldResult<Option<f64>> {
    if cursor.kind()? == ValueKind::Text {
        let word = cursor.text()?.unwrap_or_default();
        return Ok(f64_from_value(&Value::from(word.as_ref())));
    }
    cursor.number()
}

/// The count that comes next; `None` of anything else.
pub(super) fn count(cursor: &mut Cursor<'_>) -> FieldResult<Option<u32>> {
    let number = cursor.number()?.filter(|number| number.fract() == 0.0);
    let number = number.filter(|number| (0.0..=f64::from(u32::MAX)).contains(number));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, and within the range"
    )]
    Ok(number.map(|number| number as u32))
}

/// The hash of an answer or a question, written as text because JSON's numbers end at 2⁵³.
pub(super) fn answer(cursor: &mut Cursor<'_>) -> FieldResult<Option<u64>> {
    Ok(cursor.text()?.and_then(|text| text.parse().ok()))
}

/// The text that comes next, as one of its own.
pub(super) fn owned(cursor: &mut Cursor<'_>) -> FieldResult<Option<String>> {
    Ok(cursor.text()?.map(Cow::into_owned))
}

/// What comes next as a `T`.
///
/// # Errors
/// When it is none, or no JSON.
pub(super) fn part<T: DeserializeOwned>(cursor: &mut Cursor<'_>) -> FieldResult<T> {
    let span = cursor.skip()?;
    let start = span.start as u64;
    let reason = "a part of the report is not what its schema says";
    serde_json::from_slice(cursor.slice(span))
        .map_err(|_err| Error::new(ErrorKind::Format(reason), start))
}
