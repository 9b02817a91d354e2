//! Percentile bootstrap intervals: what would the figure be, had other cases of the same kind come?
//!
//! Seeded, so that the same numbers always give the same interval, in the page and natively.

use super::interval::Interval;
use super::quantile::percentile_of_sorted;
use super::random::SplitMix64;

/// Number of resamples behind an interval that the page shows.
pub const N_RESAMPLES: u32 = 2_000;

/// Seed of the generator behind an interval that the page shows.
pub const SEED: u64 = 1;

/// Most values that are drawn for one interval: about 10 ms. 2 500 values with [`N_RESAMPLES`]; the
/// mean of more is normal enough for [`mean_interval`](super::mean_interval).
pub const MAX_DRAWS: u64 = 5_000_000;

/// The 95 % percentile interval of `statistic`: from the 2.5th to the 97.5th percentile of what it is
/// of `n_resamples` samples, each drawn from `values` with putting back and as large.
///
/// The order of `values` does not matter (they are sorted first). The interval is too narrow for few
/// values: of the mean of 30 normal ones it covers about 94 %, of 10 about 90 %, of 5 about 83 %.
///
/// `None` of fewer than two values, of values that are all the same (resampling cannot show how they
/// might differ), when a value is not finite, of more than [`MAX_DRAWS`] draws, and when `statistic`
/// is `None` or not finite for a resample.
///
/// Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
pub fn bootstrap_interval(
    values: &[f64],
    n_resamples: u32,
    seed: u64,
    statistic: impl Fn(&[f64]) -> Option<f64>,
) -> Option<Interval> {
    let (sorted, n_values) = population(values, n_resamples)?;
    let mut random = SplitMix64::new(seed);
    let mut sample = Vec::with_capacity(sorted.len());
    let mut found = Vec::new();
    for _ in 0..n_resamples {
        sample.clear();
        sample.extend((0..n_values).map(|_| draw(&mut random, &sorted, n_values)));
        found.push(statistic(&sample)?);
    }
    middle_95(found)
}

/// [`bootstrap_interval`] of the mean, without holding the resamples. Sums are plain: their rounding
/// is far below what resampling leaves open.
pub fn bootstrap_mean_interval(values: &[f64], n_resamples: u32, seed: u64) -> Option<Interval> {
    let (sorted, n_values) = population(values, n_resamples)?;
    let mut random = SplitMix64::new(seed);
    let mut mean = || {
        let total: f64 = (0..n_values).map(|_| draw(&mut random, &sorted, n_values)).sum();
        total / f64::from(n_values)
    };
    middle_95((0..n_resamples).map(|_| mean()).collect())
}

/// Resamples of values that fall into few classes, drawn once for several figures: the means of all
/// of them are then of the same resamples.
#[derive(Debug, Clone)]
pub struct ClassResamples {
    sizes: Vec<u32>,
    n_values: u32,
    /// How often each class was drawn, resample by resample.
    counts: Vec<u32>,
}

impl ClassResamples {
    /// Draws `n_resamples` samples from a population with so many values of each class. `None` of
    /// fewer than two values, or of more than [`MAX_DRAWS`] draws.
    pub fn draw(sizes: &[u32], n_resamples: u32, seed: u64) -> Option<Self> {
        let total: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
        let n_values = n_drawable(total, n_resamples)?;
        let class_of: Vec<usize> = sizes
            .iter()
            .enumerate()
            .flat_map(|(class, &size)| std::iter::repeat_n(class, size as usize))
            .collect();
        let mut random = SplitMix64::new(seed);
        let mut counts = vec![0; sizes.len() * n_resamples as usize];
        for of_resample in counts.chunks_exact_mut(sizes.len()) {
            for _ in 0..n_values {
                let class = class_of.get(random.below(n_values) as usize);
                if let Some(count) = class.and_then(|&class| of_resample.get_mut(class)) {
                    *count += 1;
                }
            }
        }
        Some(Self { sizes: sizes.to_vec(), n_values, counts })
    }

    /// The 95 % percentile interval of the mean when every value of a class is that of `values`.
    /// With classes in ascending order of value it is [`bootstrap_mean_interval`], up to rounding.
    ///
    /// `None` when all values are the same, or when one is not finite.
    pub fn mean_interval(&self, values: &[f64]) -> Option<Interval> {
        let mut present = values.iter().zip(&self.sizes).filter(|(_, size)| **size > 0);
        let (first, _) = present.next()?;
        if present.all(|(value, _)| value == first) {
            return None;
        }
        let mean = |counts: &[u32]| {
            let parts = counts.iter().zip(values).map(|(&count, value)| f64::from(count) * value);
            parts.sum::<f64>() / f64::from(self.n_values)
        };
        middle_95(self.counts.chunks_exact(self.sizes.len()).map(mean).collect())
    }
}

/// The values in ascending order, and how many, when they can be resampled.
fn population(values: &[f64], n_resamples: u32) -> Option<(Vec<f64>, u32)> {
    let n_values = n_drawable(values.len() as u64, n_resamples)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let is_varied = sorted.first() != sorted.last();
    (is_varied && sorted.iter().all(|value| value.is_finite())).then_some((sorted, n_values))
}

