//! Columns of words that repeat while they are made: as Arrow's own builder makes them, but few words are compared one by
//! one, where that one takes the hash of every cell.

use arrow_array::builder::{ArrayBuilder as _, Int32Builder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{Array as _, DictionaryArray, StringArray};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher as _;
use std::sync::Arc;

/// Up to how many words are compared.
const FEW: usize = 8;

/// The words so far and the cells, which are numbers of words.
#[derive(Debug, Default)]
pub struct DictBuilder {
    keys: Int32Builder,
    words: StringBuilder,
    /// The numbers of the words by their hashes, once they are many.
    by_hash: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl DictBuilder {
    /// No cell yet, and room for `n_rows`.
    pub(super) fn with_capacity(n_rows: usize) -> Self {
        Self { keys: Int32Builder::with_capacity(n_rows), ..Self::default() }
    }

    /// Adds a cell.
    pub(super) fn append_value(&mut self, word: &str) {
        let number = self.number_of(word);
        self.keys.append_value(number.cast_signed());
    }

    /// Adds `n` cells that are null.
    pub(super) fn append_nulls(&mut self, n: usize) {
        self.keys.append_nulls(n);
    }

    /// Adds the cells of `array`, and its words in their order.
    pub(super) fn append_all(&mut self, array: &DictionaryArray<Int32Type>) {
        let Some(words) = array.values().as_any().downcast_ref::<StringArray>() else { return };
        let numbers: Vec<Option<i32>> =
            words.iter().map(|word| Some(self.number_of(word?).cast_signed())).collect();
        let number = |key: i32| *numbers.get(usize::try_from(key).ok()?)?;
        self.keys.extend(array.keys().iter().map(|key| number(key?)));
    }

    /// The column; no cell is left.
    pub(super) fn finish(&mut self) -> DictionaryArray<Int32Type> {
        self.by_hash.clear();
        DictionaryArray::new(self.keys.finish(), Arc::new(self.words.finish()))
    }

    /// The number of `word`, which is known then.
    fn number_of(&mut self, word: &str) -> u32 {
        let n_words = self.words.len();
        let is_many = n_words > FEW;
        let hash = if is_many { self.hasher.hash_one(word.as_bytes()) } else { 0 };
        let known = if is_many {
            let is_it = |number: &u32| self.word(*number) == word.as_bytes();
            self.by_hash.find(hash, is_it).copied()
        } else {
            (0_u32..).take(n_words).find(|number| self.word(*number) == word.as_bytes())
        };
        known.unwrap_or_else(|| self.add(word, hash))
    }

    /// Adds `word`; `hash` is its hash where the words are many already.
    #[cold]
    fn add(&mut self, word: &str, hash: u64) -> u32 {
        let n_words = self.words.len();
        self.words.append_value(word);
        let number = u32::try_from(n_words).unwrap_or(u32::MAX);
        let Self { words, by_hash, hasher, .. } = self;
        let hash_of = |number: &u32| hasher.hash_one(word_of(words, *number));
        match n_words {
            ..FEW => {}
            FEW => {
                for number in 0..=number {
                    by_hash.insert_unique(hash_of(&number), number, hash_of);
                }
            }
            _ => drop(by_hash.insert_unique(hash, number, hash_of)),
        }
        number
    }

    fn word(&self, number: u32) -> &[u8] {
        word_of(&self.words, number)
    }
}

/// The bytes of word `number`.
fn word_of(words: &StringBuilder, number: u32) -> &[u8] {
    let ends = usize::try_from(number).ok().and_then(|at| words.offsets_slice().get(at..at + 2));
    let Some([start, end]) = ends else { return &[] };
    words.values_slice().get(*start as usize..*end as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::builder::StringDictionaryBuilder;
    use proptest::prelude::*;

    fn cells() -> impl Strategy<Value = Vec<Option<String>>> {
        prop::collection::vec(prop::option::weighted(0.8, "[a-d]{0,2}"), 0..60)
    }

    proptest! {
        #[test]
        fn columns_are_as_arrow_makes_them(parts in prop::collection::vec((cells(), any::<bool>()), 0..6)) {
            let (mut own, mut arrows) = (DictBuilder::default(), StringDictionaryBuilder::<Int32Type>::new());
            for (cells, at_once) in parts {
                if at_once && !cells.is_empty() {
                    let array: DictionaryArray<Int32Type> =
                        cells.iter().map(Option::as_deref).collect();
                    own.append_all(&array);
                    arrows.extend_dictionary(&array.downcast_dict().unwrap()).unwrap();
                } else {
                    own.append_nulls(cells.len() % 3);
                    arrows.append_nulls(cells.len() % 3);
                    for cell in &cells {
                        match cell {
                            Some(word) => own.append_value(word),
                            None => own.append_nulls(1),
                        }
                    }
                    cells.iter().for_each(|cell| arrows.append_option(cell.as_deref()));
                }
            }
            let (own, arrows) = (own.finish(), arrows.finish());
            prop_assert_eq!(own.keys(), arrows.keys());
            prop_assert_eq!(own.values(), arrows.values());
        }
    }
}
