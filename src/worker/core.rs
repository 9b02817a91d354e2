//! Requests to answers: pure, natively tested, without a browser.
//!
//! Opening is the only thing that takes long; it works beside the workspace and is put in at the end,
//! so that questions can be answered meanwhile.

use super::protocol::{Answer, Download, ExportKind, Failure, Request};
use crate::address::Page;
use crate::export;
use crate::input::{self, Dropped, Limits, Pulse};
use crate::model::{NoteKind, Notes, Place};
use crate::readers;
use crate::render::case::{PartName, Reading};
use crate::render::{self, Drawing, Look, View};
use crate::report::{
    self, AuditReport, FilesReport, RulesView, RunRef, Sections, Settings, Target, Topic, Workspace,
};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

/// The state behind the page.
#[derive(Default)]
pub struct Core {
    workspace: RefCell<Workspace>,
    next_source: Cell<u32>,
    look: Cell<Look>,
    /// The case that was asked for last.
    reading: RefCell<Option<Rc<Reading>>>,
}

impl Core {
    /// Opens `files` besides what is open and answers with the new workspace.
    ///
    /// # Errors
    /// [`Failure::Cancelled`] when `pulse` says stop; then nothing has changed.
    pub async fn open(
        &self,
        mut files: Vec<Dropped>,
        pruned: Vec<(String, u64)>,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        let notes = Notes::default();
        for (folder, n_files) in &pruned {
            let plural = if *n_files == 1 { "" } else { "s" };
            let detail =
                format!("{n_files} file{plural} left out: the folder holds unrelated data");
            notes.add(folder, NoteKind::Skipped, Place::File, detail);
        }
        self.keep_apart(&mut files);
        let mut next_source = self.next_source.get();
        let opened = input::open(files, &mut next_source, &Limits::default(), &notes, pulse).await;
        self.next_source.set(next_source);
        let opened = opened.map_err(|_err| Failure::Cancelled)?;
        let n_files = opened.len() as u64;
        let claimed = self.workspace.borrow().claims.clone();
        let unclaimed = self.workspace.borrow().unclaimed.clone();
        let is_known = |bundle: &readers::Bundle| self.workspace.borrow().knows(bundle);
        let mut imported = readers::import(opened, &claimed, &unclaimed, &is_known, pulse)
            .await
            .map_err(|_err| Failure::Cancelled)?;
        imported.notes.splice(0..0, notes.into_vec());
        self.reading.take();
        let mut workspace = self.workspace.borrow_mut();
        workspace.add(imported);
        workspace.n_files += n_files;
        Ok(self.tree(&workspace))
    }

