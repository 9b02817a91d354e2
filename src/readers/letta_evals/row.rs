//! One result row of any generation, read field by field; long members are passed over unread.
//!
//! Rows 0 – C2: `SampleResult` of letta-evals 0.1 – 0.16 (from 0.2 on in `{"type": "result", "result": …}`);
//! rows D, E: `SampleResult` of 0.17 – 0.26, unwrapped. Fixtures `tests/fixtures/letta-evals/*`.

use super::generation::Traits;
use crate::input::json::Cursor;
use crate::input::{Error, ValueKind};
use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

type Result<T> = std::result::Result<T, Error>;

/// What graders write of a submission that was empty.
static EMPTY_SUBMISSION: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new(b"Empty submission"));

/// What a row says, as far as tables need it.
#[derive(Debug, Default)]
pub struct Row<'a> {
    /// `sample.id` or `sample_id`.
    pub id: Option<Cow<'a, str>>,
    /// Whether the id is written as a number.
    pub is_numeric_id: bool,
    /// `model_name` or `model_handle`.
    pub model: Option<Cow<'a, str>>,
    /// `agent_id` is not null.
    pub has_agent: bool,
    /// `trajectory` has an element.
    pub has_trajectory: bool,
    /// `grade`: of the gate's metric (0 – B) or the first grader (C).
    pub grade: Option<Grade>,
    /// `grades`: number of the grader in [`Names`], grade.
    pub grades: Vec<(usize, Grade)>,
    /// `per_grader_time` or `timing.per_grader`.
    pub grader_secs: Vec<(usize, f64)>,
    /// Where `submission` (0 – C) or else `submissions` lies in the record.
    pub submission: Option<Range<usize>>,
    /// `reward.score`.
    pub reward: Option<f64>,
    /// `error`.
    pub error: Option<Failure<'a>>,
    /// Seconds in all, of the target, of extraction.
    pub secs: [Option<f64>; 3],
    /// Prompt, completion, cached input, cache write and reasoning tokens.
    pub tokens: [Option<f64>; 5],
    /// Dollars.
    pub cost: Option<f64>,
    /// Where `agent_usage` lies in the record.
    pub agent_usage: Option<Range<usize>>,
    /// What tells the generation.
    pub traits: Traits,
    /// A header or summary that stands among the rows (generation A).
    pub document: Option<(Document, Range<usize>)>,
    /// First member whose type is not what the format says.
    pub misfit: Option<String>,
    /// First member that no known release writes.
    pub unknown: Option<String>,
}

/// A line that is not a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// `{"type": "header", …}`
    Header,
    /// `{"type": "summary", …}`
    Summary,
}

/// A grade.
#[derive(Debug, Clone, Default)]
pub struct Grade {
    /// Score; `None` when null: the grader gave NaN.
    pub score: Option<f64>,
    /// Where the JSON string of the rationale lies in the record.
    pub rationale: Option<Range<usize>>,
    /// The rationale says that the submission was empty.
    pub says_empty_submission: bool,
    /// The metadata carry an error.
    pub has_error: bool,
    /// Where the JSON strings of that error and of its type lie in the record (guide).
    pub error: [Option<Range<usize>>; 2],
}

/// An error that a row states.
#[derive(Debug, Clone, Default)]
pub struct Failure<'a> {
    /// `target`, `extraction`, `grading`, `reward`, `unknown`.
    pub category: Option<Cow<'a, str>>,
    /// Type of the exception.
    pub exception: Option<Cow<'a, str>>,
    /// Message.
    pub message: Option<Cow<'a, str>>,
}

/// Names of graders, numbered in the order in which they appear.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names(pub Vec<String>);

impl Names {
    /// The number of `name`.
    pub fn number(&mut self, name: &str) -> usize {
        self.0.iter().position(|known| known == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        })
    }

    /// The name with `number`.
    pub fn name(&self, number: usize) -> &str {
        self.0.get(number).map_or("", String::as_str)
    }
}

