//! What the aggregate states, beside what its documents give.
//!
//! Source: `lighteval.logging.info_loggers.MetricsLogger.aggregate`: `all` and `TASK:_average` are plain means
//! over tasks, of values and of standard errors alike.

use super::{RESULTS, TaskDetails};
use crate::input::json::f64_from_value;
use crate::model::{Declared, Figure, Scope, Unchecked};
use crate::readers::Bundle;
use crate::readers::formula::{mean, standard_error};
use crate::readers::record_value::{items, text};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part as Claim};
use serde_json::Value;
use std::collections::HashMap;

const BOOTSTRAP: &str = "a random bootstrap estimate, so it cannot be recomputed";
const CORPUS: &str = "the tool makes it of all answers at once, not as a mean over documents";
const NO_ROWS: &str = "details of its tasks are not among the files";

/// Every figure of the aggregate, and what cannot be checked.
pub(super) fn of(
    bundle: &Bundle,
    results: &Value,
    parts: &[TaskDetails],
    model: &Option<String>,
) -> (Vec<Declared>, Vec<Unchecked>) {
    let path = bundle.of_role(RESULTS).next().map_or("", |claimed| claimed.file.path.as_str());
    let mut stated = DeclaredFigures::in_file(path);
    let mut unchecked: HashMap<String, &'static str> = HashMap::new();
    let rows = || results.get("results").and_then(Value::as_object).into_iter().flatten();
    for (task, row) in rows() {
        let field = |key: &str| format!("results.{task}.{key}");
        let members = row.as_object().into_iter().flatten();
        let members = members.filter(|(_, value)| f64_from_value(value).is_some());
        if let Some(below) = subtasks(task, results) {
            for (key, value) in members {
                let values: Option<Vec<f64>> = below
                    .iter()
                    .filter(|task| {
                        results
                            .pointer("/results")
                            .and_then(|all| all.get(task)?.get(key))
                            .is_some()
                    })
                    .map(|task| own(task, key, results, parts).ok())
                    .collect();
                match values.as_deref().and_then(mean) {
                    Some(own) => {
                        let what =
                            key.strip_suffix("_stderr").map_or("values", |_| "standard errors");
                        let at = format!("unweighted mean of the {what} of the tasks that have it");
                        stated.number(&Scope::Evaluation, field(key), Some(value), Some(own), at);
                    }
                    None => {
                        unchecked.insert(field(key), NO_ROWS);
                    }
                }
            }
            continue;
        }
        for (key, value) in members {
            let Some(run) = parts.iter().position(|part| part.task == *task) else {
                let subject =
                    model.as_ref().map_or(task.clone(), |model| format!("{model} · {task}"));
                let scope = Scope::Subject { repeat: 1, subject };
                stated.figure(
                    &scope,
                    field(key),
                    Some(value),
                    Figure::MetricMeanTotal(key.clone()),
                );
                continue;
            };
            match own(task, key, results, parts) {
                Ok(own) => {
                    let n = parts.get(run).map_or(0, |part| part.rows.len());
                    let at = match key.strip_suffix("_stderr") {
                        Some(metric) => format!("standard error of {metric} over {n} documents"),
                        None => format!("mean of {key} over {n} documents"),
                    };
                    stated.number(&Scope::Run(run), field(key), Some(value), Some(own), at);
                }
                Err(why) => {
                    unchecked.insert(field(key), why);
                }
            }
        }
    }
    let mut claims = Claims::default();
    claims.walk(stated.file(), results, "", stated.declared(), &|path| match unchecked.get(path) {
        Some(why) => Claim::Unchecked(why),
        None if path.is_empty() || path == "results" || path.starts_with("results.") => Claim::Open,
        None => Claim::Other,
    });
    (stated.into_vec(), claims.into_vec())
}

/// The tasks that a row stands for, when it is no task of its own.
fn subtasks(row: &str, results: &Value) -> Option<Vec<String>> {
    let names = || {
        let all = results.get("results").and_then(Value::as_object).into_iter().flatten();
        all.map(|(name, _)| name.clone())
    };
    let is_made = |name: &str| name == "all" || name.contains(":_average");
    if row == "all" {
        return Some(names().filter(|name| !is_made(name)).collect());
    }
    let (before, _) = row.split_once(":_average")?;
    let is_below = |name: &String| {
        !is_made(name) && name.strip_prefix(before).is_some_and(|rest| rest.starts_with(':'))
    };
    Some(names().filter(is_below).collect())
}

/// The figure `key` of `task` over its documents.
///
/// # Errors
/// Why it cannot be computed.
fn own(task: &str, key: &str, results: &Value, parts: &[TaskDetails]) -> Result<f64, &'static str> {
    let part = parts.iter().find(|part| part.task == task).ok_or(NO_ROWS)?;
    let (metric, is_error) = key.strip_suffix("_stderr").map_or((key, false), |name| (name, true));
    let config =
        results.pointer("/config_tasks").and_then(|all| all.get(task)).unwrap_or(&Value::Null);
    let listed = items(config, "metrics");
    let named = listed.iter().find(|one| text(one, "metric_name") == Some(metric));
    let is_mean =
        named.and_then(|one| text(one, "corpus_level_fn")).is_none_or(|way| way.contains("mean"));
    let why = if is_error { BOOTSTRAP } else { CORPUS };
    let of_row = |row: &super::LightevalRow| row.metrics.iter().find(|(name, _)| name == metric)?.1;
    let values: Option<Vec<f64>> = part.rows.iter().map(of_row).collect();
    let values = values.filter(|_| is_mean).ok_or(why)?;
    if is_error { standard_error(&values).ok_or(why) } else { mean(&values).ok_or(why) }
}
