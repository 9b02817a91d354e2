//! Rules that an evaluation's files carry, in neutral words.
//!
//! Which formula a generation of a producer uses is said here as data, so that `scoring` and
//! `policy` need not know producers.

use super::better::Better;
use super::mapping::Mapping;
use super::number;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Rules and settings of an evaluation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Metrics in display order; the first is the primary one unless `primary_metric` says otherwise.
    pub metrics: Vec<String>,
    /// Metric whose scores make the top-level means. `None`: the cases' own score.
    pub primary_metric: Option<String>,
    /// Label of a metric where it differs from its key: `(key, label)`.
    pub metric_labels: Vec<(String, String)>,
    /// Which way metrics are better, as far as the files say: `(key, way)`. A metric that is not here is treated as
    /// one of which higher is better, since no file says otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub better: Vec<(String, Better)>,
    /// Which cases a mean over attempted ones covers.
    pub mean_over: MeanOver,
    /// Rule that decides whether one score passes, for counts by metric. `None`: no such rule.
    pub pass_rule: Option<PassRule>,
    /// Why no rule says which cases pass; lower case, no full stop. `None`: a rule does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_case_rule: Option<Cow<'static, str>>,
    /// Why the whole has no verdict although its cases have: a benchmark asks how many pass, not whether all
    /// do; lower case, no full stop. `None`: every case must pass, or another rule says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_verdict: Option<Cow<'static, str>>,
    /// What decides whether a case passed, where its tool says no more than that it did: `every assertion
    /// must pass`; lower case, no full stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_rule: Option<Cow<'static, str>>,
    /// What the mean over a run's cases is to the tool: `mean of acc over documents`. `None`: the tool
    /// defines none, or its generation says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_source: Option<Cow<'static, str>>,
    /// Scores may be any numbers, not 0–1 alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_any_scores: bool,
    /// Rule that decides an evaluation's repeat.
    pub gate: Option<Gate>,
    /// How a case's reward is made (letta-evals from 0.21).
    pub reward: Option<RewardRule>,
    /// What a mean over no case is: `Some(0.0)` where the producer defines it so (letta-evals).
    #[serde(with = "number::maybe")]
    pub empty_mean: Option<f64>,
    /// The generation records a cost by case, so that a case with tokens but no cost is one whose price
    /// is not known.
    pub has_costs: bool,
    /// Runs are judged by the pass policies over counts by kind (slop-code).
    pub has_policies: bool,
    /// What the evaluation was asked to do, in its user's words: label and value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub description: Vec<(String, String)>,
    /// Pass policy that the files name (slop-code).
    pub declared_policy: Option<String>,
    /// What became of each suite, where the files say (slop-code's problems).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suites: Vec<SuiteState>,
    /// Why there is no run, where that is no loss: it never started, the file holds settings only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_runs: Option<String>,
    /// The producer passes the whole when some cases were skipped: test runners.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_skip: bool,
    /// How the columns of a table that no tool's reader claims are read. `None`: it is a tool's results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapping: Option<Mapping>,
}

/// What the files say of the runs of one suite together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SuiteState {
    /// The suite, as the keys of its runs have it.
    pub suite: String,
    /// Its state in the producer's own word: `completed`, `error`.
    pub state: Option<String>,
    /// Kind of its error.
    pub error_type: Option<String>,
    /// Text of its error.
    pub message: Option<String>,
    /// Where the error came from, as the producer wrote it.
    pub traceback: Option<String>,
    /// Pass policy that its files name.
    pub policy: Option<String>,
    /// The verdict that its files record by that policy.
    pub is_passed: Option<bool>,
    /// How many variants were planned.
    pub n_planned: Option<u64>,
}

impl SuiteState {
    /// Whether the producer says that it did not come to its end.
    pub fn is_broken(&self) -> bool {
        matches!(self.state.as_deref(), Some("error" | "failed" | "hit_rate_limited"))
    }
}

impl Config {
    /// The label of `metric` for display: its key where there is no other.
    pub fn label_of<'a>(&'a self, metric: &'a str) -> &'a str {
        let label = self.metric_labels.iter().find(|(key, _)| key == metric);
        label.map_or(metric, |(_, label)| label)
    }

    /// Which way `metric` is better; `None`: the files do not say, or contradict each other.
    pub fn better_of(&self, metric: &str) -> Option<Better> {
        let own = self.better.iter().filter(|(key, _)| key == metric);
        Better::agreed(own.map(|(_, better)| Some(*better)))
    }
}

/// Which cases the numerator and divisor of a mean over attempted cases cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeanOver {
    /// Attempted cases that have a score (letta-evals from 0.11).
    #[default]
    AttemptedAndGraded,
    /// Every case that has a score, attempted or not (letta-evals before 0.11).
    Graded,
}

/// Comparison operator. Comparisons of floats are exact, as in the original tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// `>`
    Gt,
    /// `>=`
    Gte,
    /// `<`
    Lt,
    /// `<=`
    Lte,
    /// `==`
    Eq,
}

