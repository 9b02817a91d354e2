//! Rows of the small tables, by the names of their columns.

use super::tables::missing_column;
use crate::input::InputFile;
use crate::model::Num;
use crate::readers::Error;
use crate::readers::evalglass::ReportTable;
use crate::readers::parquet_file::ParquetFile;
use hashbrown::HashMap;
use std::cell::Cell;
use std::ptr;

/// A small table, at one of its rows.
pub(super) struct SmallRows {
    table: ReportTable,
    /// The columns, as they are in `table`.
    names: Vec<&'static str>,
    /// Where each column is: asked for each cell, and a table has up to a hundred. Names are ours, so that a quick hash will do.
    places: HashMap<&'static str, usize>,
    /// By column, which one was asked for after it: each row is asked for the same columns in the same order, so that most
    /// names need not be looked up.
    next: Vec<Cell<usize>>,
    /// The column that was asked for last.
    last: Cell<usize>,
}

impl SmallRows {
    /// The columns `names` of `file`, before the first row. The first `n_required` have to be there; of others that
    /// are not, which an earlier version did not write, every cell is missing.
    ///
    /// # Errors
    /// When the file is damaged, or a column is missing.
    pub(super) fn open(
        file: &InputFile,
        n_required: usize,
        names: Vec<&'static str>,
    ) -> Result<Self, Error> {
        let opened = ParquetFile::open(file)?;
        missing_column(&opened, file, names.iter().take(n_required))?;
        let places = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        let next = vec![Cell::new(0); names.len()];
        let table = ReportTable::of(opened, names.clone());
        Ok(Self { table, names, places, next, last: Cell::new(0) })
    }

    /// Goes on to the next row; `false` at the end.
    ///
    /// # Errors
    /// How the file is damaged.
    pub(super) fn advance(&mut self) -> Result<bool, Error> {
        self.table.advance()
    }

    fn at(&self, name: &str) -> Option<usize> {
        let next = self.next.get(self.last.get())?;
        let is_it = |known: &&'static str| ptr::eq(*known, name) || *known == name;
        let is_next = self.names.get(next.get()).is_some_and(is_it);
        let found = if is_next { next.get() } else { *self.places.get(name)? };
        next.set(found);
        self.last.set(found);
        Some(found)
    }

    /// The text in column `name`.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.table.text(self.at(name)?)
    }

    /// The same, kept.
    pub(super) fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    /// The number there.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.table.number(self.at(name)?)
    }

    /// The same.
    pub(super) fn num(&self, name: &str) -> Option<Num> {
        self.number(name).map(Num)
    }

    /// Both ends of an interval.
    pub(super) fn interval(&self, low: &str, high: &str) -> Option<[Num; 2]> {
        Some([self.num(low)?, self.num(high)?])
    }

    /// The number of things there.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        u64::try_from(self.table.whole(self.at(name)?)?).ok()
    }

    /// The same, 0 where there is none.
    pub(super) fn count_or_0(&self, name: &str) -> u64 {
        self.count(name).unwrap_or(0)
    }

    /// The yes or no there.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.table.flag(self.at(name)?)
    }
}
