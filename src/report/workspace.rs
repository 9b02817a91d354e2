//! Everything that is loaded: the input of every report.

use super::cases::{CaseKeys, CaseOrder, HeatOrder};
use super::declared::DeclaredSheet;
use super::figures::{Figures, figures};
use super::proviso::Provisos;
use super::searches::Searches;
use super::supply::Supply;
use super::{CaseQuery, RuleWords, RunRef, Settings, Severity, Target};
use crate::model::{Evaluation, Note, Run, RunKey, SourceId};
use crate::readers::{Bundle, Claimed, Import, Imported, Marks, Part, Producer, Unclaimed};
use crate::scoring::rejudge;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// One loaded evaluation.
pub struct Entry {
    /// Number in the session, never used twice.
    pub id: u32,
    /// Identity in exports: producer and path, unique in the workspace.
    pub key: String,
    /// Whose files it was read from.
    pub(super) producer: &'static dyn Producer,
    /// Its files.
    pub bundle: Bundle,
    /// Which of the evaluations in them it is.
    pub(super) part: Part,
    /// What was read.
    pub evaluation: Evaluation,
    /// The name that its reader gave it; [`Evaluation::label`] is the one that is shown.
    pub(super) own_label: String,
    /// What follows from it by the declared rules: what the audit compares.
    pub base: Rc<Figures>,
    /// What follows from it by the rules in force: what is shown.
    pub figures: Rc<Figures>,
    /// Figures that are declared only, once somebody has asked.
    pub(super) declared: OnceCell<DeclaredSheet>,
    /// How much each declared figure differs, once somebody has asked; `None`: it cannot be compared.
    pub(super) agreement: OnceCell<Vec<Option<Severity>>>,
    /// What its verdicts have to be taken with, once somebody has asked.
    pub(super) provisos: OnceCell<Provisos>,
    /// The runs as their producer judged them, when the rules in force judge them otherwise.
    recorded: Option<Vec<Run>>,
    /// Notes about it.
    pub notes: Vec<Note>,
    /// Notes of the file that it was read from which are about no evaluation in it; the first one
    /// of the file has them.
    pub notes_beside: Vec<Note>,
    /// How far its files were read.
    pub marks: Marks,
    /// Names that the reader of the page gave to it (`None`) and to its runs.
    pub(super) names: Vec<(Option<RunKey>, String)>,
    /// Keys of its runs in addresses, once one is needed.
    pub(super) run_names: OnceCell<Vec<String>>,
    /// Keys of the cases of each run, once one is needed.
    pub(super) case_keys: Vec<OnceCell<CaseKeys>>,
}

