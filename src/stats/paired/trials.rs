//! How much of the uncertainty of a difference more trials of the same cases would take away.

use crate::stats::deviation::mean_and_stdev;
use crate::stats::sum::mean;
use serde::{Deserialize, Serialize};

/// The variance of a mean difference, split.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrialVariance {
    /// Number of cases with two trials or more on a side, which the split is over.
    pub n: u64,
    /// Variance of the differences between cases: how much harder one case is for a side than another. More
    /// cases alone make it matter less.
    pub between: f64,
    /// Variance within a case: what it would be another time.
    pub within: f64,
    /// Whether the estimate of `between` was negative, and was taken as 0.
    pub is_between_negative: bool,
    /// Standard error of the mean difference as it is.
    pub se: f64,
    /// What it would be with twice the trials of each case.
    pub se_doubled: f64,
    /// What it would be with any number of trials.
    pub se_least: f64,
}

/// Splits the variance of the cases' differences. `parts`: of each case the difference of its means, and
/// the variance of that difference by its own trials: `s²/k` of one side and of the other, where a side
/// has `k` trials. `None` of fewer than two.
///
/// Source: E. Miller, Adding Error Bars to Evals, arXiv 2411.00640, section 3.
pub fn trial_variance(parts: &[(f64, f64)]) -> Option<TrialVariance> {
    let differences: Vec<f64> = parts.iter().map(|(difference, _)| *difference).collect();
    let (_, stdev) = mean_and_stdev(&differences)?;
    let all = stdev * stdev;
    let within = mean(parts.iter().map(|(_, own)| *own))?;
    let between = (all - within).max(0.0);
    let n = parts.len() as u64;
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let error = |variance: f64| (variance / n as f64).sqrt();
    Some(TrialVariance {
        n,
        between,
        within,
        is_between_negative: all < within,
        se: error(all),
        se_doubled: error(between + within / 2.0),
        se_least: error(between),
    })
}
