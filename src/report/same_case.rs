//! The same case in other runs: at the checkpoint before, in other repeats, in other evaluations of the
//! same suite.

use super::{Link, Num, Outcome, RunRef};
use crate::model::Run;
use crate::workspace::{Entry, Workspace};
use serde::{Deserialize, Serialize};

/// Runs that are listed besides the one before.
const MAX_LISTED: usize = 12;

/// A case of the same id in another run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Elsewhere {
    /// Whether it is the run just before, in the order of its evaluation.
    pub is_before: bool,
    /// The evaluation, where it is another one.
    pub evaluation: Option<String>,
    /// The run.
    pub run: String,
    /// How it came out there.
    pub outcome: Outcome,
    /// Its score there.
    pub score: Option<Num>,
    /// Where it is.
    pub link: Link,
}

/// Where else case `idx` of `run` is; the checkpoint before first.
pub(super) fn elsewhere(workspace: &Workspace, run: RunRef, idx: usize) -> Vec<Elsewhere> {
    let Some((entry, table)) = workspace.run(run) else { return Vec::new() };
    let before = run_before(entry, run, table, idx);
    let mut found: Vec<Elsewhere> = before.into_iter().collect();
    let known = found.first().map(|before| before.link.clone());
    let others = workspace
        .entries
        .iter()
        .filter(|other| other.id == entry.id || other.evaluation.suite == entry.evaluation.suite);
    let runs = others.flat_map(|other| {
        other.evaluation.runs.iter().enumerate().filter_map(move |(at, one)| {
            let to = other.run_ref(at).filter(|to| *to != run)?;
            // A number that two tasks give to their cases makes them no case of each other.
            let is_of_suite = one.key.suite == table.key.suite;
            let evaluation = (other.id != entry.id).then(|| other.evaluation.label.clone());
            is_of_suite.then(|| at_run(one, to, table, idx, evaluation)).flatten()
        })
    });
    found.extend(runs.filter(|one| Some(&one.link) != known.as_ref()).take(MAX_LISTED));
    found
}

/// The nearest run before, of the same repeat, that has the case.
fn run_before(entry: &Entry, run: RunRef, table: &Run, idx: usize) -> Option<Elsewhere> {
    // Variants of other tools have no order.
    let before = entry.evaluation.runs.get(..run.run as usize);
    let before = before.filter(|_| entry.evaluation.config.has_policies)?;
    before.iter().enumerate().rev().find_map(|(at, one)| {
        let (key, own) = (&one.key, &table.key);
        let is_before = key.repeat == own.repeat
            && key.suite == own.suite
            && key.subject == own.subject
            && key.variant != own.variant;
        let to = entry.run_ref(at).filter(|_| is_before)?;
        Some(Elsewhere { is_before: true, ..at_run(one, to, table, idx, None)? })
    })
}

/// The case of `other` that has the id of case `idx` of `table`: the one of the same variant and group
/// where there are several.
fn at_run(
    other: &Run,
    to: RunRef,
    table: &Run,
    idx: usize,
    evaluation: Option<String>,
) -> Option<Elsewhere> {
    let id = table.cases.id.get(idx)?;
    let alike = |at: &usize| {
        let is_variant = other.cases.variant.get(*at) == table.cases.variant.get(idx);
        let is_group = other.cases.group.get(*at) == table.cases.group.get(idx);
        (is_variant, is_group)
    };
    let same = (0..other.cases.len()).filter(|&at| other.cases.id.get(at) == Some(id));
    // The first of those that are most alike.
    let at = same.rev().max_by_key(alike)?;
    Some(Elsewhere {
        is_before: false,
        evaluation,
        run: other.label.clone(),
        outcome: other.cases.outcome_of(at),
        score: other.cases.score.get(at).map(Num),
        link: Link::Case { run: to, case_idx: at as u64 },
    })
}
