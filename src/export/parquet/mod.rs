//! The tables of cases and checks as Parquet, packed with zstd.
//!
//! ```text
//! mod: rows of a table ──> cells: pages of each column ──> file: row groups
//! ```
//!
//! A column that may lack values is optional, and what is missing is null; numbers are doubles and may be
//! NaN or infinite. Texts are UTF-8 strings, numbers of things 64-bit integers. Pages are of version 1, texts
//! that repeat stand in a dictionary, and the footer says where each page lies.

mod cells;
mod file;
#[cfg(test)]
mod tests;

use super::columns::{CASES, CHECKS, Column, Row, RunCx};
use super::job::{Context, Format};
use super::report_json::without_cases;
use super::selection::Piece;
use crate::readers::TextPlace;
use crate::workspace::Need;
use file::FileWriter;
use std::io;

/// Key of the metadata that names the table's schema.
const SCHEMA_KEY: &str = "evalglass.schema";

/// Key of the metadata that holds the report without its cases, from which and whose cases the model can be
/// built again.
const REPORT_KEY: &str = "evalglass.report";

/// One of the two tables.
pub(super) struct ParquetTable {
    /// Name of its schema.
    name: &'static str,
    columns: &'static [Column],
    has_checks: bool,
    /// `None` until the file has begun.
    writer: Option<FileWriter<'static>>,
}

impl ParquetTable {
    /// One row for each case.
    pub(super) fn cases() -> Self {
        Self::new("evalglass-cases/1", &CASES, false)
    }

    /// One row for each check.
    pub(super) fn checks() -> Self {
        Self::new("evalglass-checks/1", &CHECKS, true)
    }

    fn new(name: &'static str, columns: &'static [Column], has_checks: bool) -> Self {
        Self { name, columns, has_checks, writer: None }
    }

    fn writer(&mut self) -> io::Result<&mut FileWriter<'static>> {
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => FileWriter::new(self.columns)?,
        };
        Ok(self.writer.insert(writer))
    }

    fn push(&mut self, row: &Row<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        self.writer()?.push(|column| (column.get)(row), out)
    }
}

impl Format for ParquetTable {
    fn needs(&self, cx: &Context<'_>, piece: &Piece) -> Vec<Need> {
        if self.has_checks { piece.reasons(cx.workspace, |_, _, _| true) } else { Vec::new() }
    }

    fn piece(&mut self, cx: &Context<'_>, piece: &Piece, out: &mut Vec<u8>) -> io::Result<()> {
        let Some(run) = RunCx::new(cx.workspace, piece.run) else { return Ok(()) };
        let text = |at| cx.workspace.text(run.entry.id, TextPlace::whole(at));
        for idx in piece.rows() {
            let row = run.row(idx);
            if !self.has_checks {
                self.push(&row, out)?;
                continue;
            }
            for check in run.run.checks_of(idx) {
                let reason = run.run.checks.reason_of(check).and_then(text);
                self.push(&Row { check, reason: reason.as_deref(), ..row }, out)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, cx: &Context<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let schema = (SCHEMA_KEY, self.name);
        if self.has_checks {
            return self.writer()?.end(&[schema], out);
        }
        let report = String::from_utf8(without_cases(cx)?).map_err(io::Error::other)?;
        self.writer()?.end(&[schema, (REPORT_KEY, &report)], out)
    }
}
