//! Every value of `expected.json` of slop-code.

use super::{G1_RUN, G2, members, report, run_at};
use crate::support::{assert_close, assert_same, at, file, fixture_files, fixture_json};
use serde_json::{Map, Value};

/// Counts by kind and the seven policies of a run; `any` by the guide.
fn assert_counts(run: &Value, expected: &Value, prefix: &str, what: &str) {
    for (field, counts) in [("passed", "pass_counts"), ("total", "total_counts")] {
        for kind in ["Core", "Functionality", "Regression", "Error"] {
            let found = run["by_kind"][kind][field].as_u64().unwrap_or(0);
            let count = expected[counts][kind].as_u64().unwrap_or(0);
            assert_eq!(found, count, "{what} {counts}.{kind}");
        }
    }
    for (policy, found) in members(&run["policies"]) {
        let by_guide = if policy == "any" { "any-case" } else { policy };
        let key = format!("{prefix}{by_guide}");
        assert_eq!(found, &expected["policies"][&key], "{what} policy {policy}");
    }
}

/// Every value of a G1 checkpoint.
fn assert_g1(run: &Value, expected: &Value, what: &str) {
    let cases = run["cases"].as_array().unwrap();
    let entries = expected["cases"].as_array().unwrap();
    assert_eq!(cases.len(), entries.len(), "{what}");
    for (case, entry) in cases.iter().zip(entries) {
        let what = format!("{what} {}", entry["id"]);
        for (field, key) in [("id", "id"), ("group", "group"), ("kind", "type")] {
            assert_eq!(case[field], entry[key], "{what} {field}");
        }
        assert_eq!(case["passed"], entry["did_pass"], "{what}");
        assert_same(&case["score"], &entry["score"], &what);
        assert_same(&case["duration_secs"], &entry["duration"], &what);
        let checks = case["checks"].as_array().unwrap();
        assert_eq!(Some(checks.len() as u64), entry["n_attributes"].as_u64(), "{what}");
        for (name, letter) in members(&entry["format_result"]) {
            let check = checks.iter().find(|check| check["name"] == *name).unwrap();
            assert_eq!(check["is_correct"], Value::from(letter == "P"), "{what} {name}");
        }
        let original = &entry["original_checkpoint"];
        assert_eq!(case.get("variant").unwrap_or(&Value::Null), original, "{what}");
    }
    assert_eq!(run["started_at"], expected["timestamp"], "{what}");
    assert_same(&run["duration_secs"], &expected["duration"], what);
    assert_counts(run, expected, "", what);
    let groups = run["groups"].as_array().unwrap();
    let group = |name: &str| groups.iter().find(|group| group["name"] == name).unwrap();
    if let Some(table) = expected["cli_group_table"].as_object() {
        for (name, row) in table {
            assert_eq!(group(name)["cases"], row["num_cases"], "{what} {name}");
            if !has_repeated_ids(expected) {
                assert_close(&group(name)["score"], &row["mean"], &format!("{what} {name}"));
            }
        }
        let total = &expected["cli_total_row"];
        assert_close(at(run, "score.mean_attempted"), &total["mean"], what);
        assert_eq!(run["counts"]["total"], total["num_cases"], "{what}");
    }
    for (name, score) in members(&expected["doc_group_scores"]) {
        assert_close(&group(name)["score"], score, &format!("{what} {name}"));
    }
    assert_close(at(run, "score.mean_of_groups"), &expected["doc_checkpoint_score"], what);
}

/// The guide's group scores count a repeated id once, and so do ours; the console's table counts every
/// row.
fn has_repeated_ids(expected: &Value) -> bool {
    let entries = expected["cases"].as_array().unwrap();
    let key = |entry: &Value| (entry["group"].to_string(), entry["id"].to_string());
    let keys: std::collections::HashSet<_> = entries.iter().map(key).collect();
    keys.len() < entries.len()
}

/// Every member of the summary, in order, to the bit.
fn assert_summary(found: &Value, expected: &Value, path: &str) {
    let Some(expected_members) = expected.as_object() else {
        if expected.is_string() {
            assert_eq!(found, expected, "{path}");
        }
        return assert_same(found, expected, path);
    };
    let keys = |value: &Map<String, Value>| value.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(members(found)), keys(expected_members), "{path}");
    for (key, value) in expected_members {
        assert_summary(&found[key], value, &format!("{path}.{key}"));
    }
}

