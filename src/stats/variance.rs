//! How much of a variance lies between groups, and how much within them.

use super::sum::{mean, sum};
use serde::{Deserialize, Serialize};

/// The parts of a variance by the one-way random-effects model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct VarianceSplit {
    /// Number of groups with a value.
    pub n_groups: u64,
    /// Number of values.
    pub n_values: u64,
    /// Variance between groups (of their true means); 0 where the estimate was negative.
    pub between: f64,
    /// Variance within a group.
    pub within: f64,
    /// The estimate of `between` was negative: groups differ less than chance alone would have it.
    pub is_between_negative: bool,
    /// `between / (between + within)`, the intraclass correlation ICC(1), 0–1. `None` when every
    /// value is the same.
    pub icc: Option<f64>,
}

/// Splits the variance of `groups` by the ANOVA estimators: within = the mean square within groups,
/// between = (mean square between − mean square within) / n₀, where
/// n₀ = (N − Σ nᵢ² / N) / (a − 1) for `a` groups of nᵢ values, N in all.
///
/// Groups without a value do not count. `None` of fewer than two groups, when no group has two
/// values, or when a value (or a square) is not finite.
///
/// Source: S. R. Searle, G. Casella, C. E. McCulloch, Variance Components (1992), section 3.6.
pub fn variance_split<'a>(
    groups: impl Iterator<Item = &'a [f64]> + Clone,
) -> Option<VarianceSplit> {
    let groups = groups.filter(|group| !group.is_empty());
    let (mut n_groups, mut n_values, mut n_squared) = (0_u64, 0_u64, 0.0);
    for group in groups.clone() {
        n_groups += 1;
        n_values += group.len() as u64;
        n_squared += count(group.len() as u64) * count(group.len() as u64);
    }
    if n_groups < 2 || n_values == n_groups {
        return None;
    }
    let grand = centre(groups.clone().flatten().copied())?;
    let centre_of = |group: &[f64]| centre(group.iter().copied()).unwrap_or(grand);
    let square_between = sum(groups.clone().map(|group| {
        let shift = centre_of(group) - grand;
        count(group.len() as u64) * shift * shift
    }));
    let square_within = sum(groups.flat_map(|group| {
        let centre = centre_of(group);
        group.iter().map(move |value| (value - centre) * (value - centre))
    }));
    let n_degrees = count(n_groups - 1);
    let within = square_within / count(n_values - n_groups);
    let n_each = (count(n_values) - n_squared / count(n_values)) / n_degrees;
    let estimate = (square_between / n_degrees - within) / n_each;
    let between = estimate.max(0.0);
    (estimate.is_finite() && within.is_finite()).then(|| VarianceSplit {
        n_groups,
        n_values,
        between,
        within,
        is_between_negative: estimate < 0.0,
        icc: (between + within > 0.0).then(|| between / (between + within)),
    })
}

/// The mean; exactly the value when all are the same, so that there is no variance either.
fn centre(mut values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let all = values.clone();
    let first = values.next()?;
    if values.all(|value| value == first) { Some(first) } else { mean(all) }
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn count(n: u64) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(groups: &[&[f64]], between: f64, within: f64, digits: f64) -> VarianceSplit {
        let split = variance_split(groups.iter().copied()).unwrap();
        assert!((split.between - between).abs() <= digits, "between {}", split.between);
        assert!((split.within - within).abs() <= digits, "within {}", split.within);
        split
    }

    #[test]
    fn the_published_dyestuff_data_split_as_published() {
        // Davies and Goldsmith, Statistical Methods in Research and Production (1972), table 6.3;
        // with equal groups the REML estimates (lme4, `Dyestuff`) are the same: 1764.05, 2451.25.
        let split = check(
            &[
                &[1545.0, 1440.0, 1440.0, 1520.0, 1580.0],
                &[1540.0, 1555.0, 1490.0, 1560.0, 1495.0],
                &[1595.0, 1550.0, 1605.0, 1510.0, 1560.0],
                &[1445.0, 1440.0, 1595.0, 1465.0, 1545.0],
                &[1595.0, 1630.0, 1515.0, 1635.0, 1625.0],
                &[1520.0, 1455.0, 1450.0, 1480.0, 1445.0],
            ],
            1764.05,
            2451.25,
            1e-9,
        );
        assert_eq!((split.n_groups, split.n_values), (6, 30));
        assert!(!split.is_between_negative);
        assert!((split.icc.unwrap() - 1764.05 / 4215.3).abs() < 1e-12);
    }

    #[test]
    fn generated_dyestuff_of_box_and_tiao_has_a_negative_estimate() {
        // Box and Tiao, Bayesian Inference in Statistical Analysis (1973), table 5.1.4: mean squares
        // 8.3363 between and 14.9459 within, made to show an estimate below zero (−1.3219).
        let split = check(
            &[
                &[7.298, 3.846, 2.434, 9.566, 7.990],
                &[5.220, 6.556, 0.608, 11.788, -0.892],
                &[0.110, 10.386, 13.434, 5.510, 8.166],
                &[2.212, 4.852, 7.092, 9.288, 4.980],
                &[0.282, 9.014, 4.458, 9.446, 7.198],
                &[1.722, 4.782, 8.106, 0.758, 3.758],
            ],
            0.0,
            14.945_889_6,
            1e-9,
        );
        assert!(split.is_between_negative);
        assert_eq!(split.icc, Some(0.0));
    }

    #[test]
    fn ticks_of_sokal_and_rohlf_in_groups_of_unequal_size() {
        // Sokal and Rohlf, Biometry, box 9.1: width of scutum of tick larvae from four hosts; mean
        // squares 602.6 and 114.5, n₀ = 9.009, 54.18 between hosts, 32.1 percent of the variance.
        let split = check(
            &[
                &[380.0, 376.0, 360.0, 368.0, 372.0, 366.0, 374.0, 382.0],
                &[350.0, 356.0, 358.0, 376.0, 338.0, 342.0, 366.0, 350.0, 344.0, 364.0],
                &[],
                &[
                    354.0, 360.0, 362.0, 352.0, 366.0, 372.0, 362.0, 344.0, 342.0, 358.0, 351.0,
                    348.0, 348.0,
                ],
                &[376.0, 344.0, 342.0, 372.0, 374.0, 360.0],
            ],
            54.178_078,
            114.484_926,
            1e-6,
        );
        assert_eq!((split.n_groups, split.n_values), (4, 37));
        assert!((split.icc.unwrap() - 0.321).abs() < 5e-4);
    }

    #[test]
    fn too_little_is_none_and_no_variance_has_no_share() {
        let split = |groups: &[&[f64]]| variance_split(groups.iter().copied());
        assert_eq!(split(&[]), None);
        assert_eq!(split(&[&[1.0, 2.0]]), None);
        assert_eq!(split(&[&[1.0], &[2.0], &[]]), None);
        assert_eq!(split(&[&[1.0, f64::NAN], &[2.0]]), None);
        assert_eq!(split(&[&[1e300, -1e300], &[2.0]]), None);
        for n_values in 2..60 {
            let same = split(&[&vec![0.7; n_values], &[0.7; 3]]).unwrap();
            assert_eq!((same.between, same.within, same.icc), (0.0, 0.0, None));
        }
        let apart = split(&[&[0.0, 0.0], &[1.0, 1.0]]).unwrap();
        assert_eq!((apart.between, apart.within, apart.icc), (0.5, 0.0, Some(1.0)));
    }
}
