//! How the scores of some cases are spread, in ten parts from 0 to 1.

use super::Outcome;
use super::filter::{Field, Filter, FilterScope, Mask};
use serde::{Deserialize, Serialize};

/// Parts.
const N_BINS: usize = 10;

/// A part of the scores.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreBin {
    /// Its ends; the upper one belongs to the next part, that of the last to itself.
    pub ends: (f64, f64),
    /// Cases in it that passed.
    pub n_passed: u64,
    /// Other cases in it.
    pub n_others: u64,
    /// The filter with this part of the scores only.
    pub then: String,
}

/// The scores of the cases of `mask`; none when there are fewer than two different ones, or some that lie
/// outside of 0 to 1.
pub(super) fn score_bins(scope: &FilterScope<'_>, mask: &Mask, filter: &Filter) -> Vec<ScoreBin> {
    let mut bins = vec![ScoreBin::default(); N_BINS];
    let (mut first, mut is_spread) = (None, false);
    for part in &scope.parts {
        let marks = mask.part(part.start, part.n_cases());
        for (row, _) in marks.iter().enumerate().filter(|(_, mark)| **mark) {
            let Some(score) = part.run.cases.score.get(row).filter(|score| score.is_finite())
            else {
                continue;
            };
            if !(0.0..=1.0).contains(&score) {
                return Vec::new();
            }
            let first = *first.get_or_insert(score);
            is_spread |= first.to_bits() != score.to_bits();
            let at = ((score * N_BINS as f64) as usize).min(N_BINS - 1);
            let Some(bin) = bins.get_mut(at) else { continue };
            match part.run.cases.outcome_of(row) {
                Outcome::Passed => bin.n_passed += 1,
                _ => bin.n_others += 1,
            }
        }
    }
    if !is_spread {
        return Vec::new();
    }
    for (bin, at) in bins.iter_mut().zip(0_u32..) {
        let end = |at: u32| f64::from(at) / N_BINS as f64;
        let (low, high) = (end(at), end(at + 1));
        bin.ends = (low, high);
        bin.then = filter.between(&Field::Score, low, (high < 1.0).then_some(high)).to_string();
    }
    bins
}
