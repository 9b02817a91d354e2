//! Numbers for keys, in the order in which they come first.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// No number.
pub(super) const ABSENT: u32 = u32::MAX;

/// Gives each key a number. A key that comes several times in one group has one number for each time, and
/// finds the same ones again, by order, in every other group.
#[derive(Default)]
pub(super) struct Matcher {
    table: HashTable<(u64, u32)>,
    /// By number, of the first occurrence of a key: the group it was met in last, and the number there.
    met: Vec<(u32, u32)>,
    /// By number: that of the next occurrence of its key in one group.
    next: Vec<u32>,
}

impl Matcher {
    /// Room for so many keys.
    pub(super) fn with_room(n: usize) -> Self {
        Self {
            table: HashTable::with_capacity(n),
            met: Vec::with_capacity(n),
            next: Vec::with_capacity(n),
        }
    }

    /// How many numbers are given.
    pub(super) fn len(&self) -> usize {
        self.next.len()
    }

    /// A number for a key that is the same as no other.
    pub(super) fn alone(&mut self, group: u32) -> u32 {
        let fresh = u32::try_from(self.next.len()).unwrap_or(ABSENT);
        self.met.push((group, fresh));
        self.next.push(ABSENT);
        fresh
    }

    /// The number of a key with this hash, met in `group`. `is_same`: whether the key is that of a number. Groups
    /// come one after the other.
    pub(super) fn number(
        &mut self,
        group: u32,
        hash: u64,
        is_same: impl Fn(u32) -> bool,
    ) -> (u32, bool) {
        let fresh = u32::try_from(self.next.len()).unwrap_or(ABSENT);
        let entry = self.table.entry(
            hash,
            |(known, number)| *known == hash && is_same(*number),
            |(known, _)| *known,
        );
        let (number, is_repeated) = match entry {
            Entry::Vacant(entry) => {
                entry.insert((hash, fresh));
                (fresh, false)
            }
            Entry::Occupied(entry) => {
                let first = entry.get().1;
                let Some(met) = self.met.get_mut(first as usize) else { return (fresh, false) };
                let is_repeated = met.0 == group;
                let number = if is_repeated {
                    match self.next.get_mut(met.1 as usize) {
                        Some(next) => {
                            *next = (*next).min(fresh);
                            *next
                        }
                        None => fresh,
                    }
                } else {
                    first
                };
                *met = (group, number);
                (number, is_repeated)
            }
        };
        if number == fresh {
            self.alone(group);
        }
        (number, is_repeated)
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
    for chunk in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
        hash = mix(hash, u64::from_le_bytes(word));
    }
    hash
}
