//! What each case gives to a mean, and why not, when it gives nothing.

use super::rules::{Missing, Rules};
use crate::model::{Config, MeanOver, Run};

/// What a case gives to a mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part {
    /// Its own score.
    Score(f64),
    /// A score of 0: the rules in force count it so.
    Zero,
    /// Nothing: the rules in force leave it out.
    LeftOut,
    /// Nothing: it has no score.
    Undefined,
    /// Nothing: it did not complete, by the producer's own definition.
    NotAttempted,
    /// Nothing: a later case of the same id counts in its place.
    Repeated,
}

impl Part {
    /// The score that goes into the mean, when one does.
    pub fn score(self) -> Option<f64> {
        match self {
            Self::Score(score) => Some(score),
            Self::Zero => Some(0.0),
            Self::LeftOut | Self::Undefined | Self::NotAttempted | Self::Repeated => None,
        }
    }
}

/// What each case of `run` gives to the mean that stands for the run, `(row, part)` in file order.
///
/// That mean is of rewards where there are any, else of the primary metric's scores, else of the cases'
/// own. Every case stands here at least once; more often only when a file grades it twice by the
/// primary metric, since then both grades count.
pub fn run_parts(run: &Run, config: &Config, rules: &Rules) -> Vec<(usize, Part)> {
    let mut parts = Vec::with_capacity(run.cases.len());
    for idx in 0..run.cases.len() {
        match rules.standing(run, idx) {
            Missing::Zero => parts.push((idx, Part::Zero)),
            Missing::LeftOut => parts.push((idx, Part::LeftOut)),
            Missing::AsDeclared => add_declared(&mut parts, run, idx, config),
        }
    }
    parts
}

/// Adds what case `idx` gives as the producer counts it.
fn add_declared(parts: &mut Vec<(usize, Part)>, run: &Run, idx: usize, config: &Config) {
    let has_reward = config.reward.is_some();
    let is_covered = run.is_attempted(idx) || (config.mean_over == MeanOver::Graded && !has_reward);
    if !is_covered {
        parts.push((idx, Part::NotAttempted));
        return;
    }
    let n_before = parts.len();
    match &config.primary_metric {
        Some(metric) if !has_reward => {
            let own = run.checks_of(idx).filter(|&at| run.checks.name.get(at) == Some(metric));
            let scores = own.filter_map(|at| run.checks.score.get(at));
            parts.extend(scores.map(|score| (idx, Part::Score(score))));
        }
        _ => {
            let column = if has_reward { &run.cases.reward } else { &run.cases.score };
            parts.extend(column.get(idx).map(|score| (idx, Part::Score(score))));
        }
    }
    if parts.len() == n_before {
        parts.push((idx, Part::Undefined));
    }
}
