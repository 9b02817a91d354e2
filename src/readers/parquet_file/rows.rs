//! Whole rows, one behind the other.
//!
//! Rows are asked for one at a time, by the page of a case or by an export that goes through all of them.
//! What was decoded with one stays, and so does the place in the file, so that an export decodes each row
//! once.

use super::batches::Batches;
use super::source::ParquetSource;
use super::{ParquetFile, record};
use crate::readers::{Error, ErrorKind};
use arrow_array::RecordBatch;
use serde_json::{Map, Value};
use std::cell::RefCell;

/// Most rows decoded at a time.
const MAX_ROWS: u64 = 256;

/// Bytes that the rows decoded at a time have on average.
const WINDOW_BYTES: u64 = 1 << 20;

/// Windows that are decoded on the way to a row rather than started anew behind them.
const NEAR: u64 = 4;

thread_local! {
    static LAST: RefCell<Option<RowGroupRows>> = const { RefCell::new(None) };
    static LOST: RefCell<Option<LostRowGroup>> = const { RefCell::new(None) };
}

/// Some rows of a row group, and those behind them.
struct RowGroupRows {
    /// Of which file.
    source: ParquetSource,
    group: usize,
    /// The first row of `window`.
    start: u64,
    window: RecordBatch,
    behind: Batches,
}

/// A row group in which rows cannot be read, so that not everything is tried again for each of them.
struct LostRowGroup {
    source: ParquetSource,
    group: usize,
    /// The first row of those that could not be decoded at once.
    start: u64,
    /// What is damaged, once a row could not be read alone either.
    why: Option<Error>,
}

/// Row `row` of `file`.
///
/// # Errors
/// [`ErrorKind::Gone`] when there is no such row, or how the file is damaged.
pub(super) fn read(file: &ParquetFile, row: u64) -> Result<Map<String, Value>, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let (group, row) = file.place(row).ok_or_else(gone)?;
    let n_bytes = (file.unpacked_bytes_of_group(group) / file.rows_of_group(group).max(1)).max(1);
    let n_rows = (WINDOW_BYTES / n_bytes).clamp(1, MAX_ROWS);
    let start = row - row % n_rows;
    let kept = LAST.take().filter(|rows| rows.can_reach(file, group, row, n_rows));
    let lost = LOST.take().filter(|lost| lost.source.is_of(&file.file) && lost.group == group);
    let is_lost = kept.is_none() && lost.as_ref().is_some_and(|lost| lost.start == start);
    let rows = match kept {
        Some(rows) => rows.at(row).ok(),
        None if is_lost => None,
        None => RowGroupRows::open(file, group, start, n_rows).and_then(|rows| rows.at(row)).ok(),
    };
    let (rows, lost) = match rows {
        Some(rows) => (rows, lost),
        // Of rows that are decoded at once one may be damaged, and the others not.
        None => {
            let why = lost.and_then(|lost| lost.why);
            let source = file.opened.source.clone();
            let alone = RowGroupRows::open(file, group, row, 1);
            let why = match (&alone, why) {
                (Err(err), None) => {
                    Some(file.part(group, 0..file.n_columns()).place_of(err.clone()))
                }
                (_, why) => why,
            };
            let lost = LostRowGroup { source, group, start, why: why.clone() };
            match alone {
                Ok(rows) => (rows, Some(lost)),
                Err(err) => {
                    LOST.set(Some(lost));
                    return Err(why.unwrap_or(err));
                }
            }
        }
    };
    let at = usize::try_from(row.saturating_sub(rows.start)).map_err(|_wide| gone())?;
    let record = record::of_row(&rows.window, at);
    LAST.set(Some(rows));
    LOST.set(lost);
    Ok(record)
}

impl RowGroupRows {
    fn open(file: &ParquetFile, group: usize, start: u64, n_rows: u64) -> Result<Self, Error> {
        // Without the places of pages those before the row are read for how many rows they hold.
        let footer = if start > 0 { file.opened.with_pages() } else { &file.opened.footer };
        let part = file.part(group, 0..file.n_columns());
        let n_rows = usize::try_from(n_rows).unwrap_or(1);
        let mut behind = Batches::open_with(part, footer, start, n_rows, false)?;
        let window = behind.next()?.ok_or_else(|| Error::new(ErrorKind::Gone))?;
        Ok(Self { source: file.opened.source.clone(), group, start, window, behind })
    }

    /// Goes on until row `row` is here.
    fn at(mut self, row: u64) -> Result<Self, Error> {
        while row >= self.end() {
            self.start = self.end();
            self.window = self.behind.next()?.ok_or_else(|| Error::new(ErrorKind::Gone))?;
        }
        Ok(self)
    }

    fn end(&self) -> u64 {
        self.start + self.window.num_rows() as u64
    }

    /// Whether row `row` is here or a little behind.
    fn can_reach(&self, file: &ParquetFile, group: usize, row: u64, n_rows: u64) -> bool {
        let is_near = (self.start..self.end().saturating_add(NEAR * n_rows)).contains(&row);
        self.source.is_of(&file.file) && self.group == group && is_near
    }
}