/// Reads the row (or header, or summary) that `bytes` hold.
///
/// # Errors
/// When the bytes are not JSON.
pub fn parse<'a>(bytes: &'a [u8], names: &mut Names) -> Result<Row<'a>> {
    let mut row = Row::default();
    let mut cursor = Cursor::new(bytes);
    let mut kind = None;
    let start = cursor.at();
    let is_object = cursor.each_field(|key, cursor| match key {
        "type" => {
            kind = match cursor.text()?.as_deref() {
                Some("header") => Some(Document::Header),
                Some("summary") => Some(Document::Summary),
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
    row: &mut Row<'a>,
    names: &mut Names,
    key: &str,
    cursor: &mut Cursor<'a>,
) -> Result<()> {
    match key {
        "sample" => {
            let is_object = cursor.each_field(|key, cursor| match key {
                "id" => read_id(row, cursor),
                "ideal" => {
                    row.traits.has_ideal = true;
                    cursor.skip().map(drop)
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
                "total" => number(&mut row.secs[0], cursor),
                "target" => number(&mut row.secs[1], cursor),
                "extraction" => number(&mut row.secs[2], cursor),
                "per_grader" => grader_secs(row, names, cursor),
                _ => cursor.skip().map(drop),
            })?;
        }
        "total_time" => number(&mut row.secs[0], cursor)?,
        "target_time" => number(&mut row.secs[1], cursor)?,
        "extraction_time" => number(&mut row.secs[2], cursor)?,
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

impl Row<'_> {
    /// Remembers that the member `key` has another type than the format says.
    fn expect(&mut self, is_right: bool, key: &str) {
        if !is_right {
            self.misfit.get_or_insert_with(|| key.to_owned());
        }
    }

    /// Whether its grade carries an error, as the guide writes failed samples.
    pub fn is_error_in_grade(&self) -> bool {
        self.grade.as_ref().is_some_and(|grade| grade.has_error)
    }

    /// Whether some score lies outside 0–1, where letta-evals has all of them.
    pub fn is_out_of_range(&self) -> bool {
        let all = self.grades.iter().map(|(_, grade)| grade).chain(&self.grade);
        all.filter_map(|grade| grade.score).any(|score| !(0.0..=1.0).contains(&score))
    }

    /// Tokens of `agent_usage`, for generations whose rows have none: the sum over its records.
    pub fn add_agent_usage(&mut self, bytes: &[u8]) {
        let Some(usage) = self.agent_usage.clone().and_then(|span| bytes.get(span)) else { return };
        let mut sums = [None::<f64>; 2];
        let read = Cursor::new(usage).each_item(|cursor| {
            cursor
                .each_field(|key, cursor| {
                    let sum = match key {
                        "prompt_tokens" => &mut sums[0],
                        "completion_tokens" => &mut sums[1],
                        _ => return cursor.skip().map(drop),
                    };
                    if let Some(n_tokens) = cursor.number()? {
                        *sum = Some(sum.unwrap_or(0.0) + n_tokens);
                    }
                    Ok(())
                })
                .map(drop)
        });
        if read.is_ok() {
            [self.tokens[0], self.tokens[1]] = sums;
        }
    }
}

fn read_id<'a>(row: &mut Row<'a>, cursor: &mut Cursor<'a>) -> Result<()> {
    (row.id, row.is_numeric_id) = id(cursor)?;
    Ok(())
}

/// An id, and whether it is a number; a number keeps its spelling.
pub fn id<'a>(cursor: &mut Cursor<'a>) -> Result<(Option<Cow<'a, str>>, bool)> {
    match cursor.kind()? {
        ValueKind::Number => {
            let span = cursor.skip()?;
            Ok((std::str::from_utf8(cursor.slice(span)).ok().map(Cow::Borrowed), true))
        }
        _ => Ok((cursor.text()?, false)),
    }
}

fn number(slot: &mut Option<f64>, cursor: &mut Cursor<'_>) -> Result<()> {
    *slot = cursor.number()?;
    Ok(())
}

/// Reads a member of usage; `false`, with nothing read, when `key` is none.
fn usage(row: &mut Row<'_>, key: &str, cursor: &mut Cursor<'_>) -> Result<bool> {
    let slot = match key {
        "prompt_tokens" => &mut row.tokens[0],
        "completion_tokens" => &mut row.tokens[1],
        "cached_input_tokens" => &mut row.tokens[2],
        "cache_write_tokens" => &mut row.tokens[3],
        "reasoning_tokens" => &mut row.tokens[4],
        "cost" => &mut row.cost,
        _ => return Ok(false),
    };
    number(slot, cursor)?;
    Ok(true)
}

fn grader_secs(row: &mut Row<'_>, names: &mut Names, cursor: &mut Cursor<'_>) -> Result<()> {
    cursor.each_field(|key, cursor| {
        if let Some(secs) = cursor.number()? {
            row.grader_secs.push((names.number(key), secs));
        }
        Ok(())
    })?;
    Ok(())
}

/// A grade; `None` when it is null or no object.
fn grade(row: &mut Row<'_>, name: &str, cursor: &mut Cursor<'_>) -> Result<Option<Grade>> {
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
                        grade.error[0] = is_text.then_some(span);
                    }
                    "error_type" => grade.error[1] = is_text.then_some(span),
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
fn failure<'a>(cursor: &mut Cursor<'a>) -> Result<Option<Failure<'a>>> {
    let mut failure = Failure::default();
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
