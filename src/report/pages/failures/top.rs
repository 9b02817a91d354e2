//! The largest groups of similar messages, for an overview.

use super::clusters::{Cluster, Clusters};
use super::{Failing, RunOf, failing_in, runs_in};
use crate::order::Order as _;
use crate::report::{FailureGroup, Link, Outcome, Target, TopFailures};
use crate::words::report::failures as words;
use crate::workspace::Workspace;
use std::cmp::Reverse;

/// Groups that are shown.
const MAX_GROUPS: usize = 6;

/// Reasons that are read out of the files: an overview has to be there soon.
const MAX_READ: u64 = 200;

/// The groups of `target`; `None` when nothing failed.
pub(in crate::report) fn top_failures(
    workspace: &Workspace,
    target: Target,
) -> Option<TopFailures> {
    let runs = runs_in(workspace, target)?;
    let failing = failing_in(&runs);
    if failing.is_empty() {
        return None;
    }
    let clusters = Clusters::new(workspace, &failing, MAX_READ);
    let mut order: Vec<usize> = (0..clusters.list.len()).collect();
    order.order_by_key(|at| Reverse(clusters.list.get(*at).map_or(0, |cluster| cluster.n_cases)));
    let (shown, rest) = order.split_at(order.len().min(MAX_GROUPS));
    let needles = clusters.needles(shown, &failing);
    let groups = shown.iter().filter_map(|&at| {
        let cluster = clusters.list.get(at)?;
        let first = failing.get(*cluster.examples.first()?)?;
        let link = match needles.get(&at) {
            Some(needle) if cluster.n_cases > 1 => Link::Find((*needle).to_owned()),
            _ => Link::Case { run: first.of.at, case_idx: first.idx as u64 },
        };
        let own = failing.iter().zip(&clusters.of_case).filter(|(_, of)| **of == Some(at));
        let is_error =
            |(case, _): (&Failing<'_>, _)| case.of.run.cases.outcome_of(case.idx) == Outcome::Error;
        let all_errors = own.into_iter().all(is_error);
        Some(FailureGroup {
            message: cluster.name().to_owned(),
            n_cases: cluster.n_cases,
            outcome: if all_errors { Outcome::Error } else { Outcome::Failed },
            place: place(cluster, first, &runs),
            link,
        })
    });
    let size = |at: &usize| clusters.list.get(*at).map_or(0, |cluster| cluster.n_cases);
    Some(TopFailures {
        n_cases: failing.len() as u64,
        groups: groups.collect(),
        n_more: (!rest.is_empty()).then(|| (rest.len() as u64, rest.iter().map(size).sum())),
        n_unread: clusters.n_unread,
    })
}

/// Where the cases of a group are; nothing where there is one run only.
fn place(cluster: &Cluster, first: &Failing<'_>, runs: &[RunOf<'_>]) -> String {
    match (runs.len(), cluster.n_runs) {
        (0 | 1, _) => String::new(),
        (_, 1) => first.of.run.label.clone(),
        (_, n) if first.of.entry.evaluation.config.has_policies => words::in_checkpoints(n),
        (_, n) => words::in_runs(n),
    }
}
