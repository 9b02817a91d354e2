//! Sorting, compiled once.
//!
//! The standard library compiles a whole sort for each type and each comparison: eight kilobytes of program
//! apiece, a tenth of the worker. Here the places of the items are sorted, by one program for all, and the
//! items follow. What is long and sorted often (the table of cases, samples of numbers) has its own sort.

use std::cmp::Ordering;

/// Sorts `items` by `compare`; equal ones keep their order.
pub(crate) fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let swaps = swaps(items.len(), &mut |left, right| match (items.get(left), items.get(right)) {
        (Some(left), Some(right)) => compare(left, right),
        // Places are within the list.
        _ => Ordering::Equal,
    });
    for (left, right) in swaps {
        items.swap(left, right);
    }
}

/// Sorts `items` by `key`; equal ones keep their order.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |left, right| key(left).cmp(&key(right)));
}

/// Sorts `items`; equal ones keep their order.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// The swaps, one after the other, that sort a list of `len` items.
fn swaps(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|left, right| compare(*left, *right));
    let mut swaps = Vec::new();
    for start in 0..len {
        // Follows the circle of places through `start`; those that are done point to themselves.
        let mut at = start;
        while let Some(from) = order.get(at).copied()
            && from != at
        {
            if let Some(place) = order.get_mut(at) {
                *place = at;
            }
            if from == start {
                break;
            }
            swaps.push((at, from));
            at = from;
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_stable_sort_of_the_standard_library(
            items in proptest::collection::vec((0_u8..6, any::<u16>()), 0..60),
        ) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            let mut found = items.clone();
            sort_by_key(&mut found, |(key, _)| *key);
            prop_assert_eq!(found, expected);
            let mut expected = items.clone();
            expected.sort();
            let mut found = items;
            sort(&mut found);
            prop_assert_eq!(found, expected);
        }
    }
}
