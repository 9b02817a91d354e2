//! Requests to answers: pure, natively tested, without a browser.
//!
//! Opening and reading again are the only things that take long; both work beside the workspace and are
//! put in at the end, so that questions can be answered meanwhile.

use super::columns::PageColumns;
use super::drops::{Drops, root};
use super::exports;
use super::files::at_once;
use super::protocol::{Answer, Failure, PageShown, PaletteOption, Question};
use crate::address::{OpenNames, Page};
use crate::export::seal::Sealed;
use crate::input::{self, Allowance, Dropped, InputFile, Limits, Pulse, is_wrapped};
use crate::model::{Evaluation, NoteKind, Notes, Place};
use crate::readers::{
    self, Bundle, Import, Imported, InProcess, Marks, OpenContext, ReadService, Unclaimed,
    is_part_of_dataset,
};
use crate::reading::Reading;
use crate::render::{self, Look, View};
use crate::report::{self, AuditReport, FilesReport, Sections, Target, Topic, Tree};
use crate::workspace::Workspace;
use futures_util::lock::Mutex;
use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashSet;
use std::rc::Rc;

/// The state behind the page.
pub struct Core {
    /// Who reads.
    pub(super) service: Box<dyn ReadService>,
    pub(super) workspace: RefCell<Workspace>,
    pub(super) next_source: Cell<u32>,
    pub(super) look: Cell<Look>,
    pub(super) drops: Drops,
    /// What the page says about columns.
    pub(super) columns: PageColumns,
    /// Counts what changes figures or cases.
    pub(super) n_edits: Cell<u64>,
    /// The case, or the documents of a run, that were asked for last.
    pub(super) readings: RefCell<Vec<Rc<Reading>>>,
    /// Held while one is read: answers about cases come in the order of the questions.
    pub(super) reading: Mutex<()>,
    /// Held while cases are read out of datasets.
    pub(super) fetching: Mutex<()>,
    /// The report that was sealed last, until it is saved or forgotten.
    pub(super) sealed: RefCell<Option<Sealed>>,
}

impl Default for Core {
    /// One that reads by itself.
    fn default() -> Self {
        Self::new(Box::new(InProcess::default()))
    }
}

impl Core {
    /// One whose files `service` reads.
    pub fn new(service: Box<dyn ReadService>) -> Self {
        Self {
            service,
            workspace: RefCell::default(),
            next_source: Cell::default(),
            look: Cell::default(),
            drops: Drops::default(),
            columns: PageColumns::default(),
            n_edits: Cell::default(),
            readings: RefCell::default(),
            reading: Mutex::default(),
            fetching: Mutex::default(),
            sealed: RefCell::default(),
        }
    }

    /// One that holds `imports`, each under the identity that `key_of` gives it, and reads their files by itself.
    pub fn holding(imports: Vec<Import>, key_of: &mut dyn FnMut(&Evaluation) -> String) -> Self {
        let core = Self::default();
        {
            let mut workspace = core.edit();
            workspace.add(Imported { imports, ..Imported::default() });
            for entry in &mut workspace.entries {
                entry.key = key_of(&entry.evaluation);
            }
        }
        core
    }

    /// What `look` says of what is loaded.
    pub fn with_workspace<T>(&self, look: impl FnOnce(&Workspace) -> T) -> T {
        look(&self.workspace.borrow())
    }

    /// Does a little of what may be asked for next, while nobody asks for anything; whether there is more to do.
    pub fn prepare(&self) -> bool {
        self.workspace.try_borrow().is_ok_and(|workspace| report::order_more_cases(&workspace))
    }

    /// Opens `files` besides what is open and answers with the new workspace.
    ///
    /// # Errors
    /// [`Failure::Cancelled`] when `pulse` says stop; then nothing has changed.
    pub async fn open(
        &self,
        files: Vec<Dropped>,
        pruned: Vec<(String, u64)>,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        self.open_drop(0, files, pruned, pulse).await
    }

