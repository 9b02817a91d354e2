//! Numbers for keys, in the order in which they come first.
//!
//! Keys are known by hashes. They are put into buckets that fit the processor's cache, numbered there as if equal
//! hashes were equal keys, and looked at afterwards in the order of the rows; only where two different keys have one
//! hash, all is done again with the keys themselves.

/// No number.
pub(super) const ABSENT: u32 = u32::MAX;

/// Items of a bucket, about.
const BUCKET: usize = 1_024;

/// Buckets at the most: more would be written to in too many places at once.
const MAX_BUCKETS: usize = 1 << 12;

/// The keys of several groups, numbered.
#[derive(Default)]
pub(super) struct Numbered {
    /// The number of each item. A key that comes several times in one group has one number for each time, and finds
    /// the same ones again, by order, in every other group.
    pub(super) numbers: Vec<u32>,
    /// How many numbers there are.
    pub(super) n: usize,
    /// Items whose number is new although their key stands in their group before.
    pub(super) repeated: Vec<u32>,
}

/// Items to be numbered, group by group.
pub(super) struct Items<'a> {
    /// The number of items up to the end of each group.
    pub(super) ends: &'a [u32],
    /// The hash of the key of each item.
    pub(super) hashes: &'a [u64],
    /// Items whose key is the same as no other; empty: there is none.
    pub(super) alone: &'a [bool],
}

impl Items<'_> {
    /// The numbers. `is_same`: whether two items of one hash have the same key.
    pub(super) fn numbered(&self, is_same: impl Fn(u32, u32) -> bool) -> Numbered {
        let by_hash = self.stand_ins(|_, _| true);
        let is_right = by_hash.firsts().all(|(item, first)| is_same(item, first));
        let found = if is_right { by_hash } else { self.stand_ins(is_same) };
        let mut numbers = found.stand_ins;
        let mut n = 0_u32;
        for item in 0..numbers.len() {
            let Some(stands_for) = numbers.get(item).copied() else { continue };
            // Whatever an item stands for comes before it, and has its number already.
            let number = if stands_for as usize == item {
                n += 1;
                n - 1
            } else {
                numbers.get(stands_for as usize).copied().unwrap_or(ABSENT)
            };
            if let Some(cell) = numbers.get_mut(item) {
                *cell = number;
            }
        }
        let mut repeated: Vec<u32> = found.repeated.into_iter().map(|(item, _)| item).collect();
        repeated.sort_unstable();
        Numbered { numbers, n: n as usize, repeated }
    }

    /// For each item the one that has its number first.
    fn stand_ins(&self, is_same: impl Fn(u32, u32) -> bool) -> StandIns {
        let n_items = self.hashes.len();
        let mut found = StandIns { stand_ins: (0..).take(n_items).collect(), repeated: Vec::new() };
        let n_buckets = (n_items / BUCKET).next_power_of_two().min(MAX_BUCKETS);
        let shift = 64 - n_buckets.trailing_zeros();
        let bucket_of = |hash: u64| hash.checked_shr(shift).unwrap_or(0) as usize;
        let is_alone = |item: usize| self.alone.get(item) == Some(&true);
        let mut starts = vec![0_u32; n_buckets + 1];
        for (item, hash) in self.hashes.iter().enumerate() {
            if let Some(count) = starts.get_mut(bucket_of(*hash) + 1).filter(|_| !is_alone(item)) {
                *count += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut next = starts.clone();
        let mut entries = vec![(0_u64, 0_u32); total as usize];
        for (item, hash) in (0_u32..).zip(self.hashes) {
            let Some(at) = next.get_mut(bucket_of(*hash)).filter(|_| !is_alone(item as usize))
            else {
                continue;
            };
            if let Some(entry) = entries.get_mut(*at as usize) {
                *entry = (*hash, item);
            }
            *at += 1;
        }
        let mut bucket = Bucket::default();
        for ends in starts.windows(2) {
            let range =
                ends.first().zip(ends.last()).map(|(one, two)| *one as usize..*two as usize);
            let own = range.and_then(|range| entries.get(range)).unwrap_or_default();
            bucket.number(own, self.ends, &is_same, &mut found);
        }
        found
    }
}

/// For each item the one that has its number first.
struct StandIns {
    stand_ins: Vec<u32>,
    /// Items with a new number whose key stands in their group before, each with the first item of that key.
    repeated: Vec<(u32, u32)>,
}

impl StandIns {
    /// Items that are taken to have the key of an item before, each with that.
    fn firsts(&self) -> impl Iterator<Item = (u32, u32)> {
        let same = (0_u32..).zip(&self.stand_ins).filter(|(item, first)| item != *first);
        same.map(|(item, first)| (item, *first)).chain(self.repeated.iter().copied())
    }
}

/// The tables of one bucket, used again for the next one.
#[derive(Default)]
struct Bucket {
    /// Places of the first entries of keys, by hash.
    table: Vec<u32>,
    /// By place of such an entry: the group it was met in last, and the place that had its number there.
    met: Vec<(u32, u32)>,
    /// By place: that of the next occurrence of the same key in one group.
    next: Vec<u32>,
}

impl Bucket {
    fn number(
        &mut self,
        entries: &[(u64, u32)],
        ends: &[u32],
        is_same: &impl Fn(u32, u32) -> bool,
        found: &mut StandIns,
    ) {
        let room = (2 * entries.len()).next_power_of_two();
        self.table.clear();
        self.table.resize(room, ABSENT);
        self.met.clear();
        self.next.clear();
        let item_at = |place: u32| entries.get(place as usize).map_or(ABSENT, |entry| entry.1);
        let mut group = 0_u32;
        for (place, (hash, item)) in (0_u32..).zip(entries) {
            while ends.get(group as usize).is_some_and(|end| end <= item) {
                group += 1;
            }
            self.met.push((group, place));
            self.next.push(ABSENT);
            let Some(first) = self.first(entries, *hash, *item, place, is_same) else { continue };
            let Some(met) = self.met.get_mut(first as usize) else { continue };
            let is_repeated = met.0 == group;
            let stands_for = if is_repeated {
                match self.next.get_mut(met.1 as usize) {
                    Some(next) => {
                        *next = (*next).min(place);
                        *next
                    }
                    None => place,
                }
            } else {
                first
            };
            *met = (group, stands_for);
            if stands_for == place {
                found.repeated.push((*item, item_at(first)));
            } else if let Some(cell) = found.stand_ins.get_mut(*item as usize) {
                *cell = item_at(stands_for);
            }
        }
    }

    /// The place of the first entry with this key; `None`: it is this one.
    fn first(
        &mut self,
        entries: &[(u64, u32)],
        hash: u64,
        item: u32,
        place: u32,
        is_same: &impl Fn(u32, u32) -> bool,
    ) -> Option<u32> {
        let mask = self.table.len() - 1;
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
        let mut slot = hash as usize & mask;
        loop {
            let cell = self.table.get_mut(slot)?;
            let Some((known, other)) = entries.get(*cell as usize) else {
                *cell = place;
                return None;
            };
            if *known == hash && is_same(item, *other) {
                return Some(*cell);
            }
            slot = (slot + 1) & mask;
        }
    }
}

/// Mixes `word` into `hash`.
pub(super) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * u128::from(0x9e37_79b9_7f4a_7c15_u64);
    #[expect(clippy::cast_possible_truncation, reason = "both halves are mixed")]
    let folded = (product as u64) ^ ((product >> 64) as u64);
    folded.rotate_left(23) ^ 0x2545_f491_4f6c_dd1d
}

