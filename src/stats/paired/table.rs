//! Pairs of outcomes, counted in a table of two by two.

use super::differences::{Power, power};
use crate::stats::interval::{Interval, wilson_interval};
use serde::{Deserialize, Serialize};

/// How many cases pass on which side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedTable {
    /// On both.
    pub both: u64,
    /// On the baseline alone: what regressed.
    pub only_baseline: u64,
    /// On the candidate alone: what was fixed.
    pub only_candidate: u64,
    /// On none.
    pub neither: u64,
}

/// What an exact test of McNemar gives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct McNemar {
    /// Two-sided p; 1 without a pair that differs.
    pub p: f64,
    /// Mid-p: `p` less the probability of the split that was seen; 1 where both counts are equal.
    pub p_mid: f64,
}

impl PairedTable {
    /// Number of pairs.
    pub fn n(&self) -> u64 {
        self.both + self.only_baseline + self.only_candidate + self.neither
    }

    /// Adds a pair.
    pub fn add(&mut self, baseline: bool, candidate: bool) {
        // No branch: how the next pair comes out cannot be predicted.
        self.both += u64::from(baseline & candidate);
        self.only_baseline += u64::from(baseline & !candidate);
        self.only_candidate += u64::from(!baseline & candidate);
        self.neither += u64::from(!(baseline | candidate));
    }

    /// The same with the sides swapped.
    pub fn swapped(self) -> Self {
        let Self { only_baseline, only_candidate, .. } = self;
        Self { only_baseline: only_candidate, only_candidate: only_baseline, ..self }
    }

    /// Share that passes on the baseline, and on the candidate. `None` of no pair.
    pub fn rates(&self) -> Option<(f64, f64)> {
        let n = float(self.n());
        let baseline = float(self.both + self.only_baseline) / n;
        let candidate = float(self.both + self.only_candidate) / n;
        (n > 0.0).then_some((baseline, candidate))
    }

    /// Difference of the shares, candidate less baseline. `None` of no pair.
    pub fn difference(&self) -> Option<f64> {
        let n = float(self.n());
        (n > 0.0).then(|| (float(self.only_candidate) - float(self.only_baseline)) / n)
    }

    /// 95 % interval of the difference. `None` of no pair.
    ///
    /// Source: R. G. Newcombe, Statistics in Medicine 17 (1998) 2635, method 10: Wilson's limits of both
    /// shares, joined by φ. In φ, `both·neither − only·only` is reduced by n/2 where it is positive, down to
    /// 0; φ is 0 where a margin is.
    pub fn interval(&self) -> Option<Interval> {
        let n = self.n();
        let difference = self.difference()?;
        let (rate_a, rate_b) = self.rates()?;
        let a = wilson_interval(self.both + self.only_baseline, n)?;
        let b = wilson_interval(self.both + self.only_candidate, n)?;
        let phi = self.phi();
        let reach = |left: f64, right: f64| {
            (left * left - 2.0 * phi * left * right + right * right).max(0.0).sqrt()
        };
        Some(Interval {
            low: difference - reach(rate_b - b.low, a.high - rate_a),
            high: difference + reach(b.high - rate_b, rate_a - a.low),
        })
    }

