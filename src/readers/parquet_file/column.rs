//! A leaf column whose rows are read as items: one for a row when the column is flat, one for each
//! element when it lies below one list.

use super::kind::Kind;
use super::leaf::Leaf;
use super::values::Values;
use crate::readers::Error;
use std::ops::Range;

/// Stands for a value where there is none: no pool is as large.
const NO_VALUE: u32 = u32::MAX;

/// A column, and the items of the rows that were read last.
pub(in super::super) struct Column {
    leaf: Leaf,
    /// First item of each row; empty when the column is flat.
    starts: Vec<usize>,
    /// Place of each item's value in the pool of the leaf.
    places: Vec<u32>,
}

impl Column {
    /// The items of `leaf`, below at most one list.
    pub(super) fn new(leaf: Leaf) -> Self {
        Self { leaf, starts: Vec::new(), places: Vec::new() }
    }

    /// Reads the next `n_rows` rows, in place of those before; how many there were.
    ///
    /// # Errors
    /// When the column is damaged.
    pub(in super::super) fn read(&mut self, n_rows: usize) -> Result<usize, Error> {
        let n_read = self.leaf.read(n_rows)?;
        let (column, entries) = (self.leaf.column(), self.leaf.entries());
        let level = |level: i16| u32::from(level.unsigned_abs());
        let item_level = level(column.repeated_ancestor_def_level());
        let value_level = level(column.max_def_level());
        self.starts.clear();
        self.places.clear();
        let mut values = entries.values.places().iter().copied();
        let mut place = |definition: u32| {
            let is_there = definition == value_level;
            if is_there { values.next().unwrap_or(NO_VALUE) } else { NO_VALUE }
        };
        if value_level == 0 {
            self.places.extend(values);
        } else if column.max_rep_level() == 0 {
            self.places.extend(entries.definition.iter().map(|&definition| place(definition)));
        } else {
            let levels = entries.repetition.iter().zip(&entries.definition);
            for (&repetition, &definition) in levels {
                if repetition == 0 {
                    self.starts.push(self.places.len());
                }
                if definition >= item_level {
                    self.places.push(place(definition));
                }
            }
        }
        Ok(n_read)
    }

    /// Passes over the next `n_rows` rows; how many there were.
    ///
    /// # Errors
    /// When the column is damaged.
    pub(in super::super) fn pass(&mut self, n_rows: usize) -> Result<usize, Error> {
        self.leaf.pass(n_rows)
    }

    /// The items of row `row` of those that were read last.
    pub(in super::super) fn items(&self, row: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(row) else { return 0..0 };
        start..self.starts.get(row + 1).copied().unwrap_or(self.places.len())
    }

    /// Whether the rows that were read last have as many items as those of `other`.
    pub(in super::super) fn is_beside(&self, other: &Self) -> bool {
        self.starts == other.starts && self.places.len() == other.places.len()
    }

    /// The values, and the place of item `item` among them.
    fn value(&self, item: usize) -> Option<(&Values, u32)> {
        Some((&self.leaf.entries().values, *self.places.get(item)?))
    }

    /// Item `item`, if it is a text.
    pub(in super::super) fn text(&self, item: usize) -> Option<&str> {
        let (values, place) = self.value(item)?;
        if values.kind() == Kind::Text { values.text(place) } else { None }
    }

    /// Item `item`, if it is a number.
    #[expect(clippy::cast_precision_loss, reason = "weights and seconds are small")]
    pub(in super::super) fn number(&self, item: usize) -> Option<f64> {
        let (values, place) = self.value(item)?;
        match values.kind() {
            Kind::Float => values.float(place),
            Kind::Whole => values.whole(place).map(|whole| whole as f64),
            _ => None,
        }
    }

    /// Item `item`, if it is a whole number.
    pub(in super::super) fn whole(&self, item: usize) -> Option<i64> {
        let (values, place) = self.value(item)?;
        if values.kind() == Kind::Whole { values.whole(place) } else { None }
    }

    /// Item `item`, if it is a flag.
    pub(in super::super) fn flag(&self, item: usize) -> Option<bool> {
        let (values, place) = self.value(item)?;
        values.flag(place)
    }
}
