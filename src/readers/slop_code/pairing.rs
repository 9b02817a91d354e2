//! Which of several loose files belong to the same checkpoint, by what is in them.
//!
//! Files dropped without their folders (`evaluation.json`, `evaluation (1).json`, …) are joined by
//! problem, checkpoint, case ids and time (`formats/slop-code.md` §1, "Joining keys").

use super::bundle::CheckpointFiles;
use crate::order::Order as _;
use crate::readers::{Claimed, KeysOf};
use std::collections::HashSet;
use std::rc::Rc;

type CasePair = (Option<Rc<Claimed>>, Option<Rc<Claimed>>);

/// Pairs evaluations with Parquet reports; what finds no partner stands alone.
pub(super) fn reports(
    evaluations: Vec<Rc<Claimed>>,
    reports: Vec<Rc<Claimed>>,
    keys: &KeysOf<'_>,
) -> Vec<CasePair> {
    let left: Vec<_> = evaluations.iter().map(|claimed| keys(claimed)).collect();
    let right: Vec<_> = reports.iter().map(|claimed| keys(claimed)).collect();
    let mut scored = Vec::new();
    for (at_left, evaluation) in left.iter().enumerate() {
        let ids: HashSet<&(String, String)> = evaluation.ids.iter().collect();
        for (at_right, keys) in right.iter().enumerate() {
            let are_known = evaluation.is_known && keys.is_known;
            if !are_known
                || differ(&evaluation.problem, &keys.problem)
                || differ(&evaluation.checkpoint, &keys.checkpoint)
            {
                continue;
            }
            let n_known = keys.ids.iter().filter(|id| ids.contains(id)).count();
            if n_known == 0 && !(ids.is_empty() && keys.ids.is_empty()) {
                continue;
            }
            // Same cases of another run: the nearest start before the first case wins.
            let started = evaluation.timestamp.clone().unwrap_or_default();
            let is_before = keys.timestamp.as_ref().is_none_or(|first| started <= *first);
            scored.push((n_known, is_before, started, at_left, at_right));
        }
    }
    scored.order_by(|left, right| right.cmp(left));
    let mut partners: Vec<Option<usize>> = vec![None; reports.len()];
    let mut taken = HashSet::new();
    for (_, _, _, at_left, at_right) in scored {
        let Some(partner) = partners.get_mut(at_right) else { continue };
        if partner.is_none() && taken.insert(at_left) {
            *partner = Some(at_left);
        }
    }
    let mut pairs: Vec<CasePair> = Vec::new();
    for (report, partner) in reports.into_iter().zip(partners) {
        let evaluation = partner.and_then(|at| evaluations.get(at).cloned());
        pairs.push((evaluation, Some(report)));
    }
    let alone = evaluations.into_iter().enumerate().filter(|(at, _)| !taken.contains(at));
    pairs.extend(alone.map(|(_, evaluation)| (Some(evaluation), None)));
    pairs
}

fn differ(left: &Option<String>, right: &Option<String>) -> bool {
    left.as_ref().zip(right.as_ref()).is_some_and(|(left, right)| left != right)
}

/// Which of the units at `candidates` a pytest report belongs to: the one that knows most of its
/// tests; none when none knows any.
pub(super) fn pytest(
    report: &Claimed,
    candidates: &[usize],
    units: &[CheckpointFiles],
    keys: &KeysOf<'_>,
) -> Option<usize> {
    let tests = keys(report);
    let tests: HashSet<&(String, String)> = tests.ids.iter().collect();
    let mut best = (0, None);
    for &at in candidates {
        let Some(evaluation) = units.get(at).and_then(|unit| unit.evaluation.as_ref()) else {
            continue;
        };
        let own = keys(evaluation);
        let n_known = own.ids.iter().filter(|id| tests.contains(id)).count();
        // Known tests count for it, tests that the report lacks against it.
        let fit = 2 * n_known as i64 - own.ids.len() as i64;
        if n_known > 0 && best.1.is_none_or(|_| fit > best.0) {
            best = (fit, Some(at));
        }
    }
    best.1
}
