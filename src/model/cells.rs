//! Cells of a column, read many at a time: without asking Arrow about each.

use super::column::{Text, ValueColumn};
use arrow_array::Array as _;
use arrow_buffer::NullBuffer;

/// The cells of a column whose values all have one size.
#[derive(Clone, Copy)]
pub struct FixedCells<'a, T> {
    values: &'a [T],
    /// One bit for each cell, from the bit of this number on; `None`: no cell is null.
    valid: Option<(&'a [u8], usize)>,
}

impl<'a, T: Copy> FixedCells<'a, T> {
    /// Of an array; without one every cell is null.
    pub(super) fn of(array: Option<(&'a [T], Option<&'a NullBuffer>)>) -> Self {
        let (values, nulls) = array.unwrap_or((&[], None));
        let valid = nulls.map(|nulls| (nulls.inner().values(), nulls.inner().offset()));
        Self { values, valid }
    }

    /// Cell `idx`; `None` when it is null or past the end.
    #[inline]
    pub fn get(&self, idx: usize) -> Option<T> {
        let value = self.values.get(idx)?;
        let Some((bits, first)) = self.valid else { return Some(*value) };
        let at = first + idx;
        let is_valid = bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        is_valid.then_some(*value)
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

impl ValueColumn<Text> {
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
