//! Reads a row member by member; long members are passed over unread.

use super::{Grade, GraderNames, LettaRow, NonRowLine, StatedError};
use crate::input::json::Cursor;
use crate::input::{Error, ValueKind};
use crate::readers::asked_hash::asked;
use memchr::memmem::Finder;
use std::borrow::Cow;
use std::sync::LazyLock;

type ParseResult<T> = std::result::Result<T, Error>;

/// What graders write of a submission that was empty.
static EMPTY_SUBMISSION: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new(b"Empty submission"));

/// Reads the row (or header, or summary) that `bytes` hold.
///
/// # Errors
/// When the bytes are not JSON.
pub fn parse<'a>(bytes: &'a [u8], names: &mut GraderNames) -> ParseResult<LettaRow<'a>> {
    let mut row = LettaRow::default();
    let mut cursor = Cursor::new(bytes);
    let mut kind = None;
    let start = cursor.at();
    let is_object = cursor.each_field(|key, cursor| match key {
        "type" => {
            kind = match cursor.text()?.as_deref() {
                Some("header") => Some(NonRowLine::Header),
                Some("summary") => Some(NonRowLine::Summary),
                _ => None,
            };
            Ok(())
        }
        "result" if cursor.kind()? == ValueKind::Object => {
            row.traits.is_wrapped = true;
            cursor.each_field(|key, cursor| field(&mut row, names, key, cursor)).map(drop)
        }
        // Members of a header or a summary; a row has none of these names.
        "config" | "suite" | "metrics" | "gates_passed" => cursor.skip().map(drop),
        _ => field(&mut row, names, key, cursor),
    })?;
    cursor.end()?;
    row.document = kind.map(|kind| (kind, start..bytes.len()));
    if !is_object {
        row.misfit = Some("the line".to_owned());
    }
    Ok(row)
}

/// Reads the member `key` of a row.
fn field<'a>(
    row: &mut LettaRow<'a>,
    names: &mut GraderNames,
    key: &str,
    cursor: &mut Cursor<'a>,
) -> ParseResult<()> {
    match key {
        "sample" => {
            let is_object = cursor.each_field(|key, cursor| match key {
                "id" => read_id(row, cursor),
                "input" => {
                    let span = cursor.skip()?;
                    row.asked.input = asked(cursor.slice(span));
                    Ok(())
                }
                "ground_truth" | "ideal" => {
                    row.traits.has_ideal |= key == "ideal";
                    let span = cursor.skip()?;
                    row.asked.expected = asked(cursor.slice(span)).or(row.asked.expected);
                    Ok(())
                }
                _ => cursor.skip().map(drop),
            })?;
            row.expect(is_object, key);
        }
        "sample_id" => {
            row.traits.has_sample_id = true;
            read_id(row, cursor)?;
        }
        "agent_id" => {
            let kind = cursor.kind()?;
            cursor.skip()?;
            row.has_agent = kind != ValueKind::Null;
        }
        "trajectory" => {
            let is_array = cursor.kind()? == ValueKind::Array;
            let span = cursor.skip()?;
            let inner = cursor.slice(span.start + 1..span.end.saturating_sub(1));
            row.has_trajectory = is_array && inner.iter().any(|byte| !byte.is_ascii_whitespace());
        }
        "grade" => row.grade = grade(row, key, cursor)?,
        "grades" => {
            let is_null = cursor.kind()? == ValueKind::Null;
            let is_object = cursor.each_field(|key, cursor| {
                if let Some(grade) = grade(row, key, cursor)? {
                    row.grades.push((names.number(key), grade));
                }
                Ok(())
            })?;
            row.expect(is_object || is_null, key);
        }
        "model_name" => row.model = cursor.text()?,
        "model_handle" => {
            row.traits.has_model_handle = true;
            row.model = cursor.text()?;
        }
        "error" => {
            row.traits.has_error_key = true;
            row.error = failure(cursor)?;
        }
        "reward" => {
            row.traits.has_reward = true;
            cursor.each_field(|key, cursor| match key {
                "score" => {
                    row.reward = cursor.number()?;
                    Ok(())
                }
                _ => cursor.skip().map(drop),
            })?;
        }
        "usage" => {
            cursor.each_field(|key, cursor| {
                if !usage(row, key, cursor)? {
                    cursor.skip()?;
                }
                Ok(())
            })?;
        }
        "timing" => {
            cursor.each_field(|key, cursor| match key {
                "total" => number(&mut row.secs.total, cursor),
                "target" => number(&mut row.secs.target, cursor),
                "extraction" => number(&mut row.secs.extraction, cursor),
                "per_grader" => grader_secs(row, names, cursor),
                _ => cursor.skip().map(drop),
            })?;
        }
        "total_time" => number(&mut row.secs.total, cursor)?,
        "target_time" => number(&mut row.secs.target, cursor)?,
        "extraction_time" => number(&mut row.secs.extraction, cursor)?,
        "per_grader_time" => grader_secs(row, names, cursor)?,
        "agent_usage" => row.agent_usage = Some(cursor.skip()?),
        "submission" => row.submission = Some(cursor.skip()?),
        "submissions" => {
            let span = cursor.skip()?;
            row.submission.get_or_insert(span);
        }
        "agent_state" | "token_data" => {
            cursor.skip()?;
        }
        _ => {
            row.traits.has_cost_key |= key == "cost";
            if !usage(row, key, cursor)? {
                cursor.skip()?;
                row.unknown.get_or_insert_with(|| key.to_owned());
            }
        }
    }
    Ok(())
}