/// `n_values`, unless they are too few or too many.
fn n_drawable(n_values: u64, n_resamples: u32) -> Option<u32> {
    let n_draws = n_values.checked_mul(u64::from(n_resamples))?;
    u32::try_from(n_values).ok().filter(|_| n_values >= 2 && n_draws <= MAX_DRAWS)
}

/// Any of the `n_values` in `sorted`.
fn draw(random: &mut SplitMix64, sorted: &[f64], n_values: u32) -> f64 {
    sorted.get(random.below(n_values) as usize).copied().unwrap_or(f64::NAN)
}

/// From the 2.5th to the 97.5th percentile.
fn middle_95(mut found: Vec<f64>) -> Option<Interval> {
    if !found.iter().all(|value| value.is_finite()) {
        return None;
    }
    found.sort_by(f64::total_cmp);
    Some(Interval {
        low: percentile_of_sorted(&found, 2.5)?,
        high: percentile_of_sorted(&found, 97.5)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{mean, mean_interval, median};

    const SCORES: [f64; 12] = [0.1, 0.9, 0.4, 0.4, 1.0, 0.0, 0.7, 0.3, 0.8, 0.8, 0.2, 0.6];

    #[test]
    fn an_interval_is_the_same_whenever_it_is_drawn() {
        let found = bootstrap_mean_interval(&SCORES, N_RESAMPLES, SEED).unwrap();
        // Pinned: a page of yesterday must show the same.
        assert_eq!((found.low, found.high), (0.333_333_333_333_333_3, 0.691_666_666_666_666_8));
        let mut turned = SCORES;
        turned.reverse();
        assert_eq!(bootstrap_mean_interval(&turned, N_RESAMPLES, SEED), Some(found));
        assert_ne!(bootstrap_mean_interval(&SCORES, N_RESAMPLES, SEED + 1), Some(found));
    }

    #[test]
    fn the_mean_has_one_interval_by_all_three_ways() {
        let fast = bootstrap_mean_interval(&SCORES, 500, 3).unwrap();
        #[expect(clippy::cast_precision_loss, reason = "twelve")]
        let plain = |sample: &[f64]| Some(sample.iter().sum::<f64>() / sample.len() as f64);
        assert_eq!(bootstrap_interval(&SCORES, 500, 3, plain), Some(fast));
        let passes = [0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0];
        let by_class = ClassResamples::draw(&[3, 0, 4], 500, 3).unwrap();
        let by_class = by_class.mean_interval(&[0.0, 0.5, 1.0]);
        assert_eq!(by_class, bootstrap_mean_interval(&passes, 500, 3));
    }

    #[test]
    fn any_statistic_has_an_interval() {
        let found = bootstrap_interval(&SCORES, N_RESAMPLES, SEED, median).unwrap();
        let middle = median(&SCORES).unwrap();
        assert!(found.low < middle && middle < found.high);
        // A resample may be all the same value, for which this statistic is not defined.
        let undefined = |sample: &[f64]| (sample.first() != sample.last()).then_some(1.0);
        assert_eq!(bootstrap_interval(&SCORES, N_RESAMPLES, SEED, undefined), None);
    }

    #[test]
    fn of_many_values_it_is_the_t_interval() {
        let mut random = SplitMix64::new(5);
        let values: Vec<f64> = (0..2_500).map(|_| f64::from(random.below(1001)) / 1e3).collect();
        let by_t = mean_interval(&values).unwrap();
        let found = bootstrap_mean_interval(&values, N_RESAMPLES, SEED).unwrap();
        let (middle, width) = (mean(values.iter().copied()).unwrap(), by_t.high - by_t.low);
        assert!((found.low + found.high - 2.0 * middle).abs() < width * 0.1);
        assert!(((found.high - found.low) / width - 1.0).abs() < 0.06);
        let one_more = [values.as_slice(), &[0.5]].concat();
        assert_eq!(bootstrap_mean_interval(&one_more, N_RESAMPLES, SEED), None);
    }

    #[test]
    fn what_cannot_be_resampled_has_no_interval() {
        let interval = |values: &[f64]| bootstrap_mean_interval(values, N_RESAMPLES, SEED);
        assert_eq!(interval(&[]), None);
        assert_eq!(interval(&[0.5]), None);
        assert_eq!(interval(&[0.5, 0.5, 0.5]), None);
        assert_eq!(interval(&[0.5, f64::NAN]), None);
        assert_eq!(interval(&[0.5, f64::INFINITY]), None);
        assert_eq!(interval(&[1e308, 1.5e308]), None);
        assert_eq!(bootstrap_mean_interval(&SCORES, 0, SEED), None);
        assert!(ClassResamples::draw(&[], N_RESAMPLES, SEED).is_none());
        assert!(ClassResamples::draw(&[1, 0], N_RESAMPLES, SEED).is_none());
        assert!(ClassResamples::draw(&[2_000, 501], N_RESAMPLES, SEED).is_none());
        let resamples = ClassResamples::draw(&[2, 0, 3], N_RESAMPLES, SEED).unwrap();
        assert_eq!(resamples.mean_interval(&[0.5, 0.1, 0.5]), None);
        assert_eq!(resamples.mean_interval(&[0.5, 0.1, f64::NAN]), None);
    }
}
