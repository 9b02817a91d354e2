//! Columns of words that repeat: made of few values, read by the numbers of their words.

use super::cells::FixedCells;
use super::column::{Dict, ValueColumn};
use arrow_array::{Array as _, DictionaryArray, Int32Array, StringArray};
use arrow_buffer::{BooleanBuffer, NullBuffer};

/// The number of no word.
const NO_KEY: i32 = -1;

impl ValueColumn<Dict> {
    /// The column of `cells`, of which there are few different ones, each written as `word` says.
    pub(super) fn of_few<T: Copy + PartialEq>(
        cells: impl ExactSizeIterator<Item = Option<T>>,
        word: impl Fn(T) -> &'static str,
    ) -> Self {
        let mut known: Vec<T> = Vec::new();
        let mut keys: Vec<i32> = Vec::with_capacity(cells.len());
        let mut n_nulls = 0_usize;
        // Looking through few values is faster than a map, and most cells are like the one before.
        let mut last: Option<(T, i32)> = None;
        for cell in cells {
            let key = match (cell, last) {
                (Some(value), Some((known, key))) if known == value => key,
                (Some(value), _) => {
                    let place = known.iter().position(|own| *own == value).unwrap_or_else(|| {
                        known.push(value);
                        known.len() - 1
                    });
                    let key = i32::try_from(place).unwrap_or(0);
                    last = Some((value, key));
                    key
                }
                (None, _) => {
                    n_nulls += 1;
                    NO_KEY
                }
            };
            keys.push(key);
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
        let words: StringArray = known.into_iter().map(|value| Some(word(value))).collect();
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
        let mut found = Vec::with_capacity(self.n_rows);
        for idx in 0..self.n_rows {
            let code = keys.get(idx).and_then(|key| usize::try_from(key).ok());
            found.push(code.and_then(|code| meanings.get(code)).copied().unwrap_or(null));
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

    /// The different words of the column, in the order in which they came first.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let words: Option<&StringArray> =
            self.array.as_ref().and_then(|array| array.values().as_any().downcast_ref());
        words.into_iter().flat_map(|words| (0..words.len()).map(move |at| words.value(at)))
    }
}
