//! What the aggregate states, beside what its documents give.
//!
//! Source: `lm_eval.evaluator_utils` (`calculate_aggregate_metric`, `consolidate_group_results`),
//! `lm_eval.api.metrics` (`mean_stderr`, `pooled_sample_stderr`, `aggregate_subtask_metrics`).

use super::{FilterSamples, RESULTS, corpus, object, said};
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
const CORPUS: &str = "a metric of the whole corpus, which the tool computes with a library of its own from all answers at once";

const NOT_ALL_TASKS: &str = "the samples of some of its tasks are not among the files";

/// The tasks of the aggregate, without its groups.
pub(super) fn tasks(results: &Value) -> Vec<String> {
    let is_group =
        |task: &str| results.pointer("/groups").is_some_and(|all| all.get(task).is_some());
    let names = object(results, "results").map(|(task, _)| task);
    names.filter(|task| !is_group(task)).cloned().collect()
}

/// Filters of a task, in the order in which it lists them.
pub(super) fn filters(results: &Value, task: &str) -> Vec<String> {
    let config = results.get("configs").and_then(|all| all.get(task)).unwrap_or(&Value::Null);
    let names = items(config, "filter_list").iter().filter_map(|filter| text(filter, "name"));
    names.map(str::to_owned).collect()
}

/// Seconds since 1970 as `2026-11-22T10:44:03Z`.
pub(super) fn date(secs: f64) -> Option<String> {
    #[expect(clippy::cast_possible_truncation, reason = "whole seconds; an absurd date is none")]
    let stamp = jiff::Timestamp::from_second(secs as i64).ok()?;
    Some(stamp.to_string())
}

/// Every figure of the aggregate, and what cannot be checked.
pub(super) fn of(
    bundle: &Bundle,
    results: &Value,
    parts: &[FilterSamples],
    model: &Option<String>,
) -> (Vec<Declared>, Vec<Unchecked>) {
    let path = bundle.of_role(RESULTS).next().map_or("", |claimed| claimed.file.path.as_str());
    let mut page = LmEvalResults {
        stated: DeclaredFigures::in_file(path),
        unchecked: HashMap::new(),
        results,
        parts,
    };
    for (task, row) in object(results, "results") {
        if results.pointer("/groups").is_some_and(|groups| groups.get(task).is_some()) {
            page.group("results", task, row);
        } else {
            page.task(task, row, model);
        }
    }
    for (group, row) in object(results, "groups") {
        page.group("groups", group, row);
    }
    page.counts();
    let LmEvalResults { stated, unchecked, .. } = page;
    let mut claims = Claims::default();
    claims.walk(stated.file(), results, "", stated.declared(), &|path| match path {
        _ if unchecked.contains_key(path) => {
            Claim::Unchecked(unchecked.get(path).copied().unwrap_or(CORPUS))
        }
        "" | "results" | "groups" | "n-samples" => Claim::Open,
        _ if path.starts_with("results.") || path.starts_with("groups.") => Claim::Open,
        _ if path.starts_with("n-samples.") && !path.ends_with(".original") => Claim::Open,
        _ => Claim::Other,
    });
    (stated.into_vec(), claims.into_vec())
}

struct LmEvalResults<'a> {
    stated: DeclaredFigures,
    /// Why a field cannot be checked.
    unchecked: HashMap<String, &'static str>,
    results: &'a Value,
    parts: &'a [FilterSamples],
}

/// A mean with its standard error, and of how many documents.
struct DeclaredMean {
    mean: f64,
    error: Option<f64>,
    n: usize,
}

