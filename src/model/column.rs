//! Nullable, typed Arrow columns: the one place that downcasts.

use super::cells::FixedCells;
use super::dict_builder::DictBuilder;
use arrow_array::builder::{
    BooleanBuilder, Float64Builder, StringBuilder, UInt32Builder, UInt64Builder,
};
use arrow_array::types::{Int32Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, StringArray, UInt32Array,
    UInt64Array,
};
use arrow_schema::ArrowError;
use std::ops::Range;

/// A kind of column: what it holds, how it is built, how it is read.
pub trait Kinded {
    /// What one cell is.
    type Value<'a>;
    /// Arrow's builder.
    type Builder: Default;
    /// Arrow's array.
    type Array: Array + Clone + 'static;
    /// A builder with room for `n_rows` cells, of text for none of its bytes.
    fn builder(n_rows: usize) -> Self::Builder;
    /// Adds a cell.
    fn append(builder: &mut Self::Builder, value: Self::Value<'_>);
    /// Adds `n` cells that are null.
    fn append_nulls(builder: &mut Self::Builder, n: usize);
    /// Adds the cells of `array`.
    ///
    /// # Errors
    /// When there is no room for so much text.
    fn append_all(builder: &mut Self::Builder, array: &Self::Array) -> Result<(), ArrowError>;
    /// Ends the column; room for more rows is given back.
    fn finish(builder: &mut Self::Builder) -> Self::Array;
    /// Cell `idx` of `array`, which is valid there.
    fn value(array: &Self::Array, idx: usize) -> Self::Value<'_>;
}

/// Declares a column kind whose builder takes values one to one.
macro_rules! plain_kind {
    ($(#[$doc:meta])* $name:ident, $value:ty, $builder:ty, $array:ty, $with_room:expr, $append_all:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl Kinded for $name {
            type Value<'a> = $value;
            type Builder = $builder;
            type Array = $array;
            fn builder(n_rows: usize) -> Self::Builder {
                let with_room: fn(usize) -> Self::Builder = $with_room;
                with_room(n_rows)
            }
            fn append(builder: &mut Self::Builder, value: Self::Value<'_>) {
                builder.append_value(value);
            }
            fn append_nulls(builder: &mut Self::Builder, n: usize) {
                builder.append_nulls(n);
            }
            fn append_all(builder: &mut Self::Builder, array: &Self::Array) -> Result<(), ArrowError> {
                let append_all: fn(&mut Self::Builder, &Self::Array) -> Result<(), ArrowError> = $append_all;
                append_all(builder, array)
            }
            fn finish(builder: &mut Self::Builder) -> Self::Array {
                let mut array = builder.finish();
                array.shrink_to_fit();
                array
            }
            fn value(array: &Self::Array, idx: usize) -> Self::Value<'_> {
                array.value(idx)
            }
        }
    };
}

