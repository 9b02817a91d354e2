//! Whole rows, one behind the other.
//!
//! Rows are asked for one at a time, by the page of a case or by an export that goes through all of them.
//! What was decoded with one stays, and so does the place in the file, so that an export decodes each row
//! once.

use super::batches::Batches;
use super::source::Source;
use super::{ParquetFile, footer, record};
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
    static LAST: RefCell<Option<Rows>> = const { RefCell::new(None) };
}

/// Some rows of a row group, and those behind them.
struct Rows {
    /// Of which file.
    source: Source,
    group: usize,
    /// The first row of `window`.
    start: u64,
    window: RecordBatch,
    behind: Batches,
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
    let kept = LAST.take().filter(|rows| rows.can_reach(file, group, row, n_rows));
    let mut rows = match kept {
        Some(rows) => rows,
        None => Rows::open(file, group, row - row % n_rows, n_rows)?,
    };
    while row >= rows.end() {
        rows.start = rows.end();
        rows.window = rows.behind.next()?.ok_or_else(gone)?;
    }
    let at =
        row.checked_sub(rows.start).and_then(|at| usize::try_from(at).ok()).ok_or_else(gone)?;
    let record = record::of_row(&rows.window, at);
    LAST.set(Some(rows));
    Ok(record)
}

impl Rows {
    fn open(file: &ParquetFile, group: usize, start: u64, n_rows: u64) -> Result<Self, Error> {
        let super::Opened { source, footer, .. } = &file.opened;
        // Without the places of pages those before the row are read for how many rows they hold.
        let pages = if start > 0 { footer::with_pages(footer, source) } else { None };
        let footer = pages.as_ref().unwrap_or(footer);
        let all = (0..file.n_columns()).collect();
        let n_rows = usize::try_from(n_rows).unwrap_or(1);
        let mut behind = Batches::open(&file.opened, footer, (group, start), all, n_rows)?;
        let window = behind.next()?.ok_or_else(|| Error::new(ErrorKind::Gone))?;
        Ok(Self { source: source.clone(), group, start, window, behind })
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
