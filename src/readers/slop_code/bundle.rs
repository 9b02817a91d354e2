//! Which files belong together: run directories, checkpoint folders, loose files.
//!
//! Layout by `formats/slop-code.md` §1; the depth is not fixed. A run directory is known by its
//! config, rows or summary; without one a problem folder, and without that each checkpoint, is an
//! evaluation of its own. `after_skill/` below a checkpoint is a second evaluation of the same
//! names, and a run of the same evaluation; any other folder below one is an evaluation of its own. Fixtures: `g1/runs` (run directory), `g1/odd` (checkpoints alone).

use super::{after_skill, pairing, role};
use crate::order::{Order as _, ordered};
use crate::readers::{Bundle, Claimed, KeysOf};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The files of one checkpoint; at least one of them is there.
#[derive(Clone, Default)]
pub(super) struct CheckpointFiles {
    /// Folder of the evaluation, `""` at the top.
    pub(super) folder: String,
    /// `evaluation.json`, of either generation.
    pub(super) evaluation: Option<Rc<Claimed>>,
    /// `reports.parquet`.
    pub(super) reports: Option<Rc<Claimed>>,
    /// `report.json`.
    pub(super) pytest: Option<Rc<Claimed>>,
    /// Whether its folder holds several, so that the folder's other files cannot be told apart.
    pub(super) is_crowded: bool,
    /// Whether it is a checkpoint's second evaluation, after a skill has worked on it.
    pub(super) is_after_skill: bool,
}

impl CheckpointFiles {
    /// Its files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Rc<Claimed>> {
        [&self.evaluation, &self.reports, &self.pytest].into_iter().flatten()
    }

    /// What names it: its folder, or its first file where the folder holds several.
    pub(super) fn path(&self) -> &str {
        let file = self.files().next().map_or("", |claimed| claimed.file.path.as_str());
        if self.is_crowded || self.folder.is_empty() { file } else { &self.folder }
    }

    /// Folder of its checkpoint.
    pub(super) fn home(&self) -> &str {
        if self.is_after_skill { parent(&self.folder) } else { &self.folder }
    }

    pub(super) fn is_pytest(&self) -> bool {
        self.evaluation.as_ref().is_some_and(|file| file.claim.role == role::EVALUATION_G2)
    }
}

/// `folder` and the folders above it, nearest first; `""` last.
pub(super) fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| parent(folder)))
}

/// Folders in which the evaluation of a pytest report in `folder` may be, nearest first. A report after a skill
/// does not belong to the checkpoint above it.
pub(super) fn around(folder: &str) -> impl Iterator<Item = &str> {
    let mut is_left = false;
    upwards(folder)
        .take(REPORT_DEPTH + 1)
        .take_while(move |folder| !std::mem::replace(&mut is_left, after_skill::is_in(folder)))
}

fn parent(folder: &str) -> &str {
    folder.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The folder below a checkpoint's that its pytest report is in.
const REPORTS_FOLDER: &str = "evaluation";

/// How many folders above a report its evaluation is looked for.
const REPORT_DEPTH: usize = 2;

/// The checkpoints among `files`, in path order.
pub(super) fn units(files: &[Rc<Claimed>], keys: &KeysOf<'_>) -> Vec<CheckpointFiles> {
    let mut folders: BTreeMap<&str, [Vec<Rc<Claimed>>; 3]> = BTreeMap::new();
    for claimed in files {
        let at = match claimed.claim.role {
            role::EVALUATION_G1 => 0,
            role::EVALUATION_G2 => 1,
            role::REPORTS => 2,
            _ => continue,
        };
        let lists = folders.entry(claimed.file.folder()).or_default();
        if let Some(list) = lists.get_mut(at) {
            list.push(Rc::clone(claimed));
        }
    }
    let mut units: Vec<CheckpointFiles> = Vec::new();
    for (folder, [groups, pytests, reports]) in folders {
        let pairs = match (groups.as_slice(), reports.as_slice()) {
            ([] | [_], [] | [_]) => vec![(groups.first().cloned(), reports.first().cloned())],
            _ => pairing::reports(groups, reports, keys),
        };
        let pairs = pairs.into_iter().filter(|(left, right)| left.is_some() || right.is_some());
        let pytests = pytests.into_iter().map(|file| (Some(file), None));
        let own: Vec<_> = pairs.chain(pytests).collect();
        let is_crowded = own.len() > 1;
        units.extend(own.into_iter().map(|(evaluation, reports)| CheckpointFiles {
            folder: folder.to_owned(),
            evaluation,
            reports,
            pytest: None,
            is_crowded,
            is_after_skill: after_skill::is_in(folder),
        }));
    }
    attach_pytest(files, &mut units, keys);
    units.order_by(|left, right| left.path().cmp(right.path()));
    units
}

/// Gives each pytest report to its evaluation: the nearest above it, by content where several are.
fn attach_pytest(files: &[Rc<Claimed>], units: &mut Vec<CheckpointFiles>, keys: &KeysOf<'_>) {
    let is_report =
        |claimed: &&Rc<Claimed>| matches!(claimed.claim.role, role::PYTEST | role::CTRF);
    let mut alone = Vec::new();
    // By folder, the units that have no report yet.
    let mut open: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, unit) in units.iter().enumerate().filter(|(_, unit)| unit.is_pytest()) {
        open.entry(unit.folder.clone()).or_default().push(at);
    }
    let mut reports: Vec<&Rc<Claimed>> = files.iter().filter(is_report).collect();
    // Where two reports could belong to an evaluation, the nearer one does.
    reports.order_by_key(|report| {
        around(report.file.folder()).position(|folder| open.contains_key(folder))
    });
    for report in reports {
        let found = around(report.file.folder())
            .find_map(|folder| open.get(folder).filter(|found| !found.is_empty()));
        let candidates = found.cloned().unwrap_or_default();
        let chosen = match candidates.as_slice() {
            [] => None,
            [only] if units.get(*only).is_some_and(|unit| !unit.is_crowded) => Some(*only),
            several => pairing::pytest(report, several, units, keys),
        };
        match chosen.and_then(|at| Some((at, units.get_mut(at)?))) {
            Some((at, unit)) => {
                unit.pytest = Some(Rc::clone(report));
                if let Some(here) = open.get_mut(&unit.folder) {
                    here.retain(|&other| other != at);
                }
            }
            None => alone.push(Rc::clone(report)),
        }
    }
    let mut taken: BTreeSet<String> = ordered(units.iter().map(|unit| unit.folder.clone()));
    units.extend(alone.into_iter().map(|report| alone_in(report, &mut taken)));
}