/// All that is loaded.
#[derive(Default)]
pub struct Workspace {
    /// Evaluations, in the order in which they were opened.
    pub entries: Vec<Entry>,
    /// Every claimed file with its reader.
    pub claims: Vec<(&'static str, Rc<Claimed>)>,
    /// Every file that no reader claims.
    pub unclaimed: Vec<Rc<Unclaimed>>,
    /// Notes that belong to no evaluation.
    pub notes: Vec<Note>,
    /// Notes that the next drop may mend: files nobody claims, bundles that failed.
    pub open_notes: Vec<Note>,
    /// Number of files that were opened.
    pub n_files: u64,
    /// Rules in force.
    pub settings: Settings,
    /// Rules that were asked for and not understood, and why.
    pub complaints: Vec<String>,
    /// Rules as they were asked for, understood or not.
    words: RuleWords,
    /// What was forgotten last, until something is opened.
    removed: Option<Removed>,
    next_entry: u32,
    order: RefCell<Option<Rc<CaseOrder>>>,
    heat: RefCell<Option<Rc<HeatOrder>>>,
    pub(super) searches: RefCell<Searches>,
    pub(super) supply: RefCell<Supply>,
}

/// What was forgotten, so that it can come back as it was.
struct Removed {
    /// Evaluations with their places in the order, first one first.
    entries: Vec<(usize, Entry)>,
    claims: Vec<(&'static str, Rc<Claimed>)>,
    /// The rest of a workspace that was forgotten whole.
    rest: Option<Rest>,
}

/// What a workspace holds beside its evaluations.
struct Rest {
    unclaimed: Vec<Rc<Unclaimed>>,
    notes: Vec<Note>,
    open_notes: Vec<Note>,
    n_files: u64,
}

impl Entry {
    /// What `import` gave, under `settings`.
    pub(super) fn new(id: u32, key: String, import: Import, settings: &Settings) -> Self {
        let Import { producer, bundle, part, evaluation, notes, notes_beside, marks } = import;
        let base = Rc::new(figures(&evaluation, &Settings::default()));
        let case_keys = evaluation.runs.iter().map(|_| OnceCell::new()).collect();
        let mut entry = Self {
            id,
            key,
            producer,
            bundle,
            part,
            figures: Rc::clone(&base),
            base,
            declared: OnceCell::new(),
            agreement: OnceCell::new(),
            provisos: OnceCell::new(),
            recorded: None,
            own_label: evaluation.label.clone(),
            evaluation,
            notes,
            notes_beside,
            marks,
            names: Vec::new(),
            run_names: OnceCell::new(),
            case_keys,
        };
        entry.apply(settings);
        entry
    }

    /// Identity of run `run_idx` in exports.
    pub fn run_key(&self, run_idx: usize) -> String {
        format!("{}#{}", self.key, run_idx + 1)
    }

    /// Run `run_idx` as pages name it.
    pub fn run_ref(&self, run_idx: usize) -> Option<RunRef> {
        Some(RunRef { evaluation: self.id, run: u32::try_from(run_idx).ok()? })
    }

    /// Whose files it was read from, and which.
    pub fn origin(&self) -> (&'static dyn Producer, &Bundle) {
        (self.producer, &self.bundle)
    }

    /// The runs as their producer judged them, in the order of the evaluation's.
    pub fn recorded_runs(&self) -> &[Run] {
        self.recorded.as_deref().unwrap_or(&self.evaluation.runs)
    }

    /// Whether the rules in force judge some case by another rule than its producer's.
    pub fn is_rejudged(&self) -> bool {
        self.recorded.is_some()
    }

    /// Judges and computes by `settings`.
    fn apply(&mut self, settings: &Settings) {
        if let Some(recorded) = self.recorded.take() {
            self.evaluation.runs = recorded;
        }
        let runs = &self.evaluation.runs;
        let judged: Vec<Option<Run>> =
            runs.iter().map(|run| rejudge(run, &settings.rules)).collect();
        if judged.iter().any(Option::is_some) {
            let judged = judged.into_iter().zip(runs);
            let judged =
                judged.map(|(judged, run)| judged.unwrap_or_else(|| run.clone())).collect();
            self.recorded = Some(std::mem::replace(&mut self.evaluation.runs, judged));
        }
        self.figures = if *settings == Settings::default() {
            Rc::clone(&self.base)
        } else {
            Rc::new(figures(&self.evaluation, settings))
        };
    }

    /// Calls it, or its run `key`, `label`.
    pub(super) fn rename(&mut self, key: Option<RunKey>, label: String) {
        let runs = std::iter::once(&mut self.evaluation.runs).chain(&mut self.recorded).flatten();
        match &key {
            Some(key) => {
                for run in runs.filter(|run| run.key == *key) {
                    label.clone_into(&mut run.label);
                }
            }
            None => label.clone_into(&mut self.evaluation.label),
        }
        self.names.retain(|(known, _)| *known != key);
        self.names.push((key, label));
    }

