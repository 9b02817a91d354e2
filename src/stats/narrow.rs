//! The exact mean of doubles of like size, without big integers: what nearly all scores of a case are.

use super::exact::{SCALE_BITS, scaled_back, whole};

/// Most bits between the lowest bits of two values: a value and its shift stay below 2¹¹⁷.
const MAX_SPREAD: usize = 64;

/// The mean of `values`, computed exactly and rounded once, as [`exact_mean`](super::exact_mean) gives it.
/// `None` when a value is not finite, when their sum does not fit into 127 bits, or of nothing.
pub(super) fn narrow_mean(values: &[f64]) -> Option<f64> {
    let mut lowest = usize::MAX;
    for &value in values {
        let whole = whole(value)?;
        if whole.magnitude != 0 {
            lowest = lowest.min(whole.shift);
        }
    }
    let mut total = 0_i128;
    for &value in values {
        let whole = whole(value)?;
        if whole.magnitude == 0 {
            continue;
        }
        let spread = whole.shift.checked_sub(lowest).filter(|spread| *spread <= MAX_SPREAD)?;
        let shifted = i128::from(whole.magnitude) << spread;
        total = total.checked_add(if whole.is_negative { -shifted } else { shifted })?;
    }
    let magnitude = total.unsigned_abs();
    if magnitude == 0 {
        return (!values.is_empty()).then_some(0.0);
    }
    // The quotient has at least 64 bits: 53 stay, one rounds, the lowest stands for all that is lost.
    let n_zeros = magnitude.leading_zeros();
    let (top, n_values) = (magnitude << n_zeros, values.len() as u128);
    let is_inexact = !top.is_multiple_of(n_values);
    let quotient = (top / n_values) | u128::from(is_inexact);
    let power = i64::try_from(lowest).ok()? - i64::from(SCALE_BITS) - i64::from(n_zeros);
    #[expect(
        clippy::cast_precision_loss,
        reason = "the one rounding, to the nearest, ties to even"
    )]
    let rounded = scaled_back(quotient as f64, power);
    Some(if total < 0 { -rounded } else { rounded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_means_are_those_of_pythons_statistics() {
        assert_eq!(narrow_mean(&[0.1; 10]), Some(0.1));
        assert_eq!(narrow_mean(&[0.37, 0.74, 1.11, 0.37, 0.74]), Some(0.666));
        assert_eq!(narrow_mean(&[-0.5, 0.0, 0.25]), Some(-0.083_333_333_333_333_33));
        assert_eq!(narrow_mean(&[0.0, -0.0]).map(f64::to_bits), Some(0));
        assert_eq!(narrow_mean(&[f64::MAX, f64::MAX]), Some(f64::MAX));
        let least = f64::from_bits(1);
        assert_eq!(narrow_mean(&[least, least, 0.0]), Some(least));
    }

    #[test]
    fn what_does_not_fit_is_left_to_big_integers() {
        assert_eq!(narrow_mean(&[]), None);
        assert_eq!(narrow_mean(&[1.0, f64::NAN]), None);
        assert_eq!(narrow_mean(&[1.0, 1e-20]), None);
        assert_eq!(narrow_mean(&[2.0_f64.powi(64), 1.0]), Some(2.0_f64.powi(63)));
        assert_eq!(narrow_mean(&[2.0_f64.powi(65), 1.0]), None);
    }
}
