//! Which samples go with which aggregate: by their names, else the only two of a folder.

use super::AGGREGATE;
use crate::readers::{Bundle, Claimed};
use std::rc::Rc;

/// Puts files together.
pub(super) fn bundle(files: Vec<Rc<Claimed>>) -> Vec<Bundle> {
    let (aggregates, samples): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|claimed| claimed.claim.role == AGGREGATE);
    let in_folder = |all: &[Rc<Claimed>], folder: &str| {
        all.iter().filter(|one| one.file.folder() == folder).count()
    };
    let mut left: Vec<Option<Rc<Claimed>>> = samples.iter().cloned().map(Some).collect();
    let mut bundles = Vec::new();
    for aggregate in &aggregates {
        let folder = aggregate.file.folder();
        let stem = stem_of(&aggregate.file.path);
        let is_lone = in_folder(&aggregates, folder) == 1 && in_folder(&samples, folder) == 1;
        let mut own = vec![Rc::clone(aggregate)];
        for one in &mut left {
            let is_own = one.as_ref().is_some_and(|one| {
                stem_of(&one.file.path) == stem || (is_lone && one.file.folder() == folder)
            });
            own.extend(one.take_if(|_| is_own));
        }
        bundles.push(Bundle { path: aggregate.file.path.clone(), files: own });
    }
    for one in left.into_iter().flatten() {
        bundles.push(Bundle { path: one.file.path.clone(), files: vec![one] });
    }
    bundles
}

/// The path without what the tool puts behind the name of an evaluation.
fn stem_of(path: &str) -> &str {
    ["_samples.jsonl", ".jsonl", ".json"]
        .iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path)
}
