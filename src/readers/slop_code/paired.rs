//! Cases of `reports.parquet` and scores of `evaluation.json`, paired by group and id.
//!
//! Both usually stand in the same order, and ids of a group rise: then the next score is that of the next case, and
//! nothing is looked up.

use super::evaluation_g1::{GroupCase, GroupsFile};
use super::gathered::Gathered;
use crate::order::Order as _;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use std::hash::BuildHasher as _;

/// A case and its score.
pub(super) type ScoredCase = (usize, Option<f64>);

/// Group and id of a case, recorded or in rows.
struct Slot {
    group: u32,
    /// Of the recorded scores, the last one of these words.
    entry: Option<u32>,
    /// Of the rows, the first and the last one of these words.
    rows: Option<(u32, u32)>,
}

/// The cases of all rows, paired.
pub(super) struct PairedCases<'a> {
    gathered: &'a Gathered,
    entries: Vec<(u32, &'a GroupCase)>,
    /// Groups by number: those of the file, then those that only rows name.
    groups: HashMap<&'a str, u32>,
    names: Vec<&'a str>,
    slots: Vec<Slot>,
    /// The slot of each recorded score.
    slot_of: Vec<u32>,
    /// Slots by their words, once they are wanted.
    by_words: Option<HashTable<u32>>,
    hasher: DefaultHashBuilder,
    /// The slot that is likely to be next.
    next: usize,
    /// Groups in the order in which rows name them.
    order: Vec<u32>,
}

impl<'a> PairedCases<'a> {
    /// Before the first of the rows `gathered`.
    pub(super) fn new(file: &'a GroupsFile, gathered: &'a Gathered) -> Self {
        let mut paired = Self {
            gathered,
            entries: Vec::new(),
            groups: HashMap::new(),
            names: Vec::new(),
            slots: Vec::new(),
            slot_of: Vec::new(),
            by_words: None,
            hasher: DefaultHashBuilder::default(),
            next: 0,
            order: Vec::new(),
        };
        for group in &file.groups {
            let number = paired.group(&group.name);
            paired.entries.extend(group.results.iter().map(|entry| (number, entry)));
        }
        let is_rising = paired.names.len() == file.groups.len()
            && file.groups.iter().all(|group| group.results.is_sorted_by(|a, b| a.id < b.id));
        if is_rising {
            paired.slots.extend((0..).zip(&paired.entries).map(|(entry, (group, _))| Slot {
                group: *group,
                entry: Some(entry),
                rows: None,
            }));
            paired.slot_of.extend((0..).take(paired.entries.len()));
        } else {
            paired.by_words = Some(HashTable::new());
            for at in 0..paired.entries.len() {
                let Some(&(group, entry)) = paired.entries.get(at) else { continue };
                let number = u32::try_from(at).ok();
                let slot = paired.find(group, &entry.id, (number, None));
                if let Some(slot) = paired.slots.get_mut(slot) {
                    slot.entry = number;
                }
                paired.slot_of.push(u32::try_from(slot).unwrap_or(u32::MAX));
            }
        }
        paired
    }

    /// The number of a group.
    fn group(&mut self, name: &'a str) -> u32 {
        let n_known = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let number = *self.groups.entry(name).or_insert(n_known);
        if number == n_known {
            self.names.push(name);
        }
        number
    }

