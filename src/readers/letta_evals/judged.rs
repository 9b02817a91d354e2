//! What a grade says: a check, or an error.

use super::row::{Grade, Row};
use super::rules::Rules;
use crate::input::json::Cursor;
use crate::model::{CheckRow, Outcome, SourceId, Verdict};

/// The check that `grade`, by the grader `name`, is; `place` tells where in the file a span of its row lies.
pub fn check<'n>(
    rules: &Rules,
    name: &'n str,
    grade: &Grade,
    secs: Option<f64>,
    place: impl Fn((u64, u64)) -> (SourceId, u64, u64),
) -> CheckRow<'n> {
    let is_judged = rules.judged_metric.as_deref().is_none_or(|metric| metric == name);
    let is_correct = rules
        .config
        .pass_rule
        .filter(|_| is_judged && !grade.has_error)
        .and_then(|rule| Some(rule.op.holds(grade.score?, rule.value)));
    let verdict = match (grade.has_error, is_correct) {
        (true, _) => Some(Verdict::Error),
        (false, Some(true)) => Some(Verdict::Passed),
        (false, Some(false)) => Some(Verdict::Failed),
        (false, None) => None,
    };
    let mut check = CheckRow {
        attempt: Some(1),
        name: Some(name),
        score: grade.score,
        is_correct,
        verdict: verdict.map(Verdict::as_str),
        duration_secs: secs,
        ..CheckRow::default()
    };
    if let Some(span) = &grade.rationale {
        let (source, offset, len) = place((span.start as u64, span.len() as u64));
        check = check.reasoned_at(source, offset, len);
    }
    check
}

/// An error as the guide writes it into a grade.
pub struct GradeError {
    /// What it says.
    pub message: String,
    /// During what it came.
    pub category: Option<String>,
    /// Type of the exception.
    pub exception: Option<String>,
}

impl GradeError {
    /// The error in `grade`, whose row is `bytes`.
    pub fn new(grade: &Grade, bytes: &[u8]) -> Self {
        let text = |span: &Option<std::ops::Range<usize>>| {
            let text = Cursor::new(bytes.get(span.clone()?)?).text().ok()??;
            Some(text.into_owned())
        };
        let (rationale, short) = (text(&grade.rationale), text(&grade.error[0]));
        let message = match (rationale, short) {
            (Some(long), Some(short)) if !long.to_lowercase().contains(&short.to_lowercase()) => {
                format!("{long} ({short})")
            }
            (Some(message), _) | (None, Some(message)) => message,
            (None, None) => "the grade carries an error".to_owned(),
        };
        let during = message.strip_prefix("Error during ").and_then(|rest| rest.split(':').next());
        let known = ["target", "extraction", "grading"];
        let category = during.filter(|word| known.contains(word)).map(str::to_owned);
        Self { message, category, exception: text(&grade.error[1]) }
    }
}

/// The message of a row's error: stated, or (up to 0.10) the rationale of its grade.
pub fn error_text(row: &Row<'_>, bytes: &[u8], outcome: Outcome) -> Option<String> {
    if let Some(error) = &row.error {
        return error.message.as_deref().map(str::to_owned);
    }
    if outcome != Outcome::Error {
        return None;
    }
    let span = row.grade.as_ref()?.rationale.clone()?;
    Cursor::new(bytes.get(span)?).text().ok()?.map(|text| text.into_owned())
}
