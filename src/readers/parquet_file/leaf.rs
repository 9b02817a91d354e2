//! One leaf column of a row group, read row by row.
//!
//! A leaf below a list has several entries for a row. Their levels say where a row starts
//! (repetition 0) and how much of the path is there (definition; the column's highest: the value
//! itself). See "Nested Encoding" of parquet-format.

use super::damaged;
use super::header::{PageKind, RLE};
use super::kind::Kind;
use super::pages::{Page, Pages};
use super::runs::Runs;
use super::values::{Source, Values, split_behind_len};
use crate::readers::Error;
use bytes::Bytes;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

/// Entries decoded at a time.
const CHUNK: usize = 1024;

/// Most entries that are held; rows that have more are no case reports.
const MAX_ENTRIES: usize = 8 << 20;

/// A leaf column, and the entries of the rows that were read last.
pub(super) struct Leaf {
    column: ColumnDescPtr,
    pages: Pages,
    page: Option<Levels>,
    /// Repetition levels that are decoded, and from where on they are not used yet.
    ahead: Vec<u32>,
    ahead_at: usize,
    entries: Entries,
}

/// The rest of a data page.
struct Levels {
    n_left: usize,
    /// Entries that have been passed over in `repetition` alone.
    n_passed: usize,
    repetition: Option<Runs>,
    definition: Option<Runs>,
    values: Source,
}

/// Entries of a leaf column, row by row.
pub(super) struct Entries {
    /// Repetition level by entry; empty when the column has none.
    pub(super) repetition: Vec<u32>,
    /// Definition level by entry; empty when the column has none.
    pub(super) definition: Vec<u32>,
    /// The values of the entries whose definition is the column's highest.
    pub(super) values: Values,
}

impl Leaf {
    /// The column whose pages are `pages`.
    pub(super) fn new(column: ColumnDescPtr, pages: Pages) -> Self {
        let entries = Entries {
            repetition: Vec::new(),
            definition: Vec::new(),
            values: Values::new(Kind::of(&column), column.physical_type()),
        };
        Self { column, pages, page: None, ahead: Vec::new(), ahead_at: 0, entries }
    }

    /// The column.
    pub(super) fn column(&self) -> &ColumnDescriptor {
        &self.column
    }

    /// The entries of the rows that were read last.
    pub(super) fn entries(&self) -> &Entries {
        &self.entries
    }

    /// Reads the next `n_rows` rows, in place of those before; how many there were.
    ///
    /// # Errors
    /// When the column is damaged.
    pub(super) fn read(&mut self, n_rows: usize) -> Result<usize, Error> {
        self.entries.repetition.clear();
        self.entries.definition.clear();
        self.entries.values.clear();
        self.advance(n_rows, true)
    }

    /// Passes over the next `n_rows` rows; how many there were.
    ///
    /// # Errors
    /// When the column is damaged.
    pub(super) fn pass(&mut self, n_rows: usize) -> Result<usize, Error> {
        self.advance(n_rows, false)
    }

    fn advance(&mut self, n_rows: usize, is_kept: bool) -> Result<usize, Error> {
        let (mut n_started, mut n_entries) = (0, 0);
        while self.load_page()? {
            let n = self.next_entries(n_rows, &mut n_started)?;
            n_entries += n;
            if is_kept && n_entries > MAX_ENTRIES {
                return Err(damaged("its rows hold more than 8 Mi values"));
            }
            if n == 0 {
                break;
            }
            self.take_entries(n, is_kept)?;
        }
        Ok(n_started)
    }

    /// How many entries to take next, at most [`CHUNK`]; none when `n_rows` rows are complete.
    fn next_entries(&mut self, n_rows: usize, n_started: &mut usize) -> Result<usize, Error> {
        let Some(page) = &mut self.page else { return Ok(0) };
        let n = page.n_left.min(CHUNK);
        let Some(levels) = &mut page.repetition else {
            let n = n.min(n_rows - *n_started);
            *n_started += n;
            return Ok(n);
        };
        if self.ahead_at == self.ahead.len() {
            self.ahead.resize(n, 0);
            self.ahead_at = 0;
            levels.fill(&mut self.ahead).ok_or_else(levels_end)?;
        }
        let ahead = self.ahead.get(self.ahead_at..).unwrap_or_default();
        let mut n = 0;
        for &level in ahead {
            if level == 0 && *n_started == n_rows {
                break;
            }
            *n_started += usize::from(level == 0);
            n += 1;
        }
        if *n_started == 0 && n > 0 {
            return Err(damaged("a column starts inside a row"));
        }
        Ok(n)
    }

