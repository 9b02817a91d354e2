//! Compensated sums, as Python's `sum` of floats does from 3.12 on.

/// Neumaier's compensated sum, left to right; bit-equal to Python ≥ 3.12's `sum` of floats.
///
/// Source: CPython `Python/bltinmodule.c`, `cs_add`; A. Neumaier, ZAMM 54 (1974).
pub fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut high, mut low) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = high + value;
        low +=
            if high.abs() >= value.abs() { (high - next) + value } else { (value - next) + high };
        high = next;
    }
    // As in CPython: a compensation that is not finite would spoil an infinite sum.
    if low != 0.0 && low.is_finite() { high + low } else { high }
}

/// [`sum`] divided by the number of values; `None` of nothing.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut n_values = 0_u32;
    let total = sum(values.into_iter().inspect(|_| n_values += 1));
    (n_values > 0).then(|| total / f64::from(n_values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_ten_tenths_is_exactly_one() {
        assert_eq!(sum([0.1; 10]), 1.0);
        assert_eq!(mean([0.1; 10]), Some(0.1));
    }

    #[test]
    fn a_small_value_survives_between_large_ones() {
        assert_eq!(sum([1.0, 1e100, 1.0, -1e100]), 2.0);
    }

    #[test]
    fn infinities_stay_and_nothing_has_no_mean() {
        assert_eq!(sum([1.0, f64::INFINITY]), f64::INFINITY);
        assert!(sum([f64::INFINITY, f64::NEG_INFINITY]).is_nan());
        assert_eq!(mean([]), None);
    }
}
