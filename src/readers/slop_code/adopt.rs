//! Reports of pytest among this producer's files: by themselves they are those of any test runner.
//!
//! A report belongs to the `evaluation.json` beside it or up to two folders above it that knows some of its tests. Where there is none,
//! a `report.json` inside a run directory is its own.

use super::{bundle, role};
use crate::model::SourceId;
use crate::readers::{Claim, Claimed, KeysOf, ctrf, pytest_json_report};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Which of `others`, files that other producers recognise, are reports on runs of `own`.
pub(super) fn adopted(
    own: &[Rc<Claimed>],
    others: &[Rc<Claimed>],
    keys: &KeysOf<'_>,
) -> Vec<(SourceId, Claim)> {
    let is_root = |claimed: &&Rc<Claimed>| {
        matches!(
            claimed.claim.role,
            role::CONFIG
                | role::ROWS
                | role::RESULT
                | role::RUN_INFO
                | role::PROBLEM
                | role::CHECKPOINT
                | role::INFERENCE
        )
    };
    let roots: HashSet<&str> =
        own.iter().filter(is_root).map(|claimed| claimed.file.folder()).collect();
    let mut evaluations: HashMap<&str, Vec<&Rc<Claimed>>> = HashMap::new();
    for claimed in own.iter().filter(|claimed| claimed.claim.role == role::EVALUATION_G2) {
        evaluations.entry(claimed.file.folder()).or_default().push(claimed);
    }
    let mut found = Vec::new();
    for other in others {
        let (role, why) = match other.claim.role {
            ctrf::REPORT => (role::CTRF, "results and reportFormat, among the run's files"),
            pytest_json_report::REPORT => {
                (role::PYTEST, "tests, exitcode and summary, among the run's files")
            }
            _ => continue,
        };
        let folder = other.file.folder();
        let near =
            bundle::around(folder).find_map(|folder| evaluations.get(folder)).map(Vec::as_slice);
        let near = near.unwrap_or_default();
        let is_own = if near.is_empty() {
            let is_named = other.file.name() == "report.json";
            is_named && bundle::upwards(folder).any(|one| !one.is_empty() && roots.contains(one))
        } else {
            let ids = keys(other).ids.clone();
            // A report without tests says nothing of whose it is but by its place.
            (ids.is_empty() && !folder.is_empty())
                || near.iter().any(|evaluation| {
                    let known = keys(evaluation);
                    known.ids.iter().any(|id| ids.contains(id))
                        || (known.ids.is_empty() && !folder.is_empty())
                })
        };
        if is_own {
            found.push((other.file.id, Claim { role, generation: None, why }));
        }
    }
    found
}
