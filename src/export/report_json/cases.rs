//! The cases of a run, one at a time.

use super::{num, put};
use crate::model::Run;
use crate::readers::Bundle;
use serde_json::{Map, Value, json};
use std::io;

/// Writes the cases of one run; members that no case of the run has are left out.
pub(super) struct CaseWriter<'a> {
    run: &'a Run,
    bundle: &'a Bundle,
    has_group: bool,
    has_kind: bool,
    has_attempts: bool,
    has_duration: bool,
    has_check_score: bool,
    has_is_correct: bool,
    has_weight: bool,
    has_verdict: bool,
    has_reason: bool,
}

impl<'a> CaseWriter<'a> {
    /// For the cases of `run`, whose files are in `bundle`.
    pub(super) fn new(run: &'a Run, bundle: &'a Bundle) -> Self {
        fn has<T>(mut cells: impl Iterator<Item = Option<T>>) -> bool {
            cells.any(|cell| cell.is_some())
        }
        let (cases, checks) = (&run.cases, &run.checks);
        Self {
            run,
            bundle,
            has_group: has(cases.group.iter()),
            has_kind: has(cases.kind.iter()),
            has_attempts: has(cases.n_attempts.iter()),
            has_duration: has(cases.duration_secs.iter()),
            has_check_score: has(checks.score.iter()),
            has_is_correct: has(checks.is_correct.iter()),
            has_weight: has(checks.weight.iter()),
            has_verdict: has(checks.verdict.iter()),
            has_reason: has(checks.reason_source.iter()),
        }
    }

    /// Writes case `idx`.
    pub(super) fn write(&self, out: &mut Vec<u8>, idx: usize) -> io::Result<()> {
        let cases = &self.run.cases;
        let mut case = Map::new();
        let mut put_member = |key: &str, value: Value| case.insert(key.to_owned(), value);
        put_member("id", case_id(self.run, idx));
        if self.has_group {
            put_member("group", json!(cases.group.get(idx)));
        }
        if self.has_kind {
            put_member("kind", json!(cases.kind.get(idx)));
        }
        if let Some(variant) = cases.variant.get(idx) {
            put_member("variant", json!(variant));
        }
        if let Some(strategy) = cases.strategy.get(idx) {
            put_member("strategy", json!(strategy));
        }
        put_member("score", num(cases.score.get(idx)));
        put_member("outcome", json!(cases.outcome_of(idx).as_str()));
        put_member("passed", json!(cases.passed.get(idx)));
        if self.has_attempts {
            put_member("n_attempts", json!(cases.n_attempts.get(idx)));
        }
        if self.has_duration {
            put_member("duration_secs", num(cases.duration_secs.get(idx)));
        }
        if let Some(reward) = cases.reward.get(idx) {
            put_member("reward", num(Some(reward)));
        }
        let error = [
            cases.error_category.get(idx),
            cases.error_type.get(idx),
            cases.error_message.get(idx),
        ];
        if error.iter().any(Option::is_some) {
            let [category, kind, message] = error;
            put_member("error", json!({"category": category, "type": kind, "message": message}));
        }
        put_member("checks", self.run.checks_of(idx).map(|at| self.check_value(at)).collect());
        put(out, &case)
    }

    fn check_value(&self, at: usize) -> Value {
        let checks = &self.run.checks;
        let mut check = Map::new();
        let mut put_member = |is_known: bool, key: &str, value: Value| {
            if is_known {
                check.insert(key.to_owned(), value);
            }
        };
        put_member(true, "attempt", json!(checks.attempt.get(at)));
        put_member(true, "name", json!(checks.name.get(at)));
        put_member(self.has_check_score, "score", num(checks.score.get(at)));
        put_member(self.has_is_correct, "is_correct", json!(checks.is_correct.get(at)));
        put_member(self.has_weight, "weight", num(checks.weight.get(at)));
        put_member(self.has_verdict, "verdict", json!(checks.verdict.get(at)));
        let reason = checks.reason_of(at).and_then(|locator| self.bundle.text_at(locator));
        put_member(self.has_reason, "reason", json!(reason));
        Value::Object(check)
    }
}

/// The id as the file writes it: numbers stay numbers.
fn case_id(run: &Run, idx: usize) -> Value {
    let id = run.cases.id.get(idx);
    let number = (run.cases.is_numeric_id.get(idx) == Some(true))
        .then(|| serde_json::from_str::<serde_json::Number>(id?).ok())
        .flatten();
    number.map_or_else(|| json!(id), Value::Number)
}
