//! 95 % confidence intervals.

use super::deviation::mean_and_stdev;
use super::student::{Z, t_quantile};
use serde::{Deserialize, Serialize};

/// Lower and upper end.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Wilson's score interval of a proportion. `None` of no trial, or of more passed than there are.
///
/// Source: E. B. Wilson, JASA 22 (1927), without continuity correction.
pub fn wilson_interval(n_passed: u64, n_total: u64) -> Option<Interval> {
    if n_total == 0 || n_passed > n_total {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let (passed, total) = (n_passed as f64, n_total as f64);
    let rate = passed / total;
    let denominator = 1.0 + Z * Z / total;
    let centre = (rate + Z * Z / (2.0 * total)) / denominator;
    let half =
        Z / denominator * (rate * (1.0 - rate) / total + Z * Z / (4.0 * total * total)).sqrt();
    // At both ends centre and half width cancel, which rounding would spoil.
    Some(Interval {
        low: if n_passed == 0 { 0.0 } else { centre - half },
        high: if n_passed == n_total { 1.0 } else { centre + half },
    })
}

/// Student's t interval of a mean. `None` of fewer than two values, when one is not finite, or when
/// an end is beyond the range of doubles.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    let (mean, stdev) = mean_and_stdev(values)?;
    let degrees = u32::try_from(values.len() - 1).ok()?;
    let half = t_quantile(degrees)? * stdev / (f64::from(degrees) + 1.0).sqrt();
    let interval = Interval { low: mean - half, high: mean + half };
    (interval.low.is_finite() && interval.high.is_finite()).then_some(interval)
}

/// The same of a mean and a sample standard deviation that are known, of `n` values.
pub fn t_interval_of(mean: f64, stdev: f64, n: u64) -> Option<Interval> {
    let degrees = u32::try_from(n.checked_sub(1)?).ok()?;
    around(mean, t_quantile(degrees)? * stdev, n)
}

/// The interval that takes the mean of `n` values as normal: mean ± 1.96 · stdev / √n. `None` of
/// fewer than two values, or when an end is beyond the range of doubles.
///
/// Source: the reporting guide of letta-evals, which rounds the quantile to 1.96.
pub fn normal_interval_of(mean: f64, stdev: f64, n: u64) -> Option<Interval> {
    const Z95: f64 = 1.96;
    if n < 2 { None } else { around(mean, Z95 * stdev, n) }
}

/// `mean` ± `width` / √n.
#[expect(clippy::cast_precision_loss, reason = "counts of runs stay far below 2^53")]
fn around(mean: f64, width: f64, n: u64) -> Option<Interval> {
    let half = width / (n as f64).sqrt();
    let interval = Interval { low: mean - half, high: mean + half };
    (interval.low.is_finite() && interval.high.is_finite()).then_some(interval)
}

/// Fewest values whose interval is shown. Of two, t is 12.7: the interval is nine times as wide as the
/// values lie apart, which tells nothing but that there are two.
pub const MIN_FOR_INTERVAL: u64 = 3;

/// [`normal_interval_of`] the mean of `values`. For few values it is too narrow: [`mean_interval`] allows
/// for that.
pub fn normal_interval(values: &[f64]) -> Option<Interval> {
    let (mean, stdev) = mean_and_stdev(values)?;
    normal_interval_of(mean, stdev, values.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9
    }

    #[test]
    fn wilson_matches_published_values() {
        // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20.
        for (passed, total, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
        {
            let interval = wilson_interval(passed, total).unwrap();
            assert!((interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5);
        }
        assert_eq!(wilson_interval(0, 0), None);
    }

    #[test]
    fn the_guide_s_interval_is_narrower_than_student_s() {
        let values = [0.80, 0.85, 0.78, 0.82, 0.90];
        let interval = normal_interval(&values).unwrap();
        // mean 0.83, s = sqrt(0.0088 / 4) = 0.0469041576, 1.96 s / sqrt 5 = 0.0411133069
        assert!((interval.low - 0.788_886_693).abs() < 1e-8, "{interval:?}");
        assert!((interval.high - 0.871_113_307).abs() < 1e-8, "{interval:?}");
        let student = mean_interval(&values).unwrap();
        assert!(student.low < interval.low && interval.high < student.high);
        assert_eq!(normal_interval(&[0.5]), None);
    }

    #[test]
    fn t_interval_matches_the_table() {
        // t(0.975, 4) = 2.7764451052: mean 3, sd sqrt(2.5), n 5.
        let interval = mean_interval(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        let half = 2.776_445_105_2 * 2.5_f64.sqrt() / 5.0_f64.sqrt();
        assert!(close(interval.low, 3.0 - half) && close(interval.high, 3.0 + half));
        assert_eq!(mean_interval(&[1.0]), None);
        let same = t_interval_of(3.0, 2.5_f64.sqrt(), 5).unwrap();
        assert!(close(interval.low, same.low) && close(interval.high, same.high));
        assert_eq!(t_interval_of(3.0, 1.0, 1), None);
    }

    #[test]
    fn the_normal_interval_is_that_of_the_guide() {
        // The guide's example: 0.847 ± 1.96 · 0.042 / √10 = 0.847 ± 0.0260319
        let interval = normal_interval_of(0.847, 0.042, 10).unwrap();
        assert!(close(interval.low, 0.820_968_130_3) && close(interval.high, 0.873_031_869_7));
        assert_eq!(normal_interval_of(0.5, 0.1, 1), None);
        assert_eq!(normal_interval_of(0.5, f64::INFINITY, 5), None);
    }
}