/// Mixes a text into `hash`; that there is none is something else than an empty one.
pub(super) fn mix_text(hash: u64, text: Option<&str>) -> u64 {
    let Some(text) = text else { return mix(hash, u64::MAX) };
    let mut hash = mix(hash, text.len() as u64);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    for word in words {
        hash = mix(hash, u64::from_le_bytes(*word));
    }
    if rest.is_empty() {
        return hash;
    }
    mix(hash, rest.iter().rev().fold(0, |word, byte| (word << 8) | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Numbers as they are meant: the k-th time that a key comes in a group is the same one in every group.
    fn plainly(groups: &[Vec<u8>]) -> (Vec<u32>, Vec<u32>) {
        let mut known: HashMap<(u8, usize), u32> = HashMap::new();
        let (mut numbers, mut repeated) = (Vec::new(), Vec::new());
        for group in groups {
            let mut counts: HashMap<u8, usize> = HashMap::new();
            for key in group {
                let time = counts.entry(*key).or_default();
                let fresh = u32::try_from(known.len()).unwrap();
                let number = *known.entry((*key, *time)).or_insert(fresh);
                if number == fresh && *time > 0 {
                    repeated.push(u32::try_from(numbers.len()).unwrap());
                }
                *time += 1;
                numbers.push(number);
            }
        }
        (numbers, repeated)
    }

    proptest! {
        #[test]
        fn keys_are_numbered_as_they_come(groups in prop::collection::vec(prop::collection::vec(0_u8..12, 0..20), 0..4)) {
            let keys: Vec<u8> = groups.iter().flatten().copied().collect();
            let mut ends = Vec::new();
            for group in &groups {
                ends.push(ends.last().copied().unwrap_or(0) + u32::try_from(group.len()).unwrap());
            }
            let is_same = |one: u32, two: u32| keys[one as usize] == keys[two as usize];
            let (numbers, repeated) = plainly(&groups);
            // Hashes of their own, and such as several keys share.
            for n_hashes in [100, 3, 1] {
                let hashes: Vec<u64> = keys.iter().map(|key| mix(1, u64::from(*key % n_hashes))).collect();
                let found = Items { ends: &ends, hashes: &hashes, alone: &[] }.numbered(is_same);
                prop_assert_eq!(&found.numbers, &numbers);
                prop_assert_eq!(&found.repeated, &repeated);
                prop_assert_eq!(found.n, numbers.iter().max().map_or(0, |most| *most as usize + 1));
            }
        }
    }

    #[test]
    fn keys_that_spread_over_many_buckets_are_all_matched() {
        let keys: Vec<u64> = (0..50_000).chain((0..50_000).rev()).collect();
        let hashes: Vec<u64> = keys.iter().map(|key| mix(1, *key)).collect();
        let is_same = |one: u32, two: u32| keys[one as usize] == keys[two as usize];
        let found =
            Items { ends: &[50_000, 100_000], hashes: &hashes, alone: &[] }.numbered(is_same);
        assert_eq!((found.n, found.repeated.len()), (50_000, 0));
        assert!(found.numbers.iter().zip(&keys).all(|(number, key)| u64::from(*number) == *key));
        let alone = vec![true; keys.len()];
        let found =
            Items { ends: &[50_000, 100_000], hashes: &hashes, alone: &alone }.numbered(is_same);
        assert_eq!(found.n, 100_000);
    }
}
