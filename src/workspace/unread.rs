//! Evaluations of datasets: their figures are here, their cases are read when somebody looks at them.
//!
//! ```text
//! unread (of targets) ──> run orders ── read by others ──> fill, or give up: why
//! ```

use super::{Entry, RunRef, Target, Workspace};
use crate::format::count;
use crate::model::{Note, NoteKind, Notes, Place, Run, SourceId};
use crate::readers::{
    Bundle, Claimed, Error, ErrorKind, Producer, RunRead, Wanted, part_beside, part_path,
};
use crate::scoring::StoredEvaluation;
use std::cell::OnceCell;
use std::rc::Rc;

/// Where the cases of a run are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whereabouts {
    /// In the dataset.
    Unread,
    /// They could not be read; why.
    Lost(String),
    /// Here.
    Here,
}

/// The cases of a run that are not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnreadRun {
    /// The run.
    pub run: RunRef,
    /// Bytes of them in the dataset, about.
    pub n_bytes: u64,
}

/// How the cases of a run are read.
pub struct RunOrder {
    /// Whose files they are.
    pub producer: &'static dyn Producer,
    /// The parts in which they may lie.
    pub bundle: Bundle,
    /// What is to be read.
    pub wanted: Wanted,
}

/// Where the cases of each run of `stored` are, which have come with their figures alone.
pub(super) fn whereabouts(stored: &StoredEvaluation) -> Vec<Whereabouts> {
    let has_part = stored.parts.iter().any(|part| !part.has_checks);
    let of = |n_cases: u64| {
        if n_cases > 0 && has_part { Whereabouts::Unread } else { Whereabouts::Here }
    };
    stored.runs.iter().map(|run| of(run.n_cases)).collect()
}

impl Entry {
    /// Whether its figures came with it, out of a dataset.
    pub fn is_stored(&self) -> bool {
        self.stored.is_some()
    }

    /// What came of it out of a dataset.
    pub(crate) fn stored(&self) -> Option<&StoredEvaluation> {
        self.stored.as_deref()
    }

    /// Whether the cases of run `idx` are not here.
    pub fn is_unread(&self, idx: usize) -> bool {
        self.whereabouts.get(idx).is_some_and(|place| *place != Whereabouts::Here)
    }

    /// Number of its runs whose cases are not here.
    pub fn n_unread(&self) -> usize {
        self.whereabouts.iter().filter(|place| **place != Whereabouts::Here).count()
    }

    /// Puts `run` in the place of run `idx`, which had no cases.
    fn fill(&mut self, idx: usize, mut run: Run) {
        let (Some(own), Some(place), Some(keys)) = (
            self.evaluation.runs.get_mut(idx),
            self.whereabouts.get_mut(idx),
            self.case_keys.get_mut(idx),
        ) else {
            return;
        };
        let (n_found, path) = (run.cases.len() as u64, own.key.path.clone());
        run.label.clone_from(&own.label);
        run.documents.clone_from(&own.documents);
        *own = run;
        *place = Whereabouts::Here;
        *keys = OnceCell::new();
        let stored = self.stored.as_ref().and_then(|stored| stored.runs.get(idx));
        let n_stored = stored.map_or(n_found, |stored| stored.n_cases);
        if n_found != n_stored {
            let words = format!(
                "the figures of the dataset are of {} cases, and its parts hold {}",
                count(n_stored),
                count(n_found)
            );
            self.add_note(&path, NoteKind::Mismatch, words);
        }
        self.derived.clear();
    }

    /// Notes why the cases of run `idx` cannot be read.
    fn give_up(&mut self, idx: usize, err: &Error) {
        let path = err.file().unwrap_or(&self.evaluation.path).to_owned();
        let reason = err.to_string();
        if let Some(place) = self.whereabouts.get_mut(idx) {
            *place = Whereabouts::Lost(reason.clone());
        }
        self.add_note(&path, err.note_kind(), format!("{reason}; its cases are not shown"));
        self.derived.clear();
    }

    fn add_note(&mut self, path: &str, kind: NoteKind, detail: String) {
        let notes = Notes::default();
        notes.add(path, kind, Place::File, detail);
        let is_known = |note: &Note| {
            self.notes.iter().any(|known| known.detail == note.detail && known.file == note.file)
        };
        let new: Vec<Note> = notes.into_vec().into_iter().filter(|note| !is_known(note)).collect();
        self.notes.extend(new);
    }
}

impl Workspace {
    /// The runs of `targets` whose cases are not here and have not been given up.
    pub fn unread(&self, targets: &[Target]) -> Vec<UnreadRun> {
        let mut found = self.stored_runs(targets);
        found.retain(|(at, _)| self.whereabouts(*at) == Some(&Whereabouts::Unread));
        let unread = |(at, stored): (RunRef, &StoredEvaluation)| UnreadRun {
            run: at,
            n_bytes: stored.bytes_of_run(at.run as usize),
        };
        found.into_iter().map(unread).collect()
    }

    /// Lets the runs of `targets` be read again whose cases could not be read.
    pub fn retry(&mut self, targets: &[Target]) {
        let again: Vec<RunRef> = self.stored_runs(targets).into_iter().map(|(at, _)| at).collect();
        for at in again {
            let entry = self.entries.iter_mut().find(|entry| entry.id == at.evaluation);
            let place = entry.and_then(|entry| entry.whereabouts.get_mut(at.run as usize));
            if let Some(place) = place.filter(|place| matches!(place, Whereabouts::Lost(_))) {
                *place = Whereabouts::Unread;
            }
        }
    }

