//! Delimited text: CSV, TSV and what spreadsheets make of them.

use super::dialect::{DelimiterDialect, dialect};
use super::sheet::{Sheet, SheetColumns, SheetRow, TakeSheetRow, WholeRow};
use crate::input::{self, InputFile, LocalFuture, ReadAt};
use crate::model::{Locator, NoteKind, Place, RawRecord};
use crate::readers::{Context, Error, ErrorKind};
use csv::ByteRecord;
use serde_json::{Map, Value};
use std::io;
use std::rc::Rc;

/// How much of a file is looked at to tell what stands between its cells.
const HEAD_BYTES: u64 = 256 << 10;

/// Rows between two breaths.
const ROWS_AT_ONCE: u64 = 512;

/// A file of delimited text as a table.
pub(super) struct Delimited {
    file: InputFile,
    dialect: DelimiterDialect,
}

impl Delimited {
    /// The table that `file` is; `None` when it is another text.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn open(file: &InputFile) -> Result<Option<Self>, Error> {
        let n_bytes = file.len().min(HEAD_BYTES);
        let head = file.bytes(0..n_bytes).map_err(|err| Error::from(err).in_file(&file.path))?;
        let found = dialect(&head, n_bytes == file.len());
        Ok(found.map(|dialect| Self { file: file.clone(), dialect }))
    }

    async fn read(
        &self,
        cx: &Context<'_>,
        columns: &mut SheetColumns,
        take: &mut TakeSheetRow<'_>,
    ) -> Result<(), Error> {
        let places: Vec<Option<usize>> =
            self.dialect.names.iter().map(|name| columns.place(name)).collect();
        let end = self.file.len();
        let n_before = self.dialect.n_before;
        let feed = Feed { data: Rc::clone(&self.file.data), at: n_before, end };
        let mut reader = self.dialect.reader(feed);
        let (mut record, mut cells) = (ByteRecord::new(), Vec::new());
        let (mut number, mut n_counted) = (0, 0);
        let mut is_header = self.dialect.has_header;
        loop {
            let more = reader.read_byte_record(&mut record).map_err(|err| self.failed(&err))?;
            if !more {
                break;
            }
            if std::mem::take(&mut is_header) {
                continue;
            }
            let (line, offset) = self.place(&record);
            let len = (n_before + reader.position().byte()).min(end).saturating_sub(offset);
            cells.clear();
            cells.resize(columns.names().len(), Value::Null);
            for (place, cell) in places.iter().zip(record.iter()) {
                if let Some(to) = place.and_then(|at| cells.get_mut(at)) {
                    *to = cell_of(cell);
                }
            }
            if record.len() != places.len() {
                let place = Place::Line { line, byte: offset };
                cx.notes.add(
                    &self.file.path,
                    NoteKind::Broken,
                    place,
                    ragged(&record, places.len()),
                );
            }
            let at = Locator::Span { source: self.file.id, offset, len };
            if !take(columns, SheetRow { number, at, cells: &cells }) {
                return Ok(());
            }
            number += 1;
            if number % ROWS_AT_ONCE == 0 {
                let at = (n_before + reader.position().byte()).min(end);
                cx.pulse.advance(at.saturating_sub(n_counted)).await?;
                n_counted = at;
            }
        }
        Ok(cx.pulse.advance(end.saturating_sub(n_counted)).await?)
    }

    /// Line and byte of a record: the library counts the second character between two lines in.
    fn place(&self, record: &ByteRecord) -> (u64, u64) {
        let place = record.position().cloned().unwrap_or_else(csv::Position::new);
        let n_more = u64::from(self.dialect.is_crlf && place.byte() > 0);
        let n_before = self.dialect.n_before;
        (place.line() + n_more + u64::from(n_before > 0), place.byte() + n_more + n_before)
    }

    fn failed(&self, err: &csv::Error) -> Error {
        let at = err.position().map_or(0, csv::Position::byte);
        let failed = match err.kind() {
            csv::ErrorKind::Io(err) => input::Error::of_source(err, at),
            _ => input::Error::new(input::ErrorKind::Damaged(err.to_string()), at),
        };
        Error::from(failed).in_file(&self.file.path)
    }
}

/// A cell as text; `Null` where nothing is in it.
fn cell_of(cell: &[u8]) -> Value {
    match cell {
        [] => Value::Null,
        cell => Value::String(String::from_utf8_lossy(cell).into_owned()),
    }
}

fn ragged(record: &ByteRecord, n_columns: usize) -> String {
    let n_cells = record.len();
    let rest = if n_cells < n_columns {
        "the others are missing"
    } else {
        "those behind the last column are left out"
    };
    let cells = if n_cells == 1 { "cell" } else { "cells" };
    format!("a row has {n_cells} {cells} and the table {n_columns} columns: {rest}")
}

impl Sheet for Delimited {
    fn form(&self) -> String {
        self.dialect.words()
    }

    fn may_have_decimal_commas(&self) -> bool {
        self.dialect.delimiter != b','
    }

    fn each_row<'a>(
        &'a self,
        cx: &'a Context<'a>,
        columns: &'a mut SheetColumns,
        take: &'a mut TakeSheetRow<'a>,
    ) -> LocalFuture<'a, Result<(), Error>> {
        Box::pin(self.read(cx, columns, take))
    }

    fn row(&self, at: Locator) -> Result<WholeRow, Error> {
        let gone = || Error::new(ErrorKind::Gone);
        let Locator::Span { offset, len, .. } = at else { return Err(gone()) };
        let bytes = self
            .file
            .bytes(offset..offset.saturating_add(len))
            .map_err(|err| Error::from(err).in_file(&self.file.path))?;
        let mut reader = self.dialect.reader(bytes.as_slice());
        let mut record = ByteRecord::new();
        if !reader.read_byte_record(&mut record).map_err(|err| self.failed(&err))? {
            return Err(gone());
        }
        let cells = record.iter().map(cell_of).chain(std::iter::repeat(Value::Null));
        let named: Vec<(String, Value)> = self.dialect.names.iter().cloned().zip(cells).collect();
        let raw = RawRecord {
            file: self.file.path.clone(),
            at: format!("byte {offset}"),
            json: Value::Object(named.iter().cloned().collect::<Map<_, _>>()).to_string(),
            left_out: None,
        };
        Ok((named, raw))
    }
}

/// A source as the library reads it.
struct Feed {
    data: Rc<dyn ReadAt>,
    at: u64,
    end: u64,
}

impl io::Read for Feed {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n_left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let n_bytes = n_left.min(buf.len());
        if let Some(part) = buf.get_mut(..n_bytes).filter(|part| !part.is_empty()) {
            self.data.read_at(self.at, part)?;
            self.at += n_bytes as u64;
        }
        Ok(n_bytes)
    }
}