    fn phi(&self) -> f64 {
        let [both, only_a, only_b, neither] =
            [self.both, self.only_baseline, self.only_candidate, self.neither].map(float);
        let margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither);
        if margins <= 0.0 {
            return 0.0;
        }
        let product = both * neither - only_a * only_b;
        let n = both + only_a + only_b + neither;
        let reduced = if product > 0.0 { (product - n / 2.0).max(0.0) } else { product };
        reduced / margins.sqrt()
    }

    /// The exact test of whether as many were fixed as regressed.
    ///
    /// Source: Q. McNemar, Psychometrika 12 (1947); mid-p: M. W. Fagerland, S. Lydersen, P. Laake, BMC
    /// Medical Research Methodology 13 (2013).
    pub fn mcnemar(&self) -> McNemar {
        let (fewer, more) = (
            self.only_baseline.min(self.only_candidate),
            self.only_baseline.max(self.only_candidate),
        );
        if fewer == more {
            return McNemar { p: 1.0, p_mid: 1.0 };
        }
        let (tail, own) = fair_tail(fewer, fewer + more);
        McNemar { p: (2.0 * tail).min(1.0), p_mid: (2.0 * tail - own).clamp(0.0, 1.0) }
    }

    /// Sample standard deviation of the cases' differences, each of which is −1, 0 or 1. `None` of fewer
    /// than two pairs.
    pub fn stdev(&self) -> Option<f64> {
        let n = float(self.n());
        let difference = self.difference().filter(|_| n >= 2.0)?;
        let n_apart = float(self.only_baseline + self.only_candidate);
        // Of pairs that all differ the same way, exactly 0.
        let squares = (n_apart - n * difference * difference).max(0.0);
        Some((squares / (n - 1.0)).sqrt())
    }

    /// Standard error of the difference.
    pub fn se(&self) -> Option<f64> {
        Some(self.stdev()? / float(self.n()).sqrt())
    }

    /// What so many pairs could have shown.
    pub fn power(&self) -> Power {
        power(self.difference(), self.stdev(), self.n())
    }
}

/// Of `n` throws of a fair coin: the chance of at most `k` heads, and that of just `k`. `k < n / 2`.
///
/// Weights are taken relative to the middle one, and their sum to normalise: no logarithm of a factorial,
/// whose error would grow with `n`. Beyond 1e-300 a chance is 0.
fn fair_tail(k: u64, n: u64) -> (f64, f64) {
    let middle = n / 2;
    let (mut weight, mut below, mut tail, mut own) = (1.0_f64, 0.0, 0.0, 0.0);
    let mut at = middle;
    while at > 0 && weight > 1e-300 {
        weight *= float(at) / float(n - at + 1);
        at -= 1;
        below += weight;
        if at <= k {
            tail += weight;
        }
        if at == k {
            own = weight;
        }
    }
    if middle <= k {
        (tail, own) = (tail + 1.0, if middle == k { 1.0 } else { own });
    }
    // Below the middle lie as many as above it; an odd `n` has two middles.
    let all = if n.is_multiple_of(2) { 1.0 + 2.0 * below } else { 2.0 * (1.0 + below) };
    (tail / all, own / all)
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn float(n: u64) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_of_a_fair_coin_are_the_known_fractions() {
        let close = |found: (f64, f64), expected: (f64, f64)| {
            assert!((found.0 - expected.0).abs() < 1e-15, "{found:?}");
            assert!((found.1 - expected.1).abs() < 1e-15, "{found:?}");
        };
        close(fair_tail(0, 5), (1.0 / 32.0, 1.0 / 32.0));
        close(fair_tail(1, 4), (5.0 / 16.0, 4.0 / 16.0));
        close(fair_tail(2, 5), (0.5, 10.0 / 32.0));
        // R: pbinom(499000, 1e6, 0.5) = 0.02280367.
        let (tail, _) = fair_tail(499_000, 1_000_000);
        assert!((tail - 0.022_803_7).abs() < 1e-6, "{tail}");
        assert_eq!(fair_tail(10, 1_000_000).0, 0.0);
    }

    #[test]
    fn swapping_the_sides_mirrors_the_interval() {
        let table = PairedTable { both: 36, only_baseline: 1, only_candidate: 7, neither: 16 };
        let (own, other) = (table.interval().unwrap(), table.swapped().interval().unwrap());
        assert!((own.low + other.high).abs() < 1e-15 && (own.high + other.low).abs() < 1e-15);
        assert_eq!(table.mcnemar(), table.swapped().mcnemar());
        assert_eq!(PairedTable::default().interval(), None);
    }
}
