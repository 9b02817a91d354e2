//! What is open: evaluations with their files, the rules in force, names that the user gave, what was removed
//! last, in which cases texts were found. `report` makes pages of it.

mod case_keys;
mod derived;
mod distinct_labels;
mod entry;
mod name;
mod reloaded;
mod searches;
mod target;
mod texts_read;
mod undo;
mod unread;

pub(crate) use derived::Derived;
pub(crate) use distinct_labels::{distinct_parts, folder, part_title, run_label, run_title};
pub use entry::Entry;
pub use name::{How, HowName, Name};
pub use reloaded::{LostEvaluation, Renewal};
pub use target::{RunRef, Target};
pub use texts_read::{Need, Supply, SupplyRequest};
pub use unread::{RunOrder, UnreadRun};

use crate::figures::{RuleWords, Settings};
use crate::model::{Evaluation, Note, Run, SourceId};
use crate::readers::{Bundle, Claimed, Import, Imported, Unclaimed};
use entry::{own_ids, source_ids};
use searches::Searches;
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use undo::Removed;

/// All that is loaded.
#[derive(Default)]
pub struct Workspace {
    /// Evaluations, in the order in which they were opened: that of their numbers.
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
    /// What others have worked out for the last questions, until what is open changes.
    pub(crate) answers: Derived,
    /// The same that outlasts a change of rules: the one who put it there sees whether it still holds.
    pub(crate) lasting: Derived,
    searches: RefCell<Searches>,
    supply: RefCell<Supply>,
}

impl Workspace {
    /// The evaluation numbered `id`.
    pub fn entry(&self, id: u32) -> Option<&Entry> {
        let at = self.entries.binary_search_by_key(&id, |entry| entry.id).ok()?;
        self.entries.get(at)
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

    /// Forgets what was worked out for the last questions: the answers may be others now.
    pub(crate) fn forget_answers(&self) {
        self.answers.clear();
    }

    /// The cases of `run` in whose files `needle` was found; `None`: nobody has looked.
    pub(crate) fn found(&self, needle: &str, run: RunRef) -> Option<Rc<Vec<bool>>> {
        self.searches.borrow().found(needle, run)
    }

    /// Keeps in which cases of `run` a text was found.
    pub fn keep_found(&self, needle: &str, run: RunRef, found: Vec<bool>) {
        self.searches.borrow_mut().keep(needle, run, found);
        self.forget_answers();
    }

    /// Takes in what was read. Evaluations whose files now belong to a larger bundle give way to it.
    pub fn add(&mut self, imported: Imported) {
        let bundles = imported.imports.iter().map(|import| &import.bundle);
        let sources: HashSet<SourceId> = bundles.flat_map(own_ids).collect();
        self.entries
            .retain(|entry| !own_ids(&entry.bundle).any(|source| sources.contains(&source)));
        let mut taken: HashSet<String> =
            self.entries.iter().map(|entry| entry.key.clone()).collect();
        for import in imported.imports {
            let key = free_key(&import.evaluation, &|key| taken.contains(key));
            taken.insert(key.clone());
            self.push_as(key, import);
        }
        self.tell_apart();
        self.forget_answers();
        self.removed = None;
        self.claims = imported.claims;
        self.unclaimed = imported.unclaimed;
        self.open_notes = imported.open_notes;
        self.notes.extend(imported.notes);
    }

    /// Takes in an evaluation under a number of its own.
    pub(super) fn push(&mut self, import: Import) {
        self.push_as(self.free_key(&import.evaluation), import);
    }

    /// The same with the identity `key`.
    fn push_as(&mut self, key: String, import: Import) {
        self.entries.push(Entry::new(self.next_entry, key, import, &self.settings));
        self.next_entry += 1;
    }

    /// An identity for exports that no evaluation has.
    pub(super) fn free_key(&self, evaluation: &Evaluation) -> String {
        free_key(evaluation, &|key| self.entries.iter().any(|entry| entry.key == key))
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
        self.forget_answers();
    }

    /// Puts the rules that `words` ask for in force, as far as they are understood.
    pub fn apply(&mut self, words: RuleWords) {
        (self.settings, self.complaints) = Settings::from_words(&words);
        self.words = words;
        for entry in &mut self.entries {
            entry.apply(&self.settings);
        }
        self.forget_answers();
    }

    /// Rules as they were asked for, understood or not.
    pub fn words(&self) -> &RuleWords {
        &self.words
    }

    /// The value that was asked for of the rule `name`; empty: it is as declared.
    pub(crate) fn written(&self, name: &str) -> &str {
        // The last one holds.
        let rule = self.words.iter().rfind(|(known, _)| known == name);
        rule.map_or("", |(_, value)| value)
    }
}

/// The identity of `evaluation` for exports, with a number behind it where it `is_taken`.
fn free_key(evaluation: &Evaluation, is_taken: &dyn Fn(&str) -> bool) -> String {
    let plain = plain_key(evaluation);
    if !is_taken(&plain) {
        return plain;
    }
    let free = (2_u32..).map(|n| format!("{plain} ({n})")).find(|key| !is_taken(key));
    free.unwrap_or(plain)
}

/// Producer and path: what an evaluation is known by in exports, unless another one has the same.
pub(super) fn plain_key(evaluation: &Evaluation) -> String {
    format!("{}:{}", evaluation.producer, evaluation.path)
}
