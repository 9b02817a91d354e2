//! Which samples go with which aggregate: those of one folder with the same time in their names.

use super::{RESULTS, SAMPLES};
use crate::order::Order as _;
use crate::readers::file_times::time_of;
use crate::readers::{Bundle, Claimed};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Puts files together. Samples without an aggregate of their time go with the only one of their folder, else
/// stand by themselves.
pub(super) fn bundle(files: Vec<Rc<Claimed>>) -> Vec<Bundle> {
    let mut folders: BTreeMap<String, Vec<Rc<Claimed>>> = BTreeMap::new();
    for claimed in files {
        folders.entry(claimed.file.folder().to_owned()).or_default().push(claimed);
    }
    let mut bundles = Vec::new();
    for (folder, files) in folders {
        let of_role = |role: &'static str| files.iter().filter(move |one| one.claim.role == role);
        let n_results = of_role(RESULTS).count();
        let mut used = vec![false; files.len()];
        for results in of_role(RESULTS) {
            let time = time_of(results.file.name());
            let mut own = vec![Rc::clone(results)];
            for (samples, used) in files.iter().zip(&mut used) {
                let is_own = n_results == 1 || time_of(samples.file.name()) == time;
                if samples.claim.role == SAMPLES && is_own && !*used {
                    *used = true;
                    own.push(Rc::clone(samples));
                }
            }
            own.order_by(|left, right| left.file.path.cmp(&right.file.path));
            let path = match n_results {
                1 if !folder.is_empty() => folder.clone(),
                _ => results.file.path.clone(),
            };
            bundles.push(Bundle { path, files: own });
        }
        let mut loose: BTreeMap<String, Vec<Rc<Claimed>>> = BTreeMap::new();
        for (samples, used) in files.iter().zip(used) {
            if samples.claim.role == SAMPLES && !used {
                let key = time_of(samples.file.name()).unwrap_or(&samples.file.path);
                loose.entry(key.to_owned()).or_default().push(Rc::clone(samples));
            }
        }
        for own in loose.into_values() {
            let Some(first) = own.first() else { continue };
            let path = if own.len() > 1 && !folder.is_empty() { &folder } else { &first.file.path };
            bundles.push(Bundle { path: path.clone(), files: own });
        }
    }
    bundles.order_by(|left, right| (home(left), began(left)).cmp(&(home(right), began(right))));
    bundles
}

/// The folder of a bundle's model. A model without a name gets a folder with a random one for each call (eight small
/// letters and digits): there it is the one above.
fn home(bundle: &Bundle) -> &str {
    let folder = bundle.files.first().map_or("", |claimed| claimed.file.folder());
    let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
    let is_random = name.len() == 8
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        && name.bytes().any(|byte| byte.is_ascii_digit());
    if is_random { above } else { folder }
}

/// The time in the names of its files.
fn began(bundle: &Bundle) -> &str {
    let times = bundle.files.iter().filter_map(|claimed| time_of(claimed.file.name()));
    times.min().unwrap_or_default()
}

/// `samples_TASK_TIME.jsonl` names its task; of any other name, the name itself stands for it.
pub(super) fn task_of(name: &str) -> String {
    let Some(time) = time_of(name) else {
        return name.split('.').next().unwrap_or(name).to_owned();
    };
    let before = name.split(time).next().unwrap_or(name).trim_end_matches('_');
    before.strip_prefix("samples_").unwrap_or(before).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_the_task() {
        let name = "samples_local_mc2_2026-11-22T10-44-13.598147.jsonl";
        assert_eq!(task_of(name), "local_mc2");
        assert_eq!(task_of("unknown"), "unknown");
    }
}
