//! Any table: CSV, TSV, JSON, JSONL, Parquet, Arrow IPC, SQLite files that no tool's reader claims.
//!
//! ```text
//! file ── sheet ──> rows ── profile ──> roles (guess) ──┐
//! mapping file ─────────────────────────────────────────┴──> Mapping ── cases ──> runs
//! ```
//!
//! Each row is a case. What a column is to it says a [`Mapping`](crate::model::Mapping): from the mapping file
//! that is for these columns, else guessed (`roles`), and then the page says so. A file is read twice: for
//! what its columns hold, and for its cases. Fixtures: `table/pandas-3.1.1`.

mod amounts;
mod arrow_rows;
mod cases;
mod cell;
mod delimited;
mod detail;
mod dialect;
mod flatten;
mod header;
mod json_rows;
mod json_whole;
mod mapping;
mod names;
mod parquet_rows;
mod place;
mod profile;
mod read;
mod recognise;
mod repeats;
mod roles;
mod sheet;
mod sqlite;
#[cfg(test)]
mod tests;
mod words;

use super::parquet_file::ParquetFile;
use super::{
    Bundle, Claim, Claimed, ContentKeys, Context, Error, Format, KeysOf, Producer, ReadEvaluation,
    Reader,
};
use crate::input::{Form, InputFile, LocalFuture, Pulse, Shape, ValueKind, json};
use crate::model::{CaseDetail, Config, Locator, Run};
use std::rc::Rc;

pub(super) use place::tables;
pub use recognise::{TableLook, TableSheet};

/// The reader.
pub struct TableReader;

/// Its id.
pub(super) const ID: &str = "table";

/// A file of rows.
pub(super) const SHEET: &str = "table";
/// A file that says what its columns are.
pub(super) const MAPPING: &str = "mapping file";
/// What a table was recognised by.
const WHY: &str = "rows of the same columns";

/// The claim on a file of rows, which only those make who know that nobody else has it.
pub(super) const CLAIM: Claim = Claim { role: SHEET, generation: None, why: WHY };

impl Producer for TableReader {
    fn id(&self) -> &'static str {
        ID
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, keys: &KeysOf<'_>) -> Vec<Bundle> {
        place::bundle(files, keys)
    }
}

impl Reader for TableReader {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "any .csv, .tsv, .json, .jsonl, .parquet, .arrow, .feather, .sqlite, .db",
            versions: "columns guessed, or as a mapping file says",
            what: "rows as cases: scores, verdicts, metrics, texts",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        let is_mapping = shape.form == Form::Document
            && shape.outline.has("evalglass_mapping", ValueKind::Number)
            && shape.outline.member("columns").is_some();
        let why = "evalglass_mapping and columns";
        is_mapping.then_some(Claim { role: MAPPING, generation: None, why })
    }

    fn as_table<'a>(
        &'a self,
        file: &'a InputFile,
        shape: &'a Shape,
    ) -> LocalFuture<'a, Option<TableLook>> {
        Box::pin(recognise::look(file, shape))
    }

    fn content_keys(&self, claimed: &Claimed) -> ContentKeys {
        recognise::content_keys(claimed)
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        Box::pin(read::read(bundle, cx))
    }

    fn detail(&self, bundle: &Bundle, config: &Config, case: &Run) -> Result<CaseDetail, Error> {
        detail::read(bundle, config, case)
    }

    fn span_text(&self, claimed: &Claimed, bytes: &[u8]) -> Option<String> {
        // Quotes in quoted cells are doubled.
        let text = || String::from_utf8_lossy(bytes).replace("\"\"", "\"");
        // Of texts that a database stores as UTF-16, those of ASCII are found so.
        let stored = || String::from_utf8_lossy(bytes).replace('\0', "");
        match claimed.shape.form {
            Form::Text => Some(text()),
            Form::Binary => Some(stored()),
            _ => None,
        }
    }

    fn row_texts(
        &self,
        file: &InputFile,
        part: usize,
        take: &mut dyn FnMut(u64, &str),
    ) -> Result<bool, Error> {
        if file.bytes(0..file.len().min(4)).is_ok_and(|head| head == b"PAR1") {
            return ParquetFile::open(file)?.part_texts(part, take);
        }
        if part > 0 {
            return Ok(false);
        }
        let shape = crate::input::at_once(crate::input::shape(file, &Pulse::silent()));
        let Some(Ok(shape)) = shape else { return Ok(false) };
        for sheet in sheet::kept_sheets(file, &shape)? {
            for row in 0.. {
                let at = Locator::Row { source: file.id, row };
                let Ok((_, raw)) = sheet.row(at) else { break };
                json::any_text(raw.json.as_bytes(), |text| {
                    take(row, &text);
                    false
                });
            }
        }
        Ok(true)
    }
}
