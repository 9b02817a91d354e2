//! A slop-code run directory whose checkpoints are not among the files: what `result.json` and the
//! lines of `checkpoint_results.jsonl` say.

use super::sheet::{DeclaredCounts, DeclaredPart, DeclaredScore, DeclaredTiming, DeclaredUsage};
use crate::input::json::f64_from_value;
use crate::model::{Evaluation, Kind, Num};
use crate::scoring::run_summary::run_summary;
use serde_json::{Map, Value};

/// Words of the kinds in rows and summaries.
const KINDS: [(Kind, &str); 4] = [
    (Kind::Core, "core"),
    (Kind::Functionality, "functionality"),
    (Kind::Regression, "regression"),
    (Kind::Error, "error"),
];

/// The directory as a whole, where none of its checkpoints is there, and each checkpoint that only a
/// line tells of.
pub(super) fn parts(evaluation: &Evaluation) -> Vec<DeclaredPart> {
    if !evaluation.config.has_policies {
        return Vec::new();
    }
    let mut found: Vec<DeclaredPart> = Vec::new();
    if evaluation.runs.is_empty()
        && let Some(summary) = summary(evaluation)
    {
        found.push(whole(evaluation, &summary));
    }
    for (at, row) in evaluation.rows.iter().enumerate() {
        let names = names(row);
        // Of lines about the same checkpoint the last one counts.
        let is_last = !evaluation.rows.iter().skip(at + 1).any(|later| self::names(later) == names);
        let has_run = evaluation
            .runs
            .iter()
            .any(|run| (run.key.suite.as_deref(), run.key.variant.as_deref()) == names);
        if is_last && !has_run && names.1.is_some() {
            found.push(checkpoint(evaluation, row));
        }
    }
    found
}

/// The summary of the directory: as `result.json` states it, else computed from the lines.
pub(super) fn summary(evaluation: &Evaluation) -> Option<Value> {
    evaluation.declared_json.get("result").cloned().or_else(|| run_summary(evaluation))
}

/// Whether `result.json` itself is there.
fn has_result(evaluation: &Evaluation) -> bool {
    evaluation.declared_json.get("result").is_some()
}

type DirectoryRow = Map<String, Value>;

fn names(row: &DirectoryRow) -> (Option<&str>, Option<&str>) {
    let word = |key: &str| row.get(key).and_then(Value::as_str);
    (word("problem"), word("checkpoint"))
}

fn number(row: &DirectoryRow, keys: &[&str]) -> Option<Num> {
    keys.iter().find_map(|key| row.get(*key).and_then(f64_from_value)).map(Num)
}

/// The file of the evaluation whose name ends so, or what it is called.
fn file(evaluation: &Evaluation, name: &str) -> String {
    let known = evaluation.declared.iter().map(|declared| &*declared.file);
    let listed = evaluation.unchecked.iter().map(|unchecked| &*unchecked.file);
    let found = known.chain(listed).find(|path| path.rsplit('/').next() == Some(name));
    found.map_or_else(|| name.to_owned(), str::to_owned)
}

fn checkpoint(evaluation: &Evaluation, row: &DirectoryRow) -> DeclaredPart {
    let text = |key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
    let is_new = row.contains_key("strict_pass_rate");
    let by_kind = KINDS.iter().filter_map(|(kind, word)| {
        let passed = number(row, &[&format!("{word}_passed")])?;
        let total = number(row, &[&format!("{word}_total")])?;
        (total.0 > 0.0).then_some((*kind, [passed, total]))
    });
    let (passed, total) = (number(row, &["passed_tests"]), number(row, &["total_tests"]));
    // A rate of no test is written as 0.
    let has_tests = total.is_none_or(|total| total.0 > 0.0);
    let rate = number(row, &["strict_pass_rate", "pass_rate"]).filter(|_| has_tests);
    DeclaredPart {
        suite: text("problem"),
        variant: text("checkpoint"),
        file: file(evaluation, "checkpoint_results.jsonl"),
        started_at: text("started"),
        state: text("state"),
        counts: DeclaredCounts { total, passed, pass_rate: rate, ..DeclaredCounts::default() },
        by_kind: by_kind.collect(),
        usage: DeclaredUsage {
            prompt_tokens: number(row, &["input"]),
            completion_tokens: number(row, &["output"]),
            cached_input_tokens: number(row, &["cache_read"]),
            cache_write_tokens: number(row, &["cache_write"]),
            reasoning_tokens: number(row, &["reasoning"]),
            cost_usd: number(row, &["cost"]),
            n_steps: number(row, &["steps"]),
            cost_missing: None,
        },
        timing: DeclaredTiming {
            // Before v0.3 `duration` is the time of the tests.
            agent_secs: number(row, if is_new { &["duration"] } else { &["elapsed"] }),
            ..DeclaredTiming::default()
        },
        ..DeclaredPart::default()
    }
}

fn whole(evaluation: &Evaluation, summary: &Value) -> DeclaredPart {
    let at = |path: &str| {
        let found = path.split('.').try_fold(summary, |value, key| value.get(key));
        found.and_then(f64_from_value).map(Num)
    };
    // Sums that the summary has no member for, over the lines.
    let sum = |keys: &[&str]| {
        let values: Vec<f64> =
            evaluation.rows.iter().filter_map(|row| number(row, keys)).map(|n| n.0).collect();
        (!values.is_empty()).then(|| Num(crate::stats::sum(values)))
    };
    let name = if has_result(evaluation) { "result.json" } else { "checkpoint_results.jsonl" };
    DeclaredPart {
        file: file(evaluation, name),
        started_at: evaluation
            .rows
            .iter()
            .filter_map(|row| row.get("started").and_then(Value::as_str))
            .min()
            .map(str::to_owned),
        counts: DeclaredCounts {
            total: sum(&["total_tests"]),
            passed: sum(&["passed_tests"]),
            pass_rate: at("pass_rates.checkpoint.total"),
            ..DeclaredCounts::default()
        },
        score: DeclaredScore::default(),
        usage: DeclaredUsage {
            prompt_tokens: at("tokens.input"),
            completion_tokens: at("tokens.output"),
            cached_input_tokens: at("tokens.cache_read"),
            cache_write_tokens: at("tokens.cache_write"),
            reasoning_tokens: at("tokens.reasoning"),
            cost_usd: at("costs.total"),
            n_steps: sum(&["steps"]).or_else(|| total_of(&at, "steps")),
            cost_missing: None,
        },
        timing: DeclaredTiming { agent_secs: total_of(&at, "time"), ..DeclaredTiming::default() },
        ..DeclaredPart::default()
    }
}

/// The sum behind a mean and a number of checkpoints.
fn total_of(at: &dyn Fn(&str) -> Option<Num>, what: &str) -> Option<Num> {
    let mean = at(&format!("{what}.checkpoint.mean"))?;
    let n = at(&format!("{what}.checkpoint.count"))?;
    Some(Num(mean.0 * n.0))
}