impl LmEvalResults<'_> {
    /// The part of a task under a filter, with its place among the runs.
    fn part(&self, task: &str, filter: &str) -> Option<(usize, &FilterSamples)> {
        let is_it = |part: &&FilterSamples| part.task == task && part.filter == filter;
        self.parts.iter().enumerate().find(|(_, part)| is_it(part))
    }

    /// The figures of one task.
    fn task(&mut self, task: &str, row: &Value, model: &Option<String>) {
        for (key, value) in row.as_object().into_iter().flatten() {
            let field = format!("results.{task}.{key}");
            let Some((metric, filter)) = key.rsplit_once(',') else {
                if key == "sample_len" {
                    let n = self.n_documents(task);
                    let at = format!("documents of {task} among the samples");
                    if let Some(n) = n {
                        self.stated.count(&Scope::Evaluation, field, Some(value), n, at);
                    }
                }
                continue;
            };
            let Some((run, part)) = self.part(task, filter) else {
                self.without_samples(task, key, value, model);
                continue;
            };
            let scope = Scope::Run(run);
            if let Some(metric) = metric.strip_suffix("_stderr") {
                let own = mean_of(part, metric).filter(|_| self.is_mean(task, metric));
                match own.and_then(|own| own.error) {
                    Some(error) => {
                        let n = part.samples.len();
                        let at = format!("standard error of {metric} over {n} documents");
                        self.stated.number(&scope, field, Some(value), Some(error), at);
                    }
                    None if f64_from_value(value).is_some() => {
                        self.unchecked.insert(field, BOOTSTRAP);
                    }
                    None => {}
                }
                continue;
            }
            let n = part.samples.len();
            if let Some(own) = mean_of(part, metric).filter(|_| self.is_mean(task, metric)) {
                let at = format!("mean of {metric} over {n} documents");
                self.stated.number(&scope, field, Some(value), Some(own.mean), at);
            } else if let Some(own) = whole(part, metric) {
                let at = format!("{metric} over {n} documents");
                self.stated.number(&scope, field, Some(value), Some(own), at);
            } else {
                self.unchecked.insert(field, CORPUS);
            }
        }
    }

    /// A figure of a task whose samples are not among the files: shown as it is stated.
    fn without_samples(&mut self, task: &str, key: &str, value: &Value, model: &Option<String>) {
        let subject = model.as_ref().map_or(task.to_owned(), |model| format!("{model} · {task}"));
        let scope = Scope::Subject { repeat: 1, subject };
        let figure = Figure::MetricMeanTotal(key.trim_end_matches(",none").to_owned());
        if f64_from_value(value).is_some() {
            self.stated.figure(&scope, format!("results.{task}.{key}"), Some(value), figure);
        }
    }

    /// The figures of a group: means over tasks weighted by their documents, or plain ones; the file does not
    /// say which.
    fn group(&mut self, place: &str, group: &str, row: &Value) {
        let tasks = self.leaves(group, 0);
        let is_here = |task: &&String| self.parts.iter().any(|part| part.task == **task);
        let n_here = tasks.iter().filter(is_here).count();
        if 0 < n_here && n_here < tasks.len() {
            let members = row.as_object().into_iter().flatten();
            let numbers = members.filter(|(_, value)| f64_from_value(value).is_some());
            let keys = numbers.map(|(key, _)| key.clone());
            let counts = object(row, "sample_count").map(|(key, _)| format!("sample_count.{key}"));
            let fields = keys.chain(counts).map(|key| format!("{place}.{group}.{key}"));
            self.unchecked.extend(fields.map(|field| (field, NOT_ALL_TASKS)).collect::<Vec<_>>());
            return;
        }
        for (key, value) in row.as_object().into_iter().flatten() {
            let Some((metric, filter)) = key.rsplit_once(',') else { continue };
            let (base, is_error) =
                metric.strip_suffix("_stderr").map_or((metric, false), |base| (base, true));
            let means: Vec<DeclaredMean> =
                tasks.iter().filter_map(|task| mean_of(self.part(task, filter)?.1, base)).collect();
            let field = format!("{place}.{group}.{key}");
            if means.is_empty() || f64_from_value(value).is_none() {
                continue;
            }
            let n_tasks = means.len();
            if is_error {
                if let Some(error) = pooled(&means) {
                    let at = format!("standard error pooled over {n_tasks} tasks");
                    self.stated.number(&Scope::Evaluation, field, Some(value), Some(error), at);
                }
                continue;
            }
            let plain = mean(&means.iter().map(|one| one.mean).collect::<Vec<_>>());
            let is_plain = plain.zip(f64_from_value(value)).is_some_and(|(own, stated)| {
                (own - stated).abs() <= 1e-12 * own.abs().max(stated.abs())
            });
            let (own, at) = if is_plain {
                (plain, format!("unweighted mean of {base} over {n_tasks} tasks"))
            } else {
                (weighted(&means), format!("mean of {base} over the documents of {n_tasks} tasks"))
            };
            self.stated.number(&Scope::Evaluation, field, Some(value), own, at);
        }
        for (key, value) in object(row, "sample_count") {
            let Some((metric, filter)) = key.rsplit_once(',') else { continue };
            let counts = tasks
                .iter()
                .filter_map(|task| Some(mean_of(self.part(task, filter)?.1, metric)?.n));
            let n: usize = counts.sum();
            let field = format!("{place}.{group}.sample_count.{key}");
            let at = format!("documents of {} tasks among the samples", tasks.len());
            self.stated.count(&Scope::Evaluation, field, Some(value), n, at);
        }
        if let Some(value) = row.get("sample_len") {
            let n: Option<usize> = tasks.iter().map(|task| self.n_documents(task)).sum();
            if let Some(n) = n {
                let field = format!("{place}.{group}.sample_len");
                let at = format!("documents of {} tasks among the samples", tasks.len());
                self.stated.count(&Scope::Evaluation, field, Some(value), n, at);
            }
        }
    }

    /// The tasks in a group and in the groups below it.
    fn leaves(&self, group: &str, depth: usize) -> Vec<String> {
        const MAX_DEPTH: usize = 16;
        let below = self.results.get("group_subtasks").and_then(|all| all.get(group));
        let names = below.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let mut found: Vec<String> = Vec::new();
        for name in names {
            let inner = if depth < MAX_DEPTH { self.leaves(name, depth + 1) } else { Vec::new() };
            let own = if inner.is_empty() { vec![name.to_owned()] } else { inner };
            for task in own {
                if !found.contains(&task) {
                    found.push(task);
                }
            }
        }
        found
    }

    /// `n-samples`: how many documents were evaluated.
    fn counts(&mut self) {
        for (task, counts) in object(self.results, "n-samples") {
            let Some(n) = self.n_documents(task) else { continue };
            let field = format!("n-samples.{task}.effective");
            let at = format!("documents of {task} among the samples");
            self.stated.count(&Scope::Evaluation, field, counts.get("effective"), n, at);
        }
    }

    /// Documents of a task: the lines under its first filter.
    fn n_documents(&self, task: &str) -> Option<usize> {
        self.parts.iter().find(|part| part.task == task).map(|part| part.samples.len())
    }

    /// Whether the tool takes the mean of a metric that is a number by document.
    fn is_mean(&self, task: &str, metric: &str) -> bool {
        let config =
            self.results.get("configs").and_then(|all| all.get(task)).unwrap_or(&Value::Null);
        let mut listed = items(config, "metric_list").iter();
        let own = listed.find(|one| text(one, "metric") == Some(metric));
        match own.and_then(|one| said(one.get("aggregation"))).as_deref() {
            Some(aggregation) => aggregation == "mean",
            None => metric != "perplexity",
        }
    }
}