fn read_id<'a>(row: &mut LettaRow<'a>, cursor: &mut Cursor<'a>) -> ParseResult<()> {
    (row.id, row.is_numeric_id) = id(cursor)?;
    Ok(())
}

/// An id, and whether it is a number; a number keeps its spelling.
pub fn id<'a>(cursor: &mut Cursor<'a>) -> ParseResult<(Option<Cow<'a, str>>, bool)> {
    match cursor.kind()? {
        ValueKind::Number => {
            let span = cursor.skip()?;
            Ok((std::str::from_utf8(cursor.slice(span)).ok().map(Cow::Borrowed), true))
        }
        _ => Ok((cursor.text()?, false)),
    }
}

fn number(slot: &mut Option<f64>, cursor: &mut Cursor<'_>) -> ParseResult<()> {
    *slot = cursor.number()?;
    Ok(())
}

/// Reads a member of usage; `false`, with nothing read, when `key` is none.
fn usage(row: &mut LettaRow<'_>, key: &str, cursor: &mut Cursor<'_>) -> ParseResult<bool> {
    let slot = match key {
        "prompt_tokens" => &mut row.tokens.prompt,
        "completion_tokens" => &mut row.tokens.completion,
        "cached_input_tokens" => &mut row.tokens.cached_input,
        "cache_write_tokens" => &mut row.tokens.cache_write,
        "reasoning_tokens" => &mut row.tokens.reasoning,
        "cost" => &mut row.cost,
        _ => return Ok(false),
    };
    number(slot, cursor)?;
    Ok(true)
}

fn grader_secs(
    row: &mut LettaRow<'_>,
    names: &mut GraderNames,
    cursor: &mut Cursor<'_>,
) -> ParseResult<()> {
    cursor.each_field(|key, cursor| {
        if let Some(secs) = cursor.number()? {
            row.grader_secs.push((names.number(key), secs));
        }
        Ok(())
    })?;
    Ok(())
}

/// A grade; `None` when it is null or no object.
fn grade(
    row: &mut LettaRow<'_>,
    name: &str,
    cursor: &mut Cursor<'_>,
) -> ParseResult<Option<Grade>> {
    let mut grade = Grade::default();
    if cursor.kind()? == ValueKind::Null {
        cursor.skip()?;
        return Ok(None);
    }
    let is_object = cursor.each_field(|key, cursor| match key {
        "score" => {
            let is_number = matches!(cursor.kind()?, ValueKind::Number | ValueKind::Null);
            row.expect(is_number, "score");
            // Releases write NaN as null; a bare NaN means the same.
            grade.score = cursor.number()?.filter(|score| !score.is_nan());
            Ok(())
        }
        "rationale" => {
            let is_text = cursor.kind()? == ValueKind::Text;
            let span = cursor.skip()?;
            if is_text {
                let text = cursor.slice(span.clone());
                grade.says_empty_submission = EMPTY_SUBMISSION.find(text).is_some();
                grade.rationale = Some(span);
            }
            Ok(())
        }
        "metadata" => cursor
            .each_field(|key, cursor| {
                let kind = cursor.kind()?;
                let span = cursor.skip()?;
                let is_text = kind == ValueKind::Text;
                match key {
                    "error" => {
                        grade.has_error |= kind != ValueKind::Null;
                        grade.error = is_text.then_some(span);
                    }
                    "error_type" => grade.error_type = is_text.then_some(span),
                    _ => {}
                }
                Ok(())
            })
            .map(drop),
        _ => cursor.skip().map(drop),
    })?;
    row.expect(is_object, name);
    Ok(is_object.then_some(grade))
}

/// An error object; a bare text is taken for its message.
fn failure<'a>(cursor: &mut Cursor<'a>) -> ParseResult<Option<StatedError<'a>>> {
    let mut failure = StatedError::default();
    match cursor.kind()? {
        ValueKind::Null => {
            cursor.skip()?;
            return Ok(None);
        }
        ValueKind::Text => failure.message = cursor.text()?,
        _ => {
            cursor.each_field(|key, cursor| {
                match key {
                    "category" => failure.category = cursor.text()?,
                    "exception_type" => failure.exception = cursor.text()?,
                    "message" => failure.message = cursor.text()?,
                    _ => return cursor.skip().map(drop),
                }
                Ok(())
            })?;
        }
    }
    Ok(Some(failure))
}
