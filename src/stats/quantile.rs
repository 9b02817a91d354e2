//! Medians and percentiles, by each of the definitions that the original tools use.

/// Values in ascending order, NaN last.
fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

/// The value that has place `at` in ascending order; `None` past the end.
fn nth(values: &[f64], at: usize) -> Option<f64> {
    if at >= values.len() {
        return None;
    }
    let mut values = values.to_vec();
    Some(*values.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// Middle value; of an even number, half the sum of the middle two (Python's `statistics.median`).
pub fn median(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let mut values = values.to_vec();
    let is_odd = values.len() % 2 == 1;
    let at = values.len() / 2;
    let (below, upper, _) = values.select_nth_unstable_by(at, f64::total_cmp);
    if is_odd {
        return Some(*upper);
    }
    Some((below.iter().copied().max_by(f64::total_cmp)? + *upper) / 2.0)
}

/// `sorted[n // 2]`: the upper middle value (letta-evals' p50 of timings).
pub fn upper_median(values: &[f64]) -> Option<f64> {
    nth(values, values.len() / 2)
}

/// `sorted[min(⌊0.95·n⌋, n − 1)]` (letta-evals' p95 of timings).
pub fn nearest_rank_p95(values: &[f64]) -> Option<f64> {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the original truncates the same product"
    )]
    let rank = (0.95 * values.len() as f64) as usize;
    nth(values, rank.min(values.len().checked_sub(1)?))
}

/// `numpy.percentile` with linear interpolation, bit for bit; `percent` 0–100. NaN when a value is
/// NaN. `None` of nothing, or of a percentile that there is not.
///
/// Source: numpy 2.4, `lib/_function_base_impl.py`, `_quantile` and `_lerp`.
pub fn linear_percentile(values: &[f64], percent: f64) -> Option<f64> {
    if values.iter().any(|value| value.is_nan()) {
        return Some(f64::NAN);
    }
    percentile_of_sorted(&sorted(values), percent)
}

/// [`linear_percentile`] of values in ascending order.
pub(super) fn percentile_of_sorted(sorted: &[f64], percent: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1).filter(|_| (0.0..=100.0).contains(&percent))?;
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let at = last as f64 * (percent / 100.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a percentile of 0–100 gives an index in range"
    )]
    let below = (at.floor() as usize).min(last);
    let (low, high) = (*sorted.get(below)?, *sorted.get((below + 1).min(last))?);
    let share = at - at.floor();
    let step = high - low;
    // numpy's lerp goes from the nearer end, so that both ends are exact.
    Some(if share >= 0.5 { high - step * (1.0 - share) } else { low + step * share })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_definition_keeps_its_own_middle() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(median(&values), Some(2.5));
        assert_eq!(upper_median(&values), Some(3.0));
        assert_eq!(nearest_rank_p95(&values), Some(4.0));
        assert_eq!(linear_percentile(&values, 50.0), Some(2.5));
        assert_eq!(linear_percentile(&values, 95.0), Some(3.849_999_999_999_999_6));
        assert_eq!(linear_percentile(&values, 100.0), Some(4.0));
    }

    #[test]
    fn percentiles_are_numpys_to_the_bit() {
        // numpy 2.4.6, `numpy.percentile(numpy.sqrt(numpy.arange(n)), percent)`: the order of its
        // multiplication and division shows in the last digits of most.
        for (n_values, percent, expected) in [
            (4, 95.0, 1.684_375_220_789_509_7),
            (7, 99.0, 2.436_684_436_866_174_4),
            (14, 90.0, 3.419_858_567_703_048),
            (27, 90.0, 4.837_090_708_214_174),
            (49, 95.0, 6.752_679_562_874_908),
            (49, 99.0, 6.893_379_887_935_765),
            (62, 95.0, 7.612_476_172_334_25),
        ] {
            let values: Vec<f64> = (0..n_values).rev().map(|n| f64::from(n).sqrt()).collect();
            assert_eq!(linear_percentile(&values, percent), Some(expected), "{n_values}");
        }
    }

    #[test]
    fn what_is_no_percentile_is_none() {
        assert_eq!(linear_percentile(&[1.0, 2.0], 100.1), None);
        assert_eq!(linear_percentile(&[1.0, 2.0], -0.1), None);
        assert_eq!(linear_percentile(&[1.0, 2.0], f64::NAN), None);
        assert!(linear_percentile(&[1.0, f64::NAN], 0.0).is_some_and(f64::is_nan));
    }

    #[test]
    fn no_values_have_no_quantiles() {
        assert_eq!(median(&[]), None);
        assert_eq!(upper_median(&[]), None);
        assert_eq!(nearest_rank_p95(&[]), None);
        assert_eq!(linear_percentile(&[], 50.0), None);
    }

    proptest! {
        #[test]
        fn a_median_is_the_middle_of_all_in_order(values in prop::collection::vec(prop::num::f64::ANY, 0..40)) {
            let ordered = sorted(&values);
            let middle = match ordered.as_slice() {
                [] => None,
                all if all.len() % 2 == 1 => Some(all[all.len() / 2]),
                all => Some((all[all.len() / 2 - 1] + all[all.len() / 2]) / 2.0),
            };
            prop_assert_eq!(median(&values).map(f64::to_bits), middle.map(f64::to_bits));
        }
    }
}