    /// Answers every request but `Open` and `Cancel`, which need files or a running task.
    ///
    /// # Errors
    /// When there is no answer; why.
    pub fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let changed = |workspace: &Workspace| {
            // What was drawn of a case may now be judged or look otherwise.
            self.reading.take();
            Ok(self.tree(workspace))
        };
        match request {
            Request::Open { .. } => Err(Failure::Message("files are missing".to_owned())),
            Request::Cancel => Ok(Answer::Cancelling),
            Request::Remove(id) => {
                self.workspace.borrow_mut().remove(id);
                changed(&self.workspace.borrow())
            }
            Request::Clear => {
                self.workspace.borrow_mut().clear();
                changed(&self.workspace.borrow())
            }
            Request::Restore => {
                self.workspace.borrow_mut().restore();
                changed(&self.workspace.borrow())
            }
            Request::Rename { target, label } => {
                self.workspace.borrow_mut().rename(target, &label);
                changed(&self.workspace.borrow())
            }
            Request::Palette { text, target } => {
                let found = report::palette(&self.workspace.borrow(), &text, target);
                Ok(Answer::Markup(render::palette(&found, self.view(Page::Overview, target))))
            }
            Request::Rules(words) => {
                let (settings, complaints) = Settings::from_words(&words);
                self.workspace.borrow_mut().apply(settings, complaints);
                changed(&self.workspace.borrow())
            }
            Request::Look(look) => {
                self.look.set(look);
                changed(&self.workspace.borrow())
            }
            Request::RulesView { target, whole } => {
                let view = self.view(Page::Rules, target);
                let page = self.rules_view(target)?;
                let tables = render::sections(&page.sections, &Drawing { view, whole: &whole });
                Ok(Answer::RulesView { view: Box::new(page), tables })
            }
            Request::Sections { topic, whole } => {
                let (page, target) = Page::of_topic(topic);
                let view = self.view(page, target);
                let drawing = Drawing { view, whole: &whole };
                Ok(Answer::Markup(render::sections_page(&self.sections(topic)?, &drawing)))
            }
            Request::Cases(query) => report::case_page(&self.workspace.borrow(), &query)
                .map(Answer::Cases)
                .ok_or(Failure::Gone),
            Request::Case { run, case_idx } => {
                let reading = self.read(run, case_idx)?;
                Ok(Answer::Case(Box::new(reading.shown())))
            }
            Request::Part(name) => {
                let name = PartName::parse(&name).ok_or(Failure::Gone)?;
                let part = self.reading(&name)?.part(&name);
                part.map(Answer::Markup).ok_or(Failure::Gone)
            }
            Request::Text(name) => {
                let name = PartName::parse(&name).ok_or(Failure::Gone)?;
                let text = self.reading(&name)?.text_of(&name);
                text.map(Answer::Text).ok_or(Failure::Gone)
            }
            Request::Neighbours(query) => report::neighbours(&self.workspace.borrow(), &query)
                .map(Answer::Neighbours)
                .ok_or(Failure::Gone),
            Request::Export(kind) => {
                let workspace = self.workspace.borrow();
                let (name, mime, bytes) = match kind {
                    ExportKind::ReportJson => (
                        "evalglass-report.json",
                        "application/json",
                        export::report_json(&workspace),
                    ),
                    ExportKind::FlipsCsv => {
                        ("evalglass-flips.csv", "text/csv", export::flips_csv(&workspace))
                    }
                };
                let bytes =
                    bytes.map_err(|err| Failure::File { path: None, reason: err.to_string() })?;
                Ok(Answer::Export(Download { name: name.to_owned(), mime: mime.to_owned(), bytes }))
            }
        }
    }

    /// The case of which `name` names a part: the one that was read last, as a rule.
    fn reading(&self, name: &PartName) -> Result<Rc<Reading>, Failure> {
        let kept = self.reading.borrow().clone();
        match kept {
            Some(reading) if reading.is_of(name.run, name.case_idx) => Ok(reading),
            _ => self.read(name.run, name.case_idx),
        }
    }

    /// Reads a case and keeps it for its parts.
    fn read(&self, run: RunRef, case_idx: u64) -> Result<Rc<Reading>, Failure> {
        let view = report::case_view(&self.workspace.borrow(), run, case_idx);
        let view = view.ok_or(Failure::Gone)?.map_err(|err| Failure::File {
            path: err.file().map(str::to_owned),
            reason: err.to_string(),
        })?;
        let reading = Rc::new(Reading::new(view, self.look.get()));
        *self.reading.borrow_mut() = Some(Rc::clone(&reading));
        Ok(reading)
    }

    /// What is loaded, as the page shows it.
    fn tree(&self, workspace: &Workspace) -> Answer {
        Answer::Workspace(render::tree(report::tree(workspace), self.look.get()))
    }

    /// A page, before it is drawn.
    ///
    /// # Errors
    /// [`Failure::Gone`] when what it is about is not loaded.
    pub fn sections(&self, topic: Topic) -> Result<Sections, Failure> {
        report::sections(&self.workspace.borrow(), topic).ok_or(Failure::Gone)
    }

    /// The page about the rules, before it is drawn.
    ///
    /// # Errors
    /// [`Failure::Gone`] when `target` is not loaded.
    pub fn rules_view(&self, target: Target) -> Result<RulesView, Failure> {
        report::rules_view(&self.workspace.borrow(), target).ok_or(Failure::Gone)
    }

    /// What is drawn for `page` about `target`.
    fn view(&self, page: Page, target: Target) -> View {
        View { look: self.look.get(), page, target }
    }

    /// Whether anything could be read so far.
    pub fn has_evaluations(&self) -> bool {
        !self.workspace.borrow().entries.is_empty()
    }

    /// Declared against computed.
    pub fn audit(&self) -> AuditReport {
        report::audit(&self.workspace.borrow())
    }

    /// What each file was taken for, and every note.
    pub fn files(&self) -> FilesReport {
        report::files(&self.workspace.borrow())
    }

    /// Why files gave nothing: every note about something lost, one line each.
    pub fn losses(&self) -> Vec<String> {
        let workspace = self.workspace.borrow();
        let notes = workspace.all_notes();
        let line = |note: &&crate::model::Note| {
            let place = note.places.first().filter(|place| **place != Place::File);
            let at = place.map_or(String::new(), |place| format!(" at {place}"));
            format!("{}{at}: {}", note.file, note.detail)
        };
        notes.iter().filter(|note| note.kind.is_loss()).map(line).collect()
    }

    /// Gives a dropped folder or file a name of its own when a file of it has the path of one that is
    /// open, so that two drops of equally named folders are not taken for one. Without such a path
    /// the drop may be the rest of what is open.
    fn keep_apart(&self, files: &mut [Dropped]) {
        let workspace = self.workspace.borrow();
        let root = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        let claimed = workspace.claims.iter().map(|(_, claimed)| &claimed.file.path);
        let open: HashSet<&str> = claimed
            .chain(workspace.unclaimed.iter().map(|one| &one.file.path))
            .map(String::as_str)
            .collect();
        let again: HashSet<String> = files
            .iter()
            .filter(|file| open.contains(file.path.as_str()))
            .map(|file| root(&file.path))
            .collect();
        let taken: HashSet<String> = open.iter().map(|path| root(path)).collect();
        for file in files {
            let own = root(&file.path);
            if !again.contains(&own) {
                continue;
            }
            let free = (2_u32..).map(|n| format!("{own} ({n})")).find(|name| !taken.contains(name));
            if let (Some(free), Some(rest)) = (free, file.path.strip_prefix(&own)) {
                file.path = format!("{free}{rest}");
            }
        }
    }
}
