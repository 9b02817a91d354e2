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
