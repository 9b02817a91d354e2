//! What a trend shows of each run.

use super::cells::has_unit_scores;
use super::interval95::Interval95;
use super::tree::run_score;
use super::{Cell, Num};
use crate::chart::{Axis, Range, Unit};
use crate::figures::RunFigures;
use crate::stats;
use crate::words::report::statistics::{self, measures as words};
use crate::workspace::Entry;
use serde::{Deserialize, Serialize};

/// What a trend shows of each run.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Measure {
    /// The score that stands for the run.
    #[default]
    Score,
    /// Share of cases that pass.
    PassRate,
    /// US dollars.
    Cost,
    /// Tokens read and written.
    Tokens,
    /// Seconds of the run, else the sum of its cases; of producers that part agent and tests those
    /// of the agent.
    Time,
    /// Seconds of the agent, where they are known apart.
    AgentTime,
    /// Seconds of the tests (slop-code).
    TestTime,
    /// Cases that could not be judged.
    Errors,
}

impl Measure {
    /// All, in the order in which they are offered.
    pub const ALL: [Self; 8] = [
        Self::Score,
        Self::PassRate,
        Self::Cost,
        Self::Tokens,
        Self::Time,
        Self::AgentTime,
        Self::TestTime,
        Self::Errors,
    ];

    /// Its name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Score => statistics::SCORE,
            Self::PassRate => words::PASS_RATE,
            Self::Cost => statistics::COST,
            Self::Tokens => words::TOKENS,
            Self::Time => words::TIME,
            Self::AgentTime => statistics::AGENT_TIME,
            Self::TestTime => statistics::TEST_TIME,
            Self::Errors => statistics::ERRORS,
        }
    }

    /// Its word in an address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::PassRate => "passed",
            Self::Cost => "cost",
            Self::Tokens => "tokens",
            Self::Time => "time",
            Self::AgentTime => "agent-time",
            Self::TestTime => "test-time",
            Self::Errors => "errors",
        }
    }

    /// The measure of this word.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.as_str() == text)
    }

    /// Whether runs of `entry` are offered it: times of agent and tests where these are apart, the
    /// time of the run elsewhere.
    pub(super) fn is_of(self, entry: &Entry) -> bool {
        let is_apart = entry.evaluation.config.has_policies;
        match self {
            Self::Time => !is_apart,
            Self::AgentTime | Self::TestTime => is_apart,
            _ => true,
        }
    }

    /// What it is, and how sure it is.
    pub(super) fn definition(self) -> &'static str {
        match self {
            Self::Score => words::SCORE_DEFINITION,
            Self::PassRate => words::PASS_RATE_DEFINITION,
            Self::Cost => words::COST_DEFINITION,
            Self::Tokens => words::TOKENS_DEFINITION,
            Self::Time => words::TIME_DEFINITION,
            Self::AgentTime => words::AGENT_TIME_DEFINITION,
            Self::TestTime => words::TEST_TIME_DEFINITION,
            Self::Errors => words::ERRORS_DEFINITION,
        }
    }

    /// Its axis for `values`.
    pub(super) fn axis(self, values: &[f64]) -> Axis {
        let is_share = values.iter().all(|value| (0.0..=1.0).contains(value));
        let (unit, range) = match self {
            Self::Score => (Unit::Score, if is_share { Range::Whole } else { Range::Free }),
            Self::PassRate => (Unit::Rate, Range::Whole),
            Self::Cost => (Unit::Usd, Range::Zero),
            Self::Tokens => (Unit::Number, Range::Zero),
            Self::Time | Self::AgentTime | Self::TestTime => (Unit::Secs, Range::Zero),
            Self::Errors => (Unit::Count, Range::Zero),
        };
        Axis::new(self.title(), unit, range)
    }

    /// A value as a cell.
    pub(super) fn cell(self, value: f64) -> Cell {
        let value = Num(value);
        match self {
            Self::Score | Self::Tokens | Self::Errors => Cell::Number(value),
            Self::PassRate => Cell::Rate(value),
            Self::Cost => Cell::Usd { amount: value, is_lower_bound: false },
            Self::Time | Self::AgentTime | Self::TestTime => Cell::Secs(value),
        }
    }

    /// Of run `idx` of `entry`.
    pub(super) fn of_run(self, entry: &Entry, idx: usize) -> Option<MeasuredValue> {
        let figures = entry.figures.runs.get(idx)?;
        let run = entry.evaluation.runs.get(idx)?;
        let plain = |value: f64| MeasuredValue {
            value,
            interval: Interval95::Undefined,
            note: String::new(),
        };
        match self {
            Self::Score => {
                let value = run_score(figures)?.0;
                let n = words::n_scores(figures.totals.score.n);
                Some(MeasuredValue {
                    value,
                    interval: score_interval(entry, idx, figures),
                    note: n,
                })
            }
            Self::PassRate => pass_rate(figures),
            Self::Cost => {
                let usage =
                    figures.totals.usage.as_ref().filter(|usage| usage.cost_missing == 0)?;
                Some(plain(usage.cost_usd?.0))
            }
            Self::Tokens => {
                let usage = figures.totals.usage.as_ref()?;
                let parts = [usage.prompt_tokens, usage.completion_tokens];
                let known: Vec<f64> = parts.into_iter().flatten().map(|number| number.0).collect();
                (!known.is_empty()).then(|| plain(stats::sum(known)))
            }
            Self::Time => {
                let agent = run.usage.and_then(|usage| usage.agent_secs);
                let cases = || {
                    let all: Vec<f64> = run.cases.duration_secs.iter().flatten().collect();
                    (!all.is_empty()).then(|| stats::sum(all))
                };
                if entry.evaluation.config.has_policies {
                    return agent.map(plain);
                }
                agent.or(run.duration_secs).or_else(cases).map(plain)
            }
            Self::AgentTime => run.usage?.agent_secs.map(plain),
            Self::TestTime => {
                let secs = run.duration_secs.filter(|_| entry.evaluation.config.has_policies);
                secs.map(plain)
            }
            #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
            Self::Errors => Some(plain(figures.totals.counts.error as f64)),
        }
    }
}

