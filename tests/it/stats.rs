//! Numbers against slow oracles and laws; known answers stand beside each function.

// How often 95 % intervals hold the truth.
mod coverage;
// What must hold whatever the numbers are.
mod laws;

use evalglass::stats::{exact_mean, exact_stdev, sum};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::cmp::Ordering;

/// `value · 2¹⁰⁷⁴` from its digits, independent of how the library takes a double apart.
fn whole(value: f64) -> BigInt {
    // A double is a whole number after some doublings; halving it back loses nothing.
    let (mut magnitude, mut n_doublings) = (value.abs(), 0_u32);
    while magnitude >= 18_446_744_073_709_551_616.0 {
        magnitude /= 2.0;
        n_doublings += 1;
    }
    let mut n_halvings = 0_u32;
    while magnitude.fract() != 0.0 {
        magnitude *= 2.0;
        n_halvings += 1;
    }
    let digits: BigInt = format!("{magnitude:.0}").parse().unwrap();
    let scaled = digits << (1074 + n_doublings - n_halvings);
    if value < 0.0 { -scaled } else { scaled }
}

/// Fails unless `found` is the double nearest to the truth, of two the even one. `compare` tells how
/// the fraction of its arguments (scaled by 2¹⁰⁷⁴) stands to the truth.
#[track_caller]
fn assert_nearest(found: f64, compare: impl Fn(&BigInt, &BigInt) -> Ordering) {
    let halfway_to = |other: f64| compare(&(whole(found) + whole(other)), &BigInt::from(2));
    let (low, high) = (halfway_to(found.next_down()), halfway_to(found.next_up()));
    let is_even = found.to_bits() & 1 == 0;
    assert!(low.is_lt() || (low.is_eq() && is_even), "{found} is too high");
    assert!(high.is_gt() || (high.is_eq() && is_even), "{found} is too low");
}

/// Scores, counts and numbers of any size in the normal range of doubles.
fn numbers() -> impl Strategy<Value = f64> {
    let any = proptest::num::f64::NORMAL
        .prop_filter("squares are squared again", |value| (1e-140..1e140).contains(&value.abs()));
    prop_oneof![0.0..1.0, (-1000_i32..1000).prop_map(f64::from), any]
}

proptest! {
    #[test]
    fn an_exact_mean_is_the_nearest_double(values in prop::collection::vec(numbers(), 1..40)) {
        let total: BigInt = values.iter().map(|&value| whole(value)).sum();
        let mean = exact_mean(&values).unwrap();
        // top / bottom against total / n.
        assert_nearest(mean, |top, bottom| (top * values.len()).cmp(&(&total * bottom)));
    }

    #[test]
    fn an_exact_deviation_is_the_nearest_double(values in prop::collection::vec(numbers(), 2..20)) {
        let n = values.len();
        let total: BigInt = values.iter().map(|&value| whole(value)).sum();
        let squares: BigInt = values.iter().map(|&value| whole(value).pow(2)).sum();
        let variance = squares * n - total.pow(2);
        let divisor = BigInt::from(n * (n - 1));
        // (top / bottom)² against variance / divisor.
        assert_nearest(exact_stdev(&values).unwrap(), |top, bottom| {
            let square: BigInt = top.pow(2) * &divisor;
            let signed = if *top < BigInt::ZERO { -square } else { square };
            signed.cmp(&(&variance * bottom.pow(2)))
        });
    }

    #[test]
    fn a_compensated_sum_is_off_by_one_rounding_at_most_where_nothing_cancels(
        values in prop::collection::vec(0.0..1.0, 1..400),
    ) {
        let total: BigInt = values.iter().map(|&value| whole(value)).sum();
        let found = whole(sum(values.iter().copied()));
        // One unit of the last place of a 53-bit sum.
        prop_assert!(BigInt::from((found - &total).magnitude().clone()) << 52 <= total);
    }
}

#[test]
fn compensated_sums_known_from_pythons_own_tests() {
    // CPython, Lib/test/test_builtin.py, test_sum (3.12 and later).
    assert_eq!(sum([0.1; 10]), 1.0);
    assert_eq!(sum([1.0, 10e100, 1.0, -10e100]), 2.0);
    assert_eq!(sum([1.0, 1e-16, 1e-16]), 1.000_000_000_000_000_2);
    assert_eq!(sum([2.0_f64.powi(53), 1.0, 1.0, -2.0_f64.powi(53)]), 2.0);
    assert_eq!(sum([-0.0, -0.0]).to_bits(), 0.0_f64.to_bits());
    // Where naive summation gives 0 and Kahan's gives 0, Neumaier's does not.
    assert_eq!(sum([1.0, 1e100, 1.0, -1e100, 3.0]), 5.0);
}
