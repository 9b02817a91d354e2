//! Intervals by the bootstrap over pairs: what would the difference be, had other cases come?

use super::long::{LONG, float, is_light, sums};
use crate::stats::interval::Interval;
use crate::stats::normal;
use crate::stats::quantile::percentile_of_sorted;
use crate::stats::random::SplitMix64;
use crate::stats::student::Z;
use crate::stats::sum::{mean, sum};

/// Number of resamples behind an interval.
pub const N_RESAMPLES: u32 = 10_000;

/// Seed of the resamples.
const SEED: u64 = 1;

/// Up to so many pairs, resamples are drawn pair by pair.
const MAX_DIRECT: usize = 512;

/// Of more, so many that lie farthest from the mean difference are drawn one by one.
const N_LARGEST: usize = 64;

/// Resamples of pairs, drawn once for the difference and the ratio of the means.
///
/// Up to 512 pairs, each resample is drawn pair by pair. Of more, the 64 pairs whose difference lies farthest
/// from the mean get a number of occurrences each (Poisson's), and what the others give together is drawn
/// from the normal distribution that it has in the limit. Of more than 4,096, of which none matters much by
/// itself, nothing is drawn: all of it has the normal distribution, corrected for skewness.
#[derive(Debug, Clone)]
pub struct PairResamples<'a> {
    found: IntervalBasis<'a>,
}

/// What intervals are made of.
#[derive(Debug, Clone)]
enum IntervalBasis<'a> {
    Drawn(ResampleSums),
    Limit(Limit<'a>),
}

/// Resamples that were drawn.
#[derive(Debug, Clone)]
struct ResampleSums {
    /// Means of the baseline and the candidate in each resample.
    means: Vec<(f64, f64)>,
    centre: (f64, f64),
    /// Accelerations of the difference, and of the logarithm of the ratio.
    accelerations: (f64, Option<f64>),
    /// Whether the differences lie alike on both sides of 0, so that swapped sides draw the same.
    is_balanced: bool,
    /// Whether the sides were swapped for drawing, so that swapped ones give the mirrored interval.
    is_swapped: bool,
}

/// Pairs whose resamples need not be drawn.
#[derive(Debug, Clone)]
struct Limit<'a> {
    sides: (&'a [f64], &'a [f64]),
    centre: (f64, f64),
    /// Standard deviation of the difference over resamples, and its acceleration.
    error: f64,
    acceleration: f64,
}

impl<'a> PairResamples<'a> {
    /// Draws [`N_RESAMPLES`] resamples of the pairs `(baseline[i], candidate[i])`. `None` of fewer than two, of
    /// pairs whose differences are all the same, and when a value is not finite.
    pub fn draw(baseline: &'a [f64], candidate: &'a [f64]) -> Option<Self> {
        let limit = Limit::new(baseline, candidate).map(IntervalBasis::Limit);
        let found =
            limit.or_else(|| ResampleSums::new(baseline, candidate).map(IntervalBasis::Drawn))?;
        Some(Self { found })
    }

    /// 95 % BCa interval of the difference of the means, candidate less baseline.
    ///
    /// Source: B. Efron, JASA 82 (1987) 171.
    pub fn difference(&self) -> Option<Interval> {
        match &self.found {
            IntervalBasis::Drawn(drawn) => drawn.difference(),
            IntervalBasis::Limit(limit) => {
                let centre = limit.centre.1 - limit.centre.0;
                Some(bca_in_the_limit(centre, limit.error, limit.acceleration))
            }
        }
    }

    /// 95 % BCa interval of the ratio of the means, candidate over baseline, by its logarithm. `None` when
    /// a mean is not above 0 in some resample.
    pub fn ratio(&self) -> Option<Interval> {
        match &self.found {
            IntervalBasis::Drawn(drawn) => drawn.ratio(),
            IntervalBasis::Limit(limit) => limit.ratio().or_else(|| {
                ResampleSums::new(limit.sides.0, limit.sides.1).and_then(|drawn| drawn.ratio())
            }),
        }
    }
}

impl<'a> Limit<'a> {
    /// `None` of few pairs, of pairs that are all alike or not finite, and where a few far ones decide.
    fn new(baseline: &'a [f64], candidate: &'a [f64]) -> Option<Self> {
        let n = Some(baseline.len()).filter(|n| *n > LONG && *n == candidate.len())?;
        let first = candidate.first()? - baseline.first()?;
        if baseline.iter().zip(candidate).all(|(left, right)| right - left == first) {
            return None;
        }
        let n = float(n);
        let centre = sums(baseline, candidate, |left, right| [left, right]).map(|sum| sum / n);
        let [left, right] = centre;
        let [squares, cubes, fourths] = sums(baseline, candidate, |one, two| {
            let apart = (two - right) - (one - left);
            let square = apart * apart;
            [square, square * apart, square * square]
        });
        is_light(squares, fourths).then(|| Self {
            sides: (baseline, candidate),
            centre: (left, right),
            error: squares.sqrt() / n,
            acceleration: cubes / (6.0 * squares * squares.sqrt()),
        })
    }

