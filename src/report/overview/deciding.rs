//! The cases that decide a failed verdict.

use crate::model::Run;
use crate::report::judgement::Reason;
use crate::report::workspace::{Entry, Workspace};
use crate::report::{Decider, Link, Outcome};

/// Cases that are named, of all runs and of one.
const MAX_NAMED: usize = 6;
const MAX_OF_RUN: usize = 3;

/// The first cases that make the runs `idxs` fail: those that fail or end in an error, of the kinds that the
/// policy in force looks at where there is one. Empty where no run has failed, and where a gate decides:
/// means and shares fail by no single case.
pub(super) fn deciding(workspace: &Workspace, entry: &Entry, idxs: &[usize]) -> Vec<Decider> {
    let evaluation = &entry.evaluation;
    let failed = idxs.iter().filter_map(|&idx| {
        let verdict = entry.figures.runs.get(idx)?.verdict.as_ref()?;
        let by_cases =
            evaluation.config.has_policies || matches!(verdict.reason, Reason::Failing { .. });
        (verdict.outcome == Outcome::Failed && by_cases).then_some(idx)
    });
    let found = failed.filter_map(|idx| Some((evaluation.runs.get(idx)?, entry.run_ref(idx)?)));
    let found = found.flat_map(|(run, at)| {
        let n_most = if idxs.len() > 1 { MAX_OF_RUN } else { MAX_NAMED };
        let rows = failing(workspace, entry, run).take(n_most);
        rows.map(move |row| Decider {
            run: (idxs.len() > 1).then(|| run.label.clone()),
            case: run.cases.id.get(row).unwrap_or_default().to_owned(),
            outcome: run.cases.outcome_of(row),
            link: Link::Case { run: at, case_idx: row as u64 },
        })
    });
    found.take(MAX_NAMED).collect()
}

/// Rows of `run` that fail and count for its verdict.
fn failing<'a>(
    workspace: &Workspace,
    entry: &Entry,
    run: &'a Run,
) -> impl Iterator<Item = usize> + use<'a> {
    let config = &entry.evaluation.config;
    let policy = workspace.settings.policy.of(config, run.key.suite.as_deref());
    let kinds = config.has_policies.then(|| policy.kinds());
    let counts = move |row: &usize| match kinds {
        Some(kinds) => run.cases.kind_of(*row).is_some_and(|kind| kinds.contains(&kind)),
        None => true,
    };
    let fails =
        |row: &usize| matches!(run.cases.outcome_of(*row), Outcome::Failed | Outcome::Error);
    (0..run.cases.len()).filter(fails).filter(counts)
}
