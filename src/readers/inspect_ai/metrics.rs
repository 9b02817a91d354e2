//! The tool's metrics over the scores of samples, epochs reduced.
//!
//! Formulas of `inspect_ai.scorer._metrics`. Sums are compensated; the tool adds from left to right or in
//! pairs, which differs in the last digits only.

use super::value::Score;
use crate::stats;
use serde_json::Value;
use std::collections::HashMap;

/// One sample after its epochs were reduced, as far as metrics look at it.
#[derive(Debug, Clone)]
pub(super) struct Reduced<'a> {
    /// Its score.
    pub score: Score,
    /// Its metadata, of the first epoch.
    pub metadata: &'a Value,
    /// The metadata of its score, of the first epoch.
    pub score_metadata: &'a Value,
}

/// What a metric gives.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum MetricValue {
    /// One number.
    One(f64),
    /// Several, by name.
    Several(Vec<(String, f64)>),
    /// Nothing that could be compared, and why.
    Unknown(&'static str),
}

const OWN: &str = "a metric that is not among the tool's own: its formula is in the user's code";
const MONTE_CARLO: &str = "drawn at random without a seed (bootstrap): it cannot be computed again";
const NO_METADATA: &str = "the samples do not hold the metadata that it is computed from";

/// What the metric `name` with its `params` gives for `samples`, of which each is scored.
pub(super) fn measure(name: &str, params: &Value, samples: &[Reduced<'_>]) -> MetricValue {
    let values: Vec<f64> = samples.iter().map(|sample| sample.score.to_number()).collect();
    let cluster = params.get("cluster").and_then(Value::as_str);
    let level = params.get("level").and_then(Value::as_f64).unwrap_or(0.95);
    let clusters = || match cluster {
        Some(key) => partition(samples, &values, key).map(Some).ok_or(NO_METADATA),
        None => Ok(None),
    };
    match name {
        "accuracy" | "mean" => MetricValue::One(mean(&values)),
        "std" => MetricValue::One(variance(&values).sqrt()),
        "var" => MetricValue::One(variance(&values)),
        "stderr" => match clusters() {
            Ok(Some(parts)) => MetricValue::One(clustered_error(&parts)),
            Ok(None) => MetricValue::One(standard_error(&values)),
            Err(why) => MetricValue::Unknown(why),
        },
        "ci" if params.get("method").and_then(Value::as_str) == Some("bootstrap") => {
            MetricValue::Unknown(MONTE_CARLO)
        }
        "ci" => match clusters() {
            Ok(parts) => bounds(t_interval(&values, parts.as_deref(), level)),
            Err(why) => MetricValue::Unknown(why),
        },
        "ci_wilson" => match clusters() {
            Ok(parts) => bounds(wilson(&values, parts.as_deref(), level)),
            Err(why) => MetricValue::Unknown(why),
        },
        "grouped" => grouped(params, samples),
        "perplexity_per_token" | "perplexity_per_seq" => perplexity(name, samples),
        "bootstrap_stderr" | "bootstrap_std" => MetricValue::Unknown(MONTE_CARLO),
        _ => MetricValue::Unknown(OWN),
    }
}

fn bounds(interval: Option<(f64, f64)>) -> MetricValue {
    match interval {
        Some((lower, upper)) => {
            MetricValue::Several(vec![("lower".to_owned(), lower), ("upper".to_owned(), upper)])
        }
        None => MetricValue::Unknown("the parameters of this interval are out of range"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of samples stay far below 2^53")]
fn count(n: usize) -> f64 {
    n as f64
}

fn mean(values: &[f64]) -> f64 {
    stats::mean(values.iter().copied()).unwrap_or(f64::NAN)
}

/// With n − 1; 0 of fewer than two.
fn variance(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return if values.is_empty() { f64::NAN } else { 0.0 };
    }
    let centre = mean(values);
    let squares = values.iter().map(|value| (value - centre) * (value - centre));
    stats::sum(squares) / count(values.len() - 1)
}

fn standard_error(values: &[f64]) -> f64 {
    variance(values).sqrt() / count(values.len()).sqrt()
}

/// `values` by the member `key` of their samples' metadata; `None` where a sample has none.
fn partition(samples: &[Reduced<'_>], values: &[f64], key: &str) -> Option<Vec<Vec<f64>>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut parts: Vec<Vec<f64>> = Vec::new();
    for (sample, value) in samples.iter().zip(values) {
        let name = sample.metadata.get(key).filter(|name| !name.is_null())?;
        let place = *places.entry(name.to_string()).or_insert(parts.len());
        match parts.get_mut(place) {
            Some(part) => part.push(*value),
            None => parts.push(vec![*value]),
        }
    }
    Some(parts)
}

/// √(Σ of squared sums of deviations by cluster · C/(C − 1)) / n; 0 of fewer than two clusters.
fn clustered_error(parts: &[Vec<f64>]) -> f64 {
    let all: Vec<f64> = parts.iter().flatten().copied().collect();
    if all.is_empty() {
        return f64::NAN;
    }
    if parts.len() < 2 {
        return 0.0;
    }
    let centre = mean(&all);
    let squares: f64 =
        parts.iter().map(|part| part.iter().map(|value| value - centre).sum::<f64>().powi(2)).sum();
    (squares * count(parts.len()) / count(parts.len() - 1)).sqrt() / count(all.len())
}

fn t_interval(values: &[f64], parts: Option<&[Vec<f64>]>, level: f64) -> Option<(f64, f64)> {
    if values.len() < 2 {
        let point = values.first().copied().unwrap_or(0.0);
        return Some((point, point));
    }
    let (error, degrees) = match parts {
        Some(parts) => (clustered_error(parts), parts.len().saturating_sub(1).max(1)),
        None => (standard_error(values), values.len() - 1),
    };
    let half = stats::t_quantile_of(level, u32::try_from(degrees).ok()?)? * error;
    let centre = mean(values);
    Some((centre - half, centre + half))
}

/// Wilson's interval; over clusters with the effective number of samples of Korn and Graubard.
fn wilson(values: &[f64], parts: Option<&[Vec<f64>]>, level: f64) -> Option<(f64, f64)> {
    if values.is_empty() {
        return Some((0.0, 0.0));
    }
    let mut n = count(values.len());
    let share = values.iter().sum::<f64>() / n;
    let critical = match parts {
        None => stats::two_sided_quantile(level)?,
        Some(parts) => {
            let own = clustered_error(parts).powi(2);
            let spread = share * (1.0 - share);
            if spread > 0.0 && own > 0.0 {
                n = n.min(spread / own);
            }
            let degrees = u32::try_from(parts.len().checked_sub(1)?).ok()?;
            stats::t_quantile_of(level, degrees)?
        }
    };
    let square = critical * critical;
    let denominator = 1.0 + square / n;
    let centre = (share + square / (2.0 * n)) / denominator;
    let inner = share * (1.0 - share) / n + square / (4.0 * n * n);
    let half = critical * inner.sqrt() / denominator;
    Some(((centre - half).max(0.0), (centre + half).min(1.0)))
}

/// Another metric for each group of samples, and for all together.
fn grouped(params: &Value, samples: &[Reduced<'_>]) -> MetricValue {
    let text = |key: &str| params.get(key).and_then(Value::as_str);
    let (Some(key), Some(inner)) = (text("group_key"), params.get("metric")) else {
        return MetricValue::Unknown("the log does not say what is grouped by what");
    };
    let nothing = Value::Null;
    let name = inner.get("name").and_then(Value::as_str).or(inner.as_str()).unwrap_or_default();
    let own_params = inner.get("params").unwrap_or(&nothing);
    let one = |samples: &[Reduced<'_>]| match measure(unqualified(name), own_params, samples) {
        MetricValue::One(number) => Ok(number),
        MetricValue::Several(_) => Err(OWN),
        MetricValue::Unknown(why) => Err(why),
    };
    let label = text("all_label").unwrap_or("all");
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<(String, Vec<Reduced<'_>>)> = Vec::new();
    for sample in samples {
        let Some(group) = sample.metadata.get(key) else {
            return MetricValue::Unknown(NO_METADATA);
        };
        let group = python_text(group);
        let place = *places.entry(group.clone()).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, own)) => own.push(sample.clone()),
            None => groups.push((group, vec![sample.clone()])),
        }
    }
    let template = text("name_template").unwrap_or("{group_name}");
    let mut all = Vec::new();
    for (group, own) in &groups {
        match one(own) {
            Ok(number) => all.push((template.replace("{group_name}", group), number)),
            Err(why) => return MetricValue::Unknown(why),
        }
    }
    let over_all = match params.get("all") {
        Some(Value::Bool(false)) => None,
        _ if samples.is_empty() => Some(Ok(f64::NAN)),
        Some(Value::String(word)) if word == "groups" => {
            Some(Ok(mean(&all.iter().map(|(_, number)| *number).collect::<Vec<f64>>())))
        }
        _ => Some(one(samples)),
    };
    match over_all {
        Some(Ok(number)) => all.push((label.to_owned(), number)),
        Some(Err(why)) => return MetricValue::Unknown(why),
        None => {}
    }
    MetricValue::Several(all)
}

/// `str()` of a plain value, by which groups are named.
pub(super) fn python_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Null => "None".to_owned(),
        other => other.to_string(),
    }
}

/// A name without its package: `inspect_ai/accuracy`.
pub(super) fn unqualified(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn perplexity(name: &str, samples: &[Reduced<'_>]) -> MetricValue {
    let mut pairs = Vec::new();
    for sample in samples {
        let number = |key: &str| sample.score_metadata.get(key).and_then(Value::as_f64);
        let (Some(n_tokens), Some(log_probs)) = (number("num_tokens"), number("sum_log_probs"))
        else {
            return MetricValue::Unknown(NO_METADATA);
        };
        pairs.push((n_tokens, log_probs));
    }
    let n_tokens: f64 = pairs.iter().map(|(n, _)| n).sum();
    if n_tokens == 0.0 {
        return MetricValue::One(f64::NAN);
    }
    MetricValue::One(if name == "perplexity_per_token" {
        libm::exp(-pairs.iter().map(|(_, log_probs)| log_probs).sum::<f64>() / n_tokens)
    } else {
        let each: Vec<f64> =
            pairs.iter().filter(|(n, _)| *n > 0.0).map(|(n, log_probs)| -log_probs / n).collect();
        libm::exp(mean(&each))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn measured(name: &str, params: &Value, values: &[f64], topics: &[&str]) -> MetricValue {
        let metadata: Vec<Value> = topics.iter().map(|topic| json!({ "topic": topic })).collect();
        let nothing = Value::Null;
        let samples: Vec<Reduced<'_>> = values
            .iter()
            .enumerate()
            .map(|(at, value)| Reduced {
                score: Score::Number(*value),
                metadata: metadata.get(at).unwrap_or(&nothing),
                score_metadata: &nothing,
            })
            .collect();
        measure(name, params, &samples)
    }

    fn close(found: MetricValue, expected: f64) {
        assert!(
            matches!(found, MetricValue::One(number) if (number - expected).abs() < 1e-15),
            "{found:?}"
        );
    }

    #[test]
    fn metrics_are_computed_as_the_tool_does() {
        let values = [1.0, 0.5, 0.0, 1.0];
        let none = Value::Null;
        close(measured("accuracy", &none, &values, &[]), 0.625);
        close(measured("var", &none, &values, &[]), 0.229_166_666_666_666_66);
        close(measured("stderr", &none, &values, &[]), 0.239_356_776_939_084_55);
        close(measured("stderr", &none, &[1.0], &[]), 0.0);
        assert!(
            matches!(measured("mean", &none, &[], &[]), MetricValue::One(none) if none.is_nan())
        );
        assert_eq!(
            measured("bootstrap_stderr", &none, &values, &[]),
            MetricValue::Unknown(MONTE_CARLO)
        );
        assert_eq!(measured("mine", &none, &values, &[]), MetricValue::Unknown(OWN));
    }

    #[test]
    fn clusters_need_their_metadata() {
        let params = json!({"cluster": "topic"});
        let values = [1.0, 0.0, 1.0, 1.0];
        close(measured("stderr", &params, &values, &["a", "a", "b", "b"]), 0.25);
        close(measured("stderr", &params, &values, &["a"; 4]), 0.0);
        assert_eq!(measured("stderr", &params, &values, &["a"]), MetricValue::Unknown(NO_METADATA));
    }
}
