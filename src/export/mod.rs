//! Reports to bytes: one file for each format, one list of all of them.
//!
//! ```text
//! Scope ── Selection ── pieces of ≤ 4,096 cases ──> Format ──> bytes
//! ```
//!
//! Every format reads the tables that the pages read, under the rules in force. `docs/exports.md` says
//! what each one holds, and how it writes what is missing or no finite number.

mod columns;
pub mod compare;
mod csv;
mod ctrf;
mod every_eval_ever;
mod flips;
mod html;
mod job;
mod junit;
mod markdown;
mod parquet;
pub mod redact;
mod report_json;
pub mod seal;
mod selection;
mod text;
mod words;
mod zip;

pub use columns::{ColumnField, ExportType, HasField, Value};
pub use job::{ExportJob, StepWriter};
pub use parquet::{ExportTable, FileWriter, ParquetPacking, PartWish, part_fields};
pub use selection::{Contents, ExportTarget};
use serde::{Deserialize, Serialize};

/// What can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportKind {
    /// `evalglass-report/1`.
    ReportJson,
    /// What the rules in force change.
    FlipsCsv,
    /// One row for each run: verdict, score, counts, cost, tokens, steps, times.
    RunsCsv,
    /// One row for each case.
    CasesCsv,
    /// One JSON object for each case, with its checks and their reasons.
    CasesJsonl,
    /// One row for each case.
    CasesParquet,
    /// One row for each check, with its reason.
    ChecksParquet,
    /// Verdicts, tables and failed cases for a pull request.
    SummaryMarkdown,
    /// A test suite for each run, for dashboards.
    JunitXml,
    /// A test for each case, in the common form of test runners.
    CtrfJson,
    /// Aggregate and samples of each run in the common schema for evaluations, as a zip.
    EveryEvalEver,
    /// The summary that the producer's guide prints.
    SummaryText,
    /// Every case with its checks, and how the wrong ones differ.
    DetailedText,
    /// Everything on one page, without a script.
    ReportHtml,
}

/// How an export is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Export {
    /// Which.
    pub kind: ExportKind,
    /// Its name for `report --format` and for ids in the page.
    pub name: &'static str,
    /// Its words in a menu.
    pub label: &'static str,
    /// Name of the file.
    pub file: &'static str,
    /// MIME type.
    pub mime: &'static str,
}

/// Every export, in the order of the menu.
pub const EXPORTS: [Export; 14] = [
    Export {
        kind: ExportKind::ReportJson,
        name: "report-json",
        label: "Report (JSON)",
        file: "evalglass-report.json",
        mime: "application/json",
    },
    Export {
        kind: ExportKind::ReportHtml,
        name: "report-html",
        label: "Report (HTML)",
        file: "evalglass-report.html",
        mime: "text/html;charset=utf-8",
    },
    Export {
        kind: ExportKind::SummaryMarkdown,
        name: "summary-md",
        label: "Summary (Markdown)",
        file: "evalglass-summary.md",
        mime: "text/markdown;charset=utf-8",
    },
    Export {
        kind: ExportKind::SummaryText,
        name: "summary-txt",
        label: "Summary (text)",
        file: "evalglass-summary.txt",
        mime: "text/plain;charset=utf-8",
    },
    Export {
        kind: ExportKind::DetailedText,
        name: "detailed-txt",
        label: "Detailed report (text)",
        file: "evalglass-detailed.txt",
        mime: "text/plain;charset=utf-8",
    },
    Export {
        kind: ExportKind::RunsCsv,
        name: "runs-csv",
        label: "Runs (CSV)",
        file: "evalglass-runs.csv",
        mime: "text/csv;charset=utf-8",
    },
    Export {
        kind: ExportKind::CasesCsv,
        name: "cases-csv",
        label: "Cases (CSV)",
        file: "evalglass-cases.csv",
        mime: "text/csv;charset=utf-8",
    },
    Export {
        kind: ExportKind::CasesJsonl,
        name: "cases-jsonl",
        label: "Cases (JSONL)",
        file: "evalglass-cases.jsonl",
        mime: "application/jsonl",
    },
    Export {
        kind: ExportKind::CasesParquet,
        name: "cases-parquet",
        label: "Cases (Parquet)",
        file: "evalglass-cases.parquet",
        mime: "application/vnd.apache.parquet",
    },
    Export {
        kind: ExportKind::ChecksParquet,
        name: "checks-parquet",
        label: "Checks (Parquet)",
        file: "evalglass-checks.parquet",
        mime: "application/vnd.apache.parquet",
    },
    Export {
        kind: ExportKind::JunitXml,
        name: "junit-xml",
        label: "Test results (JUnit XML)",
        file: "evalglass-junit.xml",
        mime: "application/xml",
    },
    Export {
        kind: ExportKind::CtrfJson,
        name: "ctrf-json",
        label: "Test results (CTRF)",
        file: "evalglass-ctrf.json",
        mime: "application/json",
    },
    Export {
        kind: ExportKind::EveryEvalEver,
        name: "every-eval-ever-zip",
        label: "Common schema (Every Eval Ever, zip)",
        file: "evalglass-every-eval-ever.zip",
        mime: "application/zip",
    },
    Export {
        kind: ExportKind::FlipsCsv,
        name: "flips-csv",
        label: "Flip list (CSV)",
        file: "evalglass-flips.csv",
        mime: "text/csv;charset=utf-8",
    },
];

impl Export {
    /// How `kind` is offered.
    pub fn of(kind: ExportKind) -> &'static Self {
        let first = &EXPORTS[0];
        EXPORTS.iter().find(|export| export.kind == kind).unwrap_or(first)
    }

    /// The export called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        EXPORTS.iter().find(|export| export.name == name)
    }
}
