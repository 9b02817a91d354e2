//! All figures over a set of cases: what they are; [`totals`] computes them.

mod compute;
mod metrics;
mod side;

pub use compute::{DeclaredTotals, totals};

use crate::model::Num;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All figures over a set of cases. Rates are 0–1; `None` is unknown or undefined, never 0. Every field is always written, so
/// that figures can travel without names; exports leave out what there is not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Numbers of cases.
    pub counts: Counts,
    /// Scores.
    pub score: ScoreTotals,
    /// Mean reward over cases without error that have one. `None`: the format has no rewards.
    pub reward: Option<Num>,
    /// Figures by metric, in display order.
    pub metrics: Vec<MetricTotals>,
    /// Tokens and cost. `None`: no case says anything about it.
    pub usage: Option<UsageTotals>,
    /// Durations. `None`: no case says anything about it.
    pub timing: Option<TimingTotals>,
    /// Errors.
    pub errors: ErrorTotals,
}

/// Numbers of cases. Each case is in exactly one of passed, failed, error, skipped, scored, unscored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All.
    pub total: u64,
    /// Attempted: completed without error, by the generation's own definition.
    pub attempted: u64,
    /// Met their rule. `None`: no rule says what passes.
    pub passed: Option<u64>,
    /// Judged and did not meet it. `None`: no rule says what passes.
    pub failed: Option<u64>,
    /// Could not be judged.
    pub error: u64,
    /// Not run.
    pub skipped: u64,
    /// With a score, and without a rule that says what passes.
    pub scored: u64,
    /// Judged, but without a score.
    pub unscored: u64,
    /// Of all, those that the rules in force leave out of every rate.
    pub left_out: u64,
}

impl Counts {
    /// Cases that rates are over: all except those left out.
    pub fn counted(&self) -> u64 {
        self.total.saturating_sub(self.left_out)
    }

    /// Cases that pass, and of how many. `None`: no rule says what passes.
    pub fn passing(&self) -> Option<(u64, u64)> {
        self.passed.map(|passed| (passed, self.counted()))
    }

    /// The same over several sets: over those with a rule. `None`: none has one.
    pub fn passing_of<'a>(sets: impl IntoIterator<Item = &'a Self>) -> Option<(u64, u64)> {
        let known = sets.into_iter().filter_map(Self::passing);
        known.reduce(|sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Whether some case passed or failed.
    pub fn is_judged(&self) -> bool {
        self.passed.unwrap_or(0) + self.failed.unwrap_or(0) > 0
    }
}

/// Scores over a set of cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreTotals {
    /// Mean of the primary scores over attempted cases, by the generation's definition.
    pub mean_attempted: Option<Num>,
    /// The same sum over all cases: what has no score counts as 0.
    pub mean_total: Option<Num>,
    /// Mean of the group scores. `None`: no groups with a score.
    pub mean_of_groups: Option<Num>,
    /// Mean of the group scores weighted by group.
    pub weighted: Option<Num>,
    /// 95 % t interval of the scores that `mean_attempted` covers.
    pub ci95: Option<[Num; 2]>,
    /// Number of these scores.
    pub n: u64,
    /// Mean, interval and number of scores under rules that count errors, skipped or unscored cases
    /// differently from the producer; of rewards where there are any.
    pub under_rules: Option<MeanUnderRules>,
}

/// A mean under rules that the user has changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MeanUnderRules {
    /// Mean.
    pub mean: Option<Num>,
    /// 95 % t interval.
    pub ci95: Option<[Num; 2]>,
    /// Number of scores.
    pub n: u64,
}

/// Figures of one metric.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MetricTotals {
    /// Key.
    pub name: String,
    /// Label for display.
    pub label: String,
    /// Number of scores that `mean_attempted` covers.
    pub n: u64,
    /// Mean over attempted cases.
    pub mean_attempted: Option<Num>,
    /// Mean over cases that are attempted and have a score, also where the generation averages over
    /// others.
    #[serde(skip)]
    pub mean_of_attempted: Option<Num>,
    /// Mean over all cases.
    pub mean_total: Option<Num>,
    /// Attempted cases that pass by this metric; `None` where the generation has no such rule.
    pub passed: Option<u64>,
    /// Attempted cases that do not.
    pub failed: Option<u64>,
    /// Share that passes; from letta-evals 0.7 on the mean itself. `None`: no rule says what passes.
    pub pass_rate: Option<Num>,
    /// 95 % interval: Wilson's of the pass rate where cases pass by this metric, else the t interval of
    /// `mean_attempted`.
    pub ci95: Option<[Num; 2]>,
}

/// Tokens and cost; sums over the cases that say.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UsageTotals {
    /// Tokens read.
    pub prompt_tokens: Option<Num>,
    /// Tokens written.
    pub completion_tokens: Option<Num>,
    /// Tokens read from a cache.
    pub cached_input_tokens: Option<Num>,
    /// Tokens written to a cache.
    pub cache_write_tokens: Option<Num>,
    /// Tokens of reasoning.
    pub reasoning_tokens: Option<Num>,
    /// US dollars.
    pub cost_usd: Option<Num>,
    /// Steps that the subject took, where runs say.
    pub steps: Option<Num>,
    /// Cases with tokens but without a price: above 0, `cost_usd` is a lower bound.
    pub cost_missing: u64,
}

/// Durations in seconds, over the cases that say.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TimingTotals {
    /// Mean of the whole.
    pub mean_secs: Option<Num>,
    /// Mean of the target's part.
    pub mean_target_secs: Option<Num>,
    /// Mean of extraction.
    pub mean_extraction_secs: Option<Num>,
    /// `sorted[n // 2]`.
    pub p50_secs: Option<Num>,
    /// `sorted[min(⌊0.95·n⌋, n − 1)]`.
    pub p95_secs: Option<Num>,
    /// Seconds that the subject worked, over the runs that say.
    pub agent_secs: Option<Num>,
    /// Seconds that the tests took, over the runs that say; only where they are another measure than
    /// the time of the run (slop-code).
    pub test_secs: Option<Num>,
    /// Mean of each metric's judging.
    pub per_metric_mean_secs: BTreeMap<String, Num>,
    /// Of single responses, where a case has several (REBEL): a case's own time is their sum.
    pub responses: Option<ResponseTimes>,
}

/// Seconds that single responses took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResponseTimes {
    /// Number of responses with a time.
    pub n: u64,
    /// Mean.
    pub mean_secs: Num,
    /// `sorted[n // 2]`.
    pub p50_secs: Num,
    /// `sorted[min(⌊0.95·n⌋, n − 1)]`.
    pub p95_secs: Num,
    /// Slowest.
    pub max_secs: Num,
}

/// Errors of cases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorTotals {
    /// Cases with an error.
    pub total: u64,
    /// By category.
    pub by_category: BTreeMap<String, u64>,
    /// By type of exception.
    pub by_exception_type: BTreeMap<String, u64>,
}
