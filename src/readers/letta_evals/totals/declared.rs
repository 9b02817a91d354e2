//! Figures that summaries of 0.1 – 0.16 (and the guide) state: `metrics` and `aggregate_stats`.
//!
//! Definitions: `Metrics`, `MetricAggregate`, `ModelMetrics`, `RunStatistics` in `models.py`.

use crate::input::json::f64_from_value;
use crate::model::{Declared, DeclaredValue, Figure, Known, Scope, UsageField, id_list};
use crate::readers::letta_evals::judging::generation::Generation;
use crate::readers::unchecked_claims::Part;
use serde_json::{Map, Value};
use std::rc::Rc;

/// Scale of percents.
const PERCENT: f64 = 100.0;

/// Collects the figures of one object.
pub struct ObjectFigures<'a> {
    /// Where they go.
    pub out: &'a mut Vec<Declared>,
    /// What they are about.
    pub scope: Scope,
    /// The document.
    pub file: Rc<str>,
    /// Path of the object in its document, with a final dot unless empty.
    pub prefix: String,
    /// Why a difference is expected.
    pub why: Option<&'static str>,
}

impl ObjectFigures<'_> {
    /// The same collector for the object at `prefix` of the same document, about `scope`.
    pub fn about(&mut self, scope: Scope, prefix: String) -> ObjectFigures<'_> {
        ObjectFigures {
            out: &mut *self.out,
            scope,
            file: Rc::clone(&self.file),
            prefix,
            why: self.why,
        }
    }

    /// States the member `key` of `map` as `figure`, if it is there.
    pub fn put(&mut self, map: &Map<String, Value>, key: &str, figure: Figure) {
        self.put_scaled(map, key, figure, 1.0);
    }

    /// The same as a percentage.
    pub fn put_percent(&mut self, map: &Map<String, Value>, key: &str, figure: Figure) {
        self.put_scaled(map, key, figure, PERCENT);
    }

    fn put_scaled(&mut self, map: &Map<String, Value>, key: &str, figure: Figure, scale: f64) {
        let Some(value) = map.get(key) else { return };
        let value = match value {
            Value::Null => DeclaredValue::Null,
            Value::Bool(flag) => DeclaredValue::Bool(*flag),
            other => match f64_from_value(other) {
                Some(number) => DeclaredValue::Number(number),
                None => return,
            },
        };
        self.push(key, figure, value, scale);
    }

    /// States `value`, found at `key`, as `figure`.
    pub fn push(&mut self, key: &str, figure: Figure, value: DeclaredValue, scale: f64) {
        let field = format!("{}{key}", self.prefix);
        let known = self.why.map(|why| Known { why: why.into(), original: None });
        let stated = Declared::new(self.scope.clone(), &self.file, field, figure, value);
        self.out.push(Declared { scale, known, ..stated });
    }

    /// The same collector for a member object, if there is one.
    pub fn within(
        &mut self,
        map: &Map<String, Value>,
        key: &str,
        each: impl FnOnce(&mut ObjectFigures<'_>, &Map<String, Value>),
    ) {
        if let Some(Value::Object(inner)) = map.get(key) {
            let prefix = format!("{}{key}.", self.prefix);
            let scope = self.scope.clone();
            each(&mut self.about(scope, prefix), inner);
        }
    }

    /// States every member of the object `key`, by its name.
    pub fn each(
        &mut self,
        map: &Map<String, Value>,
        key: &str,
        scale: f64,
        figure: impl Fn(String) -> Figure,
    ) {
        self.within(map, key, |stated, inner| {
            for name in inner.keys() {
                stated.put_scaled(inner, name, figure(name.clone()), scale);
            }
        });
    }
}

/// What a part of a document is to the audit, by its path.
pub fn part(path: &str) -> Part {
    match path {
        "config" | "suite_spec" | "samples" | "results" | "timestamp" | "version" => Part::Other,
        _ => Part::Open,
    }
}