    /// By the logarithm of the ratio; `None` where the limit does not say it.
    fn ratio(&self) -> Option<Interval> {
        let (left, right) = self.centre;
        if left <= 0.0 || right <= 0.0 {
            return None;
        }
        let [squares, cubes, fourths] = sums(self.sides.0, self.sides.1, |one, two| {
            let apart = two / right - one / left;
            let square = apart * apart;
            [square, square * apart, square * square]
        });
        let error = squares.sqrt() / float(self.sides.0.len());
        let is_narrow = error < 0.03 && is_light(squares, fourths);
        let acceleration = cubes / (6.0 * squares * squares.sqrt());
        let found = bca_in_the_limit(libm::log(right / left), error, acceleration);
        is_narrow.then(|| Interval { low: libm::exp(found.low), high: libm::exp(found.high) })
    }
}

impl ResampleSums {
    fn new(baseline: &[f64], candidate: &[f64]) -> Option<Self> {
        let mut pairs: Vec<(f64, f64)> =
            baseline.iter().copied().zip(candidate.iter().copied()).collect();
        let apart = |pair: &(f64, f64)| pair.1 - pair.0;
        let first = apart(pairs.first()?);
        let is_varied = pairs.iter().any(|pair| apart(pair) != first);
        if !is_varied || !pairs.iter().all(|pair| pair.0.is_finite() && pair.1.is_finite()) {
            return None;
        }
        let centre = mean(pairs.iter().map(apart))?;
        let lean = |power: i32| sum(pairs.iter().map(|pair| (apart(pair) - centre).powi(power)));
        let is_swapped = centre < 0.0 || (centre == 0.0 && lean(3) < 0.0);
        let is_balanced = centre == 0.0 && lean(3) == 0.0;
        if is_swapped {
            pairs.iter_mut().for_each(|pair| *pair = (pair.1, pair.0));
        }
        let centre =
            (mean(pairs.iter().map(|pair| pair.0))?, mean(pairs.iter().map(|pair| pair.1))?);
        let accelerations = (
            acceleration(pairs.iter().map(|pair| (pair.0 - centre.0) - (pair.1 - centre.1))),
            log_ratio_acceleration(&pairs, centre),
        );
        let means =
            if pairs.len() <= MAX_DIRECT { direct(pairs) } else { in_the_limit(pairs, centre) };
        Some(Self { means, centre, accelerations, is_balanced, is_swapped })
    }

    fn difference(&self) -> Option<Interval> {
        let values = self.means.iter().map(|(left, right)| right - left).collect();
        let found = bca(values, self.centre.1 - self.centre.0, self.accelerations.0)?;
        Some(self.mirrored(found))
    }

    fn ratio(&self) -> Option<Interval> {
        let log_ratio =
            |pair: &(f64, f64)| (pair.0 > 0.0 && pair.1 > 0.0).then(|| libm::log(pair.1 / pair.0));
        let values: Option<Vec<f64>> = self.means.iter().map(log_ratio).collect();
        let found = bca(values?, log_ratio(&self.centre)?, self.accelerations.1?)?;
        let Interval { low, high } = self.mirrored(found);
        Some(Interval { low: libm::exp(low), high: libm::exp(high) })
    }

    /// What was drawn, as the sides stand: swapped sides must give the mirrored interval.
    fn mirrored(&self, drawn: Interval) -> Interval {
        let Interval { low, high } = drawn;
        if self.is_balanced {
            let reach = (high - low) / 2.0;
            return Interval { low: -reach, high: reach };
        }
        if self.is_swapped { Interval { low: -high, high: -low } } else { drawn }
    }
}

/// Each resample drawn pair by pair.
fn direct(mut pairs: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    // The order of the cases must not matter.
    pairs.sort_by(|left, right| {
        let apart = (left.1 - left.0).total_cmp(&(right.1 - right.0));
        apart.then(left.0.total_cmp(&right.0))
    });
    let n = u32::try_from(pairs.len()).unwrap_or(u32::MAX);
    let mut random = SplitMix64::new(SEED);
    let mut resample = || {
        let mut total = (0.0, 0.0);
        for _ in 0..n {
            let (left, right) = pairs.get(random.below(n) as usize).copied().unwrap_or_default();
            total.0 += left;
            total.1 += right;
        }
        (total.0 / f64::from(n), total.1 / f64::from(n))
    };
    (0..N_RESAMPLES).map(|_| resample()).collect()
}

