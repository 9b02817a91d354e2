//! An export in steps, so that the worker can say how far it is and let other questions in.

use super::parquet::{ExportTable, ParquetTable, PartWish};
use super::selection::{CaseBatch, Contents, ExportOrder, ExportSelection, ExportTarget};
use super::{
    Export, ExportKind, csv, ctrf, every_eval_ever, html, junit, markdown, report_json, text,
};
use crate::render::Look;
use crate::workspace::{Need, Target, Workspace};
use std::io;

/// A format, written piece by piece into `out`.
pub(super) trait ExportFormat {
    /// Writes what stands before the cases.
    fn begin(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let _ = (cx, out);
        Ok(())
    }

    /// What has to have been read of the files before some cases can be written.
    fn needs(&self, cx: &ExportContext<'_>, piece: &CaseBatch) -> Vec<Need> {
        let _ = (cx, piece);
        Vec::new()
    }

    /// Writes some cases.
    fn piece(
        &mut self,
        cx: &ExportContext<'_>,
        piece: &CaseBatch,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let _ = (cx, piece, out);
        Ok(())
    }

    /// Writes what stands after the cases.
    fn end(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let _ = (cx, out);
        Ok(())
    }
}

/// What a format may look at.
pub(super) struct ExportContext<'a> {
    /// Everything that is loaded.
    pub workspace: &'a Workspace,
    /// What goes into the export.
    pub selection: &'a ExportSelection,
    /// How numbers are to look, where they are words.
    pub look: Look,
}

/// Something that is written in steps, of the same workspace from the first to the last.
pub trait StepWriter {
    /// What has to have been read of the files before step `nth`, from 0; `None`: there is no such step.
    fn needs(&self, workspace: &Workspace, nth: usize) -> Option<Vec<Need>>;

    /// Does the next step; whether there is one after it.
    ///
    /// # Errors
    /// When something cannot be written.
    fn step(&mut self, workspace: &Workspace) -> io::Result<bool>;

    /// Bytes written, and how many they will be if the cases to come are as long as those before; 0
    /// while nobody can tell.
    fn progress(&self) -> (u64, u64);
}

/// An export that is being written: one step for its begin, one for each piece and one for its end.
pub struct ExportJob {
    file: &'static str,
    look: Look,
    selection: ExportSelection,
    format: Box<dyn ExportFormat>,
    /// The next step.
    next: usize,
    n_done: u64,
    out: Vec<u8>,
    /// Bytes that were taken out of `out`.
    n_taken: u64,
}

impl ExportJob {
    /// An export of which nothing is written yet; `None` when the target of `scope` is not there.
    pub fn new(
        workspace: &Workspace,
        kind: ExportKind,
        scope: ExportTarget<'_>,
        look: Look,
    ) -> Option<Self> {
        let order = match kind {
            ExportKind::CasesCsv | ExportKind::CasesParquet => ExportOrder::Listed,
            ExportKind::DetailedText | ExportKind::ReportHtml => ExportOrder::ByGroup,
            // The others nest cases in runs, or read texts in the order in which they lie.
            _ => ExportOrder::ByRun,
        };
        // How wrong checks differ, what was asked and what was answered is in the cases' records.
        let is_read = matches!(kind, ExportKind::DetailedText | ExportKind::EveryEvalEver);
        Some(Self {
            file: Export::of(kind).file,
            look,
            selection: ExportSelection::new(workspace, scope, order, is_read)?,
            format: format_of(kind),
            next: 0,
            n_done: 0,
            out: Vec::new(),
            n_taken: 0,
        })
    }

    /// A part of a dataset, with every case of an evaluation.
    pub fn of_part(workspace: &Workspace, wish: PartWish<'_>, look: Look) -> Option<Self> {
        let is_read = wish.with_details && wish.table == ExportTable::Cases;
        let contents = Contents { details: is_read, transcripts: is_read, ..Contents::default() };
        let target = Target::Evaluation(wish.evaluation);
        let scope = ExportTarget { target, contents, ..ExportTarget::default() };
        Some(Self {
            file: "a part of a dataset",
            look,
            selection: ExportSelection::new(workspace, scope, ExportOrder::ByRun, is_read)?,
            format: Box::new(ParquetTable::part(wish)),
            next: 0,
            n_done: 0,
            out: Vec::new(),
            n_taken: 0,
        })
    }

    /// The name of the file that is being written.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// What was written since this was called last.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.n_taken += self.out.len() as u64;
        std::mem::take(&mut self.out)
    }

    /// What a format may look at.
    fn context<'a>(&'a self, workspace: &'a Workspace) -> ExportContext<'a> {
        ExportContext { workspace, selection: &self.selection, look: self.look }
    }
}

impl StepWriter for ExportJob {
    fn needs(&self, workspace: &Workspace, nth: usize) -> Option<Vec<Need>> {
        let n_pieces = self.selection.pieces.len();
        let piece = nth.checked_sub(1).and_then(|at| self.selection.pieces.get(at));
        match piece {
            Some(piece) => Some(self.format.needs(&self.context(workspace), piece)),
            None => (nth <= n_pieces + 1).then(Vec::new),
        }
    }

    fn step(&mut self, workspace: &Workspace) -> io::Result<bool> {
        let cx = ExportContext { workspace, selection: &self.selection, look: self.look };
        let n_pieces = self.selection.pieces.len();
        match self.next.checked_sub(1).map(|at| self.selection.pieces.get(at)) {
            None => self.format.begin(&cx, &mut self.out)?,
            Some(Some(piece)) => {
                self.format.piece(&cx, piece, &mut self.out)?;
                self.n_done += piece.len() as u64;
            }
            Some(None) if self.next == n_pieces + 1 => self.format.end(&cx, &mut self.out)?,
            Some(None) => return Ok(false),
        }
        self.next += 1;
        Ok(self.next < n_pieces + 2)
    }

    fn progress(&self) -> (u64, u64) {
        let n_bytes = self.n_taken + self.out.len() as u64;
        let n_total = u128::from(n_bytes) * u128::from(self.selection.n_cases);
        let n_total = n_total.checked_div(u128::from(self.n_done)).unwrap_or(0);
        (n_bytes, u64::try_from(n_total).unwrap_or(0))
    }
}

fn format_of(kind: ExportKind) -> Box<dyn ExportFormat> {
    match kind {
        ExportKind::ReportJson => Box::new(report_json::ReportJson::default()),
        ExportKind::RunsCsv => Box::new(csv::RunsCsv),
        ExportKind::CasesCsv => Box::new(csv::CasesCsv),
        ExportKind::CasesJsonl => Box::new(report_json::CasesJsonl),
        ExportKind::CasesParquet => Box::new(ParquetTable::export(ExportTable::Cases)),
        ExportKind::ChecksParquet => Box::new(ParquetTable::export(ExportTable::Checks)),
        ExportKind::SummaryMarkdown => Box::new(markdown::SummaryMarkdown),
        ExportKind::JunitXml => Box::new(junit::JunitXml::default()),
        ExportKind::CtrfJson => Box::new(ctrf::CtrfJson::default()),
        ExportKind::EveryEvalEver => Box::new(every_eval_ever::EveryEvalEverArchive::default()),
        ExportKind::SummaryText => Box::new(text::SummaryText),
        ExportKind::DetailedText => Box::new(text::DetailedText::default()),
        ExportKind::ReportHtml => Box::new(html::ReportHtml::default()),
        ExportKind::FlipsCsv => Box::new(csv::FlipsCsv),
    }
}