    /// The files it was read from, in path order.
    fn sources(&self) -> Vec<SourceId> {
        source_ids(&self.bundle)
    }
}

impl Workspace {
    /// The evaluation numbered `id`.
    pub fn entry(&self, id: u32) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// The evaluations that `target` is about: all, or the one that it names or lies in.
    pub fn entries_of(&self, target: Target) -> impl Iterator<Item = &Entry> {
        let id = match target {
            Target::All => None,
            Target::Evaluation(id) => Some(id),
            Target::Run(run) => Some(run.evaluation),
        };
        self.entries.iter().filter(move |entry| id.is_none_or(|id| entry.id == id))
    }

    /// The run that `run` names, with its evaluation.
    pub fn run(&self, run: RunRef) -> Option<(&Entry, &Run)> {
        let entry = self.entry(run.evaluation)?;
        Some((entry, entry.evaluation.runs.get(run.run as usize)?))
    }

    /// Whether an evaluation has been made of just these files already.
    pub fn knows(&self, bundle: &Bundle) -> bool {
        let sources = source_ids(bundle);
        self.entries.iter().any(|entry| entry.sources() == sources)
    }

    /// The rows of the heat map that `query` asks for; kept until others are asked for.
    pub(super) fn heat_order(&self, query: &CaseQuery) -> Option<Rc<HeatOrder>> {
        let kept = self.heat.borrow().as_ref().filter(|order| order.answers(query)).cloned();
        if kept.is_some() {
            return kept;
        }
        let order = Rc::new(HeatOrder::new(self, query)?);
        *self.heat.borrow_mut() = Some(Rc::clone(&order));
        Some(order)
    }

    /// Forgets which cases were asked for: they may be others now.
    pub(super) fn forget_orders(&self) {
        self.order.take();
        self.heat.take();
    }

    /// The order of the cases that `query` asks for; kept until another one is asked for.
    pub(super) fn case_order(&self, query: &CaseQuery) -> Option<Rc<CaseOrder>> {
        let kept = self.order.borrow().as_ref().filter(|order| order.answers(query)).cloned();
        if kept.is_some() {
            return kept;
        }
        let order = Rc::new(CaseOrder::new(self, query)?);
        *self.order.borrow_mut() = Some(Rc::clone(&order));
        Some(order)
    }

    /// The cases of `run` in whose files `needle` was found; `None`: nobody has looked.
    pub(super) fn found(&self, needle: &str, run: RunRef) -> Option<Rc<Vec<bool>>> {
        self.searches.borrow().found(needle, run)
    }

    /// Keeps in which cases of `run` a text was found.
    pub fn keep_found(&self, needle: &str, run: RunRef, found: Vec<bool>) {
        self.searches.borrow_mut().keep(needle, run, found);
        self.forget_orders();
    }

    /// Takes in what was read. Evaluations whose files now belong to a larger bundle give way to it.
    pub fn add(&mut self, imported: Imported) {
        self.entries.retain(|entry| {
            !imported.imports.iter().any(|import| {
                let sources = source_ids(&import.bundle);
                entry.sources().iter().any(|source| sources.contains(source))
            })
        });
        for import in imported.imports {
            self.push(import);
        }
        self.tell_apart();
        self.forget_orders();
        self.removed = None;
        self.claims = imported.claims;
        self.unclaimed = imported.unclaimed;
        self.open_notes = imported.open_notes;
        self.notes.extend(imported.notes);
    }

    /// Takes in an evaluation under a number of its own.
    pub(super) fn push(&mut self, import: Import) {
        let key = self.free_key(&import.evaluation);
        self.entries.push(Entry::new(self.next_entry, key, import, &self.settings));
        self.next_entry += 1;
    }

    /// An identity for exports that no evaluation has.
    pub(super) fn free_key(&self, evaluation: &Evaluation) -> String {
        let plain = plain_key(evaluation);
        let is_taken = |key: &str| self.entries.iter().any(|entry| entry.key == key);
        (2_u32..)
            .map(|n| format!("{plain} ({n})"))
            .find(|key| !is_taken(key))
            .filter(|_| is_taken(&plain))
            .unwrap_or(plain)
    }

