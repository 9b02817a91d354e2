//! Cells of a column, read many at a time: without asking Arrow about each.

use super::column::{Bool, Text, ValueColumn};
use arrow_array::Array as _;
use arrow_buffer::{BooleanBuffer, NullBuffer};

/// The cells of a column whose values all have one size.
#[derive(Clone, Copy)]
pub struct FixedCells<'a, T> {
    values: &'a [T],
    /// `None`: no cell is null.
    valid: Option<Bits<'a>>,
}

/// One bit for each cell.
#[derive(Clone, Copy)]
struct Bits<'a> {
    bytes: &'a [u8],
    /// Number of the first cell's bit.
    first: usize,
}

impl<'a> Bits<'a> {
    fn of(buffer: &'a BooleanBuffer) -> Self {
        Self { bytes: buffer.values(), first: buffer.offset() }
    }

    #[expect(clippy::inline_always, reason = "asked for each cell; code for size would call it")]
    #[inline(always)]
    fn get(self, idx: usize) -> bool {
        let at = self.first + idx;
        self.bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1)
    }
}

impl<'a, T: Copy> FixedCells<'a, T> {
    /// Of an array; without one every cell is null.
    pub(super) fn of(array: Option<(&'a [T], Option<&'a NullBuffer>)>) -> Self {
        let (values, nulls) = array.unwrap_or((&[], None));
        Self { values, valid: nulls.map(|nulls| Bits::of(nulls.inner())) }
    }

    /// Cell `idx`; `None` when it is null or past the end.
    #[expect(clippy::inline_always, reason = "asked for each cell; code for size would call it")]
    #[inline(always)]
    pub fn get(&self, idx: usize) -> Option<T> {
        let value = *self.values.get(idx)?;
        match self.valid {
            Some(valid) if !valid.get(idx) => None,
            _ => Some(value),
        }
    }

    /// Every cell, where none is null.
    pub fn all(&self) -> Option<&'a [T]> {
        self.valid.is_none().then_some(self.values)
    }

    /// The cells that are not null, in row order.
    pub fn present(&self) -> Vec<T> {
        match self.valid {
            None => self.values.to_vec(),
            Some(_) => (0..self.values.len()).filter_map(|idx| self.get(idx)).collect(),
        }
    }

    /// Each cell, `null` in the place of one that is null; `n` of them.
    pub fn filled(&self, null: T, n: usize) -> Vec<T> {
        match self.valid {
            None if self.values.len() == n => self.values.to_vec(),
            _ => (0..n).map(|idx| self.get(idx).unwrap_or(null)).collect(),
        }
    }
}

/// The cells of a column of yes and no.
#[derive(Clone, Copy)]
pub struct BoolCells<'a> {
    n: usize,
    values: Bits<'a>,
    /// `None`: no cell is null.
    valid: Option<Bits<'a>>,
}

impl BoolCells<'_> {
    /// Cell `idx`; `None` when it is null or past the end.
    #[expect(clippy::inline_always, reason = "asked for each cell; code for size would call it")]
    #[inline(always)]
    pub fn get(&self, idx: usize) -> Option<bool> {
        match self.valid {
            _ if idx >= self.n => None,
            Some(valid) if !valid.get(idx) => None,
            _ => Some(self.values.get(idx)),
        }
    }
}

impl ValueColumn<Bool> {
    /// The cells, to be read many at a time.
    pub fn cells(&self) -> BoolCells<'_> {
        let none = BoolCells { n: 0, values: Bits { bytes: &[], first: 0 }, valid: None };
        self.array().map_or(none, |array| BoolCells {
            n: array.len(),
            values: Bits::of(array.values()),
            valid: array.nulls().map(|nulls| Bits::of(nulls.inner())),
        })
    }
}

/// The cells of a column of texts, as bytes.
#[derive(Clone, Copy)]
pub struct TextCells<'a> {
    /// Where each cell begins in `bytes`, and where the last one ends.
    bounds: &'a [i32],
    bytes: &'a [u8],
    /// `None`: no cell is null.
    valid: Option<Bits<'a>>,
}

impl<'a> TextCells<'a> {
    /// Cell `idx`; `None` when it is null or past the end.
    #[expect(clippy::inline_always, reason = "asked for each cell; code for size would call it")]
    #[inline(always)]
    pub fn get(&self, idx: usize) -> Option<&'a [u8]> {
        let (from, to) = (*self.bounds.get(idx)?, *self.bounds.get(idx + 1)?);
        match self.valid {
            Some(valid) if !valid.get(idx) => None,
            _ => self.bytes.get(from as usize..to as usize),
        }
    }
}

impl ValueColumn<Text> {
    /// The cells, to be read many at a time.
    pub fn cells(&self) -> TextCells<'_> {
        let none = TextCells { bounds: &[], bytes: &[], valid: None };
        self.array().map_or(none, |array| TextCells {
            bounds: array.value_offsets(),
            bytes: array.value_data(),
            valid: array.nulls().map(|nulls| Bits::of(nulls.inner())),
        })
    }

    /// Whether `other` has the same text in every row, and none of both is null.
    pub fn is_same_text(&self, other: &Self) -> bool {
        let (Some(one), Some(two)) = (self.array(), other.array()) else { return false };
        if one.len() != two.len() || one.null_count() + two.null_count() > 0 {
            return false;
        }
        let (ends, other_ends) = (one.value_offsets(), two.value_offsets());
        if ends.first() == other_ends.first() && ends == other_ends {
            let range =
                ends.first().zip(ends.last()).map(|(from, to)| *from as usize..*to as usize);
            return range.is_some_and(|range| {
                one.value_data().get(range.clone()) == two.value_data().get(range)
            });
        }
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{BooleanArray, StringArray};

    #[test]
    fn cells_of_texts_are_the_same_read_many_at_a_time() {
        let some: Vec<Option<String>> =
            (0..40).map(|at| (at % 3 > 0).then(|| "é".repeat(at % 4))).collect();
        let full: Vec<Option<String>> = (0..40).map(|at| Some(at.to_string())).collect();
        for values in [some, full, vec![None; 40]] {
            let whole = ValueColumn::<Text>::of(
                values.iter().map(Option::as_deref).collect::<StringArray>(),
            );
            for rows in [0..40, 0..11, 9..40, 17..26] {
                let column = whole.slice(&rows);
                let found = column.cells();
                for at in 0..rows.len() {
                    assert_eq!(found.get(at), column.get(at).map(str::as_bytes));
                    assert_eq!(column.get(at), values[rows.start + at].as_deref());
                }
                assert_eq!(found.get(rows.len()), None);
            }
        }
    }

    fn column(values: &[Option<bool>]) -> ValueColumn<Bool> {
        ValueColumn::of(values.iter().copied().collect::<BooleanArray>())
    }

    #[test]
    fn cells_of_yes_and_no_are_the_same_read_many_at_a_time() {
        let some: Vec<Option<bool>> =
            (0..40).map(|at| (at % 3 > 0).then_some(at % 2 > 0)).collect();
        let full: Vec<Option<bool>> = (0..40).map(|at| Some(at % 5 > 2)).collect();
        for values in [some, full, vec![None; 40]] {
            let whole = column(&values);
            for rows in [0..40, 0..11, 9..40, 17..26] {
                let column = whole.slice(&rows);
                let found = column.cells();
                let one_by_one: Vec<Option<bool>> =
                    (0..rows.len()).map(|at| found.get(at)).collect();
                assert_eq!(one_by_one, values.get(rows.clone()).unwrap());
                assert_eq!(found.get(rows.len()), None);
            }
        }
    }
}
