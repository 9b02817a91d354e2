//! Mean and standard deviation computed exactly and rounded once, as Python's `statistics` does.
//!
//! Every finite float is a ratio of integers, so sums and squares are exact in whole numbers; only
//! the last step rounds. Source of the rounding of the square root: CPython `Lib/statistics.py`,
//! `_float_sqrt_of_frac` (round-to-odd, then divide).

use super::accumulator::Accumulator;
use super::narrow::narrow_mean;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{ToPrimitive as _, Zero as _};

/// Power of two that every finite double is a whole multiple of: 2⁻¹⁰⁷⁴.
pub(super) const SCALE_BITS: u32 = 1074;

/// Limbs for 2⁶⁴ doubles, scaled to be whole: 2046 + 53 + 64 bits, and a sign.
type Sum = Accumulator<70>;
/// Limbs for the squares of as many.
type SumOfSquares = Accumulator<136>;

/// A double as the whole number `± magnitude · 2^shift` times 2⁻¹⁰⁷⁴.
pub(super) struct Whole {
    pub(super) magnitude: u64,
    pub(super) shift: usize,
    pub(super) is_negative: bool,
}

/// The parts of a double. `None` of a value that is not finite.
pub(super) fn whole(value: f64) -> Option<Whole> {
    if !value.is_finite() {
        return None;
    }
    let bits = value.to_bits();
    let exponent = usize::try_from((bits >> 52) & 0x7ff).ok()?;
    let fraction = bits & ((1 << 52) - 1);
    let (magnitude, shift) =
        if exponent == 0 { (fraction, 0) } else { (fraction | (1 << 52), exponent - 1) };
    Some(Whole { magnitude, shift, is_negative: value.is_sign_negative() })
}

/// `numerator / denominator`, rounded once to the nearest double, ties to even.
fn ratio(numerator: &BigInt, denominator: &BigUint) -> f64 {
    let magnitude = numerator.magnitude();
    if magnitude.is_zero() {
        return 0.0;
    }
    // A quotient of at least 66 bits with the lost rest in its lowest bit rounds right, except
    // below the normal range, where fewer bits are kept: no mean of scores lies there.
    let shift = 66 + i64::try_from(denominator.bits()).unwrap_or(0)
        - i64::try_from(magnitude.bits()).unwrap_or(0);
    let (top, bottom) = match u64::try_from(shift) {
        Ok(left) => (magnitude << left, denominator.clone()),
        Err(_) => (magnitude.clone(), denominator << shift.unsigned_abs()),
    };
    let mut quotient = &top / &bottom;
    if !(&top % &bottom).is_zero() {
        quotient |= BigUint::from(1_u32);
    }
    let rounded = scaled_back(quotient.to_f64().unwrap_or(f64::INFINITY), -shift);
    if numerator.sign() == Sign::Minus { -rounded } else { rounded }
}

/// `value · 2^power` in steps that neither overflow nor underflow early.
pub(super) fn scaled_back(mut value: f64, mut power: i64) -> f64 {
    while power > 0 {
        let step = power.min(1000);
        value *= 2.0_f64.powi(i32::try_from(step).unwrap_or(0));
        power -= step;
    }
    while power < 0 {
        let step = (-power).min(1000);
        value /= 2.0_f64.powi(i32::try_from(step).unwrap_or(0));
        power += step;
    }
    value
}

/// The exact mean, rounded once (Python's `statistics.mean`). Values that are not finite give what
/// adding them gives. `None` of nothing.
pub fn exact_mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    if let Some(mean) = narrow_mean(values) {
        return Some(mean);
    }
    let mut total = Sum::new();
    for &value in values {
        let Some(whole) = whole(value) else {
            return Some(values.iter().copied().filter(|value| !value.is_finite()).sum());
        };
        total.add(whole.magnitude, whole.shift, whole.is_negative);
    }
    let denominator = BigUint::from(values.len()) << SCALE_BITS;
    Some(ratio(&total.to_big(), &denominator))
}

/// The sample standard deviation (n − 1), exact and rounded once (Python's `statistics.stdev`).
/// `None` of fewer than two values; NaN when a value is not finite.
pub fn exact_stdev(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let (mut total, mut squares) = (Sum::new(), SumOfSquares::new());
    for &value in values {
        let Some(whole) = whole(value) else { return Some(f64::NAN) };
        total.add(whole.magnitude, whole.shift, whole.is_negative);
        let square = u128::from(whole.magnitude) * u128::from(whole.magnitude);
        #[expect(clippy::cast_possible_truncation, reason = "the low half; the high one follows")]
        squares.add(square as u64, 2 * whole.shift, false);
        squares.add((square >> 64) as u64, 2 * whole.shift + 64, false);
    }
    let (total, squares) = (total.to_big(), squares.to_big());
    let n_values = BigInt::from(values.len());
    let variance = (&n_values * squares - &total * &total).to_biguint().unwrap_or_default();
    let denominator =
        (BigUint::from(values.len()) * BigUint::from(values.len() - 1)) << (2 * SCALE_BITS);
    Some(sqrt_of_ratio(&variance, &denominator))
}

