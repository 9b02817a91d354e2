//! A case of a run, with its checks.

use super::fields::{answer, count, number};
use crate::input::json::Cursor;
use crate::input::{Error, ErrorKind, Record, ValueKind};
use crate::model::{CaseRow, CheckRow, Locator, Outcome, RunBuilder, SourceId, TAG_SEPARATOR};
use std::borrow::Cow;

type ReportWord<'a> = Option<Cow<'a, str>>;

/// What the report says of a case; its numbers are in `row`.
#[derive(Default)]
struct ReportCase<'a> {
    row: CaseRow<'a>,
    id: ReportWord<'a>,
    variant: ReportWord<'a>,
    group: ReportWord<'a>,
    kind: ReportWord<'a>,
    tags: Option<String>,
    outcome: ReportWord<'a>,
    strategy: ReportWord<'a>,
    error_category: ReportWord<'a>,
    error_type: ReportWord<'a>,
    error_message: ReportWord<'a>,
    checks: Vec<ReportCheck<'a>>,
}

/// What it says of a check.
#[derive(Default)]
struct ReportCheck<'a> {
    row: CheckRow<'a>,
    name: ReportWord<'a>,
    verdict: ReportWord<'a>,
}

/// Adds the case in `record` to `run`; whether its outcome is a word that is known. Another one counts as
/// no verdict.
///
/// # Errors
/// When it is no JSON object. Then nothing is added.
pub(super) fn add(
    run: &mut RunBuilder,
    record: Record<'_>,
    source: SourceId,
) -> Result<bool, Error> {
    let mut case = ReportCase::default();
    let mut as_declared = None;
    let mut cursor = Cursor::new(record.bytes);
    let is_object = cursor.each_field(|key, cursor| {
        match key {
            "as_declared" => {
                let mut judged = ReportCase::default();
                cursor.each_field(|key, cursor| judged.judgement(key, cursor))?;
                as_declared = Some(judged);
            }
            "checks" => {
                cursor.each_item(|cursor| {
                    case.checks.push(check(cursor, source, record.offset)?);
                    Ok(())
                })?;
            }
            key => case.member(key, cursor)?,
        }
        Ok(())
    })?;
    cursor.end()?;
    if !is_object {
        return Err(Error::new(ErrorKind::Format("a case is not an object"), 0));
    }
    if let Some(judged) = as_declared {
        (case.row.score, case.row.passed) = (judged.row.score, judged.row.passed);
        (case.outcome, case.strategy) = (judged.outcome, judged.strategy);
    }
    let outcome = case.outcome.as_deref().and_then(Outcome::from_text);
    let outcome = outcome.map(|outcome| outcome.with_score(case.row.score, case.row.passed));
    let row = CaseRow {
        id: case.id.as_deref(),
        variant: case.variant.as_deref(),
        group: case.group.as_deref(),
        kind: case.kind.as_deref(),
        tags: case.tags.as_deref(),
        outcome: Some(outcome.unwrap_or(Outcome::Unscored).as_str()),
        strategy: case.strategy.as_deref(),
        error_category: case.error_category.as_deref(),
        error_type: case.error_type.as_deref(),
        error_message: case.error_message.as_deref(),
        ..case.row
    };
    let len = record.bytes.len() as u64;
    run.case(row.at(Locator::Span { source, offset: record.offset, len }));
    for ReportCheck { row, name, verdict } in &case.checks {
        let (name, verdict) = (name.as_deref(), verdict.as_deref());
        run.check(CheckRow { name, verdict, ..row.clone() });
    }
    Ok(outcome.is_some())
}