/// A value of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MeasuredValue {
    /// The value.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: Interval95,
    /// Of how many it is made.
    pub note: String,
}

/// Share of cases that pass, with Wilson's interval; `None` when no case is judged.
pub(super) fn pass_rate(figures: &RunFigures) -> Option<MeasuredValue> {
    let counts = &figures.totals.counts;
    let (passed, counted) = counts.passing().filter(|_| counts.is_judged())?;
    share(passed, counted)
}

/// `part` of `whole`, with Wilson's interval; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
pub(super) fn share(part: u64, whole: u64) -> Option<MeasuredValue> {
    let interval = Interval95::of_share(part, whole);
    (interval != Interval95::Undefined).then(|| MeasuredValue {
        value: part as f64 / whole as f64,
        interval,
        note: words::part_of_cases(part, whole),
    })
}

/// The t interval of the mean that is the run's score; undefined where the score is no mean over cases.
fn score_interval(entry: &Entry, idx: usize, figures: &RunFigures) -> Interval95 {
    let score = &figures.totals.score;
    let is_unit = has_unit_scores(&entry.evaluation);
    let of_mean = |ci95: Option<[Num; 2]>, n: u64| {
        Interval95::of_mean(ci95.map(|[low, high]| [low.0, high.0]), n, is_unit)
    };
    if score.mean_of_groups.is_some() {
        return Interval95::Undefined;
    }
    if let Some(under_rules) = &score.under_rules {
        return of_mean(under_rules.ci95, under_rules.n);
    }
    if figures.totals.reward.is_some() {
        let Some(run) = entry.evaluation.runs.get(idx) else { return Interval95::Undefined };
        let attempted = (0..run.cases.len()).filter(|&idx| run.is_attempted(idx));
        let rewards: Vec<f64> = attempted.filter_map(|idx| run.cases.reward.get(idx)).collect();
        return Interval95::over(&rewards, stats::mean_interval(&rewards), is_unit);
    }
    of_mean(score.ci95, score.n)
}
