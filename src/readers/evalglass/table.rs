//! A table of ours, read row by row.

use crate::input::InputFile;
use crate::readers::parquet_file::{Batches, ParquetColumn, ParquetFile};
use crate::readers::{Error, ErrorKind};

/// Rows decoded at a time.
const BATCH_ROWS: usize = 1024;

/// A table, at one of its rows. Columns that it lacks have no cells.
pub(in crate::readers) struct ReportTable {
    file: ParquetFile,
    names: Vec<&'static str>,
    /// The row group at hand, from some row on.
    batches: Option<Batches>,
    /// The row group that comes next.
    group: usize,
    /// The rows that are decoded.
    columns: Vec<Option<ParquetColumn>>,
    n_decoded: usize,
    /// Number in the file of the first of them.
    start: u64,
    /// The row it is at, among them.
    at: usize,
}

impl ReportTable {
    /// The columns called `names` of `file`, before the first row.
    ///
    /// # Errors
    /// When its footer is damaged.
    pub(in crate::readers) fn open(
        file: &InputFile,
        names: &[&'static str],
    ) -> Result<Self, Error> {
        Ok(Self::of(ParquetFile::open(file)?, names.to_vec()))
    }

    /// The same of a file that is open.
    pub(in crate::readers) fn of(file: ParquetFile, names: Vec<&'static str>) -> Self {
        Self {
            file,
            names,
            batches: None,
            group: 0,
            columns: Vec::new(),
            n_decoded: 0,
            start: 0,
            at: 0,
        }
    }

    /// Goes to row `row`, so that [`ReportTable::advance`] comes to it next.
    ///
    /// # Errors
    /// When there is no such row, or the file is damaged.
    pub(in crate::readers) fn seek(&mut self, row: u64) -> Result<(), Error> {
        let place = self.file.place(row);
        let (group, start) = place.ok_or_else(|| Error::new(ErrorKind::Gone))?;
        self.group = group;
        self.open_group(start)
    }

    /// Goes on to the next row; `false` at the end.
    ///
    /// # Errors
    /// How the file is damaged.
    pub(in crate::readers) fn advance(&mut self) -> Result<bool, Error> {
        while !self.advance_in_group()? {
            if self.group >= self.file.n_row_groups() {
                return Ok(false);
            }
            self.open_group(0)?;
        }
        Ok(true)
    }

    /// Goes on to the next row of the row group; `false` at its end, and before the first one.
    ///
    /// # Errors
    /// How the file is damaged.
    pub(in crate::readers) fn advance_in_group(&mut self) -> Result<bool, Error> {
        let Some(batches) = &mut self.batches else { return Ok(false) };
        self.at += usize::from(self.n_decoded > 0);
        while self.at >= self.n_decoded {
            let Some(batch) = batches.next()? else {
                self.batches = None;
                return Ok(false);
            };
            self.columns =
                self.names.iter().map(|name| ParquetColumn::in_batch(&batch, name)).collect();
            self.start += self.n_decoded as u64;
            (self.n_decoded, self.at) = (batch.num_rows(), 0);
        }
        Ok(true)
    }

    /// Whether the row is the first of those that are decoded at once: a time to breathe.
    pub(super) fn is_at_start(&self) -> bool {
        self.at == 0
    }

    /// Number of the row in the file.
    pub(in crate::readers) fn row(&self) -> u64 {
        self.start + self.at as u64
    }

    /// The text in column `name` of those that were asked for.
    #[inline]
    pub(in crate::readers) fn text(&self, name: usize) -> Option<&str> {
        self.columns.get(name)?.as_ref()?.text(self.at)
    }

    /// The number there.
    #[inline]
    pub(in crate::readers) fn number(&self, name: usize) -> Option<f64> {
        self.columns.get(name)?.as_ref()?.number(self.at)
    }

    /// The count there.
    pub(in crate::readers) fn count(&self, name: usize) -> Option<u32> {
        u32::try_from(self.whole(name)?).ok()
    }

    /// The bits of a hash there.
    pub(super) fn hash(&self, name: usize) -> Option<u64> {
        self.whole(name).map(i64::cast_unsigned)
    }

    /// The yes or no there.
    #[inline]
    pub(in crate::readers) fn flag(&self, name: usize) -> Option<bool> {
        self.columns.get(name)?.as_ref()?.flag(self.at)
    }

    /// The whole number there.
    #[inline]
    pub(in crate::readers) fn whole(&self, name: usize) -> Option<i64> {
        self.columns.get(name)?.as_ref()?.whole(self.at)
    }

    /// Opens the row group that comes next, from row `start` of it on.
    fn open_group(&mut self, start: u64) -> Result<(), Error> {
        let leaves: Vec<usize> =
            self.names.iter().filter_map(|name| self.file.flat(name)).collect();
        self.start = self.file.first_row_of_group(self.group).saturating_add(start);
        self.batches = Some(self.file.batches(self.group, start, leaves, BATCH_ROWS)?);
        self.group += 1;
        (self.n_decoded, self.at) = (0, 0);
        Ok(())
    }
}

/// Reasons of up to [`BATCH_ROWS`] checks from row `row` of the table of checks in `file` on.
///
/// # Errors
/// When there is no such row, or the file is damaged.
pub(in crate::readers) fn reasons(
    file: &InputFile,
    row: u64,
) -> Result<Vec<Option<String>>, Error> {
    let mut table = ReportTable::open(file, &["reason"])?;
    table.seek(row)?;
    let mut reasons = Vec::new();
    while reasons.len() < BATCH_ROWS && table.advance()? {
        reasons.push(table.text(0).map(str::to_owned));
    }
    Ok(reasons)
}