impl<'a> ReportCase<'a> {
    /// Takes a member of how a case was judged.
    fn judgement(&mut self, key: &str, cursor: &mut Cursor<'a>) -> Result<(), Error> {
        match key {
            "outcome" => self.outcome = cursor.text()?,
            "score" => self.row.score = number(cursor)?,
            "passed" => self.row.passed = cursor.bool()?,
            "strategy" => self.strategy = cursor.text()?,
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    }

    /// Takes any other member.
    fn member(&mut self, key: &str, cursor: &mut Cursor<'a>) -> Result<(), Error> {
        let row = &mut self.row;
        match key {
            "id" => self.read_id(cursor)?,
            "id_number" => {
                self.id = cursor.text()?;
                row.is_numeric_id = Some(true);
            }
            "group" => self.group = cursor.text()?,
            "kind" => self.kind = cursor.text()?,
            "variant" => self.variant = cursor.text()?,
            "tags" => self.read_tags(cursor)?,
            "attempted" => row.is_attempted = cursor.bool()?,
            "n_attempts" => row.n_attempts = count(cursor)?,
            "duration_secs" => row.duration_secs = number(cursor)?,
            "target_secs" => row.target_secs = number(cursor)?,
            "extraction_secs" => row.extraction_secs = number(cursor)?,
            "prompt_tokens" => row.prompt_tokens = number(cursor)?,
            "completion_tokens" => row.completion_tokens = number(cursor)?,
            "cached_input_tokens" => row.cached_input_tokens = number(cursor)?,
            "cache_write_tokens" => row.cache_write_tokens = number(cursor)?,
            "reasoning_tokens" => row.reasoning_tokens = number(cursor)?,
            "cost_usd" => row.cost_usd = number(cursor)?,
            "reward" => row.reward = number(cursor)?,
            "answer" => row.answer = answer(cursor)?,
            "input_hash" => row.input_hash = answer(cursor)?,
            "expected_hash" => row.expected_hash = answer(cursor)?,
            "error" => self.read_error(cursor)?,
            key => self.judgement(key, cursor)?,
        }
        Ok(())
    }

    fn read_id(&mut self, cursor: &mut Cursor<'a>) -> Result<(), Error> {
        // `id_number` says how the file spells it, and may have come before.
        if self.row.is_numeric_id == Some(true) {
            cursor.skip()?;
        } else if cursor.kind()? == ValueKind::Number {
            let span = cursor.skip()?;
            self.id = Some(String::from_utf8_lossy(cursor.slice(span)));
            self.row.is_numeric_id = Some(true);
        } else {
            self.id = cursor.text()?;
        }
        Ok(())
    }

    fn read_tags(&mut self, cursor: &mut Cursor<'a>) -> Result<(), Error> {
        cursor.each_item(|cursor| {
            let tag = cursor.text()?.unwrap_or_default();
            match &mut self.tags {
                Some(tags) => {
                    tags.push(TAG_SEPARATOR);
                    tags.push_str(&tag);
                }
                tags => *tags = Some(tag.into_owned()),
            }
            Ok(())
        })?;
        Ok(())
    }

    fn read_error(&mut self, cursor: &mut Cursor<'a>) -> Result<(), Error> {
        cursor.each_field(|key, cursor| {
            match key {
                "category" => self.error_category = cursor.text()?,
                "type" => self.error_type = cursor.text()?,
                "message" => self.error_message = cursor.text()?,
                _ => {
                    cursor.skip()?;
                }
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// A check; `base` is where its case lies in the file.
fn check<'a>(
    cursor: &mut Cursor<'a>,
    source: SourceId,
    base: u64,
) -> Result<ReportCheck<'a>, Error> {
    let mut check = ReportCheck::default();
    cursor.each_field(|key, cursor| {
        let row = &mut check.row;
        match key {
            "attempt" => row.attempt = count(cursor)?,
            "name" => check.name = cursor.text()?,
            "score" => row.score = number(cursor)?,
            "is_correct" => row.is_correct = cursor.bool()?,
            "weight" => row.weight = number(cursor)?,
            "verdict" => check.verdict = cursor.text()?,
            "duration_secs" => row.duration_secs = number(cursor)?,
            "attempt_secs" => row.attempt_secs = number(cursor)?,
            "answer" => row.answer = answer(cursor)?,
            "reason" => {
                let span = cursor.skip()?;
                if cursor.slice(span.clone()).first() == Some(&b'"') {
                    let (offset, len) = (base + span.start as u64, span.len() as u64);
                    check.row = std::mem::take(row).reasoned_at(source, offset, len);
                }
            }
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(check)
}
