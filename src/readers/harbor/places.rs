//! Which files belong to one trial, and which trials to one job.
//!
//! Everything below the folder of a trial's result or configuration is the trial's; a trial belongs to the nearest
//! folder above it with the result or configuration of a job, else to those beside it. Loose files are apart, unless
//! just one of them can be what the folders beside it belong to.

use super::role;
use crate::input::InputFile;
use crate::order::Order as _;
use crate::readers::{Bundle, Claimed};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const OF_JOB: [&str; 4] = [role::JOB, role::JOB_CONFIG, role::BENCH, role::BENCH_RUN];
const OF_TRIAL: [&str; 3] = [role::TRIAL, role::TRIAL_CONFIG, role::BENCH_TRIAL];

/// Folders of trials and jobs among some files.
pub(super) struct HarborFolders<'a> {
    trials: BTreeSet<&'a str>,
    jobs: BTreeSet<&'a str>,
}

impl<'a> HarborFolders<'a> {
    /// Those of `files`.
    pub(super) fn of(files: &'a [Rc<Claimed>]) -> Self {
        let (mut trials, mut jobs) = (BTreeSet::new(), BTreeSet::new());
        for claimed in files {
            let folder = claimed.file.folder();
            if OF_JOB.contains(&claimed.claim.role) {
                jobs.insert(folder);
            } else if OF_TRIAL.contains(&claimed.claim.role) {
                trials.insert(folder);
            }
        }
        let is_one_loose = |roles: &[&str]| {
            let has = |role: &&&str| {
                let is_it =
                    |one: &&Rc<Claimed>| one.file.folder().is_empty() && one.claim.role == **role;
                files.iter().filter(is_it).count()
            };
            roles.iter().all(|role| has(&role) <= 1)
        };
        let is_of_trial = trials.contains("") && jobs.contains("");
        if is_of_trial || !is_one_loose(&OF_JOB) {
            jobs.remove("");
        }
        if is_of_trial || !is_one_loose(&OF_TRIAL) {
            trials.remove("");
        }
        Self { trials, jobs }
    }

    /// Folder of the trial that a file belongs to.
    pub(super) fn trial_of(&self, file: &InputFile) -> Option<&'a str> {
        upwards(file.folder()).find_map(|folder| self.trials.get(folder).copied())
    }

    /// Path of the evaluation that a file belongs to.
    fn root_of(&self, claimed: &Claimed) -> String {
        let file = &claimed.file;
        let trial = self.trial_of(file);
        let is_loose = file.folder().is_empty();
        let is_apart = trial.is_none() && claimed.claim.role == role::TRAJECTORY;
        let mut above = upwards(trial.unwrap_or_else(|| file.folder()));
        let job = above.find(|folder| !is_apart && self.jobs.contains(folder));
        match (job, trial) {
            (Some(job), _) if !job.is_empty() => job.to_owned(),
            (Some(_), _) => String::new(),
            (None, Some("")) => String::new(),
            (None, Some(trial)) if parent(trial).is_empty() => trial.to_owned(),
            (None, Some(trial)) => parent(trial).to_owned(),
            (None, None) if is_loose => file.path.clone(),
            (None, None) => file.folder().to_owned(),
        }
    }
}

/// A folder and all that hold it, the outermost (no folder at all) last.
fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |inner| (!inner.is_empty()).then(|| parent(inner)))
}

pub(super) fn parent(folder: &str) -> &str {
    folder.rsplit_once('/').map_or("", |(parent, _)| parent)
}

pub(super) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Bundles of all `files`.
pub(super) fn bundle(files: Vec<Rc<Claimed>>) -> Vec<Bundle> {
    let places = HarborFolders::of(&files);
    let mut bundles: BTreeMap<String, Vec<Rc<Claimed>>> = BTreeMap::new();
    for claimed in &files {
        bundles.entry(places.root_of(claimed)).or_default().push(Rc::clone(claimed));
    }
    let all = bundles.into_iter().map(|(path, mut files)| {
        files.order_by(|left, right| left.file.path.cmp(&right.file.path));
        let is_root = |one: &&Rc<Claimed>| {
            one.file.folder().is_empty()
                && (OF_JOB.contains(&one.claim.role) || OF_TRIAL.contains(&one.claim.role))
        };
        let named = if path.is_empty() { files.iter().rfind(is_root) } else { None };
        let path = named.map_or(path, |claimed| claimed.file.path.clone());
        Bundle { path, files }
    });
    all.collect()
}

/// Files by the folder of their trial.
pub(super) type ByTrial<'a> = BTreeMap<&'a str, Vec<&'a Rc<Claimed>>>;

/// The files of each trial of a bundle by the trial's folder, and those of none.
pub(super) fn by_trial(bundle: &Bundle) -> (ByTrial<'_>, Vec<&Rc<Claimed>>) {
    let places = HarborFolders::of(&bundle.files);
    let (mut trials, mut rest): (ByTrial<'_>, Vec<_>) = Default::default();
    for claimed in &bundle.files {
        match places.trial_of(&claimed.file) {
            Some(folder) => trials.entry(folder).or_default().push(claimed),
            None => rest.push(claimed),
        }
    }
    (trials, rest)
}
