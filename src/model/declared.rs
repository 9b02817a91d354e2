//! Figures that files state about their own totals.

use super::number;
use crate::order::Order as _;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::rc::Rc;

/// One stated figure and what it corresponds to here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Declared {
    /// What it is about.
    pub scope: Scope,
    /// The file that states it, relative to what was dropped.
    #[serde(with = "shared")]
    pub file: Rc<str>,
    /// Path of the field as the file writes it: `by_metric.quality.pass_rate`.
    pub field: String,
    /// Which computed figure it is to be compared with.
    pub figure: Figure,
    /// What the file says, on the file's own scale.
    pub value: DeclaredValue,
    /// What the computed figure is multiplied by before comparing: 100 for percents, else 1.
    #[serde(with = "number::plain", default = "one", skip_serializing_if = "is_one")]
    pub scale: f64,
    /// Why a difference is expected, when one is known to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
}

impl Declared {
    /// A figure on the scale of the computed one, of which no difference is expected.
    pub fn new(
        scope: Scope,
        file: &Rc<str>,
        field: String,
        figure: Figure,
        value: DeclaredValue,
    ) -> Self {
        Self { scope, file: Rc::clone(file), field, figure, value, scale: 1.0, known: None }
    }
}

fn one() -> f64 {
    1.0
}

#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")
)]
fn is_one(scale: &f64) -> bool {
    scale.to_bits() == 1.0_f64.to_bits()
}

/// For `#[serde(with)]`: a text that several values share.
mod shared {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::rc::Rc;

    pub(super) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Rc<str>, D::Error> {
        String::deserialize(deserializer).map(Rc::from)
    }
}

/// A difference that is expected: guide against code, a known defect of the producer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// Why; lower case, no full stop.
    pub why: Cow<'static, str>,
    /// What the producer's own rule gives here. Only a figure that says just this is explained by
    /// `why`; `None`: any is.
    pub original: Option<DeclaredValue>,
}

/// Stated figures that can be compared with nothing, and why. Alike ones are one, with a count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unchecked {
    /// File of the first.
    #[serde(with = "shared")]
    pub file: Rc<str>,
    /// Path of the field within its file; `[]` stands for any place in a list.
    pub field: String,
    /// What the first of them says.
    pub value: DeclaredValue,
    /// Why nothing can be said of it; lower case, no full stop.
    pub why: Cow<'static, str>,
    /// How many there are: places in a list, lines, files of the same name.
    pub count: u64,
}

/// Why a field that this version has no rule for is not checked.
pub const NO_RULE: &str =
    "no rule is known for this field: a newer version of the producer, or an addition of its user";

/// What is noted of cases of which the scores are all that is known (slop-code).
pub const SCORES_ALONE: &str = "reports.parquet is missing or unreadable: scores are the recorded ones, a case counts as passed when its score is 1, attributes are unknown";

/// What a declared figure is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The evaluation as a whole (its aggregate over repeats, its summary).
    Evaluation,
    /// One repeat, over all subjects.
    Repeat(u32),
    /// One subject in one repeat.
    Subject {
        /// Repeat, 1-based.
        repeat: u32,
        /// Subject.
        subject: String,
    },
    /// One subject over all repeats.
    SubjectAggregate(String),
    /// Run number `0` of [`super::Evaluation::runs`].
    Run(usize),
    /// All runs of one suite (slop-code: the checkpoints of a problem).
    Suite(String),
}

/// A declared value. `Null`: the file says that it is not known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeclaredValue {
    /// A number.
    Number(#[serde(with = "number::plain")] f64),
    /// Yes or no.
    Bool(bool),
    /// A word.
    Text(String),
    /// Written as null.
    Null,
}

/// Fields of usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UsageField {
    /// Prompt tokens.
    Prompt,
    /// Completion tokens.
    Completion,
    /// Cached input tokens.
    CachedInput,
    /// Cache write tokens.
    CacheWrite,
    /// Reasoning tokens.
    Reasoning,
    /// Cost in dollars.
    Cost,
    /// Cases with tokens but no price.
    CostMissing,
}

