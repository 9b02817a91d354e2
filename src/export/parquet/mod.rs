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

use super::columns::{
    CASE_PLACES, CASES, CHECK_PLACES, CHECKS, ColumnField, ExportColumn, ExportRow, HasField, RunCx,
};
use super::job::{ExportContext, ExportFormat};
use super::report_json::{case_json, without_cases};
use super::selection::CaseBatch;
use crate::readers::TextPlace;
use crate::workspace::{Need, RunRef};
pub use file::{FileWriter, ParquetPacking};
use std::io;

/// Key of the metadata that names the table's schema.
const SCHEMA_KEY: &str = "evalglass.schema";

/// Key of the metadata that holds the report without its cases, from which and whose cases the model can be
/// built again.
const REPORT_KEY: &str = "evalglass.report";

/// Key of the metadata of a part of a dataset that names the writing it came out of.
const WRITING_KEY: &str = "evalglass.writing";

/// Rows of a row group of a dataset.
const PART_ROWS: usize = 100_000;

/// Columns of a dataset that are asked for by single values.
const IDS: [&str; 2] = ["run", "case_id"];

/// The two tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportTable {
    /// One row for each case.
    Cases,
    /// One row for each check.
    Checks,
}

/// What a part of a dataset is to hold.
#[derive(Debug, Clone, Copy)]
pub struct PartWish<'a> {
    /// Of which table it is.
    pub table: ExportTable,
    /// Number of the evaluation whose rows it holds.
    pub evaluation: u32,
    /// Whether it holds the long texts; else where they lie.
    pub with_details: bool,
    /// By what the parts of one writing of an evaluation know each other.
    pub writing: &'a str,
}

/// One of the two tables.
pub(super) struct ParquetTable {
    table: ExportTable,
    columns: Vec<&'static ExportColumn>,
    /// `None`: an export, which holds the reasons and the report; else a part of a dataset, with the name of its writing.
    part: Option<String>,
    with_details: bool,
    /// `None` until the file has begun.
    writer: Option<FileWriter<&'static ExportColumn>>,
}

impl ParquetTable {
    /// The export of a table.
    pub(super) fn export(table: ExportTable) -> Self {
        let columns = own_columns(table).0.iter().collect();
        Self { table, columns, part: None, with_details: true, writer: None }
    }

    /// The same as a part of a dataset.
    pub(super) fn part(wish: PartWish<'_>) -> Self {
        let PartWish { table, with_details, writing, .. } = wish;
        let (own, places) = own_columns(table);
        let columns = own.iter().chain(places).collect();
        Self { table, columns, part: Some(writing.to_owned()), with_details, writer: None }
    }

    fn writer(
        &mut self,
        cx: &ExportContext<'_>,
    ) -> io::Result<&mut FileWriter<&'static ExportColumn>> {
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => {
                let packing = match &self.part {
                    None => ParquetPacking::default(),
                    Some(_) => ParquetPacking {
                        group_rows: PART_ROWS,
                        is_indexed: true,
                        ids: (&IDS, cx.selection.n_cases.min(PART_ROWS as u64)),
                    },
                };
                FileWriter::new(self.columns.clone(), packing)?
            }
        };
        Ok(self.writer.insert(writer))
    }

    /// What is known of a case beyond its scores, as JSON.
    fn detail(
        &self,
        cx: &ExportContext<'_>,
        run: &RunCx<'_>,
        at: RunRef,
        idx: usize,
    ) -> Option<String> {
        if self.part.is_none() || !self.with_details {
            return None;
        }
        let mut out = Vec::new();
        case_json(cx, run, at, idx, &mut out).ok()?;
        String::from_utf8(out).ok()
    }
}

/// The columns of `table`, and those that it has in a dataset besides.
fn own_columns(table: ExportTable) -> (&'static [ExportColumn], &'static [ExportColumn]) {
    match table {
        ExportTable::Cases => (CASES, CASE_PLACES),
        ExportTable::Checks => (CHECKS, CHECK_PLACES),
    }
}

/// The columns of `table` in a dataset.
pub fn part_fields(table: ExportTable) -> Vec<ColumnField> {
    let (own, places) = own_columns(table);
    own.iter().chain(places).map(HasField::field).collect()
}

impl ExportFormat for ParquetTable {
    fn needs(&self, cx: &ExportContext<'_>, piece: &CaseBatch) -> Vec<Need> {
        if !self.with_details {
            return Vec::new();
        }
        match (self.table, &self.part) {
            (ExportTable::Checks, _) => piece.reasons(cx.workspace, |_, _, _| true),
            (ExportTable::Cases, None) => Vec::new(),
            (ExportTable::Cases, Some(_)) => {
                let rows = piece.rows().filter_map(|row| u32::try_from(row).ok());
                let cases = rows.map(|row| Need::Case(piece.run, row));
                cases.chain(piece.reasons(cx.workspace, |_, _, _| true)).collect()
            }
        }
    }

    fn piece(
        &mut self,
        cx: &ExportContext<'_>,
        piece: &CaseBatch,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Some(run) = RunCx::new(cx.workspace, piece.run) else { return Ok(()) };
        let with_details = self.with_details;
        let text = |at| cx.workspace.text(run.entry.id, TextPlace::whole(at));
        for idx in piece.rows() {
            let row = run.row(idx);
            if self.table == ExportTable::Cases {
                let detail = self.detail(cx, &run, piece.run, idx);
                let row = ExportRow { detail: detail.as_deref(), ..row };
                self.writer(cx)?.push(|column| (column.get)(&row), out)?;
                continue;
            }
            for check in run.run.checks_of(idx) {
                let place = run.run.checks.reason_of(check).filter(|_| with_details);
                let reason = place.and_then(text);
                let row = ExportRow { check, reason: reason.as_deref(), ..row };
                self.writer(cx)?.push(|column| (column.get)(&row), out)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let name = match self.table {
            ExportTable::Cases => "evalglass-cases/1",
            ExportTable::Checks => "evalglass-checks/1",
        };
        let schema = (SCHEMA_KEY, name);
        if let Some(writing) = self.part.clone() {
            return self.writer(cx)?.end(&[schema, (WRITING_KEY, &writing)], out);
        }
        if self.table == ExportTable::Checks {
            return self.writer(cx)?.end(&[schema], out);
        }
        let report = String::from_utf8(without_cases(cx)?).map_err(io::Error::other)?;
        self.writer(cx)?.end(&[schema, (REPORT_KEY, &report)], out)
    }
}
