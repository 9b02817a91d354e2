//! What chance alone would do: the signs of differences, flipped.

use super::long::{LONG, is_light, sums};
use crate::order::Order as _;
use crate::stats::normal;
use crate::stats::random::SplitMix64;
use crate::stats::sum::sum;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Up to so many differences that are not 0 every flip is counted.
pub const MAX_EXACT: usize = 20;

/// Number of seeded flips beyond.
pub const N_FLIPS: u32 = 100_000;

/// Seed of the flips.
const SEED: u64 = 1;

/// Up to so many differences each one is flipped by itself.
const MAX_SINGLE: usize = 1_024;

/// Of more, so many of the largest.
const N_LARGEST: usize = 256;

/// Of more, up to so many different sizes are drawn as counts.
const MAX_SIZES: usize = 16;

/// Of a mean so many standard deviations out, no flip reaches the sum that was seen.
const FAR_OUT: f64 = 7.0;

/// What a sign-flip test gives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FlipTest {
    /// Two-sided p.
    pub p: f64,
    /// Whether every flip was counted.
    pub is_exact: bool,
}

/// The permutation test of a mean difference of 0: how often is the sum of the differences, each with its
/// sign or the other one, at least as far from 0 as the one seen? 1 where every difference is 0.
///
/// Up to [`MAX_EXACT`] differences that are not 0, all flips are counted; beyond, [`N_FLIPS`] seeded ones
/// with `(k + 1) / (n + 1)`. Of more than 1,024 differences the 256 largest are flipped one by one, and the
/// sum of the rest is drawn from the normal distribution that it has in the limit; where there are few
/// sizes of difference, the number of each that stays is drawn instead. Of more than 4,096, of which none
/// matters much by itself, nothing is drawn: the whole sum has the normal distribution.
///
/// Source: B. Phipson, G. K. Smyth, Statistical Applications in Genetics and Molecular Biology 9 (2010).
pub fn sign_flip(differences: &[f64]) -> FlipTest {
    if let Some(p) = in_the_limit(differences) {
        return FlipTest { p, is_exact: false };
    }
    let mut sizes: Vec<f64> =
        differences.iter().filter(|one| **one != 0.0).map(|one| one.abs()).collect();
    // Of rounding alone no difference is larger than another.
    let all = sum(sizes.iter().copied());
    let seen = sum(differences.iter().copied()).abs() - 1e-12 * all;
    if sizes.is_empty() || seen <= 0.0 {
        return FlipTest { p: 1.0, is_exact: sizes.len() <= MAX_EXACT };
    }
    if sizes.len() <= MAX_EXACT {
        return FlipTest { p: exact(&sizes, seen), is_exact: true };
    }
    let squares = sum(sizes.iter().map(|size| size * size));
    let n_reaching = if seen > FAR_OUT * squares.sqrt() {
        0
    } else if sizes.len() <= MAX_SINGLE {
        sizes.sort_by(largest_first);
        n_reaching(seen, Draws { tables: tables(&sizes), classes: Vec::new(), rest: 0.0 })
    } else {
        n_reaching(seen, draws_of_many(sizes, all))
    };
    FlipTest { p: f64::from(n_reaching + 1) / f64::from(N_FLIPS + 1), is_exact: false }
}

/// The p of many differences, none of which matters much by itself; `None` where draws have to say it: of few,
/// of few different sizes, and where a few large ones decide.
fn in_the_limit(differences: &[f64]) -> Option<f64> {
    if differences.len() <= LONG {
        return None;
    }
    let [total, all, squares, fourths] = sums(differences, differences, |one, _| {
        let square = one * one;
        [one, one.abs(), square, square * square]
    });
    let sizes = differences.iter().filter(|one| **one != 0.0).map(|one| one.abs());
    if !is_light(squares, fourths) || classes(sizes, 1e-12 * all).is_some() {
        return None;
    }
    let seen = total.abs() - 1e-12 * all;
    if seen <= 0.0 {
        return Some(1.0);
    }
    let n = f64::from(N_FLIPS);
    Some((2.0 * normal::share_below(-seen / squares.sqrt()) * n + 1.0) / (n + 1.0))
}

/// Share of all flips whose sum is at least `seen` from 0.
fn exact(sizes: &[f64], seen: f64) -> f64 {
    let (left, right) = sizes.split_at(sizes.len() / 2);
    let mut right = signed_sums(right);
    right.sort_by(f64::total_cmp);
    let mut n_reaching = 0;
    for one in signed_sums(left) {
        n_reaching += right.partition_point(|other| one + other <= -seen);
        n_reaching += right.len() - right.partition_point(|other| one + other < seen);
    }
    #[expect(clippy::cast_precision_loss, reason = "at most 2^20")]
    let share = n_reaching as f64 / (1_u64 << sizes.len()) as f64;
    share
}

/// Every sum of `sizes` with signs.
fn signed_sums(sizes: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for size in sizes {
        sums = sums.iter().flat_map(|sum| [sum + size, sum - size]).collect();
    }
    sums
}

/// How a flipped sum is drawn.
struct Draws {
    /// The signed sums of eight sizes each.
    tables: Vec<[f64; 256]>,
    /// Sizes with how many there are of each.
    classes: Vec<(f64, f64)>,
    /// Standard deviation of the sum of all others.
    rest: f64,
}

fn tables(sizes: &[f64]) -> Vec<[f64; 256]> {
    let table = |eight: &[f64]| {
        let mut table = [0.0; 256];
        for (bits, total) in table.iter_mut().enumerate() {
            let signed = eight.iter().enumerate();
            *total = signed.map(|(at, size)| if bits >> at & 1 == 1 { *size } else { -size }).sum();
        }
        table
    };
    sizes.chunks(8).map(table).collect()
}

