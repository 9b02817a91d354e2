//! Three sides or more: who is first, and how sure is that?

use crate::stats::normal;
use crate::stats::random::SplitMix64;
use crate::stats::sum::{mean, sum};
use serde::{Deserialize, Serialize};

/// Number of resamples behind the chances.
const N_RESAMPLES: u32 = 10_000;

/// Seed of the resamples.
const SEED: u64 = 1;

/// Up to so many values in all, resamples are drawn case by case.
const MAX_DIRECT: usize = 4_096;

/// Columns of letters beyond which there are none: nobody could read them.
const MAX_LETTERS: usize = 52;

/// How likely each side is to be on each rank.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// By side, in the order in which they were given: the chance of each rank, the best one first. Sides that
    /// are level share their ranks.
    pub chances: Vec<Vec<f64>>,
}

/// The chances of `sides` by paired resamples of their cases, when higher is better: 10,000 of them, seeded.
/// Of more than 4,096 values in all, the means of resamples are drawn from the normal distribution that they
/// have in the limit. `None` of fewer than two sides or cases, of sides of different length, and when a value
/// is not finite.
pub fn ranking(sides: &[&[f64]]) -> Option<Ranking> {
    let n = sides.first()?.len();
    let is_sound = sides.iter().all(|side| side.len() == n && side.iter().all(|v| v.is_finite()));
    if sides.len() < 2 || n < 2 || !is_sound {
        return None;
    }
    let mut counts = vec![vec![0.0; sides.len()]; sides.len()];
    let mut random = SplitMix64::new(SEED);
    if n * sides.len() <= MAX_DIRECT {
        let cases = sorted_cases(sides, n);
        let n_drawn = u32::try_from(n).ok()?;
        let mut totals = vec![0.0; sides.len()];
        for _ in 0..N_RESAMPLES {
            totals.fill(0.0);
            for _ in 0..n_drawn {
                let case = cases.get(random.below(n_drawn) as usize).map_or(&[][..], Vec::as_slice);
                totals.iter_mut().zip(case).for_each(|(total, value)| *total += value);
            }
            count_ranks(&totals, &mut counts);
        }
    } else {
        let (centres, root) = limit(sides, n)?;
        for _ in 0..N_RESAMPLES {
            let drawn: Vec<f64> = centres.iter().map(|_| normal::quantile(random.unit())).collect();
            let means: Vec<f64> = centres
                .iter()
                .zip(&root)
                .map(|(centre, row)| {
                    centre + row.iter().zip(&drawn).map(|(part, one)| part * one).sum::<f64>()
                })
                .collect();
            count_ranks(&means, &mut counts);
        }
    }
    for count in counts.iter_mut().flatten() {
        *count /= f64::from(N_RESAMPLES);
    }
    Some(Ranking { chances: counts })
}

