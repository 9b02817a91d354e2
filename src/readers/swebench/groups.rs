//! Which files belong to one model of one run.
//!
//! `logs/run_evaluation/RUN/MODEL/INSTANCE/report.json` says it by its place; `MODEL.RUN.json` by its name, else
//! it goes with the only logs below its folder; predictions go with the model that they name.

use super::{files, role};
use crate::order::Order as _;
use crate::readers::{Bundle, Claimed};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The files of one model in one run.
#[derive(Default)]
pub(super) struct ModelRunFiles {
    /// Folder of the model's logs: `logs/run_evaluation/RUN/MODEL`; empty where there are none, or loose ones.
    folder: String,
    /// `MODEL.RUN.json`.
    pub report: Option<Rc<Claimed>>,
    /// Predictions of this model.
    pub predictions: Vec<Rc<Claimed>>,
    /// Reports of instances, in path order.
    pub instances: Vec<Rc<Claimed>>,
    /// Other files of instances.
    pub texts: Vec<Rc<Claimed>>,
    /// What was graded against.
    metadata: Vec<Rc<Claimed>>,
}

impl ModelRunFiles {
    fn run_folder(&self) -> &str {
        parent(&self.folder)
    }

    /// Model and run by the places of logs, else by the name of the report: `MODEL.RUN.json`.
    fn names(&self) -> (Option<&str>, Option<&str>) {
        if !self.folder.is_empty() {
            let run = Some(last(self.run_folder())).filter(|run| !run.is_empty());
            return (Some(last(&self.folder)), run);
        }
        let stem = self.report.as_ref().and_then(|file| file.file.name().strip_suffix(".json"));
        let parts = stem.and_then(|stem| stem.rsplit_once('.'));
        (parts.map(|(model, _)| model), parts.map(|(_, run)| run))
    }

    /// Name of the model as its folder or its report has it, with `__` for `/`.
    pub(super) fn model_name(&self) -> Option<&str> {
        self.names().0
    }

    /// Whether it is of this model, with `__` for `/`. Where a report's name has several dots, any of them may
    /// end the model.
    fn is_of(&self, model: &str) -> bool {
        let rest = |name: &str| name.strip_prefix(model).is_some_and(|rest| rest.starts_with('.'));
        self.model_name() == Some(model)
            || (self.folder.is_empty()
                && self.report.as_ref().is_some_and(|report| rest(report.file.name())))
    }

    /// Name of the run.
    pub(super) fn run_name(&self) -> Option<String> {
        self.names().1.map(str::to_owned)
    }

    fn files(self) -> Vec<Rc<Claimed>> {
        let one = self.report.into_iter().chain(self.predictions);
        let mut files: Vec<_> =
            one.chain(self.instances).chain(self.texts).chain(self.metadata).collect();
        files.order_by(|left, right| left.file.path.cmp(&right.file.path));
        files
    }

    fn path(&self) -> String {
        let first = self.report.as_ref().or(self.predictions.first()).or(self.instances.first());
        let file = || first.map_or(String::new(), |claimed| claimed.file.path.clone());
        match self.run_folder() {
            "" => self.report.as_ref().map_or_else(file, |report| report.file.path.clone()),
            folder => folder.to_owned(),
        }
    }
}

fn parent(folder: &str) -> &str {
    folder.rsplit_once('/').map_or("", |(parent, _)| parent)
}

pub(super) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Bundles of all `files`: the models of one run together.
pub(super) fn bundle(files: Vec<Rc<Claimed>>) -> Vec<Bundle> {
    let mut bundles: BTreeMap<String, Vec<Rc<Claimed>>> = BTreeMap::new();
    for group in of(&files) {
        let path = group.path();
        bundles.entry(path).or_default().extend(group.files());
    }
    bundles
        .into_iter()
        .map(|(path, mut files)| {
            files.order_by(|left, right| left.file.path.cmp(&right.file.path));
            Bundle { path, files }
        })
        .collect()
}

