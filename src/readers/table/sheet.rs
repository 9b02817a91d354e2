//! One table, whatever file it lies in: rows of cells under named columns.
//!
//! ```text
//! delimited (CSV, TSV …) ──┐
//! json_rows, json_whole   ─┼──> Sheet ──> each_row (cells as JSON values) ──> profile, cases
//! parquet_rows, arrow_rows ┤
//! sqlite                  ─┘          └─> row (one again, for its page)   ──> detail
//! ```

use super::arrow_rows::{ArrowRows, is_arrow};
use super::delimited::Delimited;
use super::json_rows::JsonRows;
use super::json_whole::JsonWhole;
use super::parquet_rows::ParquetRows;
use super::sqlite;
use crate::input::{Form, InputFile, LocalFuture, ReadAt, Shape};
use crate::model::{Locator, RawRecord};
use crate::readers::parquet_file::ParquetFile;
use crate::readers::{Context, Error};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The most columns of a table; what lies in further ones stands in the record alone.
const MAX_COLUMNS: usize = 1_000;

/// A row as it is handed over.
pub(super) struct SheetRow<'a> {
    /// Its number in the table, from 0.
    pub number: u64,
    /// Where it lies.
    pub at: Locator,
    /// Its cells, in the order of the columns; fewer than columns: the others are missing. `Null` is
    /// missing. Cells of delimited text are texts; numbers that are not finite are the texts `NaN`,
    /// `Infinity`, `-Infinity`.
    pub cells: &'a [Value],
}

/// Takes the rows of a table with the columns that are known so far; `false`: no more are wanted.
pub(super) type TakeSheetRow<'a> = dyn FnMut(&SheetColumns, SheetRow<'_>) -> bool + 'a;

/// A row with the names of its columns, and as it is written.
pub(super) type WholeRow = (Vec<(String, Value)>, RawRecord);

/// A table.
pub(super) trait Sheet {
    /// What it is made of, in words: `CSV with ; between cells`, `Parquet`.
    fn form(&self) -> String;

    /// Its name in a file that holds several; `None`: the file is one table.
    fn table(&self) -> Option<&str> {
        None
    }

    /// Whether a comma may stand for a decimal point in its texts.
    fn may_have_decimal_commas(&self) -> bool {
        true
    }

    /// Hands its rows to `take`, in order, in slices; columns are added to `columns` in the order of the
    /// file, those of later rows behind those of earlier ones. What is broken costs its row and is noted.
    ///
    /// # Errors
    /// When the file cannot be read, or the work is cancelled.
    fn each_row<'a>(
        &'a self,
        cx: &'a Context<'a>,
        columns: &'a mut SheetColumns,
        take: &'a mut TakeSheetRow<'a>,
    ) -> LocalFuture<'a, Result<(), Error>>;

    /// The row at `at` again.
    ///
    /// # Errors
    /// When the file is gone or damaged.
    fn row(&self, at: Locator) -> Result<WholeRow, Error>;
}

/// The columns of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct SheetColumns {
    names: Vec<String>,
    places: HashMap<String, usize>,
    /// Whether there were more than are kept.
    pub is_cut: bool,
}

impl SheetColumns {
    /// Their names, in order.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The place of the column called `name`, which is added where it is new; `None`: there are too many.
    pub(super) fn place(&mut self, name: &str) -> Option<usize> {
        if let Some(at) = self.places.get(name) {
            return Some(*at);
        }
        if self.names.len() >= MAX_COLUMNS {
            self.is_cut = true;
            return None;
        }
        let at = self.names.len();
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), at);
        Some(at)
    }
}

/// The tables in a file; none when it holds no table.
///
/// # Errors
/// When it cannot be read, or is damaged.
pub(super) fn sheets(file: &InputFile, shape: &Shape) -> Result<Vec<Rc<dyn Sheet>>, Error> {
    let one = |sheet: Rc<dyn Sheet>| Ok(vec![sheet]);
    match shape.form {
        Form::Parquet => one(Rc::new(ParquetRows::new(file, ParquetFile::open(file)?))),
        Form::Text => match Delimited::open(file)? {
            Some(sheet) => one(Rc::new(sheet)),
            None => Ok(Vec::new()),
        },
        Form::Document | Form::Lines => {
            if let Some(rows) = JsonRows::of(file, shape) {
                return one(Rc::new(rows));
            }
            match JsonWhole::open(file, shape)? {
                Some(sheet) => one(Rc::new(sheet)),
                None => Ok(Vec::new()),
            }
        }
        Form::Binary if head_of(file)?.starts_with(sqlite::MAGIC) => sqlite::sheets(file),
        Form::Binary if is_arrow(&head_of(file)?) => match ArrowRows::open(file)? {
            Some(sheet) => one(Rc::new(sheet)),
            None => Ok(Vec::new()),
        },
        Form::Empty | Form::Binary | Form::Unseen => Ok(Vec::new()),
    }
}

/// The first bytes of a file, by which forms of binary data are told apart.
fn head_of(file: &InputFile) -> Result<Vec<u8>, Error> {
    Ok(file.bytes(0..file.len().min(16))?)
}

/// A file whose tables are kept.
type CachedTables = (Rc<dyn ReadAt>, Vec<Rc<dyn Sheet>>);

thread_local! {
    /// The tables of the file that was opened last: its cases are looked at one after the other.
    static LAST: RefCell<Option<CachedTables>> = const { RefCell::new(None) };
}

/// The tables in a file, kept until those of another one are asked for.
///
/// # Errors
/// As [`sheets`].
pub(super) fn kept_sheets(file: &InputFile, shape: &Shape) -> Result<Vec<Rc<dyn Sheet>>, Error> {
    let is_of = |data: &Rc<dyn ReadAt>| Rc::ptr_eq(data, &file.data);
    let kept = LAST.with_borrow(|last| {
        last.as_ref().filter(|(data, _)| is_of(data)).map(|(_, sheets)| sheets.clone())
    });
    if let Some(kept) = kept {
        return Ok(kept);
    }
    let found = sheets(file, shape)?;
    LAST.set(Some((Rc::clone(&file.data), found.clone())));
    Ok(found)
}
