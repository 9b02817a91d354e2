//! What the aggregate states, beside what its samples give.
//!
//! The schema says what a score is, not how it is made. Where all samples of a result are there, the formulas of
//! plain metrics (mean, accuracy, standard deviation, variance, standard error) are tried; a score that is made
//! otherwise is explained, not accused.

use super::AGGREGATE;
use super::line::SampleLine;
use crate::model::{Better, Declared, Figure, Run, Scope, Unchecked};
use crate::readers::Bundle;
use crate::readers::formula::{mean, standard_error};
use crate::readers::record_value::{items, number, text};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};
use crate::stats;
use serde_json::Value;
use std::collections::HashMap;

const NO_FORMULA: &str = "the schema does not say how this metric is made of the samples";
const FEWER: &str = "not all samples that it counts are among the files";

/// Ids of the aggregate's results, in file order.
pub(super) fn results(aggregate: &Value) -> Vec<String> {
    let own = items(aggregate, "evaluation_results").iter();
    own.filter_map(|one| text(one, "evaluation_result_id")).map(str::to_owned).collect()
}

/// Which way the result `id` of the aggregate is better: `lower_is_better`, which the schema knows as yes or no alone.
/// `None`: it is not stated, or `polarity` says that the word means nothing (`unknown`, `not_applicable`).
pub(super) fn better(aggregate: &Value, id: &str) -> Option<Better> {
    let mut all = items(aggregate, "evaluation_results").iter();
    let own = all.find(|one| text(one, "evaluation_result_id") == Some(id))?;
    let config = own.get("metric_config")?;
    let polarity = config.pointer("/additional_details/polarity").and_then(Value::as_str);
    let is_said = !matches!(polarity, Some("unknown" | "not_applicable"));
    let is_lower = config.get("lower_is_better").and_then(Value::as_bool).filter(|_| is_said);
    is_lower.map(|is_lower| Better::if_higher(!is_lower))
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
    aggregate: &Value,
    lines: &[SampleLine],
    runs: &[Run],
    model: &Option<String>,
) -> (Vec<Declared>, Vec<Unchecked>) {
    let path = bundle.of_role(AGGREGATE).next().map_or("", |claimed| claimed.file.path.as_str());
    let mut stated = DeclaredFigures::in_file(path);
    let mut unchecked: HashMap<String, &'static str> = HashMap::new();
    for (at, result) in items(aggregate, "evaluation_results").iter().enumerate() {
        let id = text(result, "evaluation_result_id");
        let name = text(result, "evaluation_name").unwrap_or_default();
        let config = result.get("metric_config").unwrap_or(&Value::Null);
        let metric = text(config, "metric_name").or_else(|| text(config, "metric_id"));
        let metric = metric.unwrap_or_default();
        let details = result.get("score_details").unwrap_or(&Value::Null);
        let uncertainty = details.get("uncertainty").unwrap_or(&Value::Null);
        let field = |below: &str| format!("evaluation_results[{at}].score_details.{below}");
        let own = lines.iter().filter(|line| line.name == name && line.result.as_deref() == id);
        let values: Vec<f64> = own.filter_map(|line| line.score).collect();
        let is_run = |run: &Run| run.key.suite.as_deref() == Some(name);
        let scope = runs.iter().position(is_run).map(Scope::Run);
        let Some(scope) = scope.filter(|_| !values.is_empty()) else {
            let subject =
                model.as_ref().map_or(name.to_owned(), |model| format!("{model} · {name}"));
            let scope = Scope::Subject { repeat: 1, subject };
            let figure = Figure::MetricMeanTotal(id.unwrap_or(metric).to_owned());
            stated.figure(&scope, field("score"), details.get("score"), figure);
            continue;
        };
        let n = values.len();
        let n_stated = number(uncertainty, "num_samples");
        #[expect(clippy::cast_precision_loss, reason = "counts of samples stay far below 2^53")]
        let is_whole = n_stated.is_none_or(|stated| stated == n as f64);
        let over = |what: &str| format!("{what} of {} over {n} samples", id.unwrap_or(metric));
        stated.count(
            &scope,
            field("uncertainty.num_samples"),
            uncertainty.get("num_samples"),
            n,
            over("number of scores"),
        );
        if !is_whole {
            stated.known(FEWER, None);
        }
        let is_mean = is_a_mean(metric);
        match formula(metric, &values).filter(|_| is_whole) {
            Some(own) => {
                let unit = text(config, "metric_unit").unwrap_or_default();
                let scale = if unit.starts_with("percent") { 100.0 } else { 1.0 };
                let own = if is_mean { own * scale } else { own };
                stated.number(
                    &scope,
                    field("score"),
                    details.get("score"),
                    Some(own),
                    over(metric),
                );
            }
            None => {
                unchecked.insert(field("score"), if is_whole { NO_FORMULA } else { FEWER });
            }
        }
        let error = ["uncertainty.standard_error.value", "uncertainty.standard_error"];
        let pointers = ["/standard_error/value", "/standard_error"];
        let error = error.iter().zip(pointers).find_map(|(field, pointer)| {
            let value = uncertainty.pointer(pointer).filter(|value| value.is_number())?;
            Some((*field, value, standard_error(&values)))
        });
        let deviation = uncertainty.get("standard_deviation").filter(|value| value.is_number());
        let deviation =
            deviation.map(|value| ("uncertainty.standard_deviation", value, stats::stdev(&values)));
        for (below, value, own) in error.into_iter().chain(deviation) {
            let is_analytic = uncertainty
                .pointer("/standard_error/method")
                .and_then(Value::as_str)
                .is_none_or(|method| method == "analytic");
            if own.is_some() && is_mean && is_whole && is_analytic {
                let what = below.trim_start_matches("uncertainty.").trim_end_matches(".value");
                stated.number(
                    &scope,
                    field(below),
                    Some(value),
                    own,
                    over(&what.replace('_', " ")),
                );
            } else {
                unchecked.insert(field(below), if is_whole { NO_FORMULA } else { FEWER });
            }
        }
    }
    let mut claims = Claims::default();
    for (at, _) in items(aggregate, "evaluation_results").iter().enumerate() {
        let below = format!("evaluation_results[{at}].score_details.");
        let Some(details) = aggregate.pointer(&format!("/evaluation_results/{at}/score_details"))
        else {
            continue;
        };
        claims.walk(stated.file(), details, &below, stated.declared(), &|path| match unchecked
            .get(&format!("{below}{path}"))
        {
            Some(why) => Part::Unchecked(why),
            None => Part::Open,
        });
    }
    (stated.into_vec(), claims.into_vec())
}

fn is_a_mean(metric: &str) -> bool {
    matches!(metric, "mean" | "accuracy" | "acc" | "exact_match" | "pass_rate" | "pass@1")
}

/// A plain metric of `values`; `None` where the name stands for no formula.
fn formula(metric: &str, values: &[f64]) -> Option<f64> {
    match metric {
        name if is_a_mean(name) => mean(values),
        "std" | "stddev" => stats::stdev(values),
        "var" | "variance" => stats::stdev(values).map(|stdev| stdev * stdev),
        "stderr" => standard_error(values),
        _ => None,
    }
}
