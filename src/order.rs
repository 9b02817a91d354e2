//! Sorting short lists with one program for all types, and ordered maps and sets that are not sorted first.
//!
//! The library's sort is compiled anew for each type and each way of comparing: 83 of these were a tenth of the
//! workspace's code. Where lists have a few thousand entries at the most, numbers of places are sorted instead.
//! What has to be fast (cases of a table, resamples) sorts by the library.

use std::cmp::Ordering;

/// `entries` in an ordered map or set, put in one by one: `collect` sorts them before, each type by a sort of its own.
pub(crate) fn ordered<T, All: Default + Extend<T>>(entries: impl IntoIterator<Item = T>) -> All {
    let mut all = All::default();
    all.extend(entries);
    all
}

/// Sorting that is compiled once; stable, like `sort_by`.
pub(crate) trait Order<T> {
    /// Puts the entries in the order that `compare` gives.
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Puts the entries in the order of their keys.
    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.order_by(|left, right| key(left).cmp(&key(right)));
    }
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let order = places(self.len(), &|left, right| match (self.get(left), self.get(right)) {
            (Some(left), Some(right)) => compare(left, right),
            _ => Ordering::Equal,
        });
        rearrange(order, &mut |one, other| self.swap(one, other));
    }
}

/// Order by text, where digits compare as numbers: `run_2` before `run_10`. A total order: texts that differ are never equal.
pub(crate) fn natural(left: &str, right: &str) -> Ordering {
    let (mut left_rest, mut right_rest) = (left, right);
    while !left_rest.is_empty() && !right_rest.is_empty() {
        let (left_part, left_after) = part(left_rest);
        let (right_part, right_after) = part(right_rest);
        let order = match (number(left_part), number(right_part)) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => left_part.cmp(right_part),
        };
        if order != Ordering::Equal {
            return order;
        }
        (left_rest, right_rest) = (left_after, right_after);
    }
    left_rest.len().cmp(&right_rest.len()).then_with(|| left.cmp(right))
}

/// The leading digits, or the leading other characters.
fn part(text: &str) -> (&str, &str) {
    let is_digit = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(text.len());
    text.split_at(end)
}

/// What numbers of any length compare by: of two without leading zeros the longer is the larger.
fn number(part: &str) -> Option<(usize, &str)> {
    let digits =
        part.starts_with(|c: char| c.is_ascii_digit()).then(|| part.trim_start_matches('0'))?;
    Some((digits.len(), digits))
}

/// The places of `n` entries in the order that `compare` gives.
#[inline(never)]
fn places(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|left, right| compare(*left, *right));
    order
}

/// Swaps entries until at each place stands the one that stood where `order` says.
#[inline(never)]
fn rearrange(order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    let mut goes_to = vec![0; order.len()];
    for (to, from) in order.into_iter().enumerate() {
        if let Some(place) = goes_to.get_mut(from) {
            *place = to;
        }
    }
    for at in 0..goes_to.len() {
        while let Some(&to) = goes_to.get(at).filter(|to| **to != at) {
            swap(at, to);
            goes_to.swap(at, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn of_entries_with_one_key_the_last_stays() {
        use std::collections::{BTreeMap, BTreeSet};
        let entries = [("b", 1), ("a", 2), ("b", 3)];
        let map: BTreeMap<_, _> = ordered(entries);
        assert_eq!(map, entries.into_iter().collect());
        let set: BTreeSet<_> = ordered(entries);
        assert_eq!(set, entries.into_iter().collect());
    }

    #[test]
    fn digits_are_compared_as_numbers() {
        let huge = format!("run_1{}", "0".repeat(60));
        let sorted = [
            "", "a/run_1", "m/run_1", "m/run_02", "m/run_2", "m/run_10", "run_5", "run_10", &huge,
            "run_x",
        ];
        for (at, left) in sorted.iter().enumerate() {
            for (other, right) in sorted.iter().enumerate() {
                assert_eq!(natural(left, right), at.cmp(&other), "{left} {right}");
            }
        }
    }

    proptest! {
        #[test]
        fn it_sorts_as_the_library_does(mut found in prop::collection::vec((0_u8..9, any::<u16>()), 0..80)) {
            let mut expected = found.clone();
            expected.sort_by_key(|(key, _)| *key);
            found.order_by_key(|(key, _)| *key);
            prop_assert_eq!(&found, &expected);
            expected.sort_by_key(|(_, other)| std::cmp::Reverse(*other));
            found.order_by(|left, right| right.1.cmp(&left.1));
            prop_assert_eq!(&found, &expected);
        }
    }
}
