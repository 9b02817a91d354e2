//! Results as CTRF (<https://ctrf.io>, specVersion 0.0.0), the common report of test runners: one report, a test for
//! each case of every run.
//!
//! A test passes or fails only where a rule says so. What has an error, or a score that no rule judges, is `other`,
//! with the outcome as `rawStatus`; `extra` has the score and the exact seconds. `docs/exports.md` says what has no
//! place in the format.

use super::columns::RunCx;
use super::job::{ExportContext, ExportFormat};
use super::report_json::num;
use super::selection::CaseBatch;
use super::words::{case_name, failure_words, wrong_checks};
use crate::model::{CaseTable, Outcome, Run, TAG_SEPARATOR};
use crate::order::Order as _;
use crate::readers::{CTRF_NO_DURATION, TextPlace};
use crate::report::{RunRef, is_right, run_proviso, run_score};
use crate::workspace::{Entry, Need};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;

/// Version of the specification.
const VERSION: &str = "0.0.0";

/// A CTRF report.
#[derive(Default)]
pub(super) struct CtrfJson {
    has_tests: bool,
}

/// The status of an outcome.
fn status(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::Skipped => "skipped",
        Outcome::Error | Outcome::Scored | Outcome::Unscored => "other",
    }
}

impl ExportFormat for CtrfJson {
    fn begin(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        let mut suites: HashSet<Vec<&str>> = HashSet::new();
        let (mut n_tests, mut n_flaky) = (0_u64, 0_u64);
        let mut producers: BTreeSet<&str> = BTreeSet::new();
        let mut runs = Vec::new();
        let mut times: Vec<(i64, i64)> = Vec::new();
        for piece in &cx.selection.pieces {
            let Some(RunCx { entry, run, key, .. }) = RunCx::new(cx.workspace, piece.run) else {
                continue;
            };
            for idx in piece.rows() {
                n_tests += 1;
                *counts.entry(status(run.cases.outcome_of(idx))).or_default() += 1;
                n_flaky += u64::from(is_flaky(run, idx));
                suites.insert(suite(entry, run, idx));
            }
            if piece.is_first {
                producers.insert(&entry.evaluation.producer);
                runs.push(run_value(entry, run, key, piece.run));
                times.extend(times_of(run));
            }
        }
        let count = |name: &str| counts.get(name).copied().unwrap_or(0);
        let start = times.iter().map(|(start, _)| *start).min().unwrap_or(0);
        let stop = times.iter().map(|(_, stop)| *stop).max().unwrap_or(start);
        let names: Vec<&str> = producers.into_iter().collect();
        let tool = match names.as_slice() {
            [only] => only,
            _ => "Evalglass",
        };
        put(out, "{\"reportFormat\":\"CTRF\",\"specVersion\":", &json!(VERSION))?;
        put(out, ",\"generatedBy\":", &json!("Evalglass"))?;
        put(out, ",\"results\":{\"tool\":", &json!({ "name": tool }))?;
        let summary = json!({
            "tests": n_tests, "passed": count("passed"), "failed": count("failed"), "skipped": count("skipped"),
            "pending": 0, "other": count("other"), "flaky": n_flaky, "suites": suites.len(),
            "start": start, "stop": stop,
        });
        put(out, ",\"summary\":", &summary)?;
        put(out, ",\"extra\":", &json!({ "producers": names, "runs": runs }))?;
        out.extend(b",\"tests\":[");
        Ok(())
    }

    fn needs(&self, cx: &ExportContext<'_>, piece: &CaseBatch) -> Vec<Need> {
        piece.reasons(cx.workspace, |run, idx, at| {
            tells_checks(run.cases.outcome_of(idx)) && is_right(run, at) == Some(false)
        })
    }

