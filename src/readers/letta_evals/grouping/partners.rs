//! Where the samples of a suite lie, by id.
//!
//! A suite can have a million of them: their ids lie one behind the other in one text, and the table holds numbers.

use crate::model::{Asked, Locator, Rising, SourceId};
use crate::readers::answer_hash::folded;
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::cell::{Cell, OnceCell};
use std::hash::BuildHasher as _;
use std::ops::Range;

/// The samples of one file.
#[derive(Debug, Clone)]
pub struct Partners {
    source: SourceId,
    ids: String,
    samples: Vec<PartnerSample>,
    /// How their ids rise, while they do.
    rising: Option<Rising>,
    /// Numbers of samples, by the hash of their id; not made before one is looked for that is not where it is expected.
    by_id: OnceCell<HashTable<u32>>,
    hasher: DefaultHashBuilder,
    /// The sample behind the one that was found last: rows come in the order of the samples, mostly.
    next: Cell<u32>,
}

#[derive(Debug, Clone)]
struct PartnerSample {
    /// Where the id ends in the text of ids; it begins where the one before ends.
    id_end: usize,
    is_numeric: bool,
    len: u32,
    offset: u64,
    asked: Asked,
}

impl Partners {
    /// Without any; they will lie in `source`.
    pub fn new(source: SourceId) -> Self {
        Self {
            source,
            ids: String::new(),
            samples: Vec::new(),
            rising: Some(Rising::default()),
            by_id: OnceCell::new(),
            hasher: DefaultHashBuilder::default(),
            next: Cell::new(0),
        }
    }

    /// Number of samples; those with the same id count once.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Makes room for as many more: a table that grows looks at all ids again.
    pub fn reserve(&mut self, n_more: usize) {
        let Self { ids, samples, by_id, hasher, .. } = self;
        if let Some(by_id) = by_id.get_mut() {
            by_id.reserve(n_more, |at| {
                hasher.hash_one(id_of(ids, samples, *at).unwrap_or_default())
            });
        }
        samples.reserve(n_more);
    }

    /// Adds the sample that lies at `span` and asks what `asked` says. `false`: there was one of this id, in whose place it stands now, or
    /// there is no room for it.
    pub fn insert(&mut self, is_numeric: bool, id: &str, span: Range<u64>, asked: Asked) -> bool {
        let offset = span.start;
        // A record is shorter than that, and memory ends before the numbers do.
        let (Ok(len), Ok(number)) =
            (u32::try_from(span.end - span.start), u32::try_from(self.samples.len()))
        else {
            return false;
        };
        if !self.rises(number, is_numeric, id) {
            self.by_id();
            let Self { ids, samples, by_id, hasher, .. } = self;
            let hash = hasher.hash_one((is_numeric, id));
            let is_same = |at: &u32| id_of(ids, samples, *at) == Some((is_numeric, id));
            let hash_of = |at: &u32| hasher.hash_one(id_of(ids, samples, *at).unwrap_or_default());
            match by_id.get_mut().map(|by_id| by_id.entry(hash, is_same, hash_of)) {
                Some(Entry::Occupied(known)) => {
                    if let Some(sample) = samples.get_mut(*known.get() as usize) {
                        (sample.offset, sample.len, sample.asked) = (offset, len, asked);
                    }
                    return false;
                }
                Some(Entry::Vacant(place)) => drop(place.insert(number)),
                None => {}
            }
        }
        self.ids.push_str(id);
        let id_end = self.ids.len();
        self.samples.push(PartnerSample { id_end, is_numeric, len, offset, asked });
        true
    }

    /// Whether the ids, of which there are `number`, go on rising with this one: then there is none like it.
    fn rises(&mut self, number: u32, is_numeric: bool, id: &str) -> bool {
        let last = number.checked_sub(1).and_then(|last| id_of(&self.ids, &self.samples, last));
        let Some(rising) = &mut self.rising else { return false };
        let goes_on = match last {
            Some((is_last_numeric, last)) => {
                is_last_numeric == is_numeric && rising.goes_on(last, id)
            }
            None => true,
        };
        // The table by id, once there is one, has to hold every sample.
        if !goes_on || self.by_id.get().is_some() {
            self.rising = None;
        }
        self.rising.is_some()
    }

