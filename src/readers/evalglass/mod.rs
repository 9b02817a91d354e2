//! Evalglass's own exports, dropped back in: `evalglass-report/1`, the report as JSON, and the tables of cases
//! and checks as Parquet, of which the first holds the rest of the report.
//!
//! The model is built from the report again, so that every page is as it was. Figures in it are computed
//! anew, from its cases; only what its producer declared is taken over.
//!
//! ```text
//! evaluations ── evaluation ─┐
//! runs ── cases ── run, case ┼──> report ──> readings
//! notes ── note ─────────────┘      │
//! cases, checks ── table ── parquet ┘  (the report is in the footer)
//! ```
//!
//! A case's record is its object in the report, or its row; the text of a reason the JSON string there, or
//! the row of its check. Fixtures: `evalglass/*`; `tests/it/kept` makes report and tables of every other
//! fixture and opens them.

mod case;
mod detail;
mod document;
mod evaluation;
mod fields;
mod note;
mod parquet;
mod report;
mod run;
mod table;

pub(super) use detail::read_of as case_of_row;
pub(super) use parquet::{
    CASE_COLUMNS, CASE_IDX, CASE_RUN, CHECK_COLUMNS, CHECK_IDX, CHECK_RUN, ParquetCheck,
    WRITING_KEY, case,
};
pub(super) use table::{ReportTable, reasons};

use super::parquet_file::ParquetFile;
use super::{
    Bundle, Claim, Claimed, Context, Error, ErrorKind, Format, KeysOf, Producer, ReadEvaluation,
    Reader,
};
use crate::input::json::Cursor;
use crate::input::{Form, InputFile, LocalFuture, Shape, ValueKind};
use crate::model::{CaseDetail, Config, DocumentDetail, Locator, Run};
use std::rc::Rc;

/// The reader.
pub struct Evalglass;

/// The reader of reports as JSON alone, which a program holds that reads nothing else.
pub struct JsonReportReader;

/// What the schema of a report begins with; its version follows.
const SCHEMA: &str = "evalglass-report/";

/// The version that is read.
const VERSION: &str = "1";

/// Longest name of a schema that is believed, in bytes.
const LONGEST: usize = 64;

/// How far a report's first member is looked for.
const HEAD_BYTES: u64 = 64 << 10;

/// The closed list of roles.
mod role {
    pub const REPORT: &str = "Evalglass report";
    pub const CASES: &str = "Evalglass cases";
    pub const CHECKS: &str = "Evalglass checks";
    pub const NEWER: &str = "Evalglass report of another version";
}

impl Producer for Evalglass {
    fn id(&self) -> &'static str {
        "evalglass"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        let is_of = |role: &'static str| move |claimed: &Rc<Claimed>| claimed.claim.role == role;
        let (cases, rest): (Vec<_>, Vec<_>) = files.into_iter().partition(is_of(role::CASES));
        let (checks, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_of(role::CHECKS));
        let alone =
            |claimed: Rc<Claimed>| Bundle { path: claimed.file.path.clone(), files: vec![claimed] };
        let mut bundles: Vec<Bundle> = rest.into_iter().map(alone).collect();
        bundles.extend(parquet::bundles(cases, checks));
        bundles
    }
}