    /// Forgets an evaluation and its files.
    pub fn remove(&mut self, id: u32) {
        let Some(at) = self.entries.iter().position(|entry| entry.id == id) else { return };
        let entry = self.entries.remove(at);
        let sources = entry.sources();
        self.tell_apart();
        self.forget_orders();
        // Another evaluation may be of the same file.
        let is_used = |claimed: &Claimed| {
            self.entries.iter().any(|other| other.bundle.file(claimed.file.id).is_some())
        };
        let (claims, kept) = std::mem::take(&mut self.claims)
            .into_iter()
            .partition(|(_, claimed)| !is_used(claimed) && sources.contains(&claimed.file.id));
        self.claims = kept;
        self.removed = Some(Removed { entries: vec![(at, entry)], claims, rest: None });
    }

    /// Forgets everything but the rules in force.
    pub fn clear(&mut self) {
        let old = std::mem::take(self);
        let rest = Rest {
            unclaimed: old.unclaimed,
            notes: old.notes,
            open_notes: old.open_notes,
            n_files: old.n_files,
        };
        *self = Self {
            settings: old.settings,
            complaints: old.complaints,
            words: old.words,
            // A number is never used twice, and what comes back keeps its own.
            next_entry: old.next_entry,
            removed: Some(Removed {
                entries: old.entries.into_iter().enumerate().collect(),
                claims: old.claims,
                rest: Some(rest),
            }),
            ..Self::default()
        };
    }

    /// Takes back the last [`Workspace::remove`] or [`Workspace::clear`], unless something has been
    /// opened since.
    pub fn restore(&mut self) {
        let Some(removed) = self.removed.take() else { return };
        for (at, mut entry) in removed.entries {
            // The rules may have changed meanwhile.
            entry.apply(&self.settings);
            self.entries.insert(at.min(self.entries.len()), entry);
        }
        self.claims.extend(removed.claims);
        if let Some(rest) = removed.rest {
            self.unclaimed = rest.unclaimed;
            self.notes = rest.notes;
            self.open_notes = rest.open_notes;
            self.n_files = rest.n_files;
        }
        self.tell_apart();
        self.forget_orders();
    }

    /// Calls an evaluation or a run `label` from now on; an empty one is not taken.
    pub fn rename(&mut self, target: Target, label: &str) {
        let label = label.trim();
        let id = match target {
            Target::All => return,
            Target::Evaluation(id) => id,
            Target::Run(run) => run.evaluation,
        };
        let entry = self.entries.iter_mut().find(|entry| entry.id == id);
        let Some(entry) = entry.filter(|_| !label.is_empty()) else { return };
        let key = match target {
            Target::Run(run) => match entry.evaluation.runs.get(run.run as usize) {
                Some(run) => Some(run.key.clone()),
                None => return,
            },
            Target::All | Target::Evaluation(_) => None,
        };
        entry.rename(key, label.to_owned());
        self.forget_orders();
    }

    /// Puts the rules that `words` ask for in force, as far as they are understood.
    pub fn apply(&mut self, words: RuleWords) {
        (self.settings, self.complaints) = Settings::from_words(&words);
        self.words = words;
        for entry in &mut self.entries {
            entry.apply(&self.settings);
        }
        self.forget_orders();
    }

    /// The value that was asked for of the rule `name`; empty: it is as declared.
    pub(super) fn written(&self, name: &str) -> &str {
        // The last one holds.
        let rule = self.words.iter().rfind(|(known, _)| known == name);
        rule.map_or("", |(_, value)| value)
    }
}

/// Producer and path: what an evaluation is known by in exports, unless another one has the same.
pub(super) fn plain_key(evaluation: &Evaluation) -> String {
    format!("{}:{}", evaluation.producer, evaluation.path)
}

fn source_ids(bundle: &Bundle) -> Vec<SourceId> {
    bundle.files.iter().map(|claimed| claimed.file.id).collect()
}
