//! The audit on files as their producers and guides wrote them: every difference has a cause, and nobody
//! is accused.

use super::{audited, differing};
use crate::support::{fixture, fixture_files};
use serde_json::Value;
use std::collections::BTreeMap;

/// Folders of genuine results.
const HOMES: [&str; 5] = ["guides", "letta-evals", "rebel", "slop-code/g1", "slop-code/g2"];

/// Fixtures that state figures which their own rows or files do not give, and why they do.
const WRONG: [(&str, &str); 8] = [
    ("guides/l17a_literal_summary_no_key", "the guide's literal summary beside other rows"),
    ("guides/l17b_literal_summary_yaml_gate", "the guide's literal summary beside other rows"),
    ("guides/l17c_literal_summary_empty_config", "the guide's literal summary beside other rows"),
    ("guides/l20_literal_aggregate", "the guide's literal aggregate beside runs that are alike"),
    ("guides/r2_two_metrics_three_retries", "one answer for two results, as the guide writes it"),
    ("slop-code/g2/2a9800e", "round numbers in run_info.yaml, made by hand"),
    ("slop-code/g2/feeab5a", "round numbers in run_info.yaml, made by hand"),
    ("slop-code/g2/v1.0", "round numbers in run_info.yaml, made by hand"),
];

/// Words that would say that somebody did something to a file.
const ACCUSING: [&str; 9] = [
    "changed",
    "removed",
    "taken out",
    "put into",
    "tamper",
    "manipulat",
    "forged",
    "deleted",
    "faked",
];

/// Every folder of genuine results, in order.
fn folders() -> Vec<String> {
    let mut folders = Vec::new();
    for home in HOMES {
        let Ok(entries) = std::fs::read_dir(fixture(home)) else { continue };
        let names = entries.filter_map(Result::ok).filter(|entry| entry.path().is_dir());
        folders.extend(names.map(|entry| format!("{home}/{}", entry.file_name().display())));
    }
    folders.sort();
    folders
}

/// The reasons of a report's differences and of what cannot be checked, with severity and number.
fn reasons(report: &Value) -> BTreeMap<(String, String), u64> {
    let mut reasons = BTreeMap::new();
    let mut count = |severity: &str, why: &Value, n: u64| {
        let why = why.as_str().expect("a reason").to_owned();
        *reasons.entry((severity.to_owned(), why)).or_default() += n;
    };
    for row in differing(report) {
        count(row["severity"].as_str().expect("a severity"), &row["why"], 1);
    }
    for group in report["unchecked"].as_array().expect("a list") {
        count("unchecked", &group["why"], group["count"].as_u64().expect("a count"));
    }
    reasons
}

#[test]
fn every_reason_given_on_genuine_files_is_mild() {
    let folders = folders();
    assert!(folders.len() > 80, "only {}", folders.len());
    let (mut listing, mut alarms) = (String::new(), Vec::new());
    for folder in &folders {
        let reasons = reasons(&audited(fixture_files(folder)));
        listing.push_str(&format!("{folder}\n"));
        for ((severity, why), n) in &reasons {
            listing.push_str(&format!("    {severity} × {n}: {why}\n"));
            assert!(!ACCUSING.iter().any(|word| why.contains(word)), "{folder}: {why}");
            let is_wrong = WRONG.iter().any(|(own, _)| own == folder);
            if !is_wrong && ["minor", "major"].contains(&severity.as_str()) {
                alarms.push(format!("{folder}: {severity} × {n}: {why}"));
            }
        }
    }
    assert!(alarms.is_empty(), "false alarms:\n{}", alarms.join("\n"));
    insta::assert_snapshot!("reasons", listing);
}