/// The pairs farthest out drawn one by one, the others together.
fn in_the_limit(mut pairs: Vec<(f64, f64)>, centre: (f64, f64)) -> Vec<(f64, f64)> {
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let n = pairs.len() as f64;
    for pair in &mut pairs {
        *pair = (pair.0 - centre.0, pair.1 - centre.1);
    }
    let by_reach = |left: &(f64, f64), right: &(f64, f64)| {
        let reach = |pair: &(f64, f64)| (pair.1 - pair.0).abs();
        reach(right)
            .total_cmp(&reach(left))
            .then(left.0.total_cmp(&right.0))
            .then(left.1.total_cmp(&right.1))
    };
    pairs.select_nth_unstable_by(N_LARGEST, by_reach);
    let (largest, others) = pairs.split_at_mut(N_LARGEST);
    largest.sort_by(by_reach);
    // The lower triangle of Cholesky's root of the others' covariance.
    let square_left = sum(others.iter().map(|pair| pair.0 * pair.0));
    let square_right = sum(others.iter().map(|pair| pair.1 * pair.1));
    let product = sum(others.iter().map(|pair| pair.0 * pair.1));
    let left = square_left.sqrt();
    let joint = if left > 0.0 { product / left } else { 0.0 };
    let right = (square_right - joint * joint).max(0.0).sqrt();
    let mut random = SplitMix64::new(SEED);
    let mut resample = || {
        let (first, second) = (normal::quantile(random.unit()), normal::quantile(random.unit()));
        let mut total = (left * first, joint * first + right * second);
        for pair in largest.iter() {
            let beyond = poisson(random.unit()) - 1.0;
            total.0 += beyond * pair.0;
            total.1 += beyond * pair.1;
        }
        (centre.0 + total.0 / n, centre.1 + total.1 / n)
    };
    (0..N_RESAMPLES).map(|_| resample()).collect()
}

/// The number of occurrences, 1 on average, below which the share `share` of all lie.
fn poisson(share: f64) -> f64 {
    let (mut n, mut chance) = (0.0, 1.0 / std::f64::consts::E);
    let mut below = chance;
    while share > below && n < 20.0 {
        n += 1.0;
        chance /= n;
        below += chance;
    }
    n
}

/// Σ d³ / (6 · (Σ d²)^1.5) of what each case's absence does to the figure.
fn acceleration(influence: impl Iterator<Item = f64> + Clone) -> f64 {
    let squares = sum(influence.clone().map(|one| one * one));
    let cubes = sum(influence.map(|one| one * one * one));
    // Of a mean, the absence of a value moves it the other way.
    if squares > 0.0 { -cubes / (6.0 * squares * squares.sqrt()) } else { 0.0 }
}

/// The same of the logarithm of the ratio of the means; `None` where it is undefined without some case.
fn log_ratio_acceleration(pairs: &[(f64, f64)], centre: (f64, f64)) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let n = pairs.len() as f64;
    let total = (centre.0 * n, centre.1 * n);
    let without = |pair: &(f64, f64)| {
        let (left, right) = (total.0 - pair.0, total.1 - pair.1);
        (left > 0.0 && right > 0.0).then(|| libm::log(right / left))
    };
    let all: Option<Vec<f64>> = pairs.iter().map(without).collect();
    let all = all?;
    let middle = mean(all.iter().copied())?;
    Some(-acceleration(all.iter().map(|one| middle - one)))
}

/// The interval of a figure that is `centre`, with the standard deviation `error` over resamples: their
/// distribution is normal except for its skewness, six times `acceleration`, which also says how far its middle
/// lies from the mean (E. A. Cornish, R. A. Fisher 1937).
fn bca_in_the_limit(centre: f64, error: f64, acceleration: f64) -> Interval {
    let end = |z: f64| {
        let moved = acceleration + (acceleration + z) / (1.0 - acceleration * (acceleration + z));
        centre + error * (moved + acceleration * (moved * moved - 1.0))
    };
    Interval { low: end(-Z), high: end(Z) }
}

