//! What a test run states about its own totals.
//!
//! `metricsScores` (`TestRun.construct_metrics_scores`): by name of a metric, over the test cases in their order
//! and then the conversations; a metric without a score or without a verdict is an error and leaves no score.
//! `testPassed` and `testFailed` count cases by `success`; costs are sums.

use super::test_case::{TestCase, sum};
use crate::model::{Declared, DeclaredValue, Scope, Unchecked};
use crate::readers::record_value::items;
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Up to how many figures of cases and scores are all listed; beyond, only those that differ.
const LISTED: usize = 5_000;

/// Totals of one metric by DeepEval's own rule.
#[derive(Default)]
struct DeepevalTotals {
    scores: Vec<f64>,
    n_passed: usize,
    n_failed: usize,
    n_errors: usize,
}

/// Every figure of the run in the file at `path`, and what cannot be checked. The first `n_single` of `cases` are
/// single-turn.
pub(super) fn of(
    path: &str,
    metadata: &Value,
    cases: &[TestCase],
    n_single: usize,
) -> (Vec<Declared>, Vec<Unchecked>) {
    let mut stated = DeclaredFigures::in_file(path);
    let scope = Scope::Run(0);
    let n_cases_where =
        |success: bool| cases.iter().filter(|case| case.success == Some(success)).count();
    let member = |key: &str| metadata.get(key);
    for (key, success) in [("testPassed", true), ("testFailed", false)] {
        let at = format!("test cases whose success is {success}");
        stated.count(&scope, key, member(key), n_cases_where(success), at);
    }
    let cost = sum(cases.iter().map(|case| case.cost));
    let at = "sum of evaluationCost of the test cases";
    stated.number(&scope, "evaluationCost", member("evaluationCost"), cost, at);
    of_metrics(&mut stated, metadata, cases);
    let mut claims = Claims::default();
    claims.walk(stated.file(), metadata, "", stated.declared(), &|path| match path {
        "runDuration" => Part::Unchecked(
            "wall-clock time of the whole run: test cases are timed one by one and may run at the same time",
        ),
        "traceMetricsScores" => {
            Part::Unchecked("scores by span of a trace: recomputed over all spans together only")
        }
        "hyperparameters" | "prompts" | "official" | "datasetVersion" => Part::Other,
        _ => Part::Open,
    });
    of_cases(&mut stated, cases, n_single);
    (stated.into_vec(), claims.into_vec())
}

fn of_metrics(stated: &mut DeclaredFigures, metadata: &Value, cases: &[TestCase]) {
    let mut all: HashMap<&str, DeepevalTotals> = HashMap::new();
    for metric in cases.iter().flat_map(TestCase::all_metrics) {
        let totals = all.entry(&metric.name).or_default();
        match (metric.score, metric.success) {
            (Some(score), Some(success)) => {
                totals.scores.push(score);
                totals.n_passed += usize::from(success);
                totals.n_failed += usize::from(!success);
            }
            _ => totals.n_errors += 1,
        }
    }
    let scope = Scope::Run(0);
    let nothing = DeepevalTotals::default();
    let listed = items(metadata, "metricsScores");
    let n_scores: usize = listed.iter().map(|one| items(one, "scores").len()).sum();
    for (nth, one) in listed.iter().enumerate() {
        let name = one.get("metric").and_then(Value::as_str).unwrap_or_default();
        let own = all.get(name).unwrap_or(&nothing);
        let field = |key: &str| format!("metricsScores[{nth}].{key}");
        for (key, ours, what) in [
            ("passes", own.n_passed, "results with a score whose success is true"),
            ("fails", own.n_failed, "results with a score whose success is false"),
            ("errors", own.n_errors, "results without a score or without a verdict"),
        ] {
            stated.count(&scope, field(key), one.get(key), ours, format!("{what}, {name:?}"));
        }
        let scores = items(one, "scores");
        let is_list = one.get("scores").is_some_and(Value::is_array);
        let length = is_list.then(|| json!(scores.len()));
        let at = format!("number of scores of {name:?}");
        stated.count(&scope, field("scores (length)"), length.as_ref(), own.scores.len(), at);
        for (place, score) in scores.iter().enumerate() {
            let ours = own.scores.get(place).copied();
            // To the bit: the file writes the same number twice.
            let is_same = score.as_f64().map(f64::to_bits) == ours.map(f64::to_bits);
            if n_scores <= LISTED || !is_same {
                let at = format!("result {} of {name:?}", place + 1);
                stated.number(&scope, field(&format!("scores[{place}]")), Some(score), ours, at);
            }
        }
    }
}

/// What single test cases state of themselves.
fn of_cases(stated: &mut DeclaredFigures, cases: &[TestCase], n_single: usize) {
    let scope = Scope::Run(0);
    let is_long = cases.len() > LISTED;
    for (nth, case) in cases.iter().enumerate() {
        let (list, place) = match nth.checked_sub(n_single) {
            None => ("testCases", nth),
            Some(place) => ("conversationalTestCases", place),
        };
        let field = |key: &str| format!("{list}[{place}].{key}");
        let ours = case.is_passed();
        if let Some(success) = case.success.filter(|success| !is_long || *success != ours) {
            let at = "no metric fails, except those marked flaky";
            let ours = DeclaredValue::Bool(ours);
            stated.found(&scope, field("success"), Some(&json!(success)), ours, at);
        }
        // What judging a trace cost is not with its metrics alone.
        if let Some(cost) = case.cost.filter(|_| !case.has_trace()) {
            let ours = case.cost_of_metrics();
            let is_same = ours.map(f64::to_bits) == Some(cost.to_bits());
            if !is_long || !is_same {
                let at = "sum of evaluationCost of its metrics";
                stated.number(&scope, field("evaluationCost"), Some(&json!(cost)), ours, at);
            }
        }
    }
}
