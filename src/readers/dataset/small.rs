//! Rows of the small tables, by the names of their columns.

use super::wrong;
use crate::input::InputFile;
use crate::model::Num;
use crate::readers::Error;
use crate::readers::evalglass::ReportTable;
use crate::readers::parquet_file::ParquetFile;
use hashbrown::HashMap;

/// A small table, at one of its rows.
pub(super) struct SmallRows {
    table: ReportTable,
    /// Where each column is in `table`: asked for each cell, and a table has up to a hundred. Names are ours, so that a quick
    /// hash will do.
    places: HashMap<&'static str, usize>,
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
        let missing = names.iter().take(n_required).find(|name| opened.flat(name).is_none());
        if let Some(name) = missing {
            return Err(wrong(format!("column {name} is missing")).in_file(&file.path));
        }
        let places = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        Ok(Self { table: ReportTable::of(opened, names), places })
    }

    /// Goes on to the next row; `false` at the end.
    ///
    /// # Errors
    /// How the file is damaged.
    pub(super) fn advance(&mut self) -> Result<bool, Error> {
        self.table.advance()
    }

    fn at(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
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
