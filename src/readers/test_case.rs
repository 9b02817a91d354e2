//! A test of a test runner as a case: what the readers of CTRF and of pytest-json-report share.

use crate::model::{
    CaseRow, CheckRow, Config, Locator, Outcome, RunBuilder, TAG_SEPARATOR, Verdict,
};

/// A test as its report says.
#[derive(Debug, Clone, Default)]
pub(super) struct Tested {
    /// Name, as written.
    pub id: String,
    /// Suite or file that it belongs to.
    pub group: Option<String>,
    /// How it came out; `None`: the report has a word that says neither.
    pub outcome: Option<Outcome>,
    /// Words about it.
    pub tags: Vec<String>,
    /// Its own score, where it has one.
    pub score: Option<f64>,
    /// Seconds.
    pub secs: Option<f64>,
    /// What the failure or the skip says.
    pub message: Option<String>,
    /// Part of the test that failed: `setup`, `call`, `teardown`, `collection`.
    pub phase: Option<&'static str>,
    /// Type of the exception.
    pub error_type: Option<String>,
    /// Its tries, when there are several: outcome and seconds.
    pub tries: Vec<(Outcome, Option<f64>)>,
    /// Hash of what it was given.
    pub input: Option<u64>,
}

impl Tested {
    /// How it came out.
    pub(super) fn outcome(&self) -> Outcome {
        self.outcome.unwrap_or(Outcome::Unscored)
    }

    /// Adds it to `run`. `has_scores`: some test of the report has a score of its own; else a test that passed
    /// counts 1, one that did not 0.
    pub(super) fn add_to(&self, run: &mut RunBuilder, at: Locator, has_scores: bool) {
        let outcome = self.outcome();
        let passed = match outcome {
            Outcome::Passed => Some(true),
            Outcome::Failed | Outcome::Error => Some(false),
            _ => None,
        };
        let is_bad = passed == Some(false);
        let n_tries = u32::try_from(self.tries.len()).unwrap_or(u32::MAX);
        let n_ran = u32::from(outcome != Outcome::Skipped);
        let tags = self.tags.join(&TAG_SEPARATOR.to_string());
        let row = CaseRow {
            id: Some(&self.id),
            group: self.group.as_deref(),
            tags: (!tags.is_empty()).then_some(tags.as_str()),
            score: if has_scores {
                self.score
            } else {
                passed.map(|is_passed| f64::from(u8::from(is_passed)))
            },
            passed,
            is_attempted: Some(!matches!(outcome, Outcome::Skipped | Outcome::Unscored)),
            n_attempts: Some(n_tries.max(n_ran)),
            duration_secs: self.secs,
            error_category: self.phase.filter(|_| is_bad),
            error_type: self.error_type.as_deref().filter(|_| is_bad),
            error_message: self.message.as_deref(),
            input_hash: self.input,
            ..CaseRow::default()
        };
        run.case(row.with_outcome(outcome).at(at));
        if n_tries < 2 {
            return;
        }
        for (attempt, (outcome, secs)) in (1..).zip(&self.tries) {
            let verdict = match outcome {
                Outcome::Passed => Some(Verdict::Passed),
                Outcome::Failed => Some(Verdict::Failed),
                Outcome::Error => Some(Verdict::Error),
                _ => None,
            };
            run.check(CheckRow {
                attempt: Some(attempt),
                name: Some("try"),
                is_correct: verdict.map(|verdict| verdict == Verdict::Passed),
                verdict: verdict.map(Verdict::as_str),
                attempt_secs: *secs,
                ..CheckRow::default()
            });
        }
    }
}

/// The rules of a test runner's report.
pub(super) fn rules(has_scores: bool) -> Config {
    let source = match has_scores {
        true => "mean of the score over the tests that have one",
        false => "share of passed tests among those that ran",
    };
    Config {
        may_skip: true,
        case_rule: Some("a test passes when its runner says so".into()),
        score_source: Some(source.into()),
        ..Config::default()
    }
}