    fn take_entries(&mut self, n: usize, is_kept: bool) -> Result<(), Error> {
        let Some(page) = &mut self.page else { return Ok(()) };
        let max = u32::from(self.column.max_def_level().unsigned_abs());
        let Entries { repetition, definition, values } = &mut self.entries;
        let taken = self.ahead.get(self.ahead_at..).and_then(|ahead| ahead.get(..n));
        page.n_left = page.n_left.saturating_sub(n);
        self.ahead_at += taken.map_or(0, <[u32]>::len);
        if !is_kept {
            // The rest of a page that is passed over as a whole need not be looked at.
            page.n_passed += n;
            return Ok(());
        }
        while page.n_passed > 0 {
            let n = page.n_passed.min(CHUNK);
            let n_values = next_definitions(&mut page.definition, n, max, &mut Vec::new())?;
            values.pass(&mut page.values, n_values)?;
            page.n_passed -= n;
        }
        repetition.extend_from_slice(taken.unwrap_or_default());
        let n_values = next_definitions(&mut page.definition, n, max, definition)?;
        values.take(&mut page.values, n_values)
    }

    /// Sees to a page with entries left; `false` at the end of the column.
    fn load_page(&mut self) -> Result<bool, Error> {
        while self.page.as_ref().is_none_or(|page| page.n_left == 0) {
            let Some(page) = self.pages.next()? else { return Ok(false) };
            if page.header.kind == PageKind::Dictionary {
                self.entries.values.set_dictionary(&page.bytes, page.header.n_values)?;
            } else {
                self.page = Some(Levels::of(&self.column, &page, &self.entries.values)?);
            }
        }
        Ok(true)
    }
}

impl Levels {
    fn of(column: &ColumnDescriptor, page: &Page, values: &Values) -> Result<Self, Error> {
        let runs = |bytes: Bytes, max: i16| {
            let width = u16::BITS - max.unsigned_abs().leading_zeros();
            (max > 0).then(|| Runs::new(bytes, u8::try_from(width).unwrap_or(0)))
        };
        let max = (column.max_rep_level(), column.max_def_level());
        let (repetition, definition, rest) = match page.header.kind {
            PageKind::V2 { def_len, rep_len, .. } => {
                let bytes = page.bytes.clone();
                if def_len.saturating_add(rep_len) > bytes.len() {
                    return Err(levels_end());
                }
                let (start, end) = (rep_len, rep_len + def_len);
                (bytes.slice(..start), bytes.slice(start..end), bytes.slice(end..))
            }
            PageKind::V1 { def_encoding, rep_encoding } => {
                let (repetition, rest) = v1_levels(&page.bytes, max.0, rep_encoding)?;
                let (definition, rest) = v1_levels(&rest, max.1, def_encoding)?;
                (repetition, definition, rest)
            }
            PageKind::Dictionary => return Err(damaged("a dictionary stands behind other pages")),
        };
        Ok(Self {
            n_left: page.header.n_values,
            n_passed: 0,
            repetition: runs(repetition, max.0),
            definition: runs(definition, max.1),
            values: values.source(page.header.encoding, rest)?,
        })
    }
}

/// Adds the next `n` definition levels to `to`, if there are any; how many values they mean.
fn next_definitions(
    levels: &mut Option<Runs>,
    n: usize,
    max: u32,
    to: &mut Vec<u32>,
) -> Result<usize, Error> {
    let Some(levels) = levels else { return Ok(n) };
    let start = to.len();
    to.resize(start + n, 0);
    let added = to.get_mut(start..).unwrap_or_default();
    levels.fill(added).ok_or_else(levels_end)?;
    Ok(added.iter().filter(|&&level| level == max).count())
}

/// The levels at the start of `bytes`, when there are any, and what is behind them.
fn v1_levels(bytes: &Bytes, max: i16, encoding: i64) -> Result<(Bytes, Bytes), Error> {
    match max {
        0 => Ok((Bytes::new(), bytes.clone())),
        _ if encoding != RLE => Err(damaged("a page has levels in an encoding of old")),
        _ => split_behind_len(bytes).ok_or_else(levels_end),
    }
}

fn levels_end() -> Error {
    damaged("the levels of a page go past it")
}