/// Mean and standard error of a metric that is a number in every document.
fn mean_of(part: &FilterSamples, metric: &str) -> Option<DeclaredMean> {
    let values: Option<Vec<f64>> =
        part.samples.iter().map(|sample| super::sample::number(sample.metric(metric)?)).collect();
    let values = values?;
    Some(DeclaredMean { mean: mean(&values)?, error: standard_error(&values), n: values.len() })
}

/// A metric of the whole corpus, or one that is not a plain mean.
fn whole(part: &FilterSamples, metric: &str) -> Option<f64> {
    let values: Option<Vec<&Value>> =
        part.samples.iter().map(|sample| sample.metric(metric)).collect();
    match metric {
        "perplexity" => mean_of(part, metric).map(|own| (-own.mean).exp()),
        _ => corpus::value(metric, &values?),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of documents stay far below 2^53")]
fn weighted(means: &[DeclaredMean]) -> Option<f64> {
    let n: f64 = means.iter().map(|one| one.n as f64).sum();
    (n > 0.0).then(|| means.iter().map(|one| one.mean * one.n as f64).sum::<f64>() / n)
}

/// Standard error over the documents of several tasks, as if all had one variance.
#[expect(clippy::cast_precision_loss, reason = "counts of documents stay far below 2^53")]
fn pooled(means: &[DeclaredMean]) -> Option<f64> {
    let n_all: f64 = means.iter().map(|one| one.n as f64).sum();
    let degrees = n_all - means.len() as f64;
    let squares: Option<f64> = means
        .iter()
        .map(|one| Some((one.n as f64 - 1.0) * one.error?.powi(2) * one.n as f64))
        .sum();
    squares.filter(|_| degrees > 0.0).map(|squares| (squares / degrees / n_all).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_pool_their_tasks() {
        let means = [
            DeclaredMean { mean: 0.5, error: Some(0.1), n: 10 },
            DeclaredMean { mean: 1.0, error: Some(0.0), n: 30 },
        ];
        assert_eq!(weighted(&means), Some(0.875));
        let pooled = pooled(&means).unwrap();
        assert!((pooled - (9.0 * 0.01 * 10.0 / 38.0 / 40.0_f64).sqrt()).abs() < 1e-15);
    }
}
