//! Columns of words and of cells, gathered batch by batch.

use crate::readers::parquet_file::ParquetColumn;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{
    Array, BooleanArray, DictionaryArray, Float64Array, Int32Array, PrimitiveArray, StringArray,
};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use hashbrown::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The number of a cell that is null.
pub(super) const NONE: i32 = -1;

/// A word of a file's own list that has not been met yet.
const UNMET: i32 = -2;

/// A column of words, each by its number among the different ones, which are numbered as they first come.
#[derive(Default)]
pub(super) struct Coded {
    numbers: HashMap<String, i32>,
    pub(super) words: Vec<String>,
    pub(super) codes: Vec<i32>,
    has_nulls: bool,
    /// The list of words that the last batch had, with the number of each here.
    last: Option<(StringArray, Vec<i32>)>,
}

impl Coded {
    /// No cell yet, and room for `n` of them.
    pub(super) fn with_room(n: usize) -> Self {
        Self { codes: Vec::with_capacity(n), ..Self::default() }
    }

    /// The number of `word`.
    pub(super) fn number(&mut self, word: &str) -> i32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let number = i32::try_from(self.words.len()).unwrap_or(i32::MAX);
        self.words.push(word.to_owned());
        self.numbers.insert(word.to_owned(), number);
        number
    }

    /// The word of row `row`.
    pub(super) fn word(&self, row: usize) -> Option<&str> {
        let number = usize::try_from(*self.codes.get(row)?).ok()?;
        self.words.get(number).map(String::as_str)
    }

    /// Adds the cells `rows` of `column`; without one they are null. `blank` stands for those that are
    /// null.
    pub(super) fn extend(
        &mut self,
        column: Option<&ParquetColumn>,
        rows: Range<usize>,
        blank: Option<&str>,
    ) {
        let n_before = self.codes.len();
        match column {
            Some(ParquetColumn::Words(words)) => self.extend_words(words, rows.clone(), blank),
            Some(ParquetColumn::Texts(_)) => {
                for row in rows.clone() {
                    let text = column.and_then(|column| column.text(row)).or(blank);
                    let code = text.map_or(NONE, |text| self.number(text));
                    self.codes.push(code);
                }
            }
            _ => {}
        }
        let n_rows = n_before + rows.len();
        if self.codes.len() < n_rows {
            let code = blank.map_or(NONE, |blank| self.number(blank));
            self.codes.resize(n_rows, code);
        }
        let own = self.codes.get(n_before..).unwrap_or_default();
        self.has_nulls = self.has_nulls || own.contains(&NONE);
    }

    fn extend_words(
        &mut self,
        words: &DictionaryArray<Int32Type>,
        rows: Range<usize>,
        blank: Option<&str>,
    ) {
        let Some(list) = words.values().as_string_opt::<i32>() else { return };
        let (keys, nulls) = (words.keys().values(), words.nulls());
        let (list, mut numbers) = match self.last.take() {
            Some((last, numbers)) if is_same(&last, list) => (last, numbers),
            _ => (list.clone(), vec![UNMET; list.len()]),
        };
        self.codes.reserve(rows.len());
        for (row, key) in rows.clone().zip(keys.get(rows).unwrap_or_default()) {
            let is_null = nulls.is_some_and(|nulls| nulls.is_null(row));
            let slot = usize::try_from(*key).ok().filter(|_| !is_null);
            let code = match slot.and_then(|slot| Some((slot, *numbers.get(slot)?))) {
                Some((slot, UNMET)) => {
                    let number = self.number(list.value(slot));
                    if let Some(kept) = numbers.get_mut(slot) {
                        *kept = number;
                    }
                    number
                }
                Some((_, number)) => number,
                None => blank.map_or(NONE, |blank| self.number(blank)),
            };
            self.codes.push(code);
        }
        self.last = Some((list, numbers));
    }

    /// Adds a cell that holds `word`.
    pub(super) fn push_word(&mut self, word: &str) {
        let is_first = |first: &String| first == word;
        let code = match self.words.iter().take(4).position(is_first) {
            Some(at) => i32::try_from(at).unwrap_or(NONE),
            None => self.number(word),
        };
        self.codes.push(code);
    }

    /// Adds a cell.
    pub(super) fn push(&mut self, code: i32) {
        self.has_nulls |= code == NONE;
        self.codes.push(code);
    }

    /// The column.
    pub(super) fn finish(self) -> DictionaryArray<Int32Type> {
        let nulls = self.has_nulls.then(|| self.codes.iter().map(|code| *code != NONE).collect());
        let mut codes = self.codes;
        if self.has_nulls {
            codes.iter_mut().for_each(|code| *code = (*code).max(0));
        }
        codes.shrink_to_fit();
        let keys = Int32Array::new(ScalarBuffer::from(codes), nulls.map(NullBuffer::new));
        let words = StringArray::from_iter_values(self.words);
        // Every number is that of a word.
        DictionaryArray::try_new(keys, Arc::new(words)).unwrap_or_else(|_misfit| {
            DictionaryArray::from_iter(std::iter::empty::<Option<&str>>())
        })
    }
}

