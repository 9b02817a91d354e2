//! Requests to answers: pure, natively tested, without a browser.
//!
//! Opening is the only thing that takes long; it works beside the workspace and is put in at the end,
//! so that questions can be answered meanwhile.

use super::protocol::{Answer, Download, ExportKind, Failure, Request};
use crate::export;
use crate::input::{self, Dropped, Limits, Pulse};
use crate::model::{NoteKind, Notes, Place};
use crate::readers;
use crate::render;
use crate::report::{
    self, AuditReport, CasePage, CaseQuery, Facets, FilesReport, Settings, Target, Workspace,
};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

/// The state behind the page.
#[derive(Default)]
pub struct Core {
    workspace: RefCell<Workspace>,
    next_source: Cell<u32>,
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
        let mut workspace = self.workspace.borrow_mut();
        workspace.add(imported);
        workspace.n_files += n_files;
        Ok(Answer::Workspace(report::tree(&workspace)))
    }

    /// Looks through the files of the cases of `target` for `needle`; the filter term `text~` knows
    /// the answer from then on. Runs that were searched before are not searched again.
    ///
    /// # Errors
    /// [`Failure::Cancelled`] when `pulse` says stop; runs that were done until then stay known.
    pub async fn search(
        &self,
        target: Target,
        needle: &str,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        let runs = report::unsearched_runs(&self.workspace.borrow(), target, needle);
        let runs = runs.ok_or(Failure::Gone)?;
        pulse.set_total(runs.iter().map(|(_, n_bytes)| n_bytes).sum());
        for (run, _) in runs {
            let name = |workspace: &Workspace| workspace.run(run).map(|(_, run)| run.label.clone());
            pulse.set_file(&name(&self.workspace.borrow()).unwrap_or_default());
            let mut search = report::Search::new(run, needle);
            loop {
                let step = search.step(&self.workspace.borrow()).map_err(|err| Failure::File {
                    path: err.file().map(str::to_owned),
                    reason: err.to_string(),
                })?;
                let Some(n_bytes) = step else { break };
                pulse.advance(n_bytes).await.map_err(|_err| Failure::Cancelled)?;
            }
            self.workspace.borrow().keep_found(needle, run, search.into_found());
        }
        Ok(Answer::Found(report::n_found(&self.workspace.borrow(), target, needle)))
    }

    /// Answers every request but `Open`, `Search` and `Cancel`, which need files or a running task.
    ///
    /// # Errors
    /// When there is no answer; why.
    pub fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let changed = |workspace: &Workspace| Ok(Answer::Workspace(report::tree(workspace)));
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
            Request::Rules(words) => {
                let (settings, complaints) = Settings::from_words(&words);
                self.workspace.borrow_mut().apply(settings, complaints);
                changed(&self.workspace.borrow())
            }
            Request::RulesView(target) => report::rules_view(&self.workspace.borrow(), target)
                .map(|view| Answer::RulesView(Box::new(view)))
                .ok_or(Failure::Gone),
            Request::Sections(topic) => report::sections(&self.workspace.borrow(), topic)
                .map(|page| Answer::Sections(Box::new(page)))
                .ok_or(Failure::Gone),
            Request::Cases { query, look, is_framed } => {
                render::case_grid(&self.workspace.borrow(), &query, look, is_framed)
                    .map(|grid| Answer::Cases(Box::new(grid)))
                    .ok_or(Failure::Gone)
            }
            Request::Facets(query) => report::facets(&self.workspace.borrow(), &query)
                .map(|facets| Answer::Markup(render::facets(&facets, &query)))
                .ok_or(Failure::Gone),
            Request::Suggest { target, text, at } => {
                let help = render::filter_help(&self.workspace.borrow(), target, &text, at);
                Ok(Answer::Suggestions(Box::new(help)))
            }
            Request::Refine(refinement) => report::refine(&refinement)
                .map(Answer::Text)
                .map_err(|err| Failure::File { path: None, reason: err.message }),
            Request::Copy { query, ranges } => {
                let copied = report::copy_cases(&self.workspace.borrow(), &query, &ranges);
                let copied = copied.ok_or(Failure::Gone)?;
                Ok(Answer::Copied { text: copied.text, said: copied.said })
            }
            Request::Search { .. } => Err(Failure::Message("a search takes its time".to_owned())),
            Request::Case { run, case_idx } => {
                match report::case_view(&self.workspace.borrow(), run, case_idx) {
                    None => Err(Failure::Gone),
                    Some(Ok(view)) => Ok(Answer::Case(Box::new(view))),
                    Some(Err(err)) => Err(Failure::File {
                        path: err.file().map(str::to_owned),
                        reason: err.to_string(),
                    }),
                }
            }
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

    /// Rows of the case table as data; `None` when their target is not there.
    pub fn cases(&self, query: &CaseQuery) -> Option<CasePage> {
        report::case_page(&self.workspace.borrow(), query)
    }

    /// The facets of the case table as data; `None` when their target is not there.
    pub fn facets(&self, query: &CaseQuery) -> Option<Facets> {
        report::facets(&self.workspace.borrow(), query)
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