#[test]
fn every_value_of_g1_agrees() {
    let report = report(fixture_files(G1_RUN));
    let expected = fixture_json("slop-code/g1/expected.json");
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 1);
    assert_eq!(report["evaluations"][0]["generation"], "G1");
    for (path, checkpoint) in members(&expected["checkpoints"]) {
        assert_g1(run_at(&report, path), checkpoint, path);
    }
    assert_summary(&report["evaluations"][0]["summary"], &expected["run_summary"], "summary");
    let differing: Vec<&str> = report["audit"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["agrees"] == false)
        .map(|row| row["field"].as_str().unwrap())
        .collect();
    // Of the checkpoint without cases; the original writes 0.
    let rates = ["pass_rate", "checkpoint_pass_rate", "core_pass_rate"];
    assert_eq!(differing, rates.map(|name| format!("checkpoint_results.{name}")));
}

#[test]
fn every_value_of_g2_agrees() {
    for (folder, run_folder, generation) in G2 {
        let report = report(fixture_files(&format!("{folder}/{run_folder}")));
        let expected = fixture_json(&format!("{folder}/expected.json"));
        assert_eq!(report["evaluations"][0]["generation"], generation);
        for (name, checkpoint) in members(&expected["checkpoints"]) {
            let run = run_at(&report, name);
            let what = format!("{folder} {name}");
            let cases = run["cases"].as_array().unwrap();
            let tests = checkpoint["tests"].as_array().unwrap();
            assert_eq!(cases.len(), tests.len(), "{what}");
            for test in tests {
                let own = |case: &&Value| {
                    let variant = case.get("variant").filter(|variant| !variant.is_null());
                    let variant = variant.cloned().unwrap_or_else(|| Value::from(name.as_str()));
                    case["id"] == test["id"] && variant == test["checkpoint"]
                };
                let case = cases.iter().find(own).unwrap();
                assert_eq!(case["kind"], test["group_type"], "{what} {test}");
                assert_eq!(case["outcome"], test["status"], "{what} {test}");
                let millis = Value::from(case["duration_secs"].as_f64().unwrap() * 1000.0);
                assert_close(&millis, &test["duration_ms"], &what);
                let is_bad = matches!(test["status"].as_str(), Some("failed" | "error"));
                assert_eq!(!case["error"].is_null(), is_bad, "{what} {test}");
            }
            assert_same(&run["duration_secs"], &checkpoint["duration"], &what);
            assert_counts(run, checkpoint, "check:", &what);
        }
        assert_summary(&report["evaluations"][0]["summary"], &expected["run_summary"], folder);
        for row in report["audit"].as_array().unwrap() {
            assert!(row["agrees"] == true || !row["why"].is_null(), "{folder}: {row}");
        }
    }
}

#[test]
fn odd_checkpoints_alone_are_evaluations() {
    let report = report(fixture_files("slop-code/g1/odd"));
    let expected = fixture_json("slop-code/g1/expected.json");
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 2);
    let undefined = run_at(&report, "undefined_scores");
    assert_g1(undefined, &expected["odd"]["undefined_scores"], "undefined_scores");
    assert_eq!(undefined["cases"][0]["outcome"], "unscored");
    let infinite = run_at(&report, "nan_infinity");
    assert_eq!(infinite["duration_secs"], "NaN");
    assert_eq!(infinite["groups"][0]["duration_secs"], "Infinity");
    let policies = &expected["odd"]["nan_infinity"]["policies"];
    assert_eq!(members(&infinite["policies"]), members(policies));
}

#[test]
fn rows_alone_give_the_summary() {
    let rows = [
        r#"{"problem": "p", "checkpoint": "c1", "idx": 1, "state": "ran", "strict_pass_rate": 1.0,
            "isolated_pass_rate": 1.0, "core_pass_rate": 1.0, "input": Infinity, "cost": 0.1}"#,
        r#"{"problem": "p", "checkpoint": "c2", "idx": 2, "state": "error", "strict_pass_rate": 0.5,
            "isolated_pass_rate": 0.5, "core_pass_rate": 1.0, "input": 3, "cost": 0.2}"#,
    ];
    let text = rows.map(|row| row.replace('\n', " ")).join("\n");
    let report = report(vec![file("unknown", text)]);
    let summary = &report["evaluations"][0]["summary"];
    assert_eq!(summary["checkpoints_solved"], 1);
    assert_eq!(summary["checkpoints_core_solved"], 2);
    assert_eq!(summary["tokens"]["input"], "Infinity");
    assert_same(&summary["costs"]["total"], &Value::from(0.300_000_000_000_000_04), "costs");
    // Where no folder is there, none is missing.
    assert_eq!(report["notes"], Value::Array(Vec::new()));
}