    /// Why there is no case to show of `targets`, when that is because none could be read.
    pub fn why_lost(&self, targets: &[Target]) -> Option<String> {
        let has_cases = |target: &Target| {
            self.entries_of(*target).any(|entry| {
                let runs = entry.evaluation.runs.iter().enumerate();
                let own = |idx: usize| match target {
                    Target::Run(run) => run.run as usize == idx,
                    _ => true,
                };
                runs.filter(|(idx, _)| own(*idx)).any(|(_, run)| !run.cases.is_empty())
            })
        };
        if targets.iter().any(has_cases) {
            return None;
        }
        self.stored_runs(targets).into_iter().find_map(|(at, _)| match self.whereabouts(at) {
            Some(Whereabouts::Lost(why)) => Some(why.clone()),
            _ => None,
        })
    }

    fn whereabouts(&self, at: RunRef) -> Option<&Whereabouts> {
        self.entry(at.evaluation)?.whereabouts.get(at.run as usize)
    }

    /// The runs of `targets` that came out of datasets, each once.
    fn stored_runs(&self, targets: &[Target]) -> Vec<(RunRef, &StoredEvaluation)> {
        let mut found: Vec<(RunRef, &StoredEvaluation)> = Vec::new();
        let mut known = std::collections::HashSet::new();
        for target in targets {
            for entry in self.entries_of(*target) {
                let Some(stored) = entry.stored() else { continue };
                let all = (0..stored.runs.len()).filter_map(|idx| entry.run_ref(idx));
                let is_meant = |at: &RunRef| !matches!(target, Target::Run(run) if run != at);
                found.extend(
                    all.filter(is_meant).filter(|at| known.insert(*at)).map(|at| (at, stored)),
                );
            }
        }
        found
    }

    /// How the cases of `at` are read. Parts that are no files of their own yet are numbered from `next_source` on.
    ///
    /// # Errors
    /// When a part is not among the files, and its server cannot be asked for it.
    pub fn run_order(&mut self, at: RunRef, next_source: &mut u32) -> Result<RunOrder, Error> {
        let gone = || Error::new(ErrorKind::Gone);
        let claims = &self.claims;
        let entry = self.entries.iter_mut().find(|entry| entry.id == at.evaluation);
        let entry = entry.ok_or_else(gone)?;
        if entry.parts.is_none() {
            let (files, lost) = located(entry, claims, next_source)?;
            entry.parts = Some(Bundle { path: entry.bundle.path.clone(), files });
            for path in lost {
                entry.add_note(
                    &path,
                    NoteKind::NotRead,
                    format!("{MISSING}; its checks are not shown"),
                );
            }
        }
        let bundle = entry.parts.clone().ok_or_else(gone)?;
        let idx = at.run as usize;
        let id = entry.stored().and_then(|stored| Some(stored.runs.get(idx)?.id.clone()));
        let run = entry.evaluation.runs.get(idx).cloned();
        let wanted = Wanted::Run { id: id.ok_or_else(gone)?, run: Box::new(run.ok_or_else(gone)?) };
        Ok(RunOrder { producer: entry.producer, bundle, wanted })
    }

    /// Takes in the cases of `at`, or why they could not be read.
    pub fn take_run(&mut self, at: RunRef, read: Result<RunRead, Error>) {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == at.evaluation) else {
            return;
        };
        let idx = at.run as usize;
        match read {
            Ok(RunRead { run, lost }) => {
                entry.fill(idx, *run);
                if let Some(err) = lost {
                    let path = err.file().unwrap_or(&entry.evaluation.path).to_owned();
                    entry.add_note(
                        &path,
                        err.note_kind(),
                        format!("{err}; checks from there on are not shown"),
                    );
                }
            }
            Err(err) => entry.give_up(idx, &err),
        }
        if entry.n_unread() == 0 {
            entry.apply(&self.settings);
        }
        self.lasting.clear();
        self.forget_answers();
    }
}

/// Why a part cannot be read.
const MISSING: &str =
    "it is missing in the dataset: add its evaluation again, or run report --index";

/// The parts of `entry`: files that were dropped with its manifest, or that lie beside it on its server; and the paths of
/// parts with checks that are not there.
fn located(
    entry: &Entry,
    claims: &[(&'static str, Rc<Claimed>)],
    next_source: &mut u32,
) -> Result<(Vec<Rc<Claimed>>, Vec<String>), Error> {
    let manifest = entry.bundle.files.iter().find(|claimed| claimed.file.name().ends_with(".json"));
    let manifest = &manifest.ok_or_else(|| Error::new(ErrorKind::Gone))?.file;
    let parts = entry.stored().map_or(&[][..], |stored| stored.parts.as_slice());
    let (mut files, mut lost) = (Vec::new(), Vec::new());
    for part in parts {
        let path = part_path(manifest, &part.path);
        let dropped = claims.iter().find(|(_, claimed)| claimed.file.path == path);
        if let Some((_, claimed)) = dropped {
            files.push(Rc::clone(claimed));
            continue;
        }
        let id = SourceId(*next_source);
        let Some(claimed) = part_beside(manifest, &part.path, part.bytes, id) else {
            if part.has_checks {
                lost.push(path);
                continue;
            }
            return Err(Error::new(ErrorKind::Format(MISSING.to_owned())).in_file(&path));
        };
        *next_source += 1;
        files.push(Rc::new(claimed));
    }
    Ok((files, lost))
}