/// A figure that Evalglass computes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Number of cases.
    Total,
    /// Number of attempted cases.
    Attempted,
    /// Number of passed cases.
    Passed,
    /// Number of attempted cases that did not pass.
    Failed,
    /// Passed cases of a kind.
    KindPassed(super::Kind),
    /// Cases of a kind.
    KindTotal(super::Kind),
    /// Passed cases over all cases, skipped ones too; undefined when there is none (slop-code).
    StrictPassRate,
    /// The same over the cases that are not of kind Regression.
    IsolatedPassRate,
    /// The same over the cases of a kind.
    KindPassRate(super::Kind),
    /// Mean over the runs of the scope of another figure; runs where it is undefined are left out.
    MeanOverRuns(Box<Figure>),
    /// Mean score over attempted cases.
    MeanAttempted,
    /// Mean score over all cases, unscored ones as 0.
    MeanTotal,
    /// Share of attempted cases that passed.
    AttemptedPassRate,
    /// The same per metric.
    MetricMeanAttempted(String),
    /// Mean of a metric over cases that are attempted and have a score, whatever
    /// [`super::MeanOver`] says (letta-evals 0.7 – 0.16, `per_model[].metrics`).
    MetricMeanOfAttempted(String),
    /// The same per metric.
    MetricMeanTotal(String),
    /// Cases that pass by a metric.
    MetricPassed(String),
    /// Attempted cases that do not pass by a metric.
    MetricFailed(String),
    /// Share that passes by a metric.
    MetricPassRate(String),
    /// Whether the gate passes.
    GatePassed,
    /// Value the gate compares.
    GateValue,
    /// Mean over the metrics that the gate names, as it weighs them: a simple gate's metric, the
    /// weighted mean of a weighted one, of a logical one the plain mean of all metrics. Means over
    /// attempted cases, whatever the gate aggregates by (letta-evals 0.17 – 0.20, `score`).
    GateMean,
    /// Mean reward.
    Reward,
    /// Usage.
    Usage(UsageField),
    /// Mean seconds per case.
    MeanSecs,
    /// Mean seconds of the target.
    MeanTargetSecs,
    /// Mean seconds of extraction.
    MeanExtractionSecs,
    /// Median seconds by the producer's rule.
    P50Secs,
    /// 95th percentile by the producer's rule.
    P95Secs,
    /// Mean seconds of a metric's judging.
    MetricSecs(String),
    /// Cases with an error.
    Errors,
    /// Errors of a category.
    ErrorsByCategory(String),
    /// Errors of a type.
    ErrorsByType(String),
    /// Number of repeats.
    Repeats,
    /// Repeats whose gate passes.
    RepeatsPassed,
    /// Repeats whose gate does not pass.
    RepeatsFailed,
    /// Share of repeats whose gate passes.
    RepeatsPassRate,
    /// Mean over repeats of another figure.
    MeanOverRepeats(Box<Figure>),
    /// Sample standard deviation over repeats of another figure.
    StdOverRepeats(Box<Figure>),
    /// Smallest over repeats of another figure.
    MinOverRepeats(Box<Figure>),
    /// Largest over repeats of another figure.
    MaxOverRepeats(Box<Figure>),
    /// Score of a case: group (if any) and id.
    CaseScore {
        /// Group.
        group: Option<String>,
        /// Case row in the run.
        case_idx: usize,
    },
    /// Verdict of a case, as the word of its outcome.
    CaseOutcome {
        /// Case row in the run.
        case_idx: usize,
    },
    /// Seconds of the run: sum of its groups.
    DurationFromGroups,
    /// Member of the recomputed summary (`figures::Figures::summary`) at this dotted path.
    Summary(String),
    /// Whether a slop-code policy passes, by the guide's meaning; over several runs, in each.
    Policy(String),
    /// Ids of the cases with an error, as [`id_list`] writes them.
    FailedIds,
    /// What the reader found elsewhere in the files: the original that was copied, the sum of a
    /// list. No setting touches it.
    Found {
        /// The value, on the file's own scale.
        value: DeclaredValue,
        /// Where it is from: `usage.cost of inference_result.json`.
        at: Cow<'static, str>,
    },
}

impl Figure {
    /// What it is a mean, deviation or bound of, over repeats or runs; itself where it is none.
    pub fn innermost(&self) -> &Self {
        match self {
            Self::MeanOverRepeats(inner)
            | Self::StdOverRepeats(inner)
            | Self::MinOverRepeats(inner)
            | Self::MaxOverRepeats(inner)
            | Self::MeanOverRuns(inner) => inner.innermost(),
            figure => figure,
        }
    }
}

/// Ids as one text, in order: numbers by size, then words.
pub fn id_list(ids: Vec<String>) -> String {
    let numbered = |id: String| (id.parse::<u64>().unwrap_or(u64::MAX), id);
    let mut ids: Vec<(u64, String)> = ids.into_iter().map(numbered).collect();
    ids.order_by(Ord::cmp);
    let ids: Vec<String> = ids.into_iter().map(|(_, id)| id).collect();
    ids.join(", ")
}
