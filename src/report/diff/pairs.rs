//! Which removed line became which added one.

use std::ops::Range;

/// Blocks with more pairs of lines than this are paired from top to bottom.
const MAX_PAIRS: usize = 4_096;

/// Lines that are less alike than this are not one line that was changed.
const MIN_ALIKE: f64 = 0.3;

/// The pairs `(old, new)` of a changed block; both rise from pair to pair.
pub(super) fn pairs(
    old: &[&str],
    new: &[&str],
    old_range: Range<usize>,
    new_range: Range<usize>,
) -> Vec<(usize, usize)> {
    let (n_old, n_new) = (old_range.len(), new_range.len());
    if n_old == n_new && n_old == 1 || n_old.saturating_mul(n_new) > MAX_PAIRS {
        return old_range.zip(new_range).collect();
    }
    let likeness = |left: usize, right: usize| {
        let old = old.get(old_range.start + left).copied().unwrap_or_default();
        let new = new.get(new_range.start + right).copied().unwrap_or_default();
        alike(old, new)
    };
    best_pairs(n_old, n_new, likeness)
        .into_iter()
        .map(|(left, right)| (old_range.start + left, new_range.start + right))
        .collect()
}

/// The rising pairs with the greatest likeness in all.
fn best_pairs(
    n_old: usize,
    n_new: usize,
    likeness: impl Fn(usize, usize) -> f64,
) -> Vec<(usize, usize)> {
    let width = n_new + 1;
    // best[left * width + right]: of the lines from `left` and from `right` on.
    let mut best = vec![0.0_f64; (n_old + 1) * width];
    let mut gains = vec![0.0_f64; n_old * n_new];
    let at = |table: &[f64], idx: usize| table.get(idx).copied().unwrap_or_default();
    for left in (0..n_old).rev() {
        for right in (0..n_new).rev() {
            let gain = Some(likeness(left, right)).filter(|gain| *gain >= MIN_ALIKE);
            let gain = gain.unwrap_or_default();
            let both = gain + at(&best, (left + 1) * width + right + 1);
            let skipped =
                at(&best, (left + 1) * width + right).max(at(&best, left * width + right + 1));
            if let Some(cell) = gains.get_mut(left * n_new + right) {
                *cell = gain;
            }
            if let Some(cell) = best.get_mut(left * width + right) {
                *cell = both.max(skipped);
            }
        }
    }
    let (mut left, mut right, mut found) = (0, 0, Vec::new());
    while left < n_old && right < n_new {
        let here = at(&best, left * width + right);
        let gain = at(&gains, left * n_new + right);
        if gain > 0.0 && gain + at(&best, (left + 1) * width + right + 1) == here {
            found.push((left, right));
            left += 1;
            right += 1;
        } else if at(&best, (left + 1) * width + right) == here {
            left += 1;
        } else {
            right += 1;
        }
    }
    found
}

/// How much of two lines is the same at their beginnings and ends, 0–1; blanks around do not count.
fn alike(old: &str, new: &str) -> f64 {
    let (old, new) = (old.trim().as_bytes(), new.trim().as_bytes());
    let longest = old.len().max(new.len());
    if longest == 0 {
        return 1.0;
    }
    let n_start = old.iter().zip(new).take_while(|(left, right)| left == right).count();
    let n_left = old.len().min(new.len()) - n_start;
    let ends = old.iter().rev().zip(new.iter().rev()).take(n_left);
    let n_end = ends.take_while(|(left, right)| left == right).count();
    (n_start + n_end) as f64 / longest as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_alike_are_paired() {
        let old = ["def f(x):", "    return x", "", "def g(y):"];
        let new = ["# helpers", "def f(x, z):", "    return x + z"];
        assert_eq!(pairs(&old, &new, 0..4, 0..3), [(0, 1), (1, 2)]);
        assert_eq!(pairs(&["a"], &["z"], 0..1, 0..1), [(0, 0)], "one for one");
        assert_eq!(pairs(&old, &new, 2..4, 0..1), []);
    }

    #[test]
    fn large_blocks_are_paired_from_the_top() {
        let lines = vec!["x"; 100];
        let found = pairs(&lines, &lines, 0..100, 20..80);
        assert_eq!(found.len(), 60);
        assert_eq!(found[59], (59, 79));
    }

    #[test]
    fn likeness_counts_both_ends_once() {
        assert_eq!(alike("  abcd", "abxd  "), 0.75);
        assert_eq!(alike("aaaa", "aa"), 0.5);
        assert_eq!(alike("", " "), 1.0);
    }
}