fn largest_first(left: &f64, right: &f64) -> Ordering {
    right.total_cmp(left)
}

fn draws_of_many(mut sizes: Vec<f64>, all: f64) -> Draws {
    if let Some(classes) = classes(sizes.iter().copied(), 1e-12 * all) {
        return Draws { tables: Vec::new(), classes, rest: 0.0 };
    }
    sizes.select_nth_unstable_by(N_LARGEST, largest_first);
    let (largest, others) = sizes.split_at_mut(N_LARGEST);
    largest.sort_by(largest_first);
    let rest = sum(others.iter().map(|size| size * size)).sqrt();
    Draws { tables: tables(largest), classes: Vec::new(), rest }
}

/// The different sizes with how many there are of each; `None` where they are too many.
fn classes(sizes: impl Iterator<Item = f64>, same: f64) -> Option<Vec<(f64, f64)>> {
    let mut classes: Vec<(f64, f64)> = Vec::new();
    for size in sizes {
        let at = classes.iter().position(|(known, _)| (known - size).abs() <= same);
        let n_classes = classes.len();
        match at.and_then(|at| classes.get_mut(at)) {
            Some((_, n)) => *n += 1.0,
            None if n_classes == MAX_SIZES => return None,
            None => classes.push((size, 1.0)),
        }
    }
    classes.order_by(|left, right| right.0.total_cmp(&left.0));
    Some(classes)
}

fn n_reaching(seen: f64, draws: Draws) -> u32 {
    let mut random = SplitMix64::new(SEED);
    let mut n = 0;
    for _ in 0..N_FLIPS {
        let mut total = 0.0;
        for eight in draws.tables.chunks(8) {
            for (table, byte) in eight.iter().zip(random.bits().to_le_bytes()) {
                total += table.get(usize::from(byte)).copied().unwrap_or(0.0);
            }
        }
        for (size, n_of_size) in &draws.classes {
            total += size * (2.0 * heads(&mut random, *n_of_size) - n_of_size);
        }
        if draws.rest > 0.0 {
            total += draws.rest * normal::quantile(random.unit());
        }
        n += u32::from(total.abs() >= seen);
    }
    n
}

/// Heads among `n` throws of a fair coin: counted up to 256, beyond the nearest whole number to a normal draw.
fn heads(random: &mut SplitMix64, n: f64) -> f64 {
    if n > 256.0 {
        let drawn = n / 2.0 + n.sqrt() / 2.0 * normal::quantile(random.unit());
        return drawn.round().clamp(0.0, n);
    }
    let (mut left, mut heads) = (n, 0);
    while left > 0.0 {
        let bits = if left >= 64.0 {
            random.bits()
        } else {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 1 and 63"
            )]
            let n_bits = left as u32;
            random.bits() >> (64 - n_bits)
        };
        heads += bits.count_ones();
        left -= 64.0;
    }
    f64::from(heads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_flips_are_counted() {
        assert_eq!(sign_flip(&[]).p, 1.0);
        assert_eq!(sign_flip(&[0.0; 6]).p, 1.0);
        assert_eq!(sign_flip(&[1.0; 5]).p, 2.0 / 32.0);
        assert_eq!(sign_flip(&[1.0, 1.0, -1.0, 0.0]).p, 1.0);
        // Sums that rounding alone tells apart are the same.
        assert_eq!(sign_flip(&[0.1, 0.2, -0.3 + 1e-17]).p, 1.0);
        assert_eq!(sign_flip(&[1.0, 0.5, 0.25, -0.25]).p, 6.0 / 16.0);
    }

    #[test]
    fn what_is_drawn_of_many_is_what_the_limit_says() {
        let wave = |at: u32| (f64::from(at) * 0.7).sin() + 0.013;
        let many: Vec<f64> = (0..5_000).map(wave).collect();
        let p = in_the_limit(&many).unwrap();
        let sizes: Vec<f64> = many.iter().map(|one| one.abs()).collect();
        let all = sum(sizes.iter().copied());
        let n = n_reaching(sum(many.iter().copied()).abs(), draws_of_many(sizes, all));
        let drawn = f64::from(n + 1) / f64::from(N_FLIPS + 1);
        assert!((p - drawn).abs() < 0.005 && (0.05..0.5).contains(&p), "{p} {drawn}");
        // One that outweighs all others, and few sizes.
        assert_eq!(in_the_limit(&[many.as_slice(), &[1e3]].concat()), None);
        assert_eq!(in_the_limit(&vec![1.0; 5_000]), None);
    }

    #[test]
    fn many_are_drawn_as_few_would_be() {
        // 1,000 differences flipped one by one against the same ones and 100 tiny ones, of which the
        // smallest are drawn as a normal sum.
        let wave = |at: u32| (f64::from(at) * 0.7).sin() + 0.04;
        let few: Vec<f64> = (0..1_000).map(wave).collect();
        let mut many = few.clone();
        many.extend((0..100).map(|at| if at % 2 == 0 { 1e-9 } else { -1.1e-9 }));
        let (few, many) = (sign_flip(&few).p, sign_flip(&many).p);
        assert!((few - many).abs() < 0.006, "{few} {many}");
        // Few sizes: against the binomial distribution. 2·P(X ≥ 640) of 1,240 throws, by R: 0.268.
        let mut signs = vec![1.0; 640];
        signs.extend(vec![-1.0; 600]);
        let p = sign_flip(&signs).p;
        assert!((p - 0.268).abs() < 0.006, "{p}");
        assert_eq!(sign_flip(&vec![0.3; 5_000]).p, 1.0 / 100_001.0);
    }
}
