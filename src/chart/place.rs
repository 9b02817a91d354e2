//! Where things go so that they do not lie on each other.

use crate::order::Order as _;

/// Moves `wanted` places apart by at least `gap`, each as little as can be, all within `low` and
/// `high`. `None` when there is not room for all. In the order of `wanted`.
pub(super) fn apart(wanted: &[f64], gap: f64, low: f64, high: f64) -> Option<Vec<f64>> {
    #[expect(clippy::cast_precision_loss, reason = "few labels")]
    let needed = wanted.len().saturating_sub(1) as f64 * gap;
    if needed > high - low {
        return None;
    }
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    let at = |idx: usize| wanted.get(idx).copied().unwrap_or(low);
    order.order_by(|left, right| at(*left).total_cmp(&at(*right)));
    // Blocks of labels that touch: where the first one starts if each has its mean wish, and how many.
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for &idx in &order {
        let mut block = (at(idx).clamp(low, high), 1.0);
        while let Some(&(start, n)) = blocks.last() {
            if start + n * gap <= block.0 {
                break;
            }
            blocks.pop();
            let (m, total) = (block.1, n + block.1);
            block = ((start * n + (block.0 - n * gap) * m) / total, total);
            block.0 = block.0.clamp(low, high - (total - 1.0) * gap);
        }
        blocks.push(block);
    }
    let mut placed = vec![low; wanted.len()];
    let mut order = order.into_iter();
    for (start, n) in blocks {
        let mut y = start;
        let mut left = n;
        while left > 0.5 {
            if let Some(slot) = order.next().and_then(|idx| placed.get_mut(idx)) {
                *slot = y;
            }
            y += gap;
            left -= 1.0;
        }
    }
    Some(placed)
}

/// A swarm: how many lanes each of `places` (ascending) is off the middle line, so that discs of
/// `size` in the same lane keep clear of each other: 0, 1, −1, 2, −2 … up to `most` to either side;
/// what does not fit lies on the last lane.
pub(super) fn lanes(places: &[f64], size: f64, most: i32) -> Vec<i32> {
    let order = || std::iter::once(0).chain((1..=most).flat_map(|lane| [lane, -lane]));
    let mut ends: Vec<(i32, f64)> = order().map(|lane| (lane, f64::NEG_INFINITY)).collect();
    let mut found = Vec::with_capacity(places.len());
    for &place in places {
        let free = ends.iter_mut().find(|(_, end)| *end <= place);
        match free {
            Some((lane, end)) => {
                *end = place + size;
                found.push(*lane);
            }
            None => found.push(-most),
        }
    }
    found
}

/// Which of labels with these middles and half widths can be drawn, taking every k-th one, so that
/// they keep `gap` from each other: the least such k.
pub(super) fn every(boxes: &[(f64, f64)], gap: f64) -> usize {
    let is_clear = |k: usize| {
        let drawn: Vec<&(f64, f64)> = boxes.iter().step_by(k).collect();
        drawn.windows(2).all(|pair| match pair {
            [left, right] => left.0 + left.1 + gap <= right.0 - right.1,
            _ => true,
        })
    };
    (1..boxes.len().max(2)).find(|&k| is_clear(k)).unwrap_or(boxes.len().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn labels_with_room_stay_where_they_are() {
        assert_eq!(apart(&[10.0, 50.0, 30.0], 16.0, 0.0, 100.0).unwrap(), [10.0, 50.0, 30.0]);
        assert_eq!(apart(&[50.0, 50.0], 10.0, 0.0, 100.0).unwrap(), [45.0, 55.0]);
        assert_eq!(apart(&[0.0, 0.0, 0.0], 10.0, 0.0, 100.0).unwrap(), [0.0, 10.0, 20.0]);
        assert_eq!(apart(&[0.0; 12], 10.0, 0.0, 100.0), None);
    }

    #[test]
    fn a_swarm_grows_to_both_sides() {
        assert_eq!(lanes(&[5.0, 5.0, 5.0, 5.0, 20.0], 4.0, 1), [0, 1, -1, -1, 0]);
    }

    #[test]
    fn every_second_label_is_drawn_when_all_do_not_fit() {
        let boxes: Vec<(f64, f64)> = (0..6).map(|n| (f64::from(n) * 20.0, 15.0)).collect();
        assert_eq!(every(&boxes, 4.0), 2);
        assert_eq!(every(&[], 4.0), 1);
    }

    proptest! {
        #[test]
        fn no_two_labels_overlap(wanted in prop::collection::vec(-50.0..250.0_f64, 0..12)) {
            let placed = apart(&wanted, 16.0, 0.0, 200.0).unwrap();
            let mut sorted = placed.clone();
            sorted.sort_by(f64::total_cmp);
            prop_assert!(sorted.iter().all(|y| (-1e-9..=200.0 + 1e-9).contains(y)));
            prop_assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 16.0 - 1e-9));
            for (left, first) in wanted.iter().zip(&placed) {
                for (right, second) in wanted.iter().zip(&placed) {
                    prop_assert!(left >= right || first <= second, "order is kept");
                }
            }
        }
    }
}