/// The files of each model and run, in path order.
pub(super) fn of(files: &[Rc<Claimed>]) -> Vec<ModelRunFiles> {
    let of_role = |role: &'static str| {
        files.iter().filter(move |claimed| claimed.claim.role == role).map(Rc::clone)
    };
    // The folder of the model, by the name of the folder of an instance.
    let mut groups: BTreeMap<String, ModelRunFiles> = BTreeMap::new();
    for claimed in of_role(role::INSTANCE) {
        let folder = folder_of_model(&claimed);
        groups.entry(folder).or_default().instances.push(claimed);
    }
    let mut loose: Vec<Rc<Claimed>> = Vec::new();
    for claimed in of_role(role::TEXT) {
        let folder = parent(claimed.file.folder());
        match groups.get_mut(folder) {
            Some(group) => group.texts.push(claimed),
            None => loose.push(claimed),
        }
    }
    let mut groups: Vec<ModelRunFiles> =
        groups.into_iter().map(|(folder, group)| ModelRunFiles { folder, ..group }).collect();
    for claimed in loose {
        let model = parent(claimed.file.folder()).to_owned();
        match groups.iter_mut().find(|group| group.folder == model) {
            Some(group) => group.texts.push(claimed),
            None => groups.push(ModelRunFiles {
                folder: model,
                texts: vec![claimed],
                ..ModelRunFiles::default()
            }),
        }
    }
    add_reports(&mut groups, of_role(role::RUN).collect());
    for claimed in of_role(role::PREDICTIONS) {
        let model = files::model_of(&claimed).map(|model| model.replace('/', "__"));
        let is_own =
            |group: &&mut ModelRunFiles| model.as_deref().is_some_and(|model| group.is_of(model));
        let n_groups = groups.len();
        let found = match groups.iter_mut().find(is_own) {
            Some(group) => Some(group),
            None => groups.first_mut().filter(|group| {
                n_groups == 1
                    && group.predictions.is_empty()
                    && (model.is_none() || group.model_name().is_none())
            }),
        };
        match found {
            Some(group) => group.predictions.push(claimed),
            None => groups
                .push(ModelRunFiles { predictions: vec![claimed], ..ModelRunFiles::default() }),
        }
    }
    for claimed in of_role(role::METADATA) {
        let folder = claimed.file.folder();
        let at = groups.iter().position(|group| !folder.is_empty() && group.run_folder() == folder);
        let at = at.or_else(|| (groups.len() == 1).then_some(0));
        match at.and_then(|at| groups.get_mut(at)) {
            Some(group) => group.metadata.push(claimed),
            None => {
                groups.push(ModelRunFiles { metadata: vec![claimed], ..ModelRunFiles::default() })
            }
        }
    }
    groups
}

/// Folder of the model of an instance's report; empty where it does not lie in a folder of its own.
fn folder_of_model(claimed: &Claimed) -> String {
    let folder = claimed.file.folder();
    let is_own = match claimed.shape.outline.members.first() {
        Some(member) => member.key == last(folder),
        None => true,
    };
    if is_own { parent(folder).to_owned() } else { String::new() }
}

/// Gives each run report to its logs.
fn add_reports(groups: &mut Vec<ModelRunFiles>, reports: Vec<Rc<Claimed>>) {
    let mut rest = Vec::new();
    for report in reports {
        let is_named = |group: &&mut ModelRunFiles| {
            let (model, run) = group.names();
            let name = model.zip(run).map(|(model, run)| format!("{model}.{run}.json"));
            group.report.is_none() && name.as_deref() == Some(report.file.name())
        };
        match groups.iter_mut().find(is_named) {
            Some(group) => group.report = Some(report),
            None => rest.push(report),
        }
    }
    let is_only = rest.len() == 1;
    for report in rest {
        let folder = report.file.folder();
        let is_below = |group: &ModelRunFiles| {
            folder.is_empty()
                || group.folder == folder
                || group.folder.starts_with(&format!("{folder}/"))
        };
        let mut open = (0..groups.len()).filter(|at| {
            groups.get(*at).is_some_and(|group| group.report.is_none() && is_below(group))
        });
        let at = open.next().filter(|_| is_only && open.next().is_none());
        match at.and_then(|at| groups.get_mut(at)) {
            Some(group) => group.report = Some(report),
            None => groups.push(ModelRunFiles { report: Some(report), ..ModelRunFiles::default() }),
        }
    }
}