plain_kind!(
    /// Text that rarely repeats.
    Text, &'a str, StringBuilder, StringArray, |n_rows| StringBuilder::with_capacity(n_rows, 0), StringBuilder::append_array);
plain_kind!(
/// 64-bit float.
F64, f64, Float64Builder, Float64Array, Float64Builder::with_capacity, |builder, array| {
    builder.append_array(array);
    Ok(())
});
plain_kind!(
/// 32-bit count or index.
U32, u32, UInt32Builder, UInt32Array, UInt32Builder::with_capacity, |builder, array| {
    builder.append_array(array);
    Ok(())
});
plain_kind!(
/// 64-bit offset or length.
U64, u64, UInt64Builder, UInt64Array, UInt64Builder::with_capacity, |builder, array| {
    builder.append_array(array);
    Ok(())
});
plain_kind!(
/// Yes or no.
Bool, bool, BooleanBuilder, BooleanArray, BooleanBuilder::with_capacity, |builder, array| {
    builder.append_array(array);
    Ok(())
});

/// Text that repeats: stored once, referred to by number.
#[derive(Debug, Clone, Copy)]
pub struct Dict;

impl Kinded for Dict {
    type Value<'a> = &'a str;
    type Builder = DictBuilder;
    type Array = DictionaryArray<Int32Type>;
    fn builder(n_rows: usize) -> Self::Builder {
        DictBuilder::with_capacity(n_rows)
    }
    fn append(builder: &mut Self::Builder, value: &str) {
        builder.append_value(value);
    }
    fn append_nulls(builder: &mut Self::Builder, n: usize) {
        builder.append_nulls(n);
    }
    fn append_all(builder: &mut Self::Builder, array: &Self::Array) -> Result<(), ArrowError> {
        builder.append_all(array);
        Ok(())
    }
    fn finish(builder: &mut Self::Builder) -> Self::Array {
        let mut array = builder.finish();
        array.shrink_to_fit();
        array
    }
    fn value(array: &Self::Array, idx: usize) -> &str {
        let key = usize::try_from(array.keys().value(idx)).unwrap_or(0);
        array.values().as_any().downcast_ref::<StringArray>().map_or("", |values| values.value(key))
    }
}

/// A column to which cells are added. Rows that are null are not added at all, until one follows that is not: most tables fill a
/// part of their columns, and the others cost nothing.
pub(super) struct ColumnBuilder<K: Kinded> {
    /// Rows up to the last one that is here.
    n_rows: usize,
    /// Rows that there is to be room for, once there is a cell that is not null.
    room: usize,
    cells: SoFar<K>,
}

/// The cells so far.
enum SoFar<K: Kinded> {
    Nulls,
    /// Those of one array, which nothing was added to: it need not be copied.
    Whole(K::Array),
    Many(K::Builder),
}

impl<K: Kinded> Default for ColumnBuilder<K> {
    fn default() -> Self {
        Self { n_rows: 0, room: 0, cells: SoFar::Nulls }
    }
}

impl<K: Kinded> ColumnBuilder<K> {
    /// Makes room for `n_rows` in all, where no cell has been added to others yet.
    pub(super) fn set_room(&mut self, n_rows: usize) {
        self.room = n_rows;
    }

    /// Sets the cell of `row`, which is behind all that are here.
    pub(super) fn put(&mut self, row: usize, value: K::Value<'_>) {
        match &mut self.cells {
            SoFar::Many(builder) if self.n_rows == row => {
                K::append(builder, value);
                self.n_rows += 1;
            }
            _ => self.put_behind(row, value),
        }
    }

    /// The same where rows between are missing, or it is the first that is put.
    #[cold]
    fn put_behind(&mut self, row: usize, value: K::Value<'_>) {
        // Text for which there is no room has not fitted into the array either.
        if let Ok(builder) = self.builder_at(row) {
            K::append(builder, value);
            self.n_rows = row + 1;
        }
    }

    /// What cells are added to from `row` on.
    fn builder_at(&mut self, row: usize) -> Result<&mut K::Builder, ArrowError> {
        if !matches!(self.cells, SoFar::Many(_)) {
            let mut builder = match self.room {
                0 => K::Builder::default(),
                n_rows => K::builder(n_rows),
            };
            if let SoFar::Whole(array) = &self.cells {
                K::append_all(&mut builder, array)?;
            }
            self.cells = SoFar::Many(builder);
        }
        match &mut self.cells {
            SoFar::Many(builder) => {
                K::append_nulls(builder, row.saturating_sub(self.n_rows));
                self.n_rows = self.n_rows.max(row);
                Ok(builder)
            }
            _ => Err(ArrowError::ComputeError("a column has no builder".to_owned())),
        }
    }

    /// Adds the cells of `column`, the first of which is that of `row`.
    ///
    /// # Errors
    /// When there is no room for so much text.
    pub(super) fn extend(&mut self, row: usize, column: &ValueColumn<K>) -> Result<(), ArrowError> {
        match (&column.array, &self.cells) {
            (None, _) => return Ok(()),
            (Some(array), SoFar::Nulls) if row == 0 => self.cells = SoFar::Whole(array.clone()),
            (Some(array), _) => K::append_all(self.builder_at(row)?, array)?,
        }
        self.n_rows = row + column.n_rows;
        Ok(())
    }

    /// Ends the column, which has `n_rows`.
    pub(super) fn finish(mut self, n_rows: usize) -> ValueColumn<K> {
        if self.n_rows < n_rows && !matches!(self.cells, SoFar::Nulls) {
            // A column that stays too short makes no table, which is noticed.
            let _ = self.builder_at(n_rows);
        }
        let array = match self.cells {
            SoFar::Nulls => None,
            SoFar::Whole(array) => Some(array),
            SoFar::Many(mut builder) => Some(K::finish(&mut builder)),
        };
        ValueColumn { n_rows, array }
    }
}

/// A finished column, read by row.
#[derive(Debug, Clone)]
pub struct ValueColumn<K: Kinded> {
    pub(super) n_rows: usize,
    pub(super) array: Option<K::Array>,
}

impl<K: Kinded> Default for ValueColumn<K> {
    fn default() -> Self {
        Self { n_rows: 0, array: None }
    }
}

impl<K: Kinded> ValueColumn<K> {
    /// The column of the cells of `array`.
    pub fn of(array: K::Array) -> Self {
        let n_rows = array.len();
        Self { n_rows, array: (array.null_count() < n_rows).then_some(array) }
    }

    /// A column of `n_rows` cells that are null.
    pub(super) fn nulls(n_rows: usize) -> Self {
        Self { n_rows, array: None }
    }

    /// The column that `array` holds, `None` when that is of another kind; without one all `n_rows`
    /// cells are null.
    pub(super) fn of_array(n_rows: usize, array: Option<&ArrayRef>) -> Option<Self> {
        let array = match array {
            Some(array) => Some(array.as_any().downcast_ref::<K::Array>()?.clone()),
            None => None,
        };
        Some(Self { n_rows, array })
    }

    /// The cells of `rows`, which are of the column.
    pub(super) fn slice(&self, rows: &Range<usize>) -> Self {
        let cut = |array: &K::Array| {
            let part = array.slice(rows.start, rows.len());
            part.as_any().downcast_ref::<K::Array>().cloned()
        };
        Self { n_rows: rows.len(), array: self.array.as_ref().and_then(cut) }
    }

    /// Cell `idx`; `None` when it is null or past the end.
    pub fn get(&self, idx: usize) -> Option<K::Value<'_>> {
        let array = self.array.as_ref()?;
        (idx < array.len() && array.is_valid(idx)).then(|| K::value(array, idx))
    }

    /// Whether cell `idx` is there and not null.
    pub fn has(&self, idx: usize) -> bool {
        self.array.as_ref().is_some_and(|array| idx < array.len() && array.is_valid(idx))
    }

    /// All cells in row order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<K::Value<'_>>> {
        (0..self.n_rows).map(|idx| self.get(idx))
    }

    /// The Arrow array behind it; `None` when every cell is null.
    pub fn array(&self) -> Option<&K::Array> {
        self.array.as_ref()
    }
}

