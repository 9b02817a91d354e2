//! Names of evaluations that their files call alike: told apart by folder.

use super::{Entry, Workspace};
use crate::model::Run;
use crate::order::ordered;
use std::collections::{BTreeMap, BTreeSet};

/// Between a name and the folder that tells it from others.
const BESIDE: &str = " · ";
/// Between a folder and what lies in it.
const WITHIN: &str = " / ";

impl Workspace {
    /// Gives evaluations that are called alike the shortest part of their path that tells them apart,
    /// and those whose files name neither suite nor model the folder that they lie in, where it is not
    /// the same for all. Names that the user gave stay.
    pub(super) fn tell_apart(&mut self) {
        let mut labels: Vec<String> = self.entries.iter().map(|e| e.own_label.clone()).collect();
        let mut nameless: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, entry) in self.entries.iter().enumerate().filter(|(_, entry)| is_nameless(entry)) {
            nameless.entry(&*entry.evaluation.producer).or_default().push(at);
        }
        for group in nameless.into_values() {
            let folders: Vec<&str> = group.iter().map(|&at| self.folder_of(at)).collect();
            if n_different(&folders) > 1 {
                self.add_parts(&group, &folders, &mut labels);
            }
        }
        let mut alike: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
        for (at, (entry, label)) in self.entries.iter().zip(&labels).enumerate() {
            alike.entry((&*entry.evaluation.producer, label.clone())).or_default().push(at);
        }
        for group in alike.into_values().filter(|group| group.len() > 1) {
            let paths: Vec<&str> = group.iter().map(|&at| self.path_of(at)).collect();
            self.add_parts(&group, &paths, &mut labels);
        }
        for (entry, label) in self.entries.iter_mut().zip(labels) {
            if !entry.names.iter().any(|(run, _)| run.is_none()) {
                entry.evaluation.label = label;
            }
        }
    }

    fn path_of(&self, at: usize) -> &str {
        self.entries.get(at).map_or("", |entry| &entry.evaluation.path)
    }

    fn folder_of(&self, at: usize) -> &str {
        folder(self.path_of(at))
    }

    /// Adds to the labels of `group` what tells `paths` apart.
    fn add_parts(&self, group: &[usize], paths: &[&str], labels: &mut [String]) {
        for (&at, part) in group.iter().zip(distinct_parts(paths)) {
            let Some(label) = labels.get_mut(at) else { continue };
            let last = self.path_of(at).rsplit('/').next().unwrap_or_default();
            // A report carries the name that was shown when it was exported.
            let is_told = label.split(BESIDE).skip(1).any(|known| known == part)
                || label.starts_with(&format!("{part}{WITHIN}"));
            // A folder's own name is read behind the folder that it lies in.
            *label = if part.is_empty() || part == *label || is_told {
                std::mem::take(label)
            } else if *label == last {
                format!("{part}{WITHIN}{label}")
            } else {
                format!("{label}{BESIDE}{part}")
            };
        }
    }
}

/// Whether the files name neither what was evaluated nor who.
fn is_nameless(entry: &Entry) -> bool {
    let evaluation = &entry.evaluation;
    let has_name = |run: &Run| run.key.subject.is_some() || run.key.suite.is_some();
    evaluation.suite.is_none()
        && !evaluation.runs.is_empty()
        && !evaluation.runs.iter().any(has_name)
}

/// The folder that `path` lies in.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The name of a run; with the number of its repeat where another repeat has the same name.
pub(crate) fn run_label(entry: &Entry, run: &Run) -> String {
    let is_other = |other: &Run| other.label == run.label && other.key.repeat != run.key.repeat;
    match entry.evaluation.runs.iter().any(is_other) {
        true => format!("{}, repeat {}", run.label, run.key.repeat),
        false => run.label.clone(),
    }
}

/// The name of a run together with its evaluation's; one of them where they say the same.
pub(crate) fn run_title(entry: &Entry, run: &Run) -> String {
    part_title(&entry.evaluation.label, &run.label)
}