/// The figures of the `metrics` object at `prefix`, about one repeat.
pub fn metrics(
    stated: &mut ObjectFigures<'_>,
    repeat: u32,
    prefix: &str,
    metrics: &Map<String, Value>,
    generation: Generation,
) {
    let mut stated = stated.about(Scope::Repeat(repeat), prefix.to_owned());
    shared(&mut stated, metrics, generation);
    stated.within(metrics, "by_metric", |stated, by_metric| {
        for name in by_metric.keys() {
            stated.within(by_metric, name, |stated, one| {
                metric(stated, one, name, generation);
            });
        }
    });
    stated.each(metrics, "metrics", PERCENT, |name| pass_rate(name, generation));
    let Some(Value::Array(models)) = metrics.get("per_model") else { return };
    for (number, model) in models.iter().enumerate() {
        let Some(model) = model.as_object() else { continue };
        let Some(name) = model.get("model_name").and_then(Value::as_str) else { continue };
        let scope = Scope::Subject { repeat, subject: name.to_owned() };
        let mut stated = stated.about(scope, format!("{prefix}per_model[{number}]."));
        shared(&mut stated, model, generation);
        stated.each(model, "metrics", PERCENT, |name| {
            if generation.counts_passed() {
                Figure::MetricPassRate(name)
            } else {
                Figure::MetricMeanOfAttempted(name)
            }
        });
    }
}

/// What `metrics` and `per_model[]` have in common.
fn shared(stated: &mut ObjectFigures<'_>, map: &Map<String, Value>, generation: Generation) {
    stated.put(map, "total", Figure::Total);
    stated.put(map, "total_attempted", Figure::Attempted);
    stated.put(map, "avg_score", Figure::MeanAttempted);
    stated.put(map, "avg_score_attempted", Figure::MeanAttempted);
    stated.put(map, "avg_score_total", Figure::MeanTotal);
    for key in ["passed_attempts", "passed_samples"] {
        stated.put(map, key, Figure::Passed);
    }
    for key in ["failed_attempts", "failed_samples"] {
        stated.put(map, key, Figure::Failed);
    }
    if generation.counts_passed() {
        for key in ["accuracy", "pass_rate"] {
            stated.put_percent(map, key, Figure::AttemptedPassRate);
        }
    }
    for key in ["cost", "usage_metrics"] {
        stated.within(map, key, |stated, usage| {
            stated.put(usage, "total_cost", Figure::Usage(UsageField::Cost));
            stated.put(usage, "total_prompt_tokens", Figure::Usage(UsageField::Prompt));
            stated.put(usage, "total_completion_tokens", Figure::Usage(UsageField::Completion));
            stated.put(usage, "total_cached_input_tokens", Figure::Usage(UsageField::CachedInput));
            stated.put(usage, "total_cache_write_tokens", Figure::Usage(UsageField::CacheWrite));
            stated.put(usage, "total_reasoning_tokens", Figure::Usage(UsageField::Reasoning));
        });
    }
    stated.within(map, "timing_metrics", |stated, timing| {
        stated.put(timing, "mean_total_seconds", Figure::MeanSecs);
        stated.put(timing, "mean_target_seconds", Figure::MeanTargetSecs);
        stated.put(timing, "mean_extraction_seconds", Figure::MeanExtractionSecs);
        stated.put(timing, "p50_total_seconds", Figure::P50Secs);
        stated.put(timing, "p95_total_seconds", Figure::P95Secs);
        stated.each(timing, "per_grader_mean_seconds", 1.0, Figure::MetricSecs);
    });
    stated.within(map, "error_summary", errors);
}

/// An error summary of any generation.
pub fn errors(stated: &mut ObjectFigures<'_>, errors: &Map<String, Value>) {
    stated.put(errors, "total_errors", Figure::Errors);
    stated.each(errors, "by_category", 1.0, Figure::ErrorsByCategory);
    stated.each(errors, "by_exception_type", 1.0, Figure::ErrorsByType);
    if let Some(Value::Array(ids)) = errors.get("failed_sample_ids") {
        let text = |id: &Value| id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        let ids = DeclaredValue::Text(id_list(ids.iter().map(text).collect()));
        stated.push("failed_sample_ids", Figure::FailedIds, ids, 1.0);
    }
}

