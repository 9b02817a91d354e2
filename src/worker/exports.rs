//! Answers that are files: exports in steps, and single charts.

use super::core::Core;
use super::protocol::{Answer, ChosenCases, Download, EXPORTS, Export, ExportKind, Failure};
use crate::address::Page;
use crate::export::{ExportJob, ExportTarget, PartWish};
use crate::input::Pulse;
use crate::render;
use crate::report::{self, RunRef, Topic};
use std::io;

impl Core {
    /// Exports `kind` of what `scope` is about, whole. See [`Core::export_into`].
    ///
    /// # Errors
    /// As there.
    pub async fn export(
        &self,
        kind: ExportKind,
        scope: ExportTarget<'_>,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        let mut bytes = Vec::new();
        let mut take = |part: &[u8]| {
            bytes.extend_from_slice(part);
            Ok(())
        };
        self.export_into(kind, scope, pulse, &mut take).await?;
        Ok(download(kind, bytes))
    }

    /// Exports `kind` of what `scope` is about, in steps: gives `take` what each has written, tells `pulse`
    /// how far it is, and lets other requests in.
    ///
    /// # Errors
    /// [`Failure::Cancelled`] when `pulse` says stop, [`Failure::Gone`] when the target is not loaded;
    /// when what is loaded or the rules change meanwhile, or a value cannot be written.
    pub async fn export_into(
        &self,
        kind: ExportKind,
        scope: ExportTarget<'_>,
        pulse: &Pulse,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let look = self.look.get();
        let job = ExportJob::new(&self.workspace.borrow(), kind, scope, look);
        let mut job = job.ok_or(Failure::Gone)?;
        pulse.set_file(job.file());
        self.write(&mut job, pulse, |job| take(&job.take_bytes()).map_err(unwritten)).await
    }

    /// Writes a part of a dataset, in steps: gives `take` what each has written.
    ///
    /// # Errors
    /// As [`Core::export_into`].
    pub async fn part_into(
        &self,
        wish: PartWish<'_>,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let job = ExportJob::of_part(&self.workspace.borrow(), wish, self.look.get());
        let mut job = job.ok_or(Failure::Gone)?;
        let pulse = Pulse::silent();
        self.write(&mut job, &pulse, |job| take(&job.take_bytes()).map_err(unwritten)).await
    }

    /// The same of the cases that `view` chooses, in its order; of everything without one.
    ///
    /// # Errors
    /// As above.
    pub async fn export_view(
        &self,
        kind: ExportKind,
        view: Option<&ChosenCases>,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        let cases = self.cases_of(view)?;
        self.export(kind, scope(view, cases.as_deref()), pulse).await
    }

    /// Chart `id` of the page about `topic`, as an SVG document.
    pub(super) fn figure(&self, topic: Topic, id: &str) -> Result<Answer, Failure> {
        let names = &*self.workspace.borrow();
        let (drawn, target) = Page::of_topic(&topic);
        let page = self.sections_now(topic)?;
        let mut figures = page.sections.iter().flat_map(|section| &section.figures);
        let figure = figures.find(|figure| figure.id == id).ok_or(Failure::Gone)?;
        let view = self.view(drawn, target, names);
        render::chart_file(figure, view).map(Answer::Text).ok_or(Failure::Gone)
    }

    /// The chosen cases, in their order; `None` for all of what the view is about.
    fn cases_of(&self, view: Option<&ChosenCases>) -> Result<Option<Vec<(RunRef, u32)>>, Failure> {
        let Some(ChosenCases { query, rows }) = view else { return Ok(None) };
        let workspace = &self.workspace.borrow();
        let cases = if !rows.is_empty() {
            report::cases_in_rows(workspace, query, rows)
        } else if query.filter.is_empty() && query.sort.is_empty() {
            return Ok(None);
        } else {
            report::matching_cases(workspace, query)
        };
        cases.map(Some).ok_or(Failure::Gone)
    }
}

/// Every export as an action of the command palette: what it is called, and the page's word for it.
pub(super) fn commands() -> Vec<(String, String)> {
    let command =
        |export: &Export| (format!("Export: {}", export.label), format!("export:{}", export.name));
    EXPORTS.iter().map(command).collect()
}

/// What an export of `view` is about.
fn scope<'a>(view: Option<&ChosenCases>, cases: Option<&'a [(RunRef, u32)]>) -> ExportTarget<'a> {
    let target = view.map(|view| view.query.target).unwrap_or_default();
    ExportTarget { target, cases, ..ExportTarget::default() }
}

fn download(kind: ExportKind, bytes: Vec<u8>) -> Answer {
    let Export { file, mime, .. } = Export::of(kind);
    Answer::Export(Download { name: (*file).to_owned(), mime: (*mime).to_owned(), bytes })
}

/// Why what was being written is of no use any more.
pub(super) fn outdated() -> Failure {
    let reason = "the data or the rules have changed meanwhile: please try again";
    Failure::File { path: None, reason: reason.to_owned() }
}

pub(super) fn unwritten(err: io::Error) -> Failure {
    Failure::File { path: None, reason: err.to_string() }
}
