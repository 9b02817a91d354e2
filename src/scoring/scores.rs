//! The scores that means and gates are made of.

use super::rules::{Missing, Rules};
use crate::model::Run;

/// One score, and whether its case counts as attempted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// Score.
    pub score: f64,
    /// Whether the case completed, by the producer's definition.
    pub is_attempted: bool,
}

/// Every score of `metric` in `runs`, or of the cases themselves when no metric is named.
///
/// A case that `rules` count as 0 gives one score of 0; one that they leave out gives none. Where a
/// producer judges checks without scoring them (slop-code's attributes), right is 1 and wrong is 0.
pub fn scores(metric: Option<&str>, runs: &[&Run], rules: &Rules) -> Vec<Scored> {
    let mut found = Vec::new();
    for run in runs {
        let n_cases = run.cases.len();
        let (standings, attempted) = (rules.standings(run), run.attempted_cases());
        let standing = |idx: usize| standings.get(idx).copied().unwrap_or_default();
        let attempted = |idx: usize| attempted.get(idx) == Some(&true);
        let zero = Scored { score: 0.0, is_attempted: true };
        let Some(metric) = metric else {
            let own = run.cases.score.cells();
            found.extend((0..n_cases).filter_map(|idx| match standing(idx) {
                Missing::AsDeclared => {
                    Some(Scored { score: own.get(idx)?, is_attempted: attempted(idx) })
                }
                Missing::Zero => Some(zero),
                Missing::LeftOut => None,
            }));
            continue;
        };
        let (own, places) = (run.checks.score.cells(), run.checks.case_idx.cells());
        let is_scored = (0..run.checks.len()).any(|at| own.get(at).is_some());
        let is_asked = run.checks.name.meanings(|name| name == metric);
        for at in (0..run.checks.len()).filter(|at| is_asked(*at) == Some(true)) {
            let Some(idx) = places.get(at).map(|idx| idx as usize) else { continue };
            let score = match run.checks.is_correct.get(at) {
                Some(is_correct) if !is_scored => Some(f64::from(u8::from(is_correct))),
                _ => own.get(at),
            };
            if let (Some(score), Missing::AsDeclared) = (score, standing(idx)) {
                found.push(Scored { score, is_attempted: attempted(idx) });
            }
        }
        let n_zero = (0..n_cases).filter(|&idx| standing(idx) == Missing::Zero).count();
        found.extend(std::iter::repeat_n(zero, if rules.changes_counting() { n_zero } else { 0 }));
    }
    found
}

/// How many cases of `runs` count as attempted under `rules`.
pub fn n_attempted(runs: &[&Run], rules: &Rules) -> usize {
    let of_run = |run: &&Run| {
        let counts = |(standing, is_attempted): &(Missing, bool)| match standing {
            Missing::AsDeclared => *is_attempted,
            Missing::Zero => true,
            Missing::LeftOut => false,
        };
        rules.standings(run).into_iter().zip(run.attempted_cases()).filter(counts).count()
    };
    runs.iter().map(of_run).sum()
}