    fn piece(
        &mut self,
        cx: &ExportContext<'_>,
        piece: &CaseBatch,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Some(RunCx { entry, run, key, .. }) = RunCx::new(cx.workspace, piece.run) else {
            return Ok(());
        };
        for idx in piece.rows() {
            let trace = tells_checks(run.cases.outcome_of(idx)).then(|| {
                wrong_checks(run, idx, &|at| cx.workspace.text(entry.id, TextPlace::whole(at)))
            });
            let before = if self.has_tests { ",\n" } else { "\n" };
            put(out, before, &test(entry, run, idx, &key, trace))?;
            self.has_tests = true;
        }
        Ok(())
    }

    fn end(&mut self, _cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        out.extend(b"\n]}}\n");
        Ok(())
    }
}

fn put(out: &mut Vec<u8>, before: &str, value: &Value) -> io::Result<()> {
    out.extend(before.as_bytes());
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

fn tells_checks(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Failed | Outcome::Error)
}

/// Evaluation, run and group, from the outermost one on.
fn suite<'a>(entry: &'a Entry, run: &'a Run, idx: usize) -> Vec<&'a str> {
    let group = run.cases.group.get(idx);
    [Some(entry.evaluation.label.as_str()), Some(run.label.as_str()), group]
        .into_iter()
        .flatten()
        .collect()
}

/// One case.
fn test(entry: &Entry, run: &Run, idx: usize, key: &str, trace: Option<String>) -> Value {
    let cases = &run.cases;
    let outcome = cases.outcome_of(idx);
    let mut test = Map::new();
    let mut put = |name: &str, value: Value| test.insert(name.to_owned(), value);
    let name = case_name(run, idx);
    put("name", if name.is_empty() { json!(format!("case {}", idx + 1)) } else { json!(name) });
    put("status", json!(status(outcome)));
    let secs = cases.duration_secs.get(idx);
    put("duration", json!(secs.and_then(millis).unwrap_or(0)));
    put("suite", json!(suite(entry, run, idx)));
    put("rawStatus", json!(outcome.as_str()));
    if tells_checks(outcome) || outcome == Outcome::Skipped {
        let said = cases.error_message.get(idx).map(str::to_owned);
        let message = said.or_else(|| failure_words(run, idx));
        if let Some(message) = message.filter(|text| !text.is_empty()) {
            put("message", json!(message));
        }
    }
    if let Some(trace) = trace.filter(|trace| !trace.is_empty()) {
        put("trace", json!(trace.trim_start()));
    }
    if let Some(tags) = cases.tags.get(idx) {
        put("tags", json!(tags.split(TAG_SEPARATOR).collect::<Vec<_>>()));
    }
    if let Some(kind) = cases.kind.get(idx) {
        put("type", json!(kind));
    }
    let tries = tries(run, idx);
    if let Some((_, before)) = tries.split_last().filter(|(_, before)| !before.is_empty()) {
        put("retries", json!(before.len()));
        put("retryAttempts", before.iter().map(CtrfTry::value).collect());
    }
    if is_flaky(run, idx) {
        put("flaky", json!(true));
    }
    put("extra", extra(cases, idx, key, secs));
    Value::Object(test)
}

/// What the format has no member for.
fn extra(cases: &CaseTable, idx: usize, key: &str, secs: Option<f64>) -> Value {
    let mut extra = Map::new();
    let mut put = |name: &str, value: Value| extra.insert(name.to_owned(), value);
    put("run", json!(key));
    if let Some(score) = cases.score.get(idx) {
        put("score", num(Some(score)));
    }
    put("duration_secs", secs.map_or_else(|| json!(CTRF_NO_DURATION), |secs| num(Some(secs))));
    let texts = [
        ("strategy", cases.strategy.get(idx)),
        ("error_type", cases.error_type.get(idx)),
        ("error_category", cases.error_category.get(idx)),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            put(name, json!(text));
        }
    }
    if let Some(n_attempts) = cases.n_attempts.get(idx).filter(|n| *n > 1) {
        put("attempts", json!(n_attempts));
    }
    let numbers = [
        ("prompt_tokens", cases.prompt_tokens.get(idx)),
        ("completion_tokens", cases.completion_tokens.get(idx)),
        ("cost_usd", cases.cost_usd.get(idx)),
    ];
    for (name, number) in numbers {
        if number.is_some() {
            put(name, num(number));
        }
    }
    Value::Object(extra)
}