/// The interval of `values`, whose figure is `centre` of all cases. With a centre outside all of them, the
/// percentiles as they are.
fn bca(mut values: Vec<f64>, centre: f64, acceleration: f64) -> Option<Interval> {
    values.sort_by(f64::total_cmp);
    let (first, last) = (values.first()?, values.last()?);
    // Sums that rounding alone tells apart are the same.
    let same = 1e-12 * (last - first);
    let n_below = values.partition_point(|value| *value < centre - same);
    let n_up_to = values.partition_point(|value| *value <= centre + same);
    #[expect(clippy::cast_precision_loss, reason = "ten thousand resamples")]
    let share = (n_below + n_up_to) as f64 / 2.0 / values.len() as f64;
    let shift = normal::quantile(share);
    let at = |z: f64| {
        if !shift.is_finite() {
            return normal::share_below(z);
        }
        normal::share_below(shift + (shift + z) / (1.0 - acceleration * (shift + z)))
    };
    Some(Interval {
        low: percentile_of_sorted(&values, 100.0 * at(-Z))?,
        high: percentile_of_sorted(&values, 100.0 * at(Z))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of a skewed quantity, like costs.
    fn skewed(n: u32) -> (Vec<f64>, Vec<f64>) {
        let mut random = SplitMix64::new(3);
        let mut draw = || libm::exp(normal::quantile(random.unit()));
        let pair = |_| {
            let base = draw();
            (base, base * 1.1 + 0.5 * draw())
        };
        (0..n).map(pair).unzip()
    }

    #[test]
    fn many_pairs_are_drawn_as_few_would_be() {
        let (baseline, candidate) = skewed(700);
        let pairs: Vec<(f64, f64)> =
            baseline.iter().copied().zip(candidate.iter().copied()).collect();
        let found = ResampleSums::new(&baseline, &candidate).unwrap();
        let centre = found.centre;
        let slow = ResampleSums { means: direct(pairs), ..found.clone() };
        assert!(!found.is_swapped && centre.1 > centre.0);
        for (fast, slow) in [(found.difference(), slow.difference()), (found.ratio(), slow.ratio())]
        {
            let (fast, slow) = (fast.unwrap(), slow.unwrap());
            let width = slow.high - slow.low;
            assert!((fast.low - slow.low).abs() < 0.04 * width, "{fast:?} {slow:?}");
            assert!((fast.high - slow.high).abs() < 0.04 * width, "{fast:?} {slow:?}");
        }
    }

    #[test]
    fn what_is_drawn_of_many_is_what_the_limit_says() {
        let (baseline, candidate) = skewed(20_000);
        let limit = PairResamples::draw(&baseline, &candidate).unwrap();
        assert!(matches!(limit.found, IntervalBasis::Limit(_)));
        let drawn = ResampleSums::new(&baseline, &candidate).unwrap();
        for (fast, slow) in
            [(limit.difference(), drawn.difference()), (limit.ratio(), drawn.ratio())]
        {
            let (fast, slow) = (fast.unwrap(), slow.unwrap());
            let width = slow.high - slow.low;
            assert!((fast.low - slow.low).abs() < 0.04 * width, "{fast:?} {slow:?}");
            assert!((fast.high - slow.high).abs() < 0.04 * width, "{fast:?} {slow:?}");
        }
        // A pair that outweighs all others is drawn.
        let far = [candidate.as_slice(), &[1e6]].concat();
        let near = [baseline.as_slice(), &[1.0]].concat();
        assert!(matches!(PairResamples::draw(&near, &far).unwrap().found, IntervalBasis::Drawn(_)));
    }

    #[test]
    fn swapped_sides_give_the_mirrored_interval() {
        for n in [30, 700, 20_000] {
            let (baseline, candidate) = skewed(n);
            let own = PairResamples::draw(&baseline, &candidate).unwrap();
            let other = PairResamples::draw(&candidate, &baseline).unwrap();
            let (left, right) = (own.difference().unwrap(), other.difference().unwrap());
            assert!((left.low + right.high).abs() < 1e-12 && (left.high + right.low).abs() < 1e-12);
            let (left, right) = (own.ratio().unwrap(), other.ratio().unwrap());
            assert!((left.low * right.high - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn as_many_for_the_better_as_for_the_worse_give_an_interval_about_zero() {
        for n in [3, 6, 100] {
            let of = |late: f64| {
                let early = std::iter::repeat_n(1.0 - late, n);
                early.chain(std::iter::repeat_n(late, n)).chain([1.0, 0.0]).collect::<Vec<f64>>()
            };
            let (baseline, candidate) = (of(0.0), of(1.0));
            let found = PairResamples::draw(&baseline, &candidate).unwrap().difference().unwrap();
            let other = PairResamples::draw(&candidate, &baseline).unwrap().difference().unwrap();
            assert!(found.low < 0.0 && found.low == -found.high, "{found:?}");
            assert_eq!((found.low, found.high), (other.low, other.high));
        }
    }

    #[test]
    fn what_never_differs_has_no_interval() {
        assert!(PairResamples::draw(&[0.1, 0.2], &[0.1, 0.2]).is_none());
        assert!(PairResamples::draw(&[], &[]).is_none());
        assert!(PairResamples::draw(&[0.0, f64::NAN], &[1.0, 0.5]).is_none());
    }
}
