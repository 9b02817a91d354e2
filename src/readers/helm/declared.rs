//! What `stats.json` states, beside what the instances give.
//!
//! Source: `helm.benchmark.metrics.metric.Metric.evaluate`, `helm.benchmark.metrics.statistic.Stat`: the means of
//! the instances make one mean for each train trial, and these make the stat, so that its `count` is the
//! number of trials. Of a trial, `compute_perplexity_metrics` makes three more.

use super::STATS;
use super::instance::HelmInstance;
use crate::input::{Error as InputError, ErrorKind, Record};
use crate::model::{Declared, Scope, Unchecked};
use crate::readers::records::records;
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};
use crate::readers::{Bundle, Context, Error};
use serde_json::Value;
use std::collections::BTreeMap;

const PERTURBED: &str = "made over the perturbed variants of each instance";
const NOT_THERE: &str = "no instance holds this stat";

/// Every figure of the stats, and what cannot be checked.
pub(super) async fn of(
    bundle: &Bundle,
    instances: &[HelmInstance],
    cx: &Context<'_>,
) -> Result<(Vec<Declared>, Vec<Unchecked>), Error> {
    let Some(claimed) = bundle.of_role(STATS).next() else { return Ok((Vec::new(), Vec::new())) };
    let mut stated = DeclaredFigures::in_file(&claimed.file.path);
    let mut claims = Claims::default();
    let is_perturbed = instances.iter().any(|one| !one.key.is_plain());
    let mut take = |record: Record<'_>| {
        let stat = record.read(|cursor| cursor.tree())?;
        if !stat.pointer("/name/name").is_some_and(Value::is_string) {
            return Err(InputError::new(ErrorKind::Format("a stat has no name"), 0));
        }
        let text =
            |pointer: &str| stat.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let (name, split) = (text("/name/name"), text("/name/split"));
        let under = stat.pointer("/name/perturbation").filter(|one| !one.is_null());
        let variant = under.map(|one| {
            let part = |key: &str| one.get(key).and_then(Value::as_str).unwrap_or_default();
            format!(", {} {}", part("name"), part("computed_on"))
        });
        let field =
            |key: &str| format!("[{name}, {split}{}].{key}", variant.as_deref().unwrap_or(""));
        let own = of_trials(name, split, instances);
        let why = match (under.is_some() && is_perturbed, own.is_empty()) {
            (true, _) => Some(PERTURBED),
            (false, true) => Some(NOT_THERE),
            (false, false) => None,
        };
        let is_empty = stat.get("count").and_then(Value::as_f64) == Some(0.0);
        if let Some(why) = why {
            // A stat of nothing says nothing but that.
            if !is_empty {
                let list = Value::Array(vec![stat]);
                claims.walk(stated.file(), &list, "", &[], &|path| match path {
                    "" | "[]" => Part::Open,
                    "[].name" => Part::Other,
                    _ => Part::Unchecked(why),
                });
            }
            return Ok(());
        }
        let n_trials = own.len();
        let at = |what: &str| format!("{what} of {name} over {n_trials} train trials");
        let figures = StatFigures::of(&own);
        let scope = Scope::Run(0);
        stated.count(&scope, field("count"), stat.get("count"), n_trials, at("number"));
        for (key, value) in [
            ("mean", figures.mean),
            ("sum", figures.sum),
            ("sum_squared", figures.sum_squared),
            ("min", figures.min),
            ("max", figures.max),
            ("variance", figures.variance),
            ("stddev", figures.variance.sqrt()),
        ] {
            stated.number(&scope, field(key), stat.get(key), Some(value), at(key));
        }
        Ok(())
    };
    records(claimed, "stat", cx, &mut take).await?;
    Ok((stated.into_vec(), claims.into_vec()))
}

/// The stat of each train trial.
fn of_trials(name: &str, split: &str, instances: &[HelmInstance]) -> Vec<f64> {
    let mut trials: BTreeMap<u64, Vec<&HelmInstance>> = BTreeMap::new();
    let own = instances.iter().filter(|one| one.key.is_plain());
    for one in own.filter(|one| one.split.as_deref().is_none_or(|own| own == split)) {
        trials.entry(one.key.trial).or_default().push(one);
    }
    let of_trial = |trial: &Vec<&HelmInstance>| {
        let values =
            |name: &str| -> Vec<f64> { trial.iter().filter_map(|one| one.mean(name)).collect() };
        let total = |name: &str| {
            let values = values(name);
            (!values.is_empty()).then(|| values.iter().sum::<f64>())
        };
        let likelihood = || total("logprob");
        #[expect(clippy::cast_precision_loss, reason = "counts of instances stay far below 2^53")]
        let value = match name {
            "num_instances" => Some(trial.len() as f64),
            "perplexity" => Some((-likelihood()? / total("num_perplexity_tokens")?).exp()),
            "bits_per_byte" => Some(-likelihood()? / total("num_bytes")? / std::f64::consts::LN_2),
            "logprob_per_byte" => Some(likelihood()? / total("num_bytes")?),
            _ => {
                let values = values(name);
                total(name).map(|total| total / values.len() as f64)
            }
        };
        value.filter(|value| value.is_finite())
    };
    trials.values().filter_map(of_trial).collect()
}

/// What a stat of several values says.
struct StatFigures {
    mean: f64,
    sum: f64,
    sum_squared: f64,
    min: f64,
    max: f64,
    variance: f64,
}

impl StatFigures {
    fn of(values: &[f64]) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "counts of trials stay far below 2^53")]
        let n = values.len() as f64;
        let sum: f64 = values.iter().sum();
        let sum_squared: f64 = values.iter().map(|value| value * value).sum();
        let mean = sum / n;
        // As HELM does it, in two squares; what falls below 0 by rounding is 0.
        let variance =
            if values.len() < 2 { 0.0 } else { (sum_squared / n - mean * mean).max(0.0) };
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { mean, sum, sum_squared, min, max, variance }
    }
}