/// `√(numerator / denominator)`, rounded once.
fn sqrt_of_ratio(numerator: &BigUint, denominator: &BigUint) -> f64 {
    if numerator.is_zero() {
        return 0.0;
    }
    let bits = |whole: &BigUint| i64::try_from(whole.bits()).unwrap_or(0);
    let half_shift = (bits(numerator) - bits(denominator) - 109).div_euclid(2);
    match u64::try_from(half_shift) {
        Ok(shift) => {
            let root = odd_sqrt(numerator, &(denominator << (2 * shift)));
            ratio(&BigInt::from(root << shift), &BigUint::from(1_u32))
        }
        Err(_) => {
            let shift = half_shift.unsigned_abs();
            let root = odd_sqrt(&(numerator << (2 * shift)), denominator);
            ratio(&BigInt::from(root), &(BigUint::from(1_u32) << shift))
        }
    }
}

/// `⌊√(numerator / denominator)⌋` with its lowest bit set when it is not exact (round to odd).
fn odd_sqrt(numerator: &BigUint, denominator: &BigUint) -> BigUint {
    let root = (numerator / denominator).sqrt();
    let is_exact = &root * &root * denominator == *numerator;
    if is_exact { root } else { root | BigUint::from(1_u32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_means_and_deviations_are_those_of_pythons_statistics() {
        assert_eq!(exact_mean(&[0.1; 10]), Some(0.1));
        assert_eq!(exact_mean(&[0.37, 0.74, 1.11, 0.37, 0.74]), Some(0.666));
        assert_eq!(exact_stdev(&[0.37, 0.74, 1.11, 0.37, 0.74]), Some(0.309_564_209_817_608));
        assert_eq!(exact_stdev(&[0.11, 0.22, 0.33]), Some(0.110_000_000_000_000_01));
        assert_eq!(exact_stdev(&[33.5, 67.0, 100.5]), Some(33.5));
        assert_eq!(exact_mean(&[1e308, 1e308]), Some(1e308));
        assert_eq!(exact_mean(&[-0.5, 0.25]), Some(-0.125));
    }

    #[test]
    fn too_little_is_no_number_and_non_finite_spreads() {
        assert_eq!(exact_mean(&[]), None);
        assert_eq!(exact_stdev(&[1.0]), None);
        assert_eq!(exact_stdev(&[1.0, 1.0]), Some(0.0));
        assert!(exact_mean(&[1.0, f64::NAN]).is_some_and(f64::is_nan));
        assert_eq!(exact_mean(&[1.0, f64::INFINITY]), Some(f64::INFINITY));
    }

    /// The sum of `values · 2¹⁰⁷⁴` one big integer after the other: slow, and plainly right.
    fn slow_sum(values: impl IntoIterator<Item = f64>) -> BigInt {
        values
            .into_iter()
            .map(|value| {
                let whole = whole(value).unwrap();
                let magnitude = BigInt::from(whole.magnitude) << whole.shift;
                if whole.is_negative { -magnitude } else { magnitude }
            })
            .sum()
    }

    #[test]
    fn the_narrow_way_rounds_like_the_wide_one() {
        let mut random = crate::stats::random::SplitMix64::new(2);
        let mut n_narrow = 0;
        for nth in 0..20_000 {
            let n_values = 1 + random.below(12);
            // Round decimals, any fraction, and exponents around both ends of the range.
            let exponent = [1023, 1023, 0, 2040][nth % 4];
            let values: Vec<f64> = (0..n_values)
                .map(|_| match nth % 4 {
                    0 => f64::from(random.below(101)) / 100.0 - 0.3,
                    _ => {
                        let bits = random.bits() & !(0x7ff << 52);
                        f64::from_bits(bits | ((exponent + u64::from(random.below(7))) << 52))
                    }
                })
                .collect();
            let wide = ratio(
                &slow_sum(values.iter().copied()),
                &(BigUint::from(values.len()) << SCALE_BITS),
            );
            n_narrow += usize::from(narrow_mean(&values).is_some());
            assert_eq!(exact_mean(&values).map(f64::to_bits), Some(wide.to_bits()), "{values:?}");
        }
        assert_eq!(n_narrow, 20_000);
    }

    #[test]
    fn limbs_hold_what_big_integers_hold() {
        let mut random = crate::stats::random::SplitMix64::new(1);
        for n_values in (1..60).chain([1000]) {
            let values: Vec<f64> = (0..n_values)
                .map(|at| match (f64::from_bits(random.bits()), at % 3) {
                    // Any exponent, or one near 1, as scores have.
                    (value, 0) if value.is_finite() => value,
                    _ => f64::from(random.below(1 << 20)) / 1e6 - 0.3,
                })
                .collect();
            let slow = slow_sum(values.iter().copied());
            let mut sum = Sum::new();
            for &value in &values {
                let whole = whole(value).unwrap();
                sum.add(whole.magnitude, whole.shift, whole.is_negative);
            }
            assert_eq!(sum.to_big(), slow);
            let mean = ratio(&slow, &(BigUint::from(values.len()) << SCALE_BITS));
            assert_eq!(exact_mean(&values).map(f64::to_bits), Some(mean.to_bits()));
            let squares: BigInt = values.iter().map(|&value| slow_sum([value]).pow(2)).sum();
            let n = BigInt::from(values.len());
            let variance = (&n * squares - slow.pow(2)).to_biguint().unwrap();
            let divisor = BigUint::from(values.len()) * BigUint::from(values.len() - 1);
            let stdev = (values.len() > 1)
                .then(|| sqrt_of_ratio(&variance, &(divisor << (2 * SCALE_BITS))).to_bits());
            assert_eq!(exact_stdev(&values).map(f64::to_bits), stdev);
        }
    }
}