/// The figures of one metric.
fn metric(
    stated: &mut ObjectFigures<'_>,
    map: &Map<String, Value>,
    name: &str,
    generation: Generation,
) {
    let name = name.to_owned();
    stated.put(map, "avg_score", Figure::MetricMeanAttempted(name.clone()));
    stated.put(map, "avg_score_attempted", Figure::MetricMeanAttempted(name.clone()));
    stated.put(map, "avg_score_total", Figure::MetricMeanTotal(name.clone()));
    stated.put_percent(map, "pass_rate", pass_rate(name.clone(), generation));
    stated.put(map, "passed_attempts", Figure::MetricPassed(name.clone()));
    stated.put(map, "failed_attempts", Figure::MetricFailed(name));
}

/// What a generation means by a metric's pass rate: from 0.7 on it is the mean.
fn pass_rate(name: String, generation: Generation) -> Figure {
    if generation.counts_passed() {
        Figure::MetricPassRate(name)
    } else {
        Figure::MetricMeanAttempted(name)
    }
}

/// The figures of `aggregate_stats.json` or `run_statistics`, which stand at `prefix`.
pub fn aggregate(
    stated: &mut ObjectFigures<'_>,
    prefix: &str,
    stats: &Map<String, Value>,
    generation: Generation,
) {
    let mut stated = stated.about(Scope::Evaluation, prefix.to_owned());
    stated.put(stats, "num_runs", Figure::Repeats);
    stated.put(stats, "runs_passed", Figure::RepeatsPassed);
    stated.put(stats, "runs_failed", Figure::RepeatsFailed);
    stated.put_percent(stats, "pass_rate", Figure::RepeatsPassRate);
    for (name, figure) in
        [("avg_score_attempted", Figure::MeanAttempted), ("avg_score_total", Figure::MeanTotal)]
    {
        stated.put(stats, &format!("mean_{name}"), mean(figure.clone()));
        stated.put(stats, &format!("std_{name}"), std(figure.clone()));
        spread(&mut stated, stats, name, &figure, 1.0);
    }
    stated.each(stats, "mean_scores", 1.0, |name| mean(Figure::MetricMeanAttempted(name)));
    stated.each(stats, "std_scores", 1.0, |name| std(Figure::MetricMeanAttempted(name)));
    stated.within(stats, "per_metric", |stated, metrics| {
        for name in metrics.keys() {
            stated.within(metrics, name, |stated, one| {
                let figures = [
                    ("avg_score_attempted", Figure::MetricMeanAttempted(name.clone()), 1.0),
                    ("avg_score_total", Figure::MetricMeanTotal(name.clone()), 1.0),
                    ("pass_rate", pass_rate(name.clone(), generation), PERCENT),
                ];
                for (key, figure, scale) in figures {
                    spread(stated, one, key, &figure, scale);
                }
            });
        }
    });
    let Some(Value::Array(runs)) = stats.get("individual_run_metrics") else { return };
    for (number, run) in (1..).zip(runs) {
        if let Some(run) = run.as_object() {
            let prefix = format!("{prefix}individual_run_metrics[{}].", number - 1);
            metrics(&mut stated, number, &prefix, run, generation);
        }
    }
}

/// An object with mean, std, min and max.
fn spread(
    stated: &mut ObjectFigures<'_>,
    map: &Map<String, Value>,
    key: &str,
    figure: &Figure,
    scale: f64,
) {
    stated.within(map, key, |stated, map| {
        stated.put_scaled(map, "mean", mean(figure.clone()), scale);
        stated.put_scaled(map, "std", std(figure.clone()), scale);
        stated.put_scaled(map, "min", Figure::MinOverRepeats(Box::new(figure.clone())), scale);
        stated.put_scaled(map, "max", Figure::MaxOverRepeats(Box::new(figure.clone())), scale);
    });
}

/// The mean over repeats of a figure.
pub fn mean(figure: Figure) -> Figure {
    Figure::MeanOverRepeats(Box::new(figure))
}

/// The deviation over repeats of a figure.
pub fn std(figure: Figure) -> Figure {
    Figure::StdOverRepeats(Box::new(figure))
}
