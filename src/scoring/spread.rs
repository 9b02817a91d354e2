//! Spread of a figure over repeats.

use super::totals::Totals;
use crate::model::Num;
use crate::order::ordered;
use crate::stats;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One figure over repeats.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SpreadStat {
    /// Exact mean.
    pub mean: Option<Num>,
    /// Sample standard deviation; 0 of a single value, as letta-evals has it.
    pub std: Option<Num>,
    /// Smallest.
    pub min: Option<Num>,
    /// Largest.
    pub max: Option<Num>,
    /// 95 % t interval of the mean.
    pub ci95: Option<[Num; 2]>,
    /// `mean ± 1.96·s/√n`, the interval of letta-evals' guide.
    pub normal95: Option<[Num; 2]>,
}

/// The figures of several repeats together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Of the mean over attempted cases.
    pub score: SpreadStat,
    /// Of the mean over all cases.
    pub score_total: SpreadStat,
    /// Of the reward; `None` when the format has none.
    pub reward: Option<SpreadStat>,
    /// Of the mean under rules that count some cases otherwise than the producer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub under_rules: Option<SpreadStat>,
    /// Of each metric's mean over attempted cases.
    pub metrics: BTreeMap<String, SpreadStat>,
}

/// The spread of the figures of `repeats`.
pub fn spread(repeats: &[&Totals]) -> Spread {
    let of = |get: &dyn Fn(&Totals) -> Option<Num>| {
        let values: Vec<f64> =
            repeats.iter().filter_map(|totals| get(totals)).map(|n| n.0).collect();
        stat(&values)
    };
    let names = repeats.iter().flat_map(|totals| totals.metrics.iter().map(|m| m.name.clone()));
    let names: BTreeSet<String> = ordered(names);
    let metrics = ordered(names.into_iter().map(|name| {
        let stat =
            of(&|totals| totals.metrics.iter().find(|metric| metric.name == name)?.mean_attempted);
        (name, stat)
    }));
    let has_rules = repeats.iter().any(|totals| totals.score.under_rules.is_some());
    let has_reward = repeats.iter().any(|totals| totals.reward.is_some());
    Spread {
        score: of(&|totals| totals.score.mean_attempted),
        score_total: of(&|totals| totals.score.mean_total),
        reward: has_reward.then(|| of(&|totals| totals.reward)),
        under_rules: has_rules
            .then(|| of(&|totals| totals.score.under_rules.as_ref().and_then(|found| found.mean))),
        metrics,
    }
}

/// Mean, deviation, ends and interval of `values`.
fn stat(values: &[f64]) -> SpreadStat {
    let single = (values.len() == 1).then_some(0.0);
    SpreadStat {
        mean: stats::exact_mean(values).map(Num),
        std: stats::exact_stdev(values).or(single).map(Num),
        min: values.iter().copied().min_by(f64::total_cmp).map(Num),
        max: values.iter().copied().max_by(f64::total_cmp).map(Num),
        ci95: stats::mean_interval(values).map(|ci| [Num(ci.low), Num(ci.high)]),
        normal95: stats::normal_interval(values).map(|ci| [Num(ci.low), Num(ci.high)]),
    }
}