/// A checkpoint that is known by its pytest report alone: `checkpoint/evaluation/report.json` is of `checkpoint`, unless that
/// folder is `taken` by another one.
fn alone_in(report: Rc<Claimed>, taken: &mut BTreeSet<String>) -> CheckpointFiles {
    let own = report.file.folder().to_owned();
    let above = own.strip_suffix(REPORTS_FOLDER).and_then(|folder| folder.strip_suffix('/'));
    let checkpoint = above.filter(|folder| taken.insert((*folder).to_owned())).map(str::to_owned);
    let is_crowded = checkpoint.is_none();
    let folder = checkpoint.unwrap_or(own);
    CheckpointFiles {
        is_crowded,
        is_after_skill: after_skill::is_in(&folder),
        folder,
        pytest: Some(report),
        ..CheckpointFiles::default()
    }
}

/// Bundles of all `files`.
pub(super) fn bundle(files: Vec<Rc<Claimed>>, keys: &KeysOf<'_>) -> Vec<Bundle> {
    let folders_of = |roles: &[&str]| -> BTreeSet<String> {
        let own = files.iter().filter(|claimed| roles.contains(&claimed.claim.role));
        ordered(own.map(|claimed| claimed.file.folder().to_owned()))
    };
    let strong = folders_of(&[role::CONFIG, role::ROWS, role::RESULT]);
    let weak = folders_of(&[role::RUN_INFO, role::PROBLEM]);
    let units = units(&files, keys);
    let unit_folders: BTreeSet<&str> = ordered(units.iter().map(|unit| unit.folder.as_str()));
    let root_of = |folder: &str| -> Option<String> {
        let found = |roots: &BTreeSet<String>| {
            upwards(folder).find(|folder| roots.contains(*folder)).map(str::to_owned)
        };
        found(&strong).or_else(|| found(&weak))
    };

    // Bundle name of each file, by its identity.
    let mut names: BTreeMap<crate::model::SourceId, String> = BTreeMap::new();
    for unit in &units {
        let outer = upwards(parent(&unit.folder))
            .find(|folder| !folder.is_empty() && unit_folders.contains(folder));
        let beside = outer.filter(|_| unit.is_after_skill);
        let name = match (root_of(&unit.folder), outer) {
            (Some(root), Some(_)) if unit.is_after_skill => root,
            (None, _) if beside.is_some() => beside.unwrap_or_default().to_owned(),
            (Some(root), Some(outer)) => {
                let inner = unit.folder.strip_prefix(outer).unwrap_or_default();
                format!("{root} ({})", inner.trim_start_matches('/'))
            }
            (Some(root), None) => root,
            (None, _) => unit.path().to_owned(),
        };
        names.extend(unit.files().map(|claimed| (claimed.file.id, name.clone())));
    }
    let not_crowded = units.iter().rev().filter(|unit| !unit.is_crowded);
    let beside: BTreeMap<&str, &str> =
        ordered(not_crowded.map(|unit| (unit.folder.as_str(), unit.path())));
    // What lies below a checkpoint goes with it, also where the run directory is divided.
    let inside =
        units.iter().filter(|unit| !unit.folder.is_empty() && root_of(&unit.folder).is_some());
    let of_units: BTreeMap<&str, String> = ordered(inside.filter_map(|unit| {
        let first = unit.files().next()?;
        Some((unit.folder.as_str(), names.get(&first.file.id)?.clone()))
    }));
    let mut bundles: BTreeMap<String, Vec<Rc<Claimed>>> = BTreeMap::new();
    for claimed in &files {
        let folder = claimed.file.folder();
        let of_unit = || {
            let unit = upwards(folder).find_map(|folder| of_units.get(folder));
            unit.map(|name| (*name).clone())
        };
        let name = names.get(&claimed.file.id).cloned().or_else(of_unit);
        let name = name.or_else(|| root_of(folder)).or_else(|| {
            let near = upwards(folder).find_map(|folder| beside.get(folder));
            near.map(|&path| path.to_owned())
        });
        let name = name.unwrap_or_else(|| folder.to_owned());
        bundles.entry(name).or_default().push(Rc::clone(claimed));
    }
    bundles
        .into_iter()
        .map(|(path, mut files)| {
            files.order_by(|left, right| left.file.path.cmp(&right.file.path));
            Bundle { path, files }
        })
        .collect()
}
