//! Our own exports, dropped back in: the same pages, figures, rules, filters and exports.

// The checked-in reports, and damage to them.
mod fixtures;
// Reports of a part, under other rules, of several evaluations.
mod parts;
// Parquet tables.
mod tables;
// What a page shows of a workspace, to be compared.
mod pages;
// The JSON report of every fixture, of parts, under other rules.
pub mod reports;

use crate::support::fixture;
use std::path::Path;

/// Every folder of fixtures that somebody would drop as a whole.
pub fn folders() -> Vec<String> {
    let below = |folder: &str| {
        let entries =
            std::fs::read_dir(fixture(folder)).unwrap().map(|entry| entry.unwrap().path());
        let folders = entries.filter(|path| path.is_dir());
        let name =
            |path: &Path| format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        folders.map(|path| name(&path)).collect::<Vec<String>>()
    };
    let mut folders = [
        "ctrf",
        "evalglass",
        "junit",
        "letta-evals",
        "promptfoo",
        "pytest-json-report",
        "rebel",
        "slop-code/g1",
        "slop-code/g2",
    ]
    .map(below)
    .concat();
    folders.extend(["bad", "rebel"].map(str::to_owned));
    folders.sort();
    assert!(folders.len() > 25, "only {} folders", folders.len());
    folders
}
