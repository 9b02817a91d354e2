//! A table of ours, read row by row.

use super::super::parquet_file::{Column, ParquetFile};
use super::super::{Error, ErrorKind};
use crate::input::InputFile;

/// Rows decoded at a time.
const BATCH_ROWS: usize = 1024;

/// A table, at one of its rows. Columns that it lacks have no cells.
pub(super) struct Table {
    file: ParquetFile,
    leaves: Vec<Option<usize>>,
    columns: Vec<Option<Column>>,
    /// The row group that comes next.
    group: usize,
    /// Rows of the group at hand that are not decoded yet.
    n_left: u64,
    /// Rows of all groups before the one that comes next.
    n_before: u64,
    n_decoded: usize,
    /// The row it is at, among those that are decoded.
    at: usize,
}

impl Table {
    /// The columns called `names` of `file`, before the first row.
    ///
    /// # Errors
    /// When its footer is damaged.
    pub(super) fn open(file: &InputFile, names: &[&str]) -> Result<Self, Error> {
        let file = ParquetFile::open(file)?;
        Ok(Self {
            leaves: names.iter().map(|name| file.flat(name)).collect(),
            file,
            columns: Vec::new(),
            group: 0,
            n_left: 0,
            n_before: 0,
            n_decoded: 0,
            at: 0,
        })
    }

    /// Goes to row `row`, so that [`Table::advance`] comes to it next.
    ///
    /// # Errors
    /// When there is no such row, or the file is damaged.
    pub(super) fn seek(&mut self, row: u64) -> Result<(), Error> {
        let gone = || Error::new(ErrorKind::Gone);
        let (group, row) = self.file.place(row).ok_or_else(gone)?;
        self.group = group;
        self.n_before = (0..group).map(|group| self.file.rows_of_group(group)).sum();
        self.open_group()?;
        let n_rows = usize::try_from(row).map_err(|_past_memory| gone())?;
        for column in self.columns.iter_mut().flatten() {
            if column.pass(n_rows)? < n_rows {
                return Err(gone());
            }
        }
        self.n_left -= row.min(self.n_left);
        (self.n_decoded, self.at) = (0, 0);
        Ok(())
    }

    /// Goes on to the next row; `false` at the end.
    ///
    /// # Errors
    /// How the file is damaged.
    pub(super) fn advance(&mut self) -> Result<bool, Error> {
        self.at += 1;
        while self.at >= self.n_decoded {
            if self.n_left == 0 {
                if self.group >= self.file.n_row_groups() {
                    return Ok(false);
                }
                self.open_group()?;
                continue;
            }
            let n_rows = usize::try_from(self.n_left).unwrap_or(BATCH_ROWS).min(BATCH_ROWS);
            for column in self.columns.iter_mut().flatten() {
                if column.read(n_rows)? < n_rows {
                    let reason = "a column has fewer rows than its row group";
                    return Err(super::super::parquet_file::damaged(reason));
                }
            }
            self.n_left -= n_rows as u64;
            (self.n_decoded, self.at) = (n_rows, 0);
        }
        Ok(true)
    }

    /// Whether the row is the first of those that are decoded at once: a time to breathe.
    pub(super) fn is_at_start(&self) -> bool {
        self.at == 0
    }

    /// Number of the row in the file.
    pub(super) fn row(&self) -> u64 {
        self.n_before - self.n_left - (self.n_decoded - self.at) as u64
    }

    /// The text in column `name` of those that were asked for.
    pub(super) fn text(&self, name: usize) -> Option<&str> {
        self.columns.get(name)?.as_ref()?.text(self.at)
    }

    /// The number there.
    pub(super) fn number(&self, name: usize) -> Option<f64> {
        self.columns.get(name)?.as_ref()?.number(self.at)
    }

    /// The count there.
    pub(super) fn count(&self, name: usize) -> Option<u32> {
        u32::try_from(self.whole(name)?).ok()
    }

    /// The bits of a hash there.
    pub(super) fn hash(&self, name: usize) -> Option<u64> {
        self.whole(name).map(i64::cast_unsigned)
    }

    /// The yes or no there.
    pub(super) fn flag(&self, name: usize) -> Option<bool> {
        self.columns.get(name)?.as_ref()?.flag(self.at)
    }

    fn whole(&self, name: usize) -> Option<i64> {
        self.columns.get(name)?.as_ref()?.whole(self.at)
    }

    fn open_group(&mut self) -> Result<(), Error> {
        self.columns.clear();
        for leaf in &self.leaves {
            let column = leaf.map(|leaf| self.file.column(self.group, leaf)).transpose()?;
            self.columns.push(column);
        }
        self.n_left = self.file.rows_of_group(self.group);
        self.n_before += self.n_left;
        self.group += 1;
        (self.n_decoded, self.at) = (0, 0);
        Ok(())
    }
}

/// Reasons of up to [`BATCH_ROWS`] checks from row `row` of the table of checks in `file` on.
///
/// # Errors
/// When there is no such row, or the file is damaged.
pub(in super::super) fn reasons(file: &InputFile, row: u64) -> Result<Vec<Option<String>>, Error> {
    let mut table = Table::open(file, &["reason"])?;
    table.seek(row)?;
    let mut reasons = Vec::new();
    while reasons.len() < BATCH_ROWS && table.advance()? {
        reasons.push(table.text(0).map(str::to_owned));
    }
    Ok(reasons)
}