    /// The numbers of the samples by the hash of their id.
    fn by_id(&self) -> &HashTable<u32> {
        self.by_id.get_or_init(|| {
            let hash_of = |at: &u32| {
                self.hasher.hash_one(id_of(&self.ids, &self.samples, *at).unwrap_or_default())
            };
            let mut by_id = HashTable::with_capacity(self.samples.len());
            for number in (0..).take(self.samples.len()) {
                by_id.insert_unique(hash_of(&number), number, hash_of);
            }
            by_id
        })
    }

    /// Where the sample with this id lies, and what it asks.
    pub fn get(&self, is_numeric: bool, id: &str) -> Option<(Locator, Asked)> {
        let is_same = |at: &u32| id_of(&self.ids, &self.samples, *at) == Some((is_numeric, id));
        let next = self.next.get();
        let number = if is_same(&next) {
            next
        } else {
            *self.by_id().find(self.hasher.hash_one((is_numeric, id)), is_same)?
        };
        self.next.set(number.saturating_add(1));
        let sample = self.samples.get(number as usize)?;
        let (offset, len) = (sample.offset, u64::from(sample.len));
        Some((Locator::Span { source: self.source, offset, len }, sample.asked))
    }

    /// A hash of the ids, whatever their order.
    pub fn hash_of_ids(&self) -> u64 {
        let hash = |number: u32| {
            let (is_numeric, id) = id_of(&self.ids, &self.samples, number).unwrap_or_default();
            folded(id.len() as u64 * 2 + u64::from(is_numeric), id.as_bytes())
        };
        (0..).take(self.len()).map(hash).fold(0, u64::wrapping_add)
    }
}

/// Whether the id of sample `number` is a number, and the id.
fn id_of<'a>(ids: &'a str, samples: &[PartnerSample], number: u32) -> Option<(bool, &'a str)> {
    let at = number as usize;
    let sample = samples.get(at)?;
    let before = at.checked_sub(1).and_then(|at| samples.get(at));
    let start = before.map_or(0, |before| before.id_end);
    Some((sample.is_numeric, ids.get(start..sample.id_end)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn samples_are_found_by_their_id_alone(
            samples in prop::collection::vec((any::<bool>(), "[a1é]{0,3}"), 0..80),
            n_sorted in 0_usize..80,
            looks_between in any::<bool>(),
        ) {
            let mut samples = samples;
            let n_sorted = n_sorted.min(samples.len());
            samples[..n_sorted].sort_unstable();
            let source = SourceId(3);
            let (mut found, mut expected) = (Partners::new(source), HashMap::new());
            for (number, (is_numeric, id)) in samples.iter().enumerate() {
                let offset = number as u64 * 10;
                let is_new = expected.insert((*is_numeric, id.clone()), offset).is_none();
                let asked = Asked { input: Some(offset), expected: None };
                prop_assert_eq!(found.insert(*is_numeric, id, offset..offset + 7, asked), is_new);
                if looks_between && number % 9 == 8 {
                    prop_assert!(found.get(*is_numeric, id).is_some());
                    prop_assert_eq!(found.get(false, "b"), None);
                }
            }
            prop_assert_eq!(found.len(), expected.len());
            for ((is_numeric, id), offset) in expected {
                let locator = Locator::Span { source, offset, len: 7 };
                let asked = Asked { input: Some(offset), expected: None };
                prop_assert_eq!(found.get(is_numeric, &id), Some((locator, asked)));
            }
            prop_assert_eq!(found.get(false, "b"), None);
        }
    }

    #[test]
    fn the_hash_of_all_ids_does_not_depend_on_their_order() {
        let of = |ids: &[(bool, &str)]| {
            let mut partners = Partners::new(SourceId(0));
            for (is_numeric, id) in ids {
                partners.insert(*is_numeric, id, 0..1, Asked::default());
            }
            partners.hash_of_ids()
        };
        assert_eq!(of(&[(false, "a"), (true, "1")]), of(&[(true, "1"), (false, "a")]));
        assert_ne!(of(&[(false, "a"), (true, "1")]), of(&[(false, "a"), (false, "1")]));
        assert_ne!(of(&[(false, "ab")]), of(&[(false, "a"), (false, "b")]));
    }
}