    /// The same for what the page calls `drop`, so that it can be read again by that number.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_drop(
        &self,
        drop: u32,
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
        self.keep_apart(drop, &mut files);
        pulse.set_phase("unwrap");
        let opened = self.unwrap(files, &notes, pulse).await?;
        let n_files = opened.len() as u64;
        let imported = self.import(opened, &|_path| false, notes, pulse).await?;
        pulse.set_phase("compute");
        let mut workspace = self.edit();
        workspace.add(imported);
        workspace.n_files += n_files;
        Ok(self.tree(&workspace))
    }

    /// Unwraps what was dropped.
    pub(super) async fn unwrap(
        &self,
        files: Vec<Dropped>,
        notes: &Notes,
        pulse: &Pulse,
    ) -> Result<Vec<InputFile>, Failure> {
        let mut allowance = Allowance::new(&Limits::default(), &files);
        let mut opened = Vec::new();
        for file in files {
            let unwrapped = if is_part_of_dataset(&file.path) {
                // Looking into each of them would be reading the dataset.
                Ok(vec![file])
            } else if is_wrapped(&file) {
                self.service.open(file, &mut allowance, notes, pulse).await
            } else {
                pulse.set_file(&file.path);
                Ok(input::bare(file, notes).into_iter().collect())
            };
            let mut next_source = self.next_source.get();
            let unwrapped = unwrapped.map_err(|_err| Failure::Cancelled)?.into_iter();
            opened.extend(unwrapped.map(|file| file.numbered(&mut next_source)));
            self.next_source.set(next_source);
        }
        Ok(opened)
    }

    /// Reads what `opened` makes together with the files that are open, except those that it is
    /// `instead` of. `notes` are those that opening left.
    pub(super) async fn import(
        &self,
        mut opened: Vec<InputFile>,
        instead: &dyn Fn(&str) -> bool,
        notes: Notes,
        pulse: &Pulse,
    ) -> Result<Imported, Failure> {
        let (mut claimed, mut unclaimed, marks) = {
            let workspace = self.workspace.borrow();
            let marks = Marks::of(workspace.entries.iter().map(|entry| &entry.marks));
            (workspace.claims.clone(), workspace.unclaimed.clone(), marks)
        };
        claimed.retain(|(_, claimed)| !instead(&claimed.file.path));
        unclaimed.retain(|one| !instead(&one.file.path));
        self.service.share(&mut opened);
        let mappings = |unclaimed: &[Rc<Unclaimed>]| self.wanted_columns(unclaimed);
        let is_known = |bundle: &Bundle| self.workspace.borrow().knows(bundle);
        let beside = OpenContext {
            claimed: &claimed,
            unclaimed: &unclaimed,
            is_known: &is_known,
            mappings: &mappings,
        };
        let mut imported = readers::import_beside(opened, &beside, &marks, &*self.service, pulse)
            .await
            .map_err(|_err| Failure::Cancelled)?;
        imported.notes.splice(0..0, notes.into_vec());
        Ok(imported)
    }

    /// Answers a question with what is here. What it needs of the files is missing afterwards.
    pub(super) fn answer_now(&self, question: Question) -> Result<Answer, Failure> {
        let changed = |workspace: &Workspace| {
            // What was drawn of a case may now be judged or look otherwise.
            self.readings.take();
            Ok(self.tree(workspace))
        };
        match question {
            Question::Remove(id) => {
                self.drops.dismiss(self.workspace.borrow().entries_of(Target::Evaluation(id)));
                self.edit().remove(id);
                changed(&self.workspace.borrow())
            }
            Question::Clear => {
                self.drops.dismiss(self.workspace.borrow().entries_of(Target::All));
                self.edit().clear();
                changed(&self.workspace.borrow())
            }
            Question::Restore => {
                self.edit().restore();
                changed(&self.workspace.borrow())
            }
            Question::Rename { target, label } => {
                self.edit().rename(target, &label);
                changed(&self.workspace.borrow())
            }
            Question::Palette { text, target } => {
                let workspace = self.workspace.borrow();
                let found = report::palette(&workspace, &text, target, &exports::commands());
                let view = self.view(Page::Overview, target, &*workspace);
                let options = found.into_iter().map(|command| PaletteOption::new(command, view));
                Ok(Answer::Palette(options.collect()))
            }
            Question::Rules(words) => {
                self.edit().apply(words);
                changed(&self.workspace.borrow())
            }
            Question::Look(look) => {
                self.look.set(look);
                changed(&self.workspace.borrow())
            }
            Question::RulesView { target, whole } => self.rules_page(target, &whole),
            Question::EditGate { target, edit, value } => self.edit_gate(target, &edit, &value),
            Question::Threshold { target, rule } => self.threshold(target, &rule),
            Question::Sections { topic, whole } => {
                let names = &*self.workspace.borrow();
                let (page, target) = Page::of_topic(&topic);
                let view = self.view(page, target, names);
                let shown = PageShown::new(self.sections_now(topic)?, view, &whole);
                Ok(Answer::Page(Box::new(shown)))
            }
            Question::Compare(question) => self.answer_of_compare(question),
            Question::Columns(target) => self.columns_page(target),
            Question::ColumnsFile(target) => self.columns_file(target),
            Question::Agent { target, spot } => self.agent_page(target, &spot),
            Question::Cases { .. }
            | Question::CaseTexts(_)
            | Question::Facets(_)
            | Question::Suggest { .. }
            | Question::Preview { .. }
            | Question::Refine(_)
            | Question::Copy { .. } => self.answer_of_cases(question),
            Question::Needed { target, fetched } => Ok(Answer::Text(self.needed(target, &fetched))),
            Question::Case { .. }
            | Question::Part(_)
            | Question::Text(_)
            | Question::Neighbours(_) => self.answer_of_case(question),
            Question::Figure { topic, id } => self.figure(topic, &id),
            Question::SealForm { view } => self.seal_form(&view),
            Question::SealSave => self.sealed(),
            Question::Unseal => Ok(self.unseal()),
        }
    }

    /// The workspace to be changed; an export that is under way ends, and a case is
    /// read again.
    pub(super) fn edit(&self) -> RefMut<'_, Workspace> {
        self.n_edits.set(self.n_edits.get().wrapping_add(1));
        self.readings.take();
        self.workspace.borrow_mut()
    }

    /// What is loaded, as the page shows it.
    fn tree(&self, workspace: &Workspace) -> Answer {
        Answer::Workspace(self.shown_tree(workspace))
    }

    /// The same, to be sent with something else.
    pub(super) fn shown_tree(&self, workspace: &Workspace) -> Tree {
        render::tree(report::tree(workspace), self.look.get())
    }

    /// A page, before it is drawn.
    ///
    /// # Errors
    /// [`Failure::Gone`] when what it is about is not loaded.
    pub fn sections(&self, topic: Topic) -> Result<Sections, Failure> {
        at_once(self.with_files(|| self.sections_now(topic.clone())))??
    }

    /// The same with what is here.
    pub(super) fn sections_now(&self, topic: Topic) -> Result<Sections, Failure> {
        let workspace = self.workspace.borrow();
        let target = match topic {
            Topic::Overview(target) => Some(target),
            _ => None,
        };
        let page = report::sections(&workspace, topic).ok_or(Failure::Gone)?;
        let board = target.filter(|_| page.empty.is_none());
        Ok(Sections {
            board: board.map(|target| Box::new(report::board(&workspace, target))),
            ..page
        })
    }

    /// What is drawn for `page` about `target`.
    pub(super) fn view<'a>(
        &self,
        page: Page,
        target: Target,
        names: &'a dyn OpenNames,
    ) -> View<'a> {
        View { look: self.look.get(), page, target, names }
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

    /// Why files gave nothing: every note but those on what was left out, one line each.
    pub fn losses(&self) -> Vec<String> {
        let workspace = self.workspace.borrow();
        let notes = workspace.all_notes();
        let line = |note: &&crate::model::Note| {
            let place = note.places.first().filter(|place| **place != Place::File);
            let at = place.map_or(String::new(), |place| format!(" at {place}"));
            format!("{}{at}: {}", note.file, note.detail)
        };
        notes.iter().filter(|note| note.kind.matters()).map(line).collect()
    }

    /// Every run that a gate in force does not let pass, with the reason; see [`crate::report::gate_faults`].
    pub fn gate_faults(&self) -> Vec<String> {
        crate::report::gate_faults(&self.workspace.borrow())
    }

    /// Gives a dropped folder or file a name of its own when a file of it has the path of one that is
    /// open, so that two drops of equally named folders are not taken for one. Without such a path
    /// the drop may be the rest of what is open.
    fn keep_apart(&self, drop: u32, files: &mut [Dropped]) {
        let workspace = self.workspace.borrow();
        let claimed = workspace.claims.iter().map(|(_, claimed)| &claimed.file.path);
        let open: HashSet<&str> = claimed
            .chain(workspace.unclaimed.iter().map(|one| &one.file.path))
            .map(String::as_str)
            .collect();
        let again: HashSet<String> = files
            .iter()
            .filter(|file| open.contains(file.path.as_str()))
            .map(|file| root(&file.path).to_owned())
            .collect();
        let taken: HashSet<&str> = open.iter().map(|path| root(path)).collect();
        for own in again {
            let is_free = |name: &String| !taken.contains(name.as_str());
            if let Some(free) = (2_u32..).map(|n| format!("{own} ({n})")).find(is_free) {
                self.drops.rename(drop, own, free);
            }
        }
        self.drops.take_in(drop, files);
    }
}
