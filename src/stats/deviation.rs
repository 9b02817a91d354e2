//! Mean and sample standard deviation of many values, fast and to nearly the last digit.
//!
//! Where the last bit must be that of Python's `statistics`, use `exact_mean` and `exact_stdev`.

use super::sum::sum;

/// Mean and sample standard deviation (n − 1) of `values`: two passes with compensated sums, the
/// second one corrected for the rounding of the mean. Relative error of the deviation below 1e-15.
/// Values that are all the same have a deviation of exactly 0; one beyond the range of doubles is
/// infinite.
///
/// `None` of fewer than two values, or when one is not finite.
///
/// Source: T. F. Chan, G. H. Golub, R. J. LeVeque, The American Statistician 37 (1983), formula 1.7.
pub fn mean_and_stdev(values: &[f64]) -> Option<(f64, f64)> {
    let (&first, rest) = values.split_first()?;
    if rest.is_empty() || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    if rest.iter().all(|&value| value == first) {
        return Some((first, 0.0));
    }
    let scale = scale_of(values);
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let n_values = values.len() as f64;
    let scaled = || values.iter().map(|value| value * scale);
    let mean = sum(scaled()) / n_values;
    let shift = sum(scaled().map(|value| value - mean));
    let squares = sum(scaled().map(|value| (value - mean) * (value - mean)));
    let variance = (squares - shift * shift / n_values) / (n_values - 1.0);
    Some((mean / scale, variance.max(0.0).sqrt() / scale))
}

/// The sample standard deviation alone, see [`mean_and_stdev`].
pub fn stdev(values: &[f64]) -> Option<f64> {
    mean_and_stdev(values).map(|(_, stdev)| stdev)
}

/// A power of two that brings the largest magnitude near 1: squares then neither overflow nor
/// vanish, and no other digit changes.
fn scale_of(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let exponent = (largest.to_bits() >> 52) & 0x7ff;
    f64::from_bits(2045_u64.saturating_sub(exponent).max(1) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{exact_mean, exact_stdev};

    /// Both results against the exact ones, to a few units of the last place.
    fn check(values: &[f64]) {
        let (mean, stdev) = mean_and_stdev(values).unwrap();
        let (exact, exact_stdev) = (exact_mean(values).unwrap(), exact_stdev(values).unwrap());
        assert!((mean - exact).abs() <= 4e-16 * exact.abs(), "{mean} {exact}");
        assert!((stdev - exact_stdev).abs() <= 1e-15 * exact_stdev, "{stdev} {exact_stdev}");
    }

    #[test]
    fn nearly_all_digits_are_right_even_where_a_naive_sum_of_squares_has_none() {
        check(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]);
        // The mean of these is no double.
        check(&[1.0, 1.0 + f64::EPSILON]);
        check(&[1.0, 1.0 + f64::EPSILON, 1.0 + 3.0 * f64::EPSILON]);
        check(&[0.0, 1e-9, 1.0, 1e9]);
        check(&(0..50_000).map(|n| f64::from(n % 97) / 96.0).collect::<Vec<f64>>());
    }

    #[test]
    fn ends_of_the_range_neither_overflow_nor_vanish() {
        check(&[1.7e308, 1.6e308, 1.5e308]);
        check(&[1.7e308, 1.0, -1e308]);
        check(&[3e-170, 1e-170, 2e-170]);
        check(&[f64::from_bits(3), f64::from_bits(1 << 40)]);
    }

    #[test]
    fn the_same_value_again_and_again_has_no_deviation() {
        for n_values in 2..200 {
            assert_eq!(mean_and_stdev(&vec![0.7; n_values]), Some((0.7, 0.0)));
        }
        assert_eq!(stdev(&[0.0, -0.0]), Some(0.0));
    }

    #[test]
    fn too_little_and_not_finite_is_no_number() {
        assert_eq!(mean_and_stdev(&[]), None);
        assert_eq!(mean_and_stdev(&[1.0]), None);
        assert_eq!(mean_and_stdev(&[1.0, f64::NAN]), None);
        assert_eq!(mean_and_stdev(&[f64::INFINITY, f64::INFINITY]), None);
    }
}
