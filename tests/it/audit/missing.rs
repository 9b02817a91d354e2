//! Folders without one of their files: what is not there is no reason to accuse what is.

use super::{FOLDERS, differing};
use crate::support::{core_of, fixture_files, report_of};
use evalglass::input::Dropped;
use serde_json::Value;
use std::collections::HashSet;

/// Other tools' folders, in which several files belong together.
const GUESTS: [&str; 3] =
    ["lm-eval/0.4.13/canned", "guides/l22_runs_no_gate", "declared/slop_result"];

/// File, field and reason of each difference that no mild cause explains.
fn accused(files: Vec<Dropped>) -> HashSet<[String; 3]> {
    let report = report_of(&core_of(files));
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let found = differing(&report);
    let major = found.iter().filter(|row| row["severity"] == "major");
    major.map(|row| ["file", "field", "why"].map(|key| text(row, key))).collect()
}

#[test]
fn no_folder_is_accused_of_a_file_that_is_not_there() {
    let folders = FOLDERS.iter().map(|(folder, _)| *folder).chain(GUESTS);
    let mut faults = Vec::new();
    for folder in folders {
        let files = fixture_files(folder);
        let known: HashSet<[String; 2]> =
            accused(files.clone()).into_iter().map(|[file, field, _]| [file, field]).collect();
        for without in 0..files.len() {
            let mut left = files.clone();
            let gone = left.remove(without).path;
            // Without any file there is nothing to be accused.
            if left.is_empty() {
                continue;
            }
            let new = accused(left).into_iter();
            let new =
                new.filter(|[file, field, _]| !known.contains(&[file.clone(), field.clone()]));
            faults.extend(
                new.map(|[file, field, why]| format!("without {gone}: {field} of {file}: {why}")),
            );
        }
    }
    assert!(
        faults.is_empty(),
        "{} accusations, such as {:#?}",
        faults.len(),
        &faults[..faults.len().min(8)]
    );
}
