//! Figures of many pairs, from a few sums over all of them.
//!
//! Of more than [`LONG`] pairs, of which none matters much by itself, draws would say what the normal
//! distribution, with its first correction for skewness, says at once.

/// From so many pairs on.
pub(super) const LONG: usize = 4_096;

/// No pair matters much by itself while `Σ d⁴` is at most this share of `(Σ d²)²`.
const LIGHT: f64 = 2e-3;

/// Values that are summed plainly before the sum is added to the others, compensated.
const BLOCK: usize = 256;

/// The sums of each of the `parts` of every pair. Both sides are of one length.
pub(super) fn sums<const K: usize>(
    left: &[f64],
    right: &[f64],
    parts: impl Fn(f64, f64) -> [f64; K],
) -> [f64; K] {
    let (mut totals, mut lost) = ([0.0_f64; K], [0.0_f64; K]);
    for (left, right) in left.chunks(BLOCK).zip(right.chunks(BLOCK)) {
        let mut block = [0.0_f64; K];
        for (one, two) in left.iter().zip(right) {
            block.iter_mut().zip(parts(*one, *two)).for_each(|(sum, part)| *sum += part);
        }
        for ((total, lost), part) in totals.iter_mut().zip(&mut lost).zip(block) {
            let next = *total + part;
            let (larger, smaller) =
                if total.abs() >= part.abs() { (*total, part) } else { (part, *total) };
            *lost += (larger - next) + smaller;
            *total = next;
        }
    }
    totals.iter_mut().zip(lost).for_each(|(total, lost)| *total += lost);
    totals
}

/// Whether no single one of the values with these sums of squares and fourth powers matters much. Not where
/// squares are so small or large that the sums have lost digits.
pub(super) fn is_light(squares: f64, fourths: f64) -> bool {
    (1e-100..1e100).contains(&squares) && fourths <= LIGHT * squares * squares
}

/// Mean and sample standard deviation. `None` where the values are too few, all the same, not finite, or so
/// small or large that squares lose digits.
pub(super) fn mean_and_stdev(values: &[f64]) -> Option<(f64, f64)> {
    let first = values.first().filter(|_| values.len() > LONG)?;
    if values.iter().all(|value| value == first) {
        return None;
    }
    let n = float(values.len());
    let [total] = sums(values, values, |value, _| [value]);
    let mean = total / n;
    let [shift, squares] = sums(values, values, |value, _| {
        let apart = value - mean;
        [apart, apart * apart]
    });
    let variance = (squares - shift * shift / n) / (n - 1.0);
    (1e-100..1e100).contains(&variance).then(|| (mean, variance.sqrt()))
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
pub(super) fn float(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::random::SplitMix64;

    #[test]
    fn sums_of_blocks_have_all_digits() {
        let mut random = SplitMix64::new(11);
        let values: Vec<f64> = (0..10_001).map(|_| random.unit() * 3.0 - 1.0).collect();
        let (mean, stdev) = mean_and_stdev(&values).unwrap();
        let (exact, exact_stdev) = crate::stats::mean_and_stdev(&values).unwrap();
        assert!((mean - exact).abs() < 1e-14 && (stdev - exact_stdev).abs() < 1e-14);
        assert_eq!(mean_and_stdev(&vec![0.7; 10_000]), None);
        assert_eq!(mean_and_stdev(&values[..100]), None);
        let mut broken = values;
        broken[7] = f64::NAN;
        assert_eq!(mean_and_stdev(&broken), None);
    }
}
