//! Bounds, symmetries and orders that hold for any numbers.

use evalglass::stats::bootstrap::{ClassResamples, bootstrap_interval, bootstrap_mean_interval};
use evalglass::stats::{
    Interval, exact_mean, linear_percentile, mean, mean_and_stdev, mean_interval, median,
    pass_at_k, pass_hat_k, variance_split, wilson_interval,
};
use proptest::prelude::*;

/// Scores with few digits, so that several are equal.
fn scores(n: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-50_i32..=50).prop_map(|score| f64::from(score) / 40.0), n)
}

fn close(left: f64, right: f64, scale: f64) -> bool {
    (left - right).abs() <= 1e-13 * scale
}

fn map(interval: Interval, change: impl Fn(f64) -> f64) -> Interval {
    Interval { low: change(interval.low), high: change(interval.high) }
}

/// `values` in another order.
fn shuffled(values: &[f64]) -> Vec<f64> {
    let (odd, even): (Vec<_>, Vec<_>) = values.iter().enumerate().partition(|(at, _)| at % 2 == 1);
    odd.into_iter().rev().chain(even).map(|(_, &value)| value).collect()
}

proptest! {
    #[test]
    fn wilson_is_bounded_symmetric_and_rises_with_passes(total in 1_u64..5000, share in 0.0..=1.0) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let passed = (share * total as f64) as u64;
        #[expect(clippy::cast_precision_loss)]
        let rate = passed as f64 / total as f64;
        let found = wilson_interval(passed, total).unwrap();
        prop_assert!(0.0 <= found.low && found.low <= rate);
        prop_assert!(rate <= found.high && found.high <= 1.0);
        let mirrored = map(wilson_interval(total - passed, total).unwrap(), |end| 1.0 - end);
        prop_assert!(close(found.low, mirrored.high, 1.0) && close(found.high, mirrored.low, 1.0));
        if passed < total {
            let next = wilson_interval(passed + 1, total).unwrap();
            prop_assert!(found.low < next.low && found.high < next.high);
        }
        let tenfold = wilson_interval(10 * passed, 10 * total).unwrap();
        prop_assert!(tenfold.high - tenfold.low < found.high - found.low);
    }

    #[test]
    fn t_intervals_follow_shift_scale_and_order(values in scores(2..60), shift in -9.0..9.0) {
        let found = mean_interval(&values).unwrap();
        let centre = exact_mean(&values).unwrap();
        prop_assert!(close(found.low + found.high, 2.0 * centre, 4.0));
        let other = mean_interval(&shuffled(&values)).unwrap();
        prop_assert!(close(found.low, other.low, 9.0) && close(found.high, other.high, 9.0));
        let changed: Vec<f64> = values.iter().map(|value| -4.0 * value + shift).collect();
        let changed = mean_interval(&changed).unwrap();
        let expected = map(found, |end| -4.0 * end + shift);
        prop_assert!(close(changed.low, expected.high, 99.0));
        prop_assert!(close(changed.high, expected.low, 99.0));
        // A power of two changes no digit.
        let halved: Vec<f64> = values.iter().map(|value| value / 2.0).collect();
        prop_assert_eq!(mean_interval(&halved), Some(map(found, |end| end / 2.0)));
    }

    #[test]
    fn the_deviation_of_any_numbers_is_that_of_the_exact_sums(
        values in prop::collection::vec(super::numbers(), 2..60),
    ) {
        let (mean, stdev) = mean_and_stdev(&values).unwrap();
        let exact = evalglass::stats::exact_stdev(&values).unwrap();
        prop_assert!((stdev - exact).abs() <= 1e-15 * exact, "{} {}", stdev, exact);
        let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        prop_assert!((mean - exact_mean(&values).unwrap()).abs() <= 2e-16 * largest);
    }

    #[test]
    fn bootstrap_intervals_stay_inside_and_follow_scale_and_order(
        values in scores(2..40),
        seed in any::<u64>(),
    ) {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let found = bootstrap_mean_interval(&values, 100, seed);
        prop_assert_eq!(found.is_some(), least < most);
        prop_assert_eq!(bootstrap_mean_interval(&shuffled(&values), 100, seed), found);
        let Some(found) = found else { return Ok(()) };
        let room = 1e-15 * least.abs().max(most);
        prop_assert!(least - room <= found.low && found.low <= found.high);
        prop_assert!(found.high <= most + room);
        let doubled: Vec<f64> = values.iter().map(|value| value * 2.0).collect();
        let expected = Some(map(found, |end| end * 2.0));
        prop_assert_eq!(bootstrap_mean_interval(&doubled, 100, seed), expected);
        let shifted: Vec<f64> = values.iter().map(|value| value + 8.0).collect();
        let shifted = bootstrap_mean_interval(&shifted, 100, seed).unwrap();
        prop_assert!(close(shifted.low, found.low + 8.0, 99.0));
        prop_assert!(close(shifted.high, found.high + 8.0, 99.0));
        let of_median = bootstrap_interval(&values, 100, seed, median).unwrap();
        prop_assert!(least <= of_median.low && of_median.high <= most);
    }

    #[test]
    fn resampling_classes_is_resampling_values(
        sizes in prop::collection::vec(0_u32..9, 2..6),
        seed in any::<u64>(),
    ) {
        let values: Vec<f64> = (0..sizes.len()).map(|at| f64::from(at as u32) / 7.0).collect();
        let spread: Vec<f64> = values
            .iter()
            .zip(&sizes)
            .flat_map(|(&value, &size)| std::iter::repeat_n(value, size as usize))
            .collect();
        let found = ClassResamples::draw(&sizes, 100, seed).and_then(|all| all.mean_interval(&values));
        match (found, bootstrap_mean_interval(&spread, 100, seed)) {
            (Some(left), Some(right)) => {
                prop_assert!(close(left.low, right.low, 9.0) && close(left.high, right.high, 9.0));
            }
            (left, right) => prop_assert_eq!(left, right),
        }
    }

    #[test]
    fn more_tries_and_more_passes_order_pass_at_k_and_pass_hat_k(
        n in 1_u32..200,
        passed in 0.0..=1.0,
        k in 0.0..1.0,
    ) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let (c, k) = ((passed * f64::from(n)) as u32, (k * f64::from(n)) as u32 + 1);
        let (at, hat) = (pass_at_k(n, c, k).unwrap(), pass_hat_k(n, c, k).unwrap());
        let rate = f64::from(c) / f64::from(n);
        prop_assert!(0.0 <= hat && hat <= rate && rate <= at && at <= 1.0);
        // All pass exactly when none of them fails.
        let none_fails = 1.0 - pass_at_k(n, n - c, k).unwrap();
        prop_assert!((hat - none_fails).abs() < 1e-14);
        if k < n {
            prop_assert!(at <= pass_at_k(n, c, k + 1).unwrap());
            prop_assert!(hat >= pass_hat_k(n, c, k + 1).unwrap());
        }
        if c < n {
            prop_assert!(at <= pass_at_k(n, c + 1, k).unwrap() + 1e-15);
            prop_assert!(hat <= pass_hat_k(n, c + 1, k).unwrap());
        }
    }

    #[test]
    fn percentiles_lie_between_the_ends_in_order(
        values in scores(1..50),
        low in 0.0..=100.0,
        step in 0.0..=100.0,
    ) {
        let high = f64::min(low + step, 100.0);
        let (at_low, at_high) = (
            linear_percentile(&values, low).unwrap(),
            linear_percentile(&values, high).unwrap(),
        );
        prop_assert!(at_low <= at_high);
        prop_assert_eq!(linear_percentile(&shuffled(&values), low), Some(at_low));
        let least = values.iter().copied().reduce(f64::min);
        let most = values.iter().copied().reduce(f64::max);
        prop_assert_eq!(linear_percentile(&values, 0.0), least);
        prop_assert_eq!(linear_percentile(&values, 100.0), most);
        let middle = linear_percentile(&values, 50.0).unwrap();
        prop_assert!(close(middle, median(&values).unwrap(), 2.0));
    }

    #[test]
    fn a_variance_split_follows_shift_scale_and_order(
        groups in prop::collection::vec(scores(0..6), 2..12),
    ) {
        let split = |groups: &[Vec<f64>]| variance_split(groups.iter().map(Vec::as_slice));
        let Some(found) = split(&groups) else {
            let filled = groups.iter().filter(|group| !group.is_empty()).count();
            let n_values: usize = groups.iter().map(Vec::len).sum();
            prop_assert!(filled < 2 || n_values == filled);
            return Ok(());
        };
        prop_assert!(found.between >= 0.0 && found.within >= 0.0);
        prop_assert!(found.icc.is_none_or(|icc| (0.0..=1.0).contains(&icc)));
        prop_assert!(!found.is_between_negative || found.between == 0.0);
        let same = |left: f64, right: f64| close(left, right, 99.0);
        let turned: Vec<Vec<f64>> = groups.iter().rev().map(|group| shuffled(group)).collect();
        let turned = split(&turned).unwrap();
        prop_assert!(same(turned.between, found.between) && same(turned.within, found.within));
        let change = |by: fn(f64) -> f64| {
            let all = groups.iter().map(|group| group.iter().copied().map(by).collect());
            split(&all.collect::<Vec<Vec<f64>>>()).unwrap()
        };
        let shifted = change(|value| value + 3.0);
        prop_assert!(same(shifted.between, found.between) && same(shifted.within, found.within));
        let doubled = change(|value| value * 2.0);
        prop_assert_eq!(doubled.between, found.between * 4.0);
        prop_assert_eq!((doubled.within, doubled.icc), (found.within * 4.0, found.icc));
    }

    #[test]
    fn equal_groups_split_by_the_textbook_sums(
        groups in prop::collection::vec(scores(3..4), 2..12),
    ) {
        // Total sum of squares = between + within; with equal groups n₀ is their size.
        let found = variance_split(groups.iter().map(Vec::as_slice)).unwrap();
        prop_assume!(!found.is_between_negative);
        let all: Vec<f64> = groups.concat();
        let grand = mean(all.iter().copied()).unwrap();
        let total: f64 = all.iter().map(|value| (value - grand).powi(2)).sum();
        #[expect(clippy::cast_precision_loss)]
        let (a, n) = (groups.len() as f64, 3.0);
        let within = found.within * a * (n - 1.0);
        let between = (found.between * n + found.within) * (a - 1.0);
        prop_assert!(close(between + within, total, 999.0));
    }
}