impl Reader for Evalglass {
    fn formats(&self) -> &'static [Format] {
        &[
            Format {
                files: "evalglass-report.json",
                versions: "evalglass-report/1",
                what: "a report of Evalglass, with everything that its pages show",
            },
            Format {
                files: "evalglass-cases.parquet + evalglass-checks.parquet",
                versions: "evalglass-cases/1, evalglass-checks/1",
                what: "the same as tables, without inputs and transcripts",
            },
        ]
    }

    fn sniff(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        if shape.form == Form::Parquet {
            let role = parquet::role_of(file)?;
            return Some(Claim { role, generation: None, why: "the schema that its footer names" });
        }
        JsonReportReader.sniff(file, shape)
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        let is_table = bundle
            .files
            .first()
            .is_some_and(|first| [role::CASES, role::CHECKS].contains(&first.claim.role));
        if is_table {
            Box::pin(parquet::read(bundle, cx))
        } else {
            JsonReportReader.read(bundle, cx)
        }
    }

    fn detail(&self, bundle: &Bundle, config: &Config, case: &Run) -> Result<CaseDetail, Error> {
        let (place, file) = detail::place(bundle, case)?;
        let Locator::Row { row, .. } = place else {
            return JsonReportReader.detail(bundle, config, case);
        };
        let record = ParquetFile::open(file)?.row(row).map_err(|err| err.in_file(&file.path))?;
        let record = serde_json::Value::Object(record).to_string();
        detail::read(self, bundle, case, record.as_bytes())
    }

    fn document(&self, bundle: &Bundle, run: &Run) -> Result<DocumentDetail, Error> {
        document::read(bundle, run)
    }

    fn row_texts(
        &self,
        file: &InputFile,
        part: usize,
        take: &mut dyn FnMut(u64, &str),
    ) -> Result<bool, Error> {
        ParquetFile::open(file)?.part_texts(part, take)
    }

    fn texts_from_row(&self, file: &InputFile, row: u64) -> Result<Vec<Option<String>>, Error> {
        reasons(file, row)
    }
}

impl Producer for JsonReportReader {
    fn id(&self) -> &'static str {
        Evalglass.id()
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, keys: &KeysOf<'_>) -> Vec<Bundle> {
        Evalglass.bundle(files, keys)
    }
}

impl Reader for JsonReportReader {
    fn formats(&self) -> &'static [Format] {
        Evalglass.formats()
    }

    fn sniff(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        let is_json = matches!(shape.form, Form::Document | Form::Lines);
        let version = version(file, shape).filter(|_| is_json)?;
        let (role, generation) =
            if version == VERSION { (role::REPORT, Some("1")) } else { (role::NEWER, None) };
        Some(Claim { role, generation, why: "the schema it names" })
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        Box::pin(report::read(bundle, cx))
    }

    fn detail(&self, bundle: &Bundle, _config: &Config, case: &Run) -> Result<CaseDetail, Error> {
        let (place, _) = detail::place(bundle, case)?;
        let record = bundle.span_bytes(place)?.ok_or_else(|| Error::new(ErrorKind::Gone))?;
        detail::read(self, bundle, case, &record)
    }

    fn document(&self, bundle: &Bundle, run: &Run) -> Result<DocumentDetail, Error> {
        document::read(bundle, run)
    }
}

/// The version of a report, by the schema that it names.
fn version(file: &InputFile, shape: &Shape) -> Option<String> {
    // Of a report that is cut off the shape may be that of one of its lines.
    // Once it has been looked at, a file's head is not kept.
    let read = || file.bytes(0..file.len().min(HEAD_BYTES)).unwrap_or_default();
    let head = if shape.head.is_empty() { &read() } else { &shape.head };
    if let Some(version) = first_member(head) {
        return Some(version);
    }
    let member = shape.outline.member("schema")?;
    if member.kind != ValueKind::Text || member.span.end - member.span.start > LONGEST as u64 {
        return None;
    }
    let bytes = file.bytes(member.span.clone()).ok()?;
    let schema = Cursor::new(&bytes).text().ok()??;
    schema.strip_prefix(SCHEMA).map(str::to_owned)
}

/// The version that a report starts with, as we write it.
fn first_member(head: &[u8]) -> Option<String> {
    let mut rest = head;
    for part in ["{", "\"schema\"", ":", "\""] {
        rest = rest.trim_ascii_start().strip_prefix(part.as_bytes())?;
    }
    let rest = rest.strip_prefix(SCHEMA.as_bytes())?;
    let rest = rest.get(..rest.len().min(LONGEST)).unwrap_or_default();
    let (version, _) = rest.split_at(rest.iter().position(|byte| *byte == b'"')?);
    Some(String::from_utf8_lossy(version).into_owned())
}