/// The name `own` of a run or a model together with `label`, its evaluation's; one of them where they say the same.
pub(crate) fn part_title(label: &str, own: &str) -> String {
    let is_in = label == own
        || label.strip_prefix(own).is_some_and(|rest| rest.starts_with(BESIDE))
        || label.strip_suffix(own).is_some_and(|rest| rest.ends_with(WITHIN));
    if is_in { label.to_owned() } else { format!("{label} › {own}") }
}

/// Of each path the shortest part that tells it from those that differ: one folder where one is
/// enough, else all that they do not have in common.
pub(crate) fn distinct_parts(paths: &[&str]) -> Vec<String> {
    let split: Vec<Vec<&str>> = paths.iter().map(|path| path.split('/').collect()).collect();
    let shortest = split.iter().map(Vec::len).min().unwrap_or(0);
    let same = |get: &dyn Fn(&Vec<&str>) -> Option<String>| {
        let mut found = split.iter().map(get);
        let first = found.next().flatten();
        first.is_some() && found.all(|other| other == first)
    };
    let from_start =
        |at: usize| move |parts: &Vec<&str>| parts.get(at).map(|&part| part.to_owned());
    let from_end = |at: usize| {
        move |parts: &Vec<&str>| {
            parts.len().checked_sub(at + 1).and_then(|at| parts.get(at)).map(|&p| p.to_owned())
        }
    };
    let n_before = (0..shortest).take_while(|&at| same(&from_start(at))).count();
    let n_after =
        (0..shortest.saturating_sub(n_before)).take_while(|&at| same(&from_end(at))).count();
    let rest: Vec<&[&str]> = split
        .iter()
        .map(|parts| parts.get(n_before..parts.len() - n_after).unwrap_or_default())
        .collect();
    let n_paths = n_different(paths);
    let longest = rest.iter().map(|parts| parts.len()).max().unwrap_or(0);
    let one = (0..longest).find_map(|at| {
        let parts: Vec<Option<String>> =
            rest.iter().map(|parts| parts.get(at).map(|&part| part.to_owned())).collect();
        let is_enough = parts.iter().all(Option::is_some) && n_different(&parts) == n_paths;
        is_enough.then(|| parts.into_iter().flatten().collect::<Vec<_>>())
    });
    one.unwrap_or_else(|| {
        let whole = |(parts, path): (&&[&str], &&str)| match parts.join("/") {
            // It lies in a folder of the others' paths: its own last name tells most.
            none if none.is_empty() => path.rsplit('/').next().unwrap_or_default().to_owned(),
            some => some,
        };
        rest.iter().zip(paths).map(whole).collect()
    })
}

fn n_different<T: Ord>(all: &[T]) -> usize {
    ordered::<&T, BTreeSet<&T>>(all).len()
}

#[cfg(test)]
mod tests {
    use super::{distinct_parts, part_title};

    #[test]
    fn a_part_that_is_called_as_its_evaluation_is_named_once() {
        for (label, own, title) in [
            ("canned", "canned", "canned"),
            ("suite · monday", "suite", "suite · monday"),
            ("monday / results.csv", "results.csv", "monday / results.csv"),
            ("suite", "model", "suite › model"),
            ("canned-2", "canned", "canned-2 › canned"),
        ] {
            assert_eq!(part_title(label, own), title);
        }
    }

    #[test]
    fn paths_are_told_apart_by_as_little_as_there_is() {
        for (paths, parts) in [
            (vec!["monday", "tuesday"], vec!["monday", "tuesday"]),
            (vec!["lab/monday/results", "lab/tuesday/results"], vec!["monday", "tuesday"]),
            (
                vec!["outputs/run_1/checkpoint_1", "outputs/run_2/checkpoint_1"],
                vec!["run_1", "run_2"],
            ),
            (vec!["a/x/r", "b/x/r", "b/y/r"], vec!["a/x", "b/x", "b/y"]),
            (vec!["2024/monday", "2025/monday", "2025/monday"], vec!["2024", "2025", "2025"]),
            (vec!["a", "a/b"], vec!["a", "b"]),
            (vec!["x/one/deep/r", "x/two/r"], vec!["one", "two"]),
            (vec!["same", "same"], vec!["same", "same"]),
        ] {
            assert_eq!(distinct_parts(&paths), parts, "{paths:?}");
        }
    }
}
