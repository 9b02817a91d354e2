//! What a grade says: a check, or an error.

use crate::input::json::Cursor;
use crate::model::{CheckRow, Outcome, SourceId, Verdict};
use crate::readers::letta_evals::judging::rules::LettaRules;
use crate::readers::letta_evals::row::{Grade, LettaRow};
use std::borrow::Cow;
use std::ops::Range;

/// The check that `grade`, by the grader `name`, is; `place` tells where in the file a span of its row lies.
pub fn check<'n>(
    rules: &LettaRules,
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

/// What a row says about its error, as far as it does.
#[derive(Default)]
pub struct RowError {
    /// What it says.
    pub message: Option<String>,
    /// During what it came.
    pub category: Option<String>,
    /// Type of the exception.
    pub exception: Option<String>,
}

impl RowError {
    /// The error of `row`, whose text is `bytes`: stated by the row; in its grade (`is_in_grade`: as the
    /// guide writes it); or, up to 0.10, the rationale of its grade.
    pub fn new(row: &LettaRow<'_>, bytes: &[u8], outcome: Outcome, is_in_grade: bool) -> Self {
        let owned = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
        if let Some(error) = &row.error {
            return Self {
                message: owned(&error.message),
                category: owned(&error.category),
                exception: owned(&error.exception),
            };
        }
        match &row.grade {
            Some(grade) if is_in_grade => Self::in_grade(grade, bytes),
            Some(grade) if outcome == Outcome::Error => {
                Self { message: text(bytes, grade.rationale.clone()), ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    /// The error in `grade`, as the guide writes it.
    fn in_grade(grade: &Grade, bytes: &[u8]) -> Self {
        let [short, exception] =
            [&grade.error, &grade.error_type].map(|span| text(bytes, span.clone()));
        let message = match (text(bytes, grade.rationale.clone()), short) {
            (Some(long), Some(short)) if !long.to_lowercase().contains(&short.to_lowercase()) => {
                format!("{long} ({short})")
            }
            (Some(message), _) | (None, Some(message)) => message,
            (None, None) => "the grade carries an error".to_owned(),
        };
        let during = message.strip_prefix("Error during ").and_then(|rest| rest.split(':').next());
        let known = ["target", "extraction", "grading"];
        let category = during.filter(|word| known.contains(word)).map(str::to_owned);
        Self { message: Some(message), category, exception }
    }
}

/// The text of the JSON string at `span`.
fn text(bytes: &[u8], span: Option<Range<usize>>) -> Option<String> {
    Some(Cursor::new(bytes.get(span?)?).text().ok()??.into_owned())
}
