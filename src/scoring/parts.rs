//! What each case gives to a mean, and why not, when it gives nothing.

use super::rules::{Missing, Rules};
use crate::model::{Config, MeanOver, Run};

/// What a case gives to a mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeanPart {
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

impl MeanPart {
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
pub fn run_parts(run: &Run, config: &Config, rules: &Rules) -> Vec<(usize, MeanPart)> {
    let mut parts = Vec::with_capacity(run.cases.len());
    let (standings, attempted) = (rules.standings(run), run.attempted_cases());
    let has_reward = config.reward.is_some();
    let covers_all = config.mean_over == MeanOver::Graded && !has_reward;
    let column = if has_reward { &run.cases.reward } else { &run.cases.score };
    let (own, of_checks) = (column.cells(), run.checks.score.cells());
    let metric = config.primary_metric.as_deref().filter(|_| !has_reward);
    let is_primary = run.checks.name.meanings(|name| Some(name) == metric);
    for (idx, (standing, is_attempted)) in standings.into_iter().zip(attempted).enumerate() {
        match standing {
            Missing::Zero => parts.push((idx, MeanPart::Zero)),
            Missing::LeftOut => parts.push((idx, MeanPart::LeftOut)),
            Missing::AsDeclared if !covers_all && !is_attempted => {
                parts.push((idx, MeanPart::NotAttempted));
            }
            Missing::AsDeclared => {
                let n_before = parts.len();
                let mut add = |score: f64| parts.push((idx, MeanPart::Score(score)));
                if metric.is_some() {
                    let checks = run.checks_of(idx).filter(|at| is_primary(*at) == Some(true));
                    checks.filter_map(|at| of_checks.get(at)).for_each(add);
                } else if let Some(score) = own.get(idx) {
                    add(score);
                }
                if parts.len() == n_before {
                    parts.push((idx, MeanPart::Undefined));
                }
            }
        }
    }
    parts
}
