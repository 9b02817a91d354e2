//! Which details go with which aggregate: those with the same time in their names.
//!
//! The tool writes `results/MODEL/results_TIME.json` and `details/MODEL/TIME/details_TASK_TIME.parquet`.

use super::RESULTS;
use crate::order::Order as _;
use crate::readers::file_times::time_of;
use crate::readers::{Bundle, Claimed};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Puts files together. Details without a time of an aggregate go with the only aggregate of their folder,
/// else stand by themselves, those of one time and folder together.
pub(super) fn bundle(files: Vec<Rc<Claimed>>) -> Vec<Bundle> {
    let (results, details): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|claimed| claimed.claim.role == RESULTS);
    let mut bundles: Vec<Bundle> = results
        .into_iter()
        .map(|claimed| Bundle { path: claimed.file.path.clone(), files: vec![claimed] })
        .collect();
    let mut alone: BTreeMap<(String, Option<String>), Vec<Rc<Claimed>>> = BTreeMap::new();
    for claimed in details {
        let time = time_of(claimed.file.name());
        let is_timed = |bundle: &&mut Bundle| time.is_some() && time_of(&bundle.path) == time;
        if let Some(bundle) = bundles.iter_mut().find(is_timed) {
            bundle.files.push(claimed);
            continue;
        }
        let is_near = |bundle: &&mut Bundle| folder_of(&bundle.path) == claimed.file.folder();
        let mut near = bundles.iter_mut().filter(is_near);
        match (near.next(), near.next()) {
            (Some(only), None) if time.is_none() => only.files.push(claimed),
            _ => {
                let own = time.is_none().then(|| claimed.file.path.clone());
                let key = (claimed.file.folder().to_owned(), own);
                alone.entry(key).or_default().push(claimed);
            }
        }
    }
    for ((folder, _), files) in alone {
        let Some(first) = files.first() else { continue };
        let path = if folder.is_empty() { first.file.path.clone() } else { folder };
        bundles.push(Bundle { path, files });
    }
    for bundle in &mut bundles {
        bundle.files.order_by(|left, right| left.file.path.cmp(&right.file.path));
    }
    bundles
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `details_TASK_TIME.parquet` names its task; of any other name, the name itself stands for it.
pub(super) fn task_of(name: &str) -> String {
    let stem = name.strip_suffix(".parquet").unwrap_or(name);
    let stem = time_of(name).and_then(|time| stem.strip_suffix(time)).unwrap_or(stem);
    stem.strip_prefix("details_").unwrap_or(stem).trim_end_matches('_').to_owned()
}
