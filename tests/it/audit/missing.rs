//! Folders without one of their files: what is not there is no reason to accuse what is.

use super::{FOLDERS, differing};
use crate::support::{bytes_of, core_of, file, fixture_files, report_of};
use evalglass::input::Dropped;
use serde_json::Value;
use std::collections::HashSet;

/// Other tools' folders, in which several files belong together.
const GUESTS: [&str; 3] =
    ["lm-eval/0.4.13/canned", "guides/l22_runs_no_gate", "declared/slop_result"];

/// Run directories in which each file is damaged in every way.
const RUN_DIRECTORIES: [&str; 4] = [
    "slop-code/g1/runs",
    "slop-code/g2/2a9800e",
    "slop-code/g2/v1.0",
    "slop-code/real/after_skill",
];

/// The same of files.
fn accused(files: Vec<Dropped>) -> HashSet<[String; 3]> {
    accused_in(&report_of(&core_of(files)))
}

/// File, field and reason of each difference that no mild cause explains.
fn accused_in(report: &Value) -> HashSet<[String; 3]> {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let found = differing(report);
    let major = found.iter().filter(|row| row["severity"] == "major");
    major.map(|row| ["file", "field", "why"].map(|key| text(row, key))).collect()
}

/// What is left of a file.
#[derive(Debug, Clone, Copy)]
enum Left {
    Nothing,
    NoByte,
    FirstHalf,
    OtherText,
}

/// `files` with just that left of the one at `at`.
fn damaged(files: &[Dropped], at: usize, left: Left) -> Vec<Dropped> {
    let mut files = files.to_vec();
    let bytes = bytes_of(&files[at]);
    let bytes = match left {
        Left::Nothing => {
            files.remove(at);
            return files;
        }
        Left::NoByte => &[][..],
        Left::FirstHalf => &bytes[..bytes.len() / 2],
        Left::OtherText => br#"{"a":"#.as_slice(),
    };
    files[at] = file(&files[at].path, bytes);
    files
}

/// What is said of `folder` with one file damaged that is not said of the whole: unexplained differences, and
/// runs that are not there in the whole.
fn accusations(folder: &str, damages: &[Left]) -> Vec<String> {
    let files = fixture_files(folder);
    let labels = |report: &Value| -> HashSet<String> {
        let runs = report["runs"].as_array().unwrap().iter();
        runs.map(|run| run["label"].as_str().unwrap().to_owned()).collect()
    };
    let whole = report_of(&core_of(files.clone()));
    let known: HashSet<[String; 2]> =
        accused_in(&whole).into_iter().map(|[file, field, _]| [file, field]).collect();
    let known_runs = labels(&whole);
    let mut faults = Vec::new();
    for at in 0..files.len() {
        for damage in damages {
            let path = &files[at].path;
            let left = damaged(&files, at, *damage);
            // An empty folder has no audit.
            if left.is_empty() {
                continue;
            }
            let report = report_of(&core_of(left));
            if folder.starts_with("slop-code") {
                let new = labels(&report).into_iter().filter(|label| !known_runs.contains(label));
                faults.extend(new.map(|label| format!("{damage:?} of {path}: a run {label}")));
            }
            let new = accused_in(&report).into_iter();
            let new =
                new.filter(|[file, field, _]| !known.contains(&[file.clone(), field.clone()]));
            faults.extend(new.map(|[file, field, why]| {
                format!("{damage:?} of {path}: {field} of {file}: {why}")
            }));
        }
    }
    faults
}

#[test]
fn no_folder_is_accused_of_a_file_that_is_not_there() {
    let folders = FOLDERS.iter().map(|(folder, _)| *folder).chain(GUESTS);
    let faults: Vec<_> = folders.flat_map(|folder| accusations(folder, &[Left::Nothing])).collect();
    assert!(
        faults.is_empty(),
        "{} accusations, such as {:#?}",
        faults.len(),
        &faults[..faults.len().min(8)]
    );
}

#[test]
fn no_run_directory_is_accused_of_a_file_that_is_damaged() {
    let damages = [Left::Nothing, Left::NoByte, Left::FirstHalf, Left::OtherText];
    let faults: Vec<_> =
        RUN_DIRECTORIES.iter().flat_map(|folder| accusations(folder, &damages)).collect();
    assert!(
        faults.is_empty(),
        "{} accusations, such as {:#?}",
        faults.len(),
        &faults[..faults.len().min(8)]
    );
}

/// The files of `folder` without those whose path contains one of `gone`, and with the first half of those that contain one of `cut`.
fn left(folder: &str, gone: &[&str], cut: &[&str]) -> Vec<Dropped> {
    let is_in = |names: &[&str], one: &Dropped| names.iter().any(|name| one.path.contains(name));
    let files = fixture_files(folder).into_iter().filter(|one| !is_in(gone, one));
    let halved = |one: Dropped| match is_in(cut, &one) {
        true => {
            let bytes = bytes_of(&one);
            file(&one.path, &bytes[..bytes.len() / 2])
        }
        false => one,
    };
    files.map(halved).collect()
}

#[test]
fn a_run_without_any_file_is_told_by_the_runs_of_other_models() {
    let gone = ["mini/run_1.jsonl", "mini/summary.json"];
    let report = report_of(&core_of(left("letta-evals/0.26.0_reward_multirun", &gone, &[])));
    let found = differing(&report);
    let why = "it includes openai/gpt-4.1-mini · run 1, of which no results are among the files";
    assert!(found.len() > 10 && found.iter().all(|row| row["why"] == why), "{found:?}");
}

#[test]
fn files_that_are_cut_off_are_named_and_accuse_nobody() {
    for (folder, cut) in [
        ("slop-code/g1/runs", "ledger_sync/checkpoint_1/quality_analysis/symbols.jsonl"),
        ("slop-code/g1/runs", "ledger_sync/checkpoint_2/quality_analysis/files.jsonl"),
        ("slop-code/g1/runs", "ledger_sync/checkpoint_2/diff.json"),
        ("slop-code/g2/2a9800e", "checkpoint_3/quality_analysis/symbols.jsonl"),
        ("guides/outputs", "run_1/checkpoint_1/evaluation.json"),
    ] {
        let files = left(folder, &[], &[cut]);
        assert!(files.iter().any(|one| one.path.contains(cut)), "{folder} has {cut}");
        let known = accused(fixture_files(folder));
        let report = report_of(&core_of(files.clone()));
        let notes = report["notes"].as_array().unwrap();
        let is_it = |note: &&Value| note["file"].as_str().is_some_and(|file| file.contains(cut));
        let named = notes.iter().find(is_it).unwrap_or_else(|| panic!("{cut} is named: {notes:?}"));
        assert!(["truncated", "broken"].contains(&named["kind"].as_str().unwrap()), "{named}");
        let new: Vec<_> = accused(files).into_iter().filter(|one| !known.contains(one)).collect();
        assert!(new.is_empty(), "{folder} {cut}: {new:#?}");
    }
}
