//! One loaded evaluation: what was read, what follows from it by the rules in force, what it is called.

use super::case_keys::CaseKeys;
use super::unread::{Whereabouts, whereabouts};
use super::{Derived, RunRef};
use crate::figures::{Base, Figures, Settings, figures, stored_figures};
use crate::model::{Evaluation, Note, PassRule, Run, RunKey, SourceId, Strategy};
use crate::readers::{Bundle, BundlePart, Import, Marks, Producer};
use crate::scoring::{Rules, StoredEvaluation, rejudge};
use std::cell::OnceCell;
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
    /// Its files with cases and checks, where they were not read with it, once they are asked for.
    pub(super) parts: Option<Bundle>,
    /// The figures that came with it, where it came without its cases.
    pub(super) stored: Option<Box<StoredEvaluation>>,
    /// Where the cases of each of its runs are; empty: all are here.
    pub(super) whereabouts: Vec<Whereabouts>,
    /// Which of the evaluations in them it is.
    pub(super) part: BundlePart,
    /// What was read.
    pub evaluation: Evaluation,
    /// The name that its reader gave it; [`Evaluation::label`] is the one that is shown.
    pub(super) own_label: String,
    /// What follows from it by the declared rules: what the audit compares.
    pub base: Rc<Figures>,
    /// What follows from it by the rules in force: what is shown.
    pub figures: Rc<Figures>,
    /// The runs as their producer judged them, when the rules in force judge them otherwise.
    recorded: Option<Vec<Run>>,
    /// The strategy and the pass rule by which the runs are judged where `recorded` has others.
    judged_by: (Option<Strategy>, Option<PassRule>),
    /// What others have worked out of what was read: the rules in force change none of it.
    pub(crate) derived: Derived,
    /// Notes about it.
    pub notes: Vec<Note>,
    /// Notes of the file that it was read from which are about no evaluation in it; the first one
    /// of the file has them.
    pub notes_beside: Vec<Note>,
    /// How far its files were read.
    pub marks: Marks,
    /// Names that the user gave to it (`None`) and to its runs.
    pub(super) names: Vec<(Option<RunKey>, String)>,
    /// Keys of its runs in addresses, once one is needed.
    pub(super) run_names: OnceCell<Vec<String>>,
    /// Keys of the cases of each run, once one is needed.
    pub(super) case_keys: Vec<OnceCell<CaseKeys>>,
}

impl Entry {
    /// What `import` gave, under `settings`.
    pub(super) fn new(id: u32, key: String, import: Import, settings: &Settings) -> Self {
        let Import { producer, bundle, part, evaluation, notes, notes_beside, stored, marks } =
            import;
        let base = Rc::new(match &stored {
            Some(stored) => stored_figures(&evaluation, stored),
            None => figures(&evaluation, &Settings::default(), None),
        });
        let case_keys = evaluation.runs.iter().map(|_| OnceCell::new()).collect();
        let mut entry = Self {
            id,
            key,
            producer,
            bundle,
            parts: None,
            whereabouts: stored.as_deref().map(whereabouts).unwrap_or_default(),
            stored,
            part,
            figures: Rc::clone(&base),
            base,
            derived: Derived::default(),
            recorded: None,
            judged_by: (None, None),
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
        (self.producer, self.parts.as_ref().unwrap_or(&self.bundle))
    }

    /// The runs as their producer judged them, in the order of the evaluation's.
    pub fn recorded_runs(&self) -> &[Run] {
        self.recorded.as_deref().unwrap_or(&self.evaluation.runs)
    }

    /// Whether the rules in force judge some case by another rule than its producer's.
    pub fn is_rejudged(&self) -> bool {
        self.recorded.is_some()
    }

    /// Judges and computes by `settings`. As long as cases are not here, the figures are those that came with it.
    pub(super) fn apply(&mut self, settings: &Settings) {
        if self.n_unread() > 0 {
            self.unjudge();
            self.figures = Rc::clone(&self.base);
            return;
        }
        self.judge(&settings.rules);
        self.figures = if *settings == Settings::default() {
            Rc::clone(&self.base)
        } else {
            let base = Base { figures: &self.base, is_rejudged: self.is_rejudged() };
            Rc::new(figures(&self.evaluation, settings, Some(base)))
        };
    }

    /// Puts the runs as they were read in the place of those that rules judge.
    fn unjudge(&mut self) {
        if let Some(recorded) = self.recorded.take() {
            self.evaluation.runs = recorded;
        }
    }

    /// Judges the runs by `rules`. Rules that only count otherwise than those before leave them as they are.
    fn judge(&mut self, rules: &Rules) {
        let by = (rules.strategy, rules.pass);
        if self.recorded.is_some() && self.judged_by == by {
            return;
        }
        self.unjudge();
        let runs = &self.evaluation.runs;
        let judged: Vec<Option<Run>> = runs.iter().map(|run| rejudge(run, rules)).collect();
        if judged.iter().any(Option::is_some) {
            let judged = judged.into_iter().zip(runs);
            let judged =
                judged.map(|(judged, run)| judged.unwrap_or_else(|| run.clone())).collect();
            self.recorded = Some(std::mem::replace(&mut self.evaluation.runs, judged));
            self.judged_by = by;
        }
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
    pub(super) fn sources(&self) -> Vec<SourceId> {
        source_ids(&self.bundle)
    }
}

/// The files of `bundle` that make it what it is. A mapping file may say how several tables are read.
pub(super) fn own_ids(bundle: &Bundle) -> impl Iterator<Item = SourceId> {
    let own = bundle.files.iter().filter(|claimed| !claimed.is_mapping());
    own.map(|claimed| claimed.file.id)
}

/// The files of `bundle`.
pub(super) fn source_ids(bundle: &Bundle) -> Vec<SourceId> {
    bundle.files.iter().map(|claimed| claimed.file.id).collect()
}
