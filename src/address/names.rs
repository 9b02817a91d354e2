//! What evaluations, runs, cases and groups are called, and which ones an address means.

use crate::report::{How, HowName, Name, RunRef, Target, Tree};
use crate::workspace::Workspace;

/// Who knows what is open by name: the worker all of it, the page evaluations and runs.
pub trait OpenNames {
    /// Number and key of evaluation `nth`, in the order in which they were opened.
    fn evaluation(&self, nth: usize) -> Option<(u32, &str)>;

    /// Key of run `nth` of the evaluation numbered `id`.
    fn run(&self, id: u32, nth: usize) -> Option<&str>;

    /// Key of the case in row `case_idx` of `run`.
    fn case(&self, run: RunRef, case_idx: u64) -> Option<String> {
        let _ = (run, case_idx);
        None
    }

    /// Key of group number `group` of `run`.
    fn group(&self, run: RunRef, group: u32) -> Option<String> {
        let _ = (run, group);
        None
    }
}

/// Nothing is open.
impl OpenNames for () {
    fn evaluation(&self, _nth: usize) -> Option<(u32, &str)> {
        None
    }

    fn run(&self, _id: u32, _nth: usize) -> Option<&str> {
        None
    }
}

impl OpenNames for Tree {
    fn evaluation(&self, nth: usize) -> Option<(u32, &str)> {
        self.evaluations.get(nth).map(|node| (node.id, node.key.as_str()))
    }

    fn run(&self, id: u32, nth: usize) -> Option<&str> {
        let node = self.evaluations.iter().find(|node| node.id == id)?;
        node.runs.get(nth).map(|run| run.key.as_str())
    }
}

impl OpenNames for Workspace {
    fn evaluation(&self, nth: usize) -> Option<(u32, &str)> {
        self.entries.get(nth).map(|entry| (entry.id, entry.key.as_str()))
    }

    fn run(&self, id: u32, nth: usize) -> Option<&str> {
        self.entry(id)?.run_name(nth)
    }

    fn case(&self, run: RunRef, case_idx: u64) -> Option<String> {
        self.case_name(run, case_idx)
    }

    fn group(&self, run: RunRef, group: u32) -> Option<String> {
        self.group_name(run, group)
    }
}

/// Why something that an address names is not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfound {
    /// No such evaluation is open.
    Evaluation,
    /// Several are, whose paths end alike, and none is it exactly.
    Several,
    /// The evaluation is open, without such a run.
    Run,
}

/// The key of the evaluation numbered `id`.
pub(super) fn evaluation_key(names: &dyn OpenNames, id: u32) -> Option<String> {
    let mut all = (0..).map_while(|nth| names.evaluation(nth));
    all.find(|(known, _)| *known == id).map(|(_, key)| key.to_owned())
}

/// The number of the evaluation that is called `name`: exactly, or else as the only one whose path ends
/// as the name's path does, when somebody has dropped a folder above it or below.
pub(super) fn find_evaluation(names: &dyn OpenNames, name: &Name) -> Result<u32, Unfound> {
    let key = match name {
        Name::Key(key) => key,
        Name::Place(place) => {
            let nth = usize::try_from(*place).ok();
            let found = nth.and_then(|nth| names.evaluation(nth));
            return found.map(|(id, _)| id).ok_or(Unfound::Evaluation);
        }
    };
    let all = || (0..).map_while(|nth| names.evaluation(nth));
    if let Some((id, _)) = all().find(|(_, known)| known == key) {
        return Ok(id);
    }
    let mut alike = all().filter(|(_, known)| is_alike(known, key));
    match (alike.next(), alike.next()) {
        (Some((id, _)), None) => Ok(id),
        (Some(_), Some(_)) => Err(Unfound::Several),
        (None, _) => Err(Unfound::Evaluation),
    }
}

/// The run that is called `name` in the evaluation numbered `id`.
pub(super) fn find_run(names: &dyn OpenNames, id: u32, name: &Name) -> Result<RunRef, Unfound> {
    let mut all = (0_u32..).map_while(|nth| Some((nth, names.run(id, nth as usize)?)));
    let found = match name {
        Name::Key(key) => all.find(|(_, known)| known == key),
        Name::Place(place) => all.find(|(nth, _)| u64::from(*nth) == *place),
    };
    found.map(|(run, _)| RunRef { evaluation: id, run }).ok_or(Unfound::Run)
}

/// Whether two keys are of the same producer and the last parts of one path are the whole other one.
fn is_alike(left: &str, right: &str) -> bool {
    let (Some((producer, left)), Some((other, right))) =
        (left.split_once(':'), right.split_once(':'))
    else {
        return false;
    };
    let ends_in = |long: &str, short: &str| {
        let head = long.strip_suffix(short);
        !short.is_empty() && head.is_some_and(|head| head.ends_with('/'))
    };
    producer == other && (ends_in(left, right) || ends_in(right, left))
}

/// The name of a score that can be taken apart.
pub(super) fn how_name(names: &dyn OpenNames, how: How) -> HowName {
    let key = |key: Option<String>, place: u64| key.map_or(Name::Place(place), Name::Key);
    match how {
        How::Evaluation(id) => HowName::Evaluation(id),
        How::Run(run) => HowName::Run(run),
        How::Group { run, group } => {
            HowName::Group { run, group: key(names.group(run, group), group.into()) }
        }
        How::Case { run, case_idx } => {
            HowName::Case { run, case: key(names.case(run, case_idx), case_idx) }
        }
    }
}

/// The key of a case, or its place where it has no name.
pub(super) fn case_name(names: &dyn OpenNames, run: RunRef, case_idx: u64) -> Name {
    names.case(run, case_idx).map_or(Name::Place(case_idx), Name::Key)
}

/// What `target` is called.
pub(super) fn target_names(names: &dyn OpenNames, target: Target) -> super::asked::NamedTarget {
    let (id, run) = match target {
        Target::All => return super::asked::NamedTarget::default(),
        Target::Evaluation(id) => (id, None),
        Target::Run(run) => (run.evaluation, Some(run)),
    };
    let Some(key) = evaluation_key(names, id) else { return super::asked::NamedTarget::default() };
    let run = run.and_then(|run| names.run(id, run.run as usize));
    super::asked::NamedTarget {
        evaluation: Some(Name::Key(key)),
        run: run.map(|run| Name::Key(run.to_owned())),
    }
}
