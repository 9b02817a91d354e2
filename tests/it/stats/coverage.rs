//! How often each 95 % interval holds the truth, over many samples of a known distribution.
//!
//! Seeded, so that a run repeats; the generator is not the library's. Expected is the coverage that
//! the method has for that distribution, computed apart (numpy, 4000 to 200 000 samples); the
//! tolerance is three standard errors of the simulation here.

use evalglass::stats::bootstrap::{N_RESAMPLES, SEED, bootstrap_mean_interval};
use evalglass::stats::{Interval, mean_interval, wilson_interval};

/// Marsaglia's xorshift64*.
struct Random(u64);

impl Random {
    /// Between 0 and 1, both left out.
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        #[expect(clippy::cast_precision_loss, reason = "52 bits")]
        let bits = (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 12) as f64;
        (bits + 0.5) / 4_503_599_627_370_496.0
    }

    /// Standard normal: Box and Muller.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(self.uniform())).sqrt();
        radius * libm::cos(2.0 * std::f64::consts::PI * self.uniform())
    }

    /// Exponential with mean 1: skewed.
    fn exponential(&mut self) -> f64 {
        -libm::log(self.uniform())
    }
}

/// Share of `n_samples` samples of `n_values` whose interval holds `truth`.
fn coverage(
    n_samples: u32,
    n_values: usize,
    truth: f64,
    draw: fn(&mut Random) -> f64,
    interval: impl Fn(&[f64]) -> Option<Interval>,
) -> f64 {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let n_held = (0..n_samples)
        .filter(|_| {
            let values: Vec<f64> = (0..n_values).map(|_| draw(&mut random)).collect();
            let found = interval(&values).unwrap();
            found.low <= truth && truth <= found.high
        })
        .count();
    f64::from(u32::try_from(n_held).unwrap()) / f64::from(n_samples)
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "covers {found}, expected {expected}");
}

#[test]
fn t_intervals_cover_as_they_should() {
    let of = |n_values, truth, draw| coverage(5_000, n_values, truth, draw, mean_interval);
    // Exact for normal values, however few.
    for n_values in [2, 5, 30] {
        assert_near(of(n_values, 0.0, Random::normal), 0.95, 0.01);
    }
    assert_near(of(5, 1.0, Random::exponential), 0.883, 0.014);
    assert_near(of(30, 1.0, Random::exponential), 0.928, 0.011);
}

#[test]
fn bootstrap_intervals_cover_a_little_less() {
    let of = |n_samples, n_values, truth, draw| {
        coverage(n_samples, n_values, truth, draw, |values| {
            bootstrap_mean_interval(values, N_RESAMPLES, SEED)
        })
    };
    assert_near(of(500, 30, 0.0, Random::normal), 0.937, 0.033);
    assert_near(of(500, 30, 1.0, Random::exponential), 0.916, 0.037);
    assert_near(of(700, 10, 0.0, Random::normal), 0.900, 0.034);
    assert_near(of(1_000, 5, 0.0, Random::normal), 0.838, 0.035);
}

#[test]
fn wilson_intervals_cover_as_published() {
    // Mean over uniform rates: A. Agresti, B. Coull, The American Statistician 52 (1998), table 1,
    // "Score". No chance in it: every outcome is weighed by its probability.
    for (n_trials, expected) in
        [(5_u32, 0.955), (15, 0.953), (30, 0.952), (50, 0.952), (100, 0.951)]
    {
        let intervals: Vec<Interval> = (0..=n_trials)
            .map(|passed| wilson_interval(passed.into(), n_trials.into()).unwrap())
            .collect();
        let n_rates = 4_000_u32;
        let mut total = 0.0;
        for at in 0..n_rates {
            let rate = (f64::from(at) + 0.5) / f64::from(n_rates);
            let mut probability = (1.0 - rate).powi(i32::try_from(n_trials).unwrap());
            for (passed, interval) in (0..).zip(&intervals) {
                if interval.low <= rate && rate <= interval.high {
                    total += probability;
                }
                let odds = rate / (1.0 - rate);
                probability *= f64::from(n_trials - passed) / f64::from(passed + 1) * odds;
            }
        }
        assert_near(total / f64::from(n_rates), expected, 0.0006);
    }
}

#[test]
fn wilson_intervals_cover_single_rates() {
    let of = |n_trials: u32, rate: f64| {
        let mut random = Random(42);
        let n_held = (0..5_000)
            .filter(|_| {
                let n_passed = (0..n_trials).filter(|_| random.uniform() < rate).count();
                let found = wilson_interval(n_passed as u64, n_trials.into()).unwrap();
                found.low <= rate && rate <= found.high
            })
            .count();
        f64::from(u32::try_from(n_held).unwrap()) / 5_000.0
    };
    // Sums of binomial probabilities; near 0 and 1 the coverage of the interval swings.
    assert_near(of(20, 0.5), 0.959, 0.009);
    assert_near(of(50, 0.9), 0.970, 0.008);
    assert_near(of(100, 0.1), 0.936, 0.011);
}