    /// Pairs every row; `is_again` hears of those whose words came before.
    pub(super) fn pair(
        &mut self,
        mut is_again: impl FnMut(usize, &str, &str),
    ) -> Vec<Option<&'a GroupCase>> {
        let gathered = self.gathered;
        let n_rows = gathered.len();
        let numbers: Vec<u32> = gathered.groups.words.iter().map(|name| self.group(name)).collect();
        let mut nameless = None;
        let mut is_named = Vec::new();
        let mut partners = Vec::with_capacity(n_rows);
        for idx in 0..n_rows {
            let code = gathered.groups.codes.get(idx).and_then(|code| usize::try_from(*code).ok());
            let known = code.and_then(|code| numbers.get(code)).copied().or(nameless);
            let group = known.unwrap_or_else(|| self.group(""));
            if code.is_none() {
                nameless = Some(group);
            }
            let at = group as usize;
            if is_named.len() <= at {
                is_named.resize(at + 1, false);
            }
            if let Some(is_named) = is_named.get_mut(at).filter(|is_named| !**is_named) {
                *is_named = true;
                self.order.push(group);
            }
            let id = gathered.id(idx);
            let row = u32::try_from(idx).unwrap_or(u32::MAX);
            let slot = self.find(group, id, (None, Some(row)));
            let Some(found) = self.slots.get_mut(slot) else { continue };
            let entry = found.entry;
            match &mut found.rows {
                Some((first, last)) => {
                    if *first != row {
                        is_again(idx, self.names.get(at).copied().unwrap_or_default(), id);
                    }
                    *last = row;
                }
                none => *none = Some((row, row)),
            }
            partners.push(entry.and_then(|at| Some(self.entries.get(at as usize)?.1)));
        }
        partners
    }

    /// The slot of these words, which is a new one of what `new` says when there is none.
    fn find(&mut self, group: u32, id: &str, new: (Option<u32>, Option<u32>)) -> usize {
        let words = |slot: &Slot| (slot.group, id_of(slot, &self.entries, self.gathered));
        if self.slots.get(self.next).is_some_and(|slot| words(slot) == (group, id)) {
            self.next += 1;
            return self.next - 1;
        }
        let (slots, entries, gathered, hasher) =
            (&self.slots, &self.entries, self.gathered, &self.hasher);
        let words = |at: u32| {
            let slot = slots.get(at as usize);
            slot.map(|slot| (slot.group, id_of(slot, entries, gathered)))
        };
        let hash_of = |at: &u32| words(*at).map_or(0, |words| hasher.hash_one(words));
        let by_words = self.by_words.get_or_insert_with(|| {
            let mut by_words = HashTable::with_capacity(slots.len());
            for at in (0..).take(slots.len()) {
                by_words.insert_unique(hash_of(&at), at, hash_of);
            }
            by_words
        });
        let hash = hasher.hash_one((group, id));
        let is_it = |at: &u32| words(*at) == Some((group, id));
        if let Some(&at) = by_words.find(hash, is_it) {
            self.next = at as usize + 1;
            return at as usize;
        }
        let at = slots.len();
        by_words.insert_unique(hash, u32::try_from(at).unwrap_or(u32::MAX), hash_of);
        let rows = new.1.map(|row| (row, row));
        self.slots.push(Slot { group, entry: new.0, rows });
        at
    }

    /// The case of each recorded score, and those that have none, in the order of the rows.
    pub(super) fn finish(self) -> LastCases {
        let case = |slot: &Slot| {
            let (_, last) = slot.rows?;
            Some((last as usize, self.gathered.score(last as usize)))
        };
        let of_entries =
            self.slot_of.iter().map(|at| case(self.slots.get(*at as usize)?)).collect();
        let rest = self.slots.iter().filter(|slot| slot.entry.is_none());
        let mut missing: Vec<UnscoredCase> = rest
            .filter_map(|slot| {
                let group = self.names.get(slot.group as usize)?;
                let id = id_of(slot, &self.entries, self.gathered).to_owned();
                Some(UnscoredCase { group: (*group).to_owned(), id, case: case(slot)? })
            })
            .collect();
        missing.order_by_key(|missing| missing.case.0);
        let name = |number: &u32| self.names.get(*number as usize).map(|name| (*name).to_owned());
        LastCases { of_entries, missing, groups: self.order.iter().filter_map(name).collect() }
    }
}

fn id_of<'a>(slot: &Slot, entries: &[(u32, &'a GroupCase)], gathered: &'a Gathered) -> &'a str {
    let entry = slot.entry.and_then(|at| entries.get(at as usize));
    match (entry, slot.rows) {
        (Some((_, entry)), _) => &entry.id,
        (None, Some((first, _))) => gathered.id(first as usize),
        (None, None) => "",
    }
}

/// The last case of each group and id.
#[derive(Debug, Default)]
pub(super) struct LastCases {
    /// Of each recorded score, in the order of the file; `None`: there is no row.
    pub(super) of_entries: Vec<Option<ScoredCase>>,
    /// Those without a recorded score, in the order of the rows.
    pub(super) missing: Vec<UnscoredCase>,
    /// Groups in the order in which rows name them.
    pub(super) groups: Vec<String>,
}

