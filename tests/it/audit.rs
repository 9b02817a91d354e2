//! The audit against every fixture as it is, and against tampered copies: what is changed or taken out
//! differs, with a reason.

// Files as they are: every difference has a cause.
mod genuine;
// The figures that other tools state, changed.
mod guests;
// Folders without one of their files.
mod missing;
// Every number, truth value and verdict that a fixture declares, changed.
mod leaves;
// The likely reason of a difference, and its weight.
mod reasons;
// Rows, entries, attempts and tests taken out.
mod rows;

use crate::support::{bytes_of, core_of, file, fixture_files, report_of};
use evalglass::input::Dropped;
use serde_json::Value;

/// Every folder of fixtures that is dropped as a whole, with the fields that differ as it is.
pub const FOLDERS: [(&str, &[&str]); 28] = [
    ("slop-code/g1/runs", &EMPTY_RATES),
    ("slop-code/g1/odd", &["duration", "duration"]),
    (
        "slop-code/g2/2a9800e",
        &[
            RUN_INFO[0],
            RUN_INFO[1],
            RUN_INFO[2],
            "checkpoint_results.total_tests",
            "checkpoint_results.functionality_total",
            "checkpoint_results.pass_rate",
            "checkpoint_results.checkpoint_pass_rate",
        ],
    ),
    ("slop-code/g2/feeab5a", &RUN_INFO),
    ("slop-code/g2/v1.0", &RUN_INFO),
    ("rebel/basic", &[]),
    ("rebel/edge", &[]),
    ("rebel/guide", &[]),
    ("rebel/nonfinite", &[]),
    ("rebel/trend/run_0", &[]),
    ("rebel/trend/run_1", &[]),
    ("rebel/trend/run_2", &[]),
    ("letta-evals/0.2.x_singlefile", &[]),
    ("letta-evals/0.3.2_single", &[]),
    ("letta-evals/0.4.1_multirun", &[]),
    ("letta-evals/0.5.0_interrupted", &[]),
    ("letta-evals/0.5.0_runnerresult_dump", &LAST_RUN_ONLY),
    ("letta-evals/0.5.0_single", &[]),
    ("letta-evals/0.7.0_weighted", &[]),
    ("letta-evals/0.9.0_weighted", &[]),
    ("letta-evals/0.15.0_logical_multirun", &[]),
    ("letta-evals/0.17.1_suite_multirun", &[]),
    ("letta-evals/0.20.0_suite", &[]),
    ("letta-evals/0.25.1_reward", &[]),
    ("letta-evals/0.25.1_reward_11runs", &[]),
    ("letta-evals/0.25.1_runnerresult_dump", &[]),
    ("letta-evals/0.26.0_reward_multirun", &[]),
    ("letta-evals/guide_shape", &[]),
];

/// Of the checkpoint without cases; the original writes 0.
const EMPTY_RATES: [&str; 3] = [
    "checkpoint_results.pass_rate",
    "checkpoint_results.checkpoint_pass_rate",
    "checkpoint_results.core_pass_rate",
];

/// The makers of these fixtures wrote round numbers here, which the other files do not add up to.
const RUN_INFO: [&str; 3] = [
    "run_info.summary.duration_seconds",
    "run_info.summary.total_cost",
    "run_info.summary.total_steps",
];

/// Of both runs; the document holds the rows of the second.
const LAST_RUN_ONLY: [&str; 10] = [
    "run_statistics.num_runs",
    "run_statistics.runs_passed",
    "run_statistics.mean_avg_score_attempted",
    "run_statistics.std_avg_score_attempted",
    "run_statistics.mean_avg_score_total",
    "run_statistics.std_avg_score_total",
    "run_statistics.mean_scores.accuracy",
    "run_statistics.mean_scores.quality",
    "run_statistics.std_scores.accuracy",
    "run_statistics.std_scores.quality",
];

/// The exported report on `files`.
pub fn audited(files: Vec<Dropped>) -> Value {
    report_of(&core_of(files))
}

/// The files of `folder`, the one whose path ends with `name` replaced by `bytes`.
pub fn with(folder: &str, name: &str, bytes: &[u8]) -> Vec<Dropped> {
    let mut files = fixture_files(folder);
    let own = files.iter_mut().find(|file| file.path.ends_with(name)).expect("the file is there");
    *own = file(&own.path.clone(), bytes);
    files
}

/// The bytes of the file of `folder` whose path ends with `name`.
pub fn bytes_in(folder: &str, name: &str) -> Vec<u8> {
    let files = fixture_files(folder);
    bytes_of(files.iter().find(|file| file.path.ends_with(name)).expect("the file is there"))
}

/// The rows that differ.
pub fn differing(report: &Value) -> Vec<&Value> {
    report["audit"].as_array().unwrap().iter().filter(|row| row["agrees"] == false).collect()
}

#[test]
fn untampered_fixtures_agree_but_for_what_is_known() {
    for (folder, known) in FOLDERS {
        let report = audited(fixture_files(folder));
        let mut fields: Vec<&str> =
            differing(&report).iter().map(|row| row["field"].as_str().unwrap()).collect();
        let mut known = known.to_vec();
        fields.sort_unstable();
        known.sort_unstable();
        assert_eq!(fields, known, "{folder}");
        for row in report["audit"].as_array().unwrap() {
            let agrees = row["agrees"] == true;
            assert_eq!(agrees, row["severity"] == "agrees", "{folder}: {row}");
            assert_eq!(agrees, row["why"].is_null(), "{folder}: {row}");
            let file = row["file"].as_str().unwrap();
            let files = fixture_files(folder);
            assert!(files.iter().any(|one| one.path == file), "{folder}: {row}");
        }
    }
}

#[test]
fn the_page_shows_what_the_export_says() {
    let core = core_of(fixture_files("slop-code/g2/2a9800e"));
    let report = report_of(&core);
    let page = core.audit();
    let exported = report["audit"].as_array().unwrap();
    assert_eq!(page.rows.len(), exported.len());
    assert_eq!(page.n_differing as usize, differing(&report).len());
    assert_eq!(page.words, "7 of 467 figures differ, 5 of them for a known reason.");
    // The worst first.
    let weights: Vec<&str> = page.rows.iter().map(|row| row.severity.as_str()).collect();
    assert_eq!(weights[1..4], ["major", "expected", "expected"]);
    assert_eq!(weights[6..8], ["expected", "agrees"]);
    let unchecked = report["unchecked"].as_array().unwrap();
    assert_eq!(page.unchecked.rows.len(), unchecked.len());
    for group in unchecked {
        let sum: u64 = group["fields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| field["count"].as_u64().unwrap())
            .sum();
        assert_eq!(group["count"].as_u64(), Some(sum), "{group}");
    }
}