/// Whether both are the same list: batches of one page of words share it.
fn is_same(one: &StringArray, other: &StringArray) -> bool {
    one.value_offsets().as_ptr() == other.value_offsets().as_ptr()
        && one.value_data().as_ptr() == other.value_data().as_ptr()
        && one.len() == other.len()
}

/// The cells of `column` that are numbers, `rows` of it; `None`: it has none.
pub(super) fn numbers(column: Option<&ParquetColumn>, rows: Range<usize>) -> Option<Float64Array> {
    match column {
        Some(ParquetColumn::Numbers(numbers)) => Some(numbers.slice(rows.start, rows.len())),
        #[expect(clippy::cast_precision_loss, reason = "weights and seconds are small")]
        Some(ParquetColumn::Wholes(wholes)) => {
            Some(wholes.slice(rows.start, rows.len()).unary::<_, Float64Type>(|whole| whole as f64))
        }
        _ => None,
    }
}

/// The cells of `column` that are flags, `rows` of it; `None`: it has none.
pub(super) fn flags(column: Option<&ParquetColumn>, rows: Range<usize>) -> Option<BooleanArray> {
    match column {
        Some(ParquetColumn::Flags(flags)) => Some(flags.slice(rows.start, rows.len())),
        _ => None,
    }
}

/// A column of `n` cells that are all `value`.
pub(super) fn all<T: arrow_array::ArrowPrimitiveType>(
    value: T::Native,
    n: usize,
) -> PrimitiveArray<T> {
    PrimitiveArray::new(ScalarBuffer::from(vec![value; n]), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::ArrayRef;
    use proptest::prelude::*;

    const WORDS: [&str; 4] = ["b", "", "a", "c"];

    proptest! {
        #[test]
        fn words_come_out_as_they_went_in_however_a_file_holds_them(
            batches in prop::collection::vec(
                (prop::collection::vec(prop::option::of(0_usize..4), 0..8), 0_u8..3, 0_usize..8), 0..6),
            has_blank in any::<bool>(),
        ) {
            let blank = has_blank.then_some("");
            let (mut coded, mut wanted) = (Coded::default(), Vec::new());
            let list: ArrayRef = Arc::new(StringArray::from_iter_values(WORDS));
            for (cells, form, from) in batches {
                let texts: Vec<Option<&str>> = cells.iter().map(|cell| cell.map(|at| WORDS[at])).collect();
                let keys: Int32Array = cells.iter().map(|cell| cell.map(|at| at as i32)).collect();
                let column = match form {
                    0 => None,
                    1 => Some(ParquetColumn::Texts(StringArray::from(texts.clone()))),
                    _ => Some(ParquetColumn::Words(DictionaryArray::new(keys, Arc::clone(&list)))),
                };
                let rows = from.min(cells.len())..cells.len();
                coded.extend(column.as_ref(), rows.clone(), blank);
                let is_there = column.is_some();
                wanted.extend(texts[rows].iter().map(|text| text.filter(|_| is_there).or(blank)));
            }
            let mut first: Vec<&str> = Vec::new();
            wanted.iter().flatten().for_each(|word| if !first.contains(word) { first.push(word) });
            prop_assert_eq!(&coded.words, &first);
            let column = coded.finish();
            let texts = column.downcast_dict::<StringArray>().unwrap();
            let found: Vec<Option<&str>> = texts.into_iter().collect();
            prop_assert_eq!(found, wanted);
        }
    }
}