/// A case that has no recorded score.
#[derive(Debug)]
pub(super) struct UnscoredCase {
    /// Its group.
    pub(super) group: String,
    /// Its id.
    pub(super) id: String,
    /// The last of these words.
    pub(super) case: ScoredCase,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::slop_code::evaluation_g1::EvaluationGroup;
    use proptest::prelude::*;

    fn file_of(groups: &[(u8, Vec<u8>)]) -> GroupsFile {
        let entry =
            |at: usize, id: u8| GroupCase { id: id.to_string(), score: None, span: at..at + 1 };
        let groups = groups.iter().map(|(name, ids)| EvaluationGroup {
            name: name_of(*name).unwrap_or_default().to_owned(),
            results: ids.iter().enumerate().map(|(at, id)| entry(at, *id)).collect(),
            ..EvaluationGroup::default()
        });
        GroupsFile { groups: groups.collect(), ..GroupsFile::default() }
    }

    fn name_of(number: u8) -> Option<&'static str> {
        [None, Some(""), Some("a"), Some("b")].get(usize::from(number)).copied().flatten()
    }

    proptest! {
        #[test]
        fn rows_and_scores_are_paired_by_their_words(
            groups in prop::collection::vec((1_u8..4, prop::collection::vec(0_u8..9, 0..6)), 0..4),
            is_tidy in any::<bool>(),
            rows in prop::collection::vec((0_u8..4, 0_u8..9), 0..20),
        ) {
            let mut groups = groups;
            if is_tidy {
                groups.sort();
                groups.dedup_by_key(|(name, _)| *name);
                for (_, ids) in &mut groups {
                    ids.sort_unstable();
                    ids.dedup();
                }
            }
            let file = file_of(&groups);
            let gathered = Gathered::of(rows.iter().map(|(group, id)| (name_of(*group), id.to_string())));
            let words = |(group, id): &(u8, u8)| (name_of(*group).unwrap_or_default(), id.to_string());

            let mut paired = PairedCases::new(&file, &gathered);
            let mut again = Vec::new();
            let found = paired.pair(|idx, group, id| again.push((idx, (group.to_owned(), id.to_owned()))));
            let last = paired.finish();

            let entries: Vec<(&str, &GroupCase)> = file.groups.iter().flat_map(|group| {
                group.results.iter().map(|entry| (group.name.as_str(), entry))
            }).collect();
            let row_words: Vec<(&str, String)> = rows.iter().map(words).collect();
            let is_of = |own: &(&str, String), entry: &(&str, &GroupCase)| (own.0, own.1.as_str()) == (entry.0, entry.1.id.as_str());
            for (own, found) in row_words.iter().zip(&found) {
                let partner = entries.iter().rfind(|entry| is_of(own, entry));
                prop_assert_eq!(partner.map(|(_, entry)| &entry.span), found.map(|entry| &entry.span));
            }
            let repeated = row_words.iter().enumerate().filter(|(idx, own)| row_words[..*idx].contains(own));
            let repeated: Vec<_> = repeated.map(|(idx, own)| (idx, (own.0.to_owned(), own.1.clone()))).collect();
            prop_assert_eq!(repeated, again);
            let last_rows: Vec<Option<usize>> = entries.iter().map(|entry| row_words.iter().rposition(|own| is_of(own, entry))).collect();
            let of_entries: Vec<_> = last.of_entries.iter().map(|case| case.map(|(idx, _)| idx)).collect();
            prop_assert_eq!(last_rows, of_entries);
            let missing = row_words.iter().enumerate().filter(|(idx, own)| {
                !entries.iter().any(|entry| is_of(own, entry)) && !row_words[idx + 1..].contains(own)
            });
            let missing: Vec<_> = missing.map(|(idx, own)| (idx, own.0, own.1.as_str())).collect();
            let own: Vec<_> = last.missing.iter().map(|one| (one.case.0, one.group.as_str(), one.id.as_str())).collect();
            prop_assert_eq!(missing, own);
            let mut order: Vec<&str> = Vec::new();
            row_words.iter().for_each(|(name, _)| if !order.contains(name) { order.push(name) });
            prop_assert_eq!(order, last.groups);
        }
    }
}