impl ValueColumn<F64> {
    /// The cells, to be read many at a time.
    pub fn cells(&self) -> FixedCells<'_, f64> {
        FixedCells::of(self.array.as_ref().map(|array| (array.values().as_ref(), array.nulls())))
    }
}

impl ValueColumn<U64> {
    /// The cells, to be read many at a time.
    pub fn cells(&self) -> FixedCells<'_, u64> {
        FixedCells::of(self.array.as_ref().map(|array| (array.values().as_ref(), array.nulls())))
    }
}

impl ValueColumn<U32> {
    /// The cells, to be read many at a time.
    pub fn cells(&self) -> FixedCells<'_, u32> {
        FixedCells::of(self.array.as_ref().map(|array| (array.values().as_ref(), array.nulls())))
    }

    /// The same numbers, each changed by `change`.
    pub(super) fn changed(&self, change: impl Fn(u32) -> u32) -> Self {
        let array = self.array.as_ref().map(|array| array.unary::<_, UInt32Type>(change));
        Self { n_rows: self.n_rows, array }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells<K: Kinded>(values: Vec<Option<K::Value<'_>>>) -> ValueColumn<K> {
        let (mut builder, n_rows) = (ColumnBuilder::<K>::default(), values.len());
        for (row, value) in values.into_iter().enumerate() {
            if let Some(value) = value {
                builder.put(row, value);
            }
        }
        builder.finish(n_rows)
    }

    #[test]
    fn a_column_keeps_its_cells_however_late_the_first_one_comes() {
        let late = cells::<U64>(vec![None, None, Some(7), None, Some(u64::MAX)]);
        let found: Vec<Option<u64>> = late.iter().collect();
        assert_eq!(found, [None, None, Some(7), None, Some(u64::MAX)]);
        assert_eq!((late.get(2), late.get(3), late.get(5)), (Some(7), None, None));
        let words = cells::<Dict>(vec![None, Some("a"), Some("b"), Some("a")]);
        let found: Vec<Option<&str>> = words.iter().collect();
        assert_eq!(found, [None, Some("a"), Some("b"), Some("a")]);
        assert_eq!(words.words().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(words.codes().collect::<Vec<_>>(), [None, Some(0), Some(1), Some(0)]);
    }

    #[test]
    fn cells_are_the_same_read_many_at_a_time() {
        let some: Vec<Option<f64>> =
            (0..40).map(|at| (at % 3 > 0).then_some(f64::from(at))).collect();
        let full: Vec<Option<f64>> = (0..40).map(|at| Some(f64::from(at))).collect();
        for values in [some, full, vec![None; 40]] {
            let whole = cells::<F64>(values.clone());
            for rows in [0..40, 0..11, 9..40, 17..26] {
                let column = whole.slice(&rows);
                let expected = values.get(rows).unwrap();
                let found = column.cells();
                let one_by_one: Vec<Option<f64>> =
                    (0..expected.len()).map(|at| found.get(at)).collect();
                assert_eq!(one_by_one, expected);
                let present: Vec<f64> = expected.iter().copied().flatten().collect();
                assert_eq!(found.present(), present);
                let filled: Vec<f64> = expected.iter().map(|value| value.unwrap_or(-1.0)).collect();
                assert_eq!(found.filled(-1.0, expected.len()), filled);
                assert_eq!(found.get(expected.len()), None);
            }
        }
    }

    #[test]
    fn a_column_of_nulls_has_rows_but_no_array() {
        let empty = cells::<F64>(vec![None; 5]);
        assert!(empty.array().is_none());
        assert_eq!(empty.iter().collect::<Vec<_>>(), [None; 5]);
        assert_eq!(empty.get(0), None);
    }
}