/// One of several tries.
struct CtrfTry {
    attempt: u32,
    is_right: Option<bool>,
    secs: Option<f64>,
}

impl CtrfTry {
    fn value(&self) -> Value {
        let status = match self.is_right {
            Some(true) => "passed",
            Some(false) => "failed",
            None => "other",
        };
        let mut value = json!({ "attempt": self.attempt, "status": status });
        if let (Value::Object(members), Some(millis)) =
            (&mut value, self.secs.and_then(millis).filter(|millis| *millis >= 0))
        {
            members.insert("duration".to_owned(), json!(millis));
        }
        value
    }
}

/// The tries of a case that was run again because it did not pass. Attempts whose results are combined by a strategy are
/// none of these.
fn tries(run: &Run, idx: usize) -> Vec<CtrfTry> {
    let mut tries: Vec<CtrfTry> = Vec::new();
    if run.cases.strategy.get(idx).is_some() || run.cases.n_attempts.get(idx) < Some(2) {
        return tries;
    }
    for at in run.checks_of(idx) {
        let Some(attempt) = run.checks.attempt.get(at).filter(|attempt| *attempt > 0) else {
            continue;
        };
        let is_right = is_right(run, at);
        match tries.iter_mut().find(|one| one.attempt == attempt) {
            Some(own) => {
                own.is_right = match (own.is_right, is_right) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (own, other) => own.or(other),
                };
            }
            None => {
                tries.push(CtrfTry { attempt, is_right, secs: run.checks.attempt_secs.get(at) });
            }
        }
    }
    tries.order_by_key(|one| one.attempt);
    tries
}

/// Whether a case passed after a try that did not.
fn is_flaky(run: &Run, idx: usize) -> bool {
    run.cases.outcome_of(idx) == Outcome::Passed
        && tries(run, idx)
            .split_last()
            .is_some_and(|(_, before)| before.iter().any(|one| one.is_right == Some(false)))
}

/// What is known of a run.
fn run_value(entry: &Entry, run: &Run, key: String, at: RunRef) -> Value {
    let figures = entry.figures.runs.get(at.run as usize);
    let verdict = figures.and_then(|figures| figures.verdict.as_ref());
    let score = figures.and_then(run_score);
    let known = [
        ("run", json!(key)),
        ("evaluation", json!(entry.evaluation.label)),
        ("producer", json!(entry.evaluation.producer)),
        ("label", json!(run.label)),
        ("suite", json!(run.key.suite)),
        ("variant", json!(run.key.variant)),
        ("subject", json!(run.key.subject)),
        ("repeat", json!(run.key.repeat)),
        ("started_at", json!(run.started_at)),
        ("score", num(score.map(|score| score.0))),
        ("verdict", json!(verdict.map(|verdict| verdict.outcome.to_string()))),
        ("rule", json!(verdict.map(|verdict| verdict.rule.clone()))),
        ("reason", json!(verdict.map(|verdict| verdict.reason.to_string()))),
        ("so_far", json!(run_proviso(entry, at.run as usize))),
    ];
    let known = known.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(known.map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Whole milliseconds, rounded.
fn millis(secs: f64) -> Option<i64> {
    let millis = (secs * 1000.0).round();
    #[expect(clippy::cast_possible_truncation, reason = "whole, and in the range of exact doubles")]
    (millis.abs() < 9e15).then_some(millis as i64)
}

/// Start and end of a run in milliseconds since 1970, where its files say when it began.
fn times_of(run: &Run) -> Option<(i64, i64)> {
    let started = run.started_at.as_deref()?.parse::<jiff::Timestamp>().ok()?;
    let start = started.as_millisecond();
    let took = run.duration_secs.and_then(millis).unwrap_or(0).max(0);
    Some((start, start.saturating_add(took)))
}