impl Op {
    /// The operator that a file spells `gt`, `gte`, `lt`, `lte`, `eq`.
    pub fn from_text(text: &str) -> Option<Self> {
        Some(match text {
            "gt" => Self::Gt,
            "gte" => Self::Gte,
            "lt" => Self::Lt,
            "lte" => Self::Lte,
            "eq" => Self::Eq,
            _ => return None,
        })
    }

    /// The operator that `text` begins with, as people write it (`>=`, `≥`, `==`), and what follows.
    pub fn split_off(text: &str) -> Option<(Self, &str)> {
        const SIGNS: [(&str, Op); 8] = [
            (">=", Op::Gte),
            ("≥", Op::Gte),
            ("<=", Op::Lte),
            ("≤", Op::Lte),
            (">", Op::Gt),
            ("<", Op::Lt),
            ("==", Op::Eq),
            ("=", Op::Eq),
        ];
        SIGNS.iter().find_map(|(sign, op)| Some((*op, text.strip_prefix(sign)?)))
    }

    /// The mathematical sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Gt => ">",
            Self::Gte => "≥",
            Self::Lt => "<",
            Self::Lte => "≤",
            Self::Eq => "=",
        }
    }

    /// Whether `left op right` holds.
    #[expect(clippy::float_cmp, reason = "the original tools compare exactly")]
    #[expect(clippy::inline_always, reason = "asked for each score; code for size would call it")]
    #[inline(always)]
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Gt => left > right,
            Self::Gte => left >= right,
            Self::Lt => left < right,
            Self::Lte => left <= right,
            Self::Eq => left == right,
        }
    }
}

/// A score passes when `score op value`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PassRule {
    /// Operator.
    pub op: Op,
    /// Threshold on the scale of the score.
    #[serde(with = "number::plain")]
    pub value: f64,
    /// Whether the producer itself counts by this rule. If not, it is Evalglass's reading of the
    /// gate, and the page says so.
    pub is_declared: bool,
}

/// How scores of one metric become one number for a gate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregation {
    /// Mean over cases that have a score.
    AvgScore,
    /// Percent 0–100 of cases with `score >= threshold`.
    Accuracy {
        /// Threshold.
        #[serde(with = "number::plain")]
        threshold: f64,
    },
    /// Percent 0–100 of attempted cases that pass the pass rule (letta-evals before 0.7).
    PassPercent,
    /// Smallest.
    Min,
    /// Largest.
    Max,
    /// Linear-interpolated percentile, 0–100 (`numpy.percentile`).
    Percentile(#[serde(with = "number::plain")] f64),
}

/// A rule over aggregates that decides a repeat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// The rule.
    pub rule: GateRule,
    /// One line that says it in words, for display: `accuracy avg_score ≥ 0.75`.
    pub text: String,
    /// The gate as the file writes it.
    pub json: serde_json::Value,
}

/// The shapes of a gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateRule {
    /// `aggregate(metric) op value`.
    Simple {
        /// Metric key. `None`: the cases' own score.
        metric: Option<String>,
        /// Aggregation.
        aggregation: Aggregation,
        /// Operator.
        op: Op,
        /// Threshold.
        #[serde(with = "number::plain")]
        value: f64,
    },
    /// `Σ w·aggregate / Σ w op value`.
    Weighted {
        /// Metric key and weight, in file order.
        #[serde(with = "number::named")]
        weights: Vec<(String, f64)>,
        /// Aggregation.
        aggregation: Aggregation,
        /// Operator.
        op: Op,
        /// Threshold.
        #[serde(with = "number::plain")]
        value: f64,
    },
    /// All or any of several rules.
    Logical {
        /// Whether all must hold (else any).
        is_all: bool,
        /// The rules.
        rules: Vec<GateRule>,
    },
    /// A rule the reader could not understand; the reason.
    Unknown(String),
}

/// How a case's reward is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RewardRule {
    /// The score of a metric.
    Metric(String),
    /// A function of the suite, which cannot be recomputed: recorded values are shown.
    Custom(String),
}

impl GateRule {
    /// The metrics that the rule names, in its order.
    pub fn metrics(&self) -> Vec<&str> {
        match self {
            Self::Simple { metric, .. } => metric.as_deref().into_iter().collect(),
            Self::Weighted { weights, .. } => {
                weights.iter().map(|(metric, _)| metric.as_str()).collect()
            }
            Self::Logical { rules, .. } => rules.iter().flat_map(Self::metrics).collect(),
            Self::Unknown(_) => Vec::new(),
        }
    }

    /// Whether it counts cases that pass by the pass rule in force.
    pub fn counts_passes(&self) -> bool {
        match self {
            Self::Simple { aggregation, .. } | Self::Weighted { aggregation, .. } => {
                matches!(aggregation, Aggregation::PassPercent)
            }
            Self::Logical { rules, .. } => rules.iter().any(Self::counts_passes),
            Self::Unknown(_) => false,
        }
    }
}
