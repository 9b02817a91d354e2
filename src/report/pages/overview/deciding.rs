//! The cases that decide a failed verdict.

use crate::figures::{Judgement, Reason, VerdictOrigin};
use crate::model::Run;
use crate::report::{Decider, Deciding, Link, Outcome};
use crate::scoring::Missing;
use crate::workspace::{Entry, Workspace};

/// Cases that are named, of all runs and of one.
const MAX_NAMED: usize = 12;
const MAX_OF_RUN: usize = 4;

/// The first cases that make `verdict`, which is about the runs `idxs`, a failure, and how many there are. None
/// where no run has failed by its cases: means and shares, which a gate looks at, fail by no single case,
/// and after an infrastructure failure nothing was judged.
pub(super) fn deciding(
    workspace: &Workspace,
    entry: &Entry,
    verdict: &Judgement,
    idxs: &[usize],
) -> Deciding {
    let mut found = Deciding::default();
    let is_judged = verdict.standing() == VerdictOrigin::Judged;
    if verdict.outcome != Outcome::Failed || !is_judged || workspace.settings.gate.is_some() {
        return found;
    }
    let is_of_several = idxs.len() > 1;
    let n_most = if is_of_several { MAX_OF_RUN } else { MAX_NAMED };
    for &idx in idxs {
        let run = entry.evaluation.runs.get(idx).zip(entry.run_ref(idx));
        let Some((run, at)) = run.filter(|_| has_failed(entry, idx)) else { continue };
        for (nth, row) in failing(workspace, entry, run).enumerate() {
            found.n_cases += 1;
            if nth < n_most && found.named.len() < MAX_NAMED {
                found.named.push(Decider {
                    run: is_of_several.then(|| run.label.clone()),
                    case: run.cases.id.get(row).unwrap_or_default().to_owned(),
                    outcome: run.cases.outcome_of(row),
                    link: Link::Case { run: at, case_idx: row as u64 },
                });
            }
        }
    }
    found
}

/// Whether run `idx` has failed by its cases.
fn has_failed(entry: &Entry, idx: usize) -> bool {
    let run = entry.evaluation.runs.get(idx);
    let is_infrastructure = run.is_some_and(|run| run.is_infrastructure_failure == Some(true));
    let verdict = entry.figures.runs.get(idx).and_then(|run| run.verdict.as_ref());
    verdict.is_some_and(|verdict| {
        let by_cases = entry.evaluation.config.has_policies
            || matches!(verdict.reason, Reason::Failing { .. });
        verdict.outcome == Outcome::Failed && by_cases && !is_infrastructure
    })
}

/// Rows of `run` that do not pass and count for its verdict: of the kinds that the policy in force looks at,
/// where there is one.
fn failing<'a>(
    workspace: &'a Workspace,
    entry: &Entry,
    run: &'a Run,
) -> impl Iterator<Item = usize> + use<'a> {
    let config = &entry.evaluation.config;
    let policy = workspace.settings.policy.of(config, run.key.suite.as_deref());
    let kinds = config.has_policies.then(|| policy.kinds());
    let is_looked_at = move |row: &usize| match kinds {
        Some(kinds) => run.cases.kind_of(*row).is_some_and(|kind| kinds.contains(&kind)),
        None => true,
    };
    let rules = &workspace.settings.rules;
    (0..run.cases.len())
        .filter(|row| run.cases.outcome_of(*row) != Outcome::Passed)
        .filter(is_looked_at)
        .filter(move |row| rules.standing(run, *row) != Missing::LeftOut)
}