/// The cases as rows, in an order that does not depend on theirs.
fn sorted_cases(sides: &[&[f64]], n: usize) -> Vec<Vec<f64>> {
    let mut cases: Vec<Vec<f64>> =
        (0..n).map(|at| sides.iter().filter_map(|side| side.get(at).copied()).collect()).collect();
    cases.sort_by(|left, right| {
        let pairs = left.iter().zip(right).map(|(left, right)| left.total_cmp(right));
        pairs.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    cases
}

/// Adds the ranks of `totals`, where sides that are level share theirs.
fn count_ranks(totals: &[f64], counts: &mut [Vec<f64>]) {
    let mut order: Vec<usize> = (0..totals.len()).collect();
    let value = |side: usize| totals.get(side).copied().unwrap_or(f64::NAN);
    order.sort_by(|left, right| value(*right).total_cmp(&value(*left)));
    let largest = totals.iter().fold(0.0_f64, |largest, total| largest.max(total.abs()));
    // Sums that rounding alone tells apart are level.
    let is_level = |left: &usize, right: &usize| value(*left) - value(*right) <= 1e-12 * largest;
    let mut rank = 0;
    for level in order.chunk_by(is_level) {
        #[expect(clippy::cast_precision_loss, reason = "few sides")]
        let share = 1.0 / level.len() as f64;
        for side in level {
            let own = counts.get_mut(*side).and_then(|own| own.get_mut(rank..rank + level.len()));
            own.into_iter().flatten().for_each(|count| *count += share);
        }
        rank += level.len();
    }
}

/// The means, and the root of the covariance that resampled means have (Cholesky's, 0 where a side adds nothing).
fn limit(sides: &[&[f64]], n: usize) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let centres: Option<Vec<f64>> = sides.iter().map(|side| mean(side.iter().copied())).collect();
    let centres = centres?;
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let n_squared = n as f64 * n as f64;
    let mut root: Vec<Vec<f64>> = Vec::with_capacity(sides.len());
    for (side, centre) in sides.iter().zip(&centres) {
        let mut row: Vec<f64> = Vec::with_capacity(sides.len());
        for (at, (other, other_centre)) in
            sides.iter().zip(&centres).take(root.len() + 1).enumerate()
        {
            let pairs = side.iter().zip(other.iter());
            let shared = pairs.map(|(one, other)| (one - centre) * (other - other_centre));
            let shared = shared.sum::<f64>() / n_squared;
            let known = |above: &[f64]| sum(row.iter().zip(above).map(|(one, other)| one * other));
            row.push(match root.get(at) {
                Some(above) => match above.get(at) {
                    Some(pivot) if *pivot > 0.0 => (shared - known(above)) / pivot,
                    _ => 0.0,
                },
                None => {
                    let left = shared - known(&row);
                    if left > 1e-12 * shared { left.sqrt() } else { 0.0 }
                }
            });
        }
        root.push(row);
    }
    Some((centres, root))
}

/// Letters that join sides which cannot be told apart: two of them share a letter just when `is_apart` does
/// not hold between them. Empty texts when there would be too many letters.
///
/// Source: H.-P. Piepho, Journal of Computational and Graphical Statistics 13 (2004): insert and absorb.
pub fn letters(n_sides: usize, is_apart: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let mut columns = vec![vec![true; n_sides]];
    for left in 0..n_sides {
        for right in left + 1..n_sides {
            if !is_apart(left, right) {
                continue;
            }
            let has = |column: &Vec<bool>, side: usize| column.get(side) == Some(&true);
            let (split, kept): (Vec<_>, Vec<_>) =
                columns.into_iter().partition(|column| has(column, left) && has(column, right));
            columns = kept;
            for column in split {
                for side in [left, right] {
                    let mut without = column.clone();
                    if let Some(cell) = without.get_mut(side) {
                        *cell = false;
                    }
                    add(&mut columns, without);
                }
            }
            if columns.len() > MAX_LETTERS {
                return vec![String::new(); n_sides];
            }
        }
    }
    // The letter of the first sides comes first.
    columns.sort_by(|left, right| right.cmp(left));
    let letter = |at: usize| {
        let base = if at < 26 { b'a' } else { b'A' };
        char::from(base + u8::try_from(at % 26).unwrap_or(0))
    };
    (0..n_sides)
        .map(|side| {
            let own = columns.iter().enumerate().filter(|(_, one)| one.get(side) == Some(&true));
            own.map(|(at, _)| letter(at)).collect()
        })
        .collect()
}

/// Adds a column unless one has all its sides; those that have no side beyond its own go.
fn add(columns: &mut Vec<Vec<bool>>, new: Vec<bool>) {
    let is_within = |inner: &[bool], outer: &[bool]| {
        inner.iter().zip(outer).all(|(inner, outer)| !inner || *outer)
    };
    if columns.iter().any(|known| is_within(&new, known)) {
        return;
    }
    columns.retain(|known| !is_within(known, &new));
    columns.push(new);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_join_what_is_not_apart() {
        // 0 and 1 are apart from 3; 2 from none.
        let apart = |left: usize, right: usize| right == 3 && left < 2;
        assert_eq!(letters(4, apart), ["a", "a", "ab", "b"]);
        assert_eq!(letters(3, |_, _| false), ["a", "a", "a"]);
        assert_eq!(letters(3, |_, _| true), ["a", "b", "c"]);
        assert_eq!(letters(0, |_, _| true), Vec::<String>::new());
    }

    #[test]
    fn level_sides_share_their_ranks() {
        let same = [0.0, 1.0, 1.0, 0.5];
        let worse = [0.0, 0.0, 0.0, 0.0];
        let found = ranking(&[&same, &worse, &same]).unwrap().chances;
        assert_eq!(found[0], found[2]);
        assert!((found[0][0] - 0.5).abs() < 0.01, "{found:?}");
        assert!(found[1][2] > 0.97, "{found:?}");
        for chances in &found {
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn the_limit_gives_the_chances_of_resamples() {
        let mut random = SplitMix64::new(5);
        let mut draw =
            |shift: f64| -> Vec<f64> { (0..700).map(|_| random.unit() + shift).collect() };
        let sides = [draw(0.0), draw(0.01), draw(0.03)];
        let sides: Vec<&[f64]> = sides.iter().map(Vec::as_slice).collect();
        let near = ranking(&sides).unwrap().chances;
        let twice: Vec<Vec<f64>> = sides.iter().map(|side| [*side, *side].concat()).collect();
        let twice: Vec<&[f64]> = twice.iter().map(Vec::as_slice).collect();
        let (centres, root) = limit(&twice, 1_400).unwrap();
        let (own, own_root) = limit(&sides, 700).unwrap();
        assert!((centres[1] - own[1]).abs() < 1e-12);
        // Twice the cases: half the variance.
        assert!((root[2][1] * 2.0_f64.sqrt() - own_root[2][1]).abs() < 1e-12);
        assert!(near[2][0] > near[0][0]);
    }
}
