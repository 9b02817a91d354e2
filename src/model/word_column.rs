//! Columns of words that repeat: made of few values, read by the numbers of their words.

use super::cells::FixedCells;
use super::column::{Dict, ValueColumn};
use arrow_array::{Array as _, DictionaryArray, Int32Array, StringArray};
use arrow_buffer::{BooleanBuffer, NullBuffer};

/// The number of no word.
const NO_KEY: i32 = -1;

impl ValueColumn<Dict> {
    /// The column of `cells`, places in the closed vocabulary `vocabulary`. It holds the words that occur alone, in the order in
    /// which they come first.
    pub(super) fn of_closed(
        cells: impl ExactSizeIterator<Item = Option<usize>>,
        vocabulary: &[&'static str],
    ) -> Self {
        let mut known: Vec<&'static str> = Vec::new();
        let mut key_of = vec![NO_KEY; vocabulary.len()];
        let mut keys = vec![NO_KEY; cells.len()];
        let mut n_nulls = 0_usize;
        for (key, cell) in keys.iter_mut().zip(cells) {
            // A table instead of branches: which word comes next cannot be predicted, and each miss costs more than the rest.
            let Some((known_as, word)) =
                cell.and_then(|at| key_of.get_mut(at).zip(vocabulary.get(at)))
            else {
                n_nulls += 1;
                continue;
            };
            if *known_as == NO_KEY {
                *known_as = i32::try_from(known.len()).unwrap_or(0);
                known.push(word);
            }
            *key = *known_as;
        }
        let n_rows = keys.len();
        let valid = (n_nulls > 0).then(|| {
            NullBuffer::new(BooleanBuffer::collect_bool(n_rows, |idx| {
                keys.get(idx).is_some_and(|key| *key != NO_KEY)
            }))
        });
        if n_nulls > 0 {
            keys.iter_mut().filter(|key| **key == NO_KEY).for_each(|key| *key = 0);
        }
        let keys = Int32Array::new(keys.into(), valid);
        let words: StringArray = known.into_iter().map(Some).collect();
        let array = DictionaryArray::try_new(keys, std::sync::Arc::new(words)).ok();
        Self { n_rows, array: array.filter(|array| array.null_count() < n_rows) }
    }

    /// The word of each row, as its number in [`Self::words`]; `None` where the cell is null.
    pub fn codes(&self) -> impl ExactSizeIterator<Item = Option<usize>> {
        let keys = self.keys();
        (0..self.n_rows).map(move |idx| usize::try_from(keys.get(idx)?).ok())
    }

    /// What `meaning` makes of the word of each row, asked once for each different word; `null` where the cell is null.
    pub fn mapped<T: Copy>(&self, null: T, meaning: impl Fn(&str) -> T) -> Vec<T> {
        let (meanings, keys): (Vec<T>, _) = (self.words().map(meaning).collect(), self.keys());
        let of_key = |key: i32| {
            usize::try_from(key).ok().and_then(|at| meanings.get(at)).copied().unwrap_or(null)
        };
        match keys.all() {
            Some(keys) if keys.len() == self.n_rows => {
                keys.iter().map(|key| of_key(*key)).collect()
            }
            _ => (0..self.n_rows).map(|idx| keys.get(idx).map_or(null, of_key)).collect(),
        }
    }

    /// How many rows hold each of [`Self::words`], in their order. Rows without a word are in none of them.
    pub fn tally(&self) -> Vec<u64> {
        let mut found = vec![0; self.words().count()];
        let keys = self.keys();
        let mut count = |key: i32| {
            if let Some(n) = usize::try_from(key).ok().and_then(|at| found.get_mut(at)) {
                *n += 1;
            }
        };
        match keys.all() {
            Some(keys) => keys.iter().for_each(|key| count(*key)),
            None => (0..self.n_rows).filter_map(|idx| keys.get(idx)).for_each(count),
        }
        found
    }

    /// The numbers of the words, to be read many at a time.
    pub fn keys(&self) -> FixedCells<'_, i32> {
        let keys = self.array.as_ref().map(DictionaryArray::keys);
        FixedCells::of(keys.map(|keys| (keys.values().as_ref(), keys.nulls())))
    }

    /// The word of row `idx`, as its number in [`Self::words`]; `None` when there is none.
    pub fn code(&self, idx: usize) -> Option<usize> {
        let array = self.array.as_ref().filter(|array| idx < array.len())?;
        array.is_valid(idx).then(|| usize::try_from(array.keys().value(idx)).ok())?
    }

    /// What `meaning` makes of the word of each row, asked once for each different word; `None` where the cell is
    /// null.
    pub fn meanings<T: Copy>(&self, meaning: impl Fn(&str) -> T) -> impl Fn(usize) -> Option<T> {
        let (meanings, keys): (Vec<T>, _) = (self.words().map(meaning).collect(), self.keys());
        move |idx| meanings.get(usize::try_from(keys.get(idx)?).ok()?).copied()
    }

    /// The rows, ascending, that hold a word of which `is_wanted` says yes.
    pub fn rows_of(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<usize> {
        let (wanted, keys): (Vec<bool>, _) = (self.words().map(is_wanted).collect(), self.keys());
        let mut rows = Vec::new();
        if wanted.contains(&true) {
            for row in 0..self.n_rows {
                if let Some(key) = keys.get(row)
                    && wanted.get(key as usize) == Some(&true)
                {
                    rows.push(row);
                }
            }
        }
        rows
    }

    /// The different words of the column, in the order in which they came first.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let words: Option<&StringArray> =
            self.array.as_ref().and_then(|array| array.values().as_any().downcast_ref());
        words.into_iter().flat_map(|words| (0..words.len()).map(move |at| words.value(at)))
    }
}
