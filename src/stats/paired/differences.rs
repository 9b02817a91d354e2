//! The mean of differences: its error, its interval, and what so many pairs could have shown.

use super::long;
use crate::stats::deviation::mean_and_stdev;
use crate::stats::interval::{Interval, t_interval_of};
use crate::stats::student::{Z, t_quantile};
use crate::stats::sum::{mean, sum};
use serde::{Deserialize, Serialize};

/// 80 % quantile of the standard normal distribution.
const Z80: f64 = 0.841_621_233_572_914_3;

/// The mean of the cases' differences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Differences {
    /// Number of cases.
    pub n: u64,
    /// Mean difference.
    pub mean: f64,
    /// Sample standard deviation of the differences. `None`: fewer than two.
    pub stdev: Option<f64>,
    /// Standard error of the mean.
    pub se: Option<f64>,
    /// 95 % t interval of the mean. `None` where all differences are the same too: they do not show how
    /// they might differ.
    pub interval: Option<Interval>,
    /// What so many pairs could have shown.
    pub power: Power,
}

/// What a number of pairs could have shown, at 80 % power and α = 0.05 two-sided.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// The smallest difference that so many pairs would have shown. `None` where all differences are the
    /// same.
    pub mdd80: Option<f64>,
    /// How many pairs a difference as large as the one seen would take. `None` also where it is 0, or
    /// so near it that rounding alone makes it: more than 2⁵³ pairs.
    pub pairs_needed: Option<u64>,
}

/// The mean of `differences`, none of which may be NaN. `None` of none.
pub fn differences(differences: &[f64]) -> Option<Differences> {
    let n = differences.len() as u64;
    let both = long::mean_and_stdev(differences).or_else(|| mean_and_stdev(differences));
    let mean = both.map(|(mean, _)| mean).or_else(|| mean(differences.iter().copied()))?;
    let stdev = both.map(|(_, stdev)| stdev).filter(|stdev| stdev.is_finite());
    let spread = stdev.filter(|stdev| *stdev > 0.0);
    Some(Differences {
        n,
        mean,
        stdev,
        se: stdev.map(|stdev| stdev / float(n).sqrt()),
        interval: spread.and_then(|stdev| t_interval_of(mean, stdev, n)),
        power: power(Some(mean), stdev, n),
    })
}

/// From here on doubles are no counts any more: 2⁵³.
const MOST_PAIRS: f64 = 9_007_199_254_740_992.0;

/// Of the mean difference `difference` of `n` pairs with the sample deviation `stdev`.
///
/// Source: E. Miller, Adding Error Bars to Evals, arXiv 2411.00640, section 5.
pub(super) fn power(difference: Option<f64>, stdev: Option<f64>, n: u64) -> Power {
    let Some(stdev) = stdev.filter(|stdev| *stdev > 0.0) else { return Power::default() };
    let reach = (Z + Z80) * stdev;
    let needed = difference.filter(|difference| *difference != 0.0).map(|difference| {
        let root = reach / difference;
        (root * root).ceil()
    });
    Power {
        mdd80: Some(reach / float(n).sqrt()),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number above 0, below 2^53"
        )]
        pairs_needed: needed.filter(|needed| *needed < MOST_PAIRS).map(|needed| needed as u64),
    }
}

/// The mean of differences whose cases come in clusters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Clustered {
    /// Number of clusters with a case.
    pub n_clusters: u64,
    /// Cluster-robust standard error of the mean (CR1).
    pub se: f64,
    /// 95 % interval by t with one degree of freedom fewer than clusters.
    pub interval: Interval,
}

/// The error of the mean of `differences` when case `i` is of cluster `clusters[i]`, below `n_clusters`.
/// `None` of fewer than two clusters, or when all sums of a cluster are as expected to the last digit.
///
/// Source: A. C. Cameron, D. L. Miller, Journal of Human Resources 50 (2015): residuals summed by
/// cluster, with the factor G / (G − 1), which CR1 is for a mean.
pub fn clustered(differences: &[f64], clusters: &[u32], n_clusters: usize) -> Option<Clustered> {
    let centre = mean(differences.iter().copied())?;
    let mut sums = vec![(0.0_f64, false); n_clusters];
    for (difference, cluster) in differences.iter().zip(clusters) {
        if let Some((total, is_met)) = sums.get_mut(*cluster as usize) {
            *total += difference - centre;
            *is_met = true;
        }
    }
    sums.retain(|(_, is_met)| *is_met);
    let n_clusters = sums.len() as u64;
    let degrees = u32::try_from(n_clusters.checked_sub(1)?).ok()?;
    let squares = sum(sums.iter().map(|(total, _)| total * total));
    let factor = float(n_clusters) / f64::from(degrees);
    let se = (factor * squares).sqrt() / float(differences.len() as u64);
    let half = t_quantile(degrees)? * se;
    (se > 0.0 && half.is_finite()).then_some(Clustered {
        n_clusters,
        se,
        interval: Interval { low: centre - half, high: centre + half },
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn float(n: u64) -> f64 {
    n as f64
}
