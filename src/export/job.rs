//! An export in steps, so that the worker can say how far it is and let other questions in.

use super::selection::{Order, PIECE_CASES, Piece, Scope, Selection};
use super::{Export, ExportKind, csv, html, junit, markdown, parquet, report_json, text};
use crate::render::Look;
use crate::report::Workspace;
use std::io;

/// Bytes after which a step ends, however few its cases are.
const STEP_BYTES: usize = 4 << 20;

/// A format, written piece by piece into `out`.
pub(super) trait Format {
    /// Writes what stands before the cases.
    fn begin(&mut self, cx: &Context<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let _ = (cx, out);
        Ok(())
    }

    /// Writes some cases.
    fn piece(&mut self, cx: &Context<'_>, piece: &Piece, out: &mut Vec<u8>) -> io::Result<()> {
        let _ = (cx, piece, out);
        Ok(())
    }

    /// Writes what stands after the cases.
    fn end(&mut self, cx: &Context<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let _ = (cx, out);
        Ok(())
    }
}

/// What a format may look at.
pub(super) struct Context<'a> {
    /// Everything that is loaded.
    pub workspace: &'a Workspace,
    /// What goes into the export.
    pub selection: &'a Selection,
    /// How numbers are to look, where they are words.
    pub look: Look,
}

/// An export that is being written.
pub struct Job {
    export: &'static Export,
    look: Look,
    selection: Selection,
    format: Box<dyn Format>,
    next: usize,
    n_done: u64,
    out: Vec<u8>,
    /// Bytes that were taken out of `out`.
    n_taken: u64,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Begin,
    Cases,
    Done,
}

impl Job {
    /// An export of which nothing is written yet; `None` when the target of `scope` is not there.
    pub fn new(
        workspace: &Workspace,
        kind: ExportKind,
        scope: Scope<'_>,
        look: Look,
    ) -> Option<Self> {
        let order = match kind {
            ExportKind::CasesCsv | ExportKind::CasesParquet => Order::Listed,
            ExportKind::DetailedText | ExportKind::ReportHtml => Order::ByGroup,
            // The others nest cases in runs, or read texts in the order in which they lie.
            _ => Order::ByRun,
        };
        Some(Self {
            export: Export::of(kind),
            look,
            selection: Selection::new(workspace, scope, order)?,
            format: format_of(kind),
            next: 0,
            n_done: 0,
            out: Vec::new(),
            n_taken: 0,
            state: State::Begin,
        })
    }

    /// What is being written.
    pub fn export(&self) -> &'static Export {
        self.export
    }

    /// Writes some more, of the same `workspace` that it was made for; whether there is more to do.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn step(&mut self, workspace: &Workspace) -> io::Result<bool> {
        let cx = Context { workspace, selection: &self.selection, look: self.look };
        match self.state {
            State::Begin => {
                self.format.begin(&cx, &mut self.out)?;
                self.state = State::Cases;
            }
            State::Cases => {
                let mut n_cases = 0;
                let end = self.out.len() + STEP_BYTES;
                while n_cases < u64::from(PIECE_CASES)
                    && self.out.len() < end
                    && let Some(piece) = self.selection.pieces.get(self.next)
                {
                    self.format.piece(&cx, piece, &mut self.out)?;
                    n_cases += piece.len() as u64;
                    self.next += 1;
                }
                self.n_done += n_cases;
                if self.next == self.selection.pieces.len() {
                    self.format.end(&cx, &mut self.out)?;
                    self.state = State::Done;
                }
            }
            State::Done => {}
        }
        Ok(self.state != State::Done)
    }

    /// Bytes written, and how many they will be if the cases to come are as long as those before; 0
    /// while nobody can tell.
    pub fn progress(&self) -> (u64, u64) {
        let n_bytes = self.n_taken + self.out.len() as u64;
        let n_total = u128::from(n_bytes) * u128::from(self.selection.n_cases);
        let n_total = n_total.checked_div(u128::from(self.n_done)).unwrap_or(0);
        (n_bytes, u64::try_from(n_total).unwrap_or(0))
    }

    /// What was written since this was called last.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.n_taken += self.out.len() as u64;
        std::mem::take(&mut self.out)
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }
}

/// Writes `kind` whole; `None` when the target of `scope` is not there.
///
/// # Errors
/// When something cannot be written.
pub fn export(
    workspace: &Workspace,
    kind: ExportKind,
    scope: Scope<'_>,
    look: Look,
) -> io::Result<Option<Vec<u8>>> {
    let Some(mut job) = Job::new(workspace, kind, scope, look) else { return Ok(None) };
    while job.step(workspace)? {}
    Ok(Some(job.into_bytes()))
}

fn format_of(kind: ExportKind) -> Box<dyn Format> {
    match kind {
        ExportKind::ReportJson => Box::new(report_json::ReportJson::default()),
        ExportKind::RunsCsv => Box::new(csv::RunsCsv),
        ExportKind::CasesCsv => Box::new(csv::CasesCsv),
        ExportKind::CasesJsonl => Box::new(report_json::CasesJsonl),
        ExportKind::CasesParquet => Box::new(parquet::ParquetTable::cases()),
        ExportKind::ChecksParquet => Box::new(parquet::ParquetTable::checks()),
        ExportKind::SummaryMarkdown => Box::new(markdown::SummaryMarkdown),
        ExportKind::JunitXml => Box::new(junit::JunitXml::default()),
        ExportKind::SummaryText => Box::new(text::SummaryText),
        ExportKind::DetailedText => Box::new(text::DetailedText::default()),
        ExportKind::ReportHtml => Box::new(html::ReportHtml::default()),
        ExportKind::FlipsCsv => Box::new(csv::FlipsCsv),
    }
}
