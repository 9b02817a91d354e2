//! REBEL against its own values, and its odd cases.

use crate::support::{
    assert_same, at, bytes_of, core_of, file, fixture_files, fixture_json, fixture_report,
    report_of,
};
use serde_json::Value;

const FOLDERS: [&str; 6] = [
    "rebel/basic",
    "rebel/edge",
    "rebel/nonfinite",
    "rebel/trend/run_0",
    "rebel/trend/run_1",
    "rebel/trend/run_2",
];

#[test]
fn every_value_of_the_original_agrees_to_the_bit() {
    let mut n_compared = 0;
    for folder in FOLDERS {
        let report = fixture_report(folder);
        let expected = fixture_json(&format!("{folder}/expected.json"));
        let run = &report["runs"][0];
        let cases = run["cases"].as_array().unwrap();
        let entries = expected["test_cases"].as_array().unwrap();
        assert_eq!(cases.len(), entries.len(), "{folder}");
        for name in ["passed", "total"] {
            let printed = expected["console_summary"][name].as_u64();
            assert!(printed.is_some(), "{folder}: the fixture holds what the console printed");
            assert_eq!(at(run, &format!("counts.{name}")).as_u64(), printed, "{folder} {name}");
        }
        for (case, entry) in cases.iter().zip(entries) {
            let what = format!("{folder} {}", entry["name"]);
            assert_eq!(case["id"], entry["name"], "{what}");
            assert_eq!(case["strategy"], entry["strategy"], "{what}");
            assert_same(&case["score"], &entry["aggregated"]["score"], &what);
            assert_eq!(case["outcome"], entry["aggregated"]["verdict"], "{what}");
            assert_eq!(case["n_attempts"], entry["n_results"], "{what}");
            for (verdict, key) in
                [("error", "n_error"), ("passed", "n_passed"), ("failed", "n_failed")]
            {
                let checks = case["checks"].as_array().unwrap();
                let n = checks.iter().filter(|check| check["verdict"] == verdict).count();
                assert_eq!(Some(n as u64), entry[key].as_u64(), "{what} {key}");
            }
            n_compared += 7;
        }
        for row in report["audit"].as_array().unwrap() {
            assert_eq!(row["agrees"], true, "{folder}: {row}");
        }
    }
    assert!(n_compared > 500, "only {n_compared} values were compared");
}

#[test]
fn the_example_of_the_guide_reads_as_the_guide_says() {
    let report = fixture_report("rebel/guide");
    let case = &report["runs"][0]["cases"][0];
    assert_eq!((case["outcome"].as_str(), case["score"].as_f64()), (Some("failed"), Some(0.0)));
    assert_eq!(case["checks"][2]["reason"], "Incorrect result, expected 14, got 13");
    assert_eq!(report["runs"][0]["started_at"], "2025-08-08T12:52:33");
}

#[test]
fn a_report_is_recognised_by_content_alone() {
    for folder in FOLDERS {
        let files = fixture_files(folder);
        let renamed = files.iter().map(|dropped| file("unknown", bytes_of(dropped))).collect();
        let report = report_of(&core_of(renamed));
        assert_eq!(report["evaluations"][0]["producer"], "rebel", "{folder}");
    }
}

#[test]
fn a_test_with_two_metrics_keeps_their_positions() {
    let entry = |score: &str| {
        format!(
            r#"{{"name":"t_[]","retry_params":{{"count":1,"aggregation_strategy":"max"}},
            "actual_outputs":[{{"output":"x"}}],
            "evaluation_results":[{{"score":{score},"verdict":"passed","reason":"r {score}"}}],
            "aggregated_result":{{"score":{score},"verdict":"passed","reason":""}}}}"#
        )
    };
    let text = format!(
        r#"{{"metadata":{{"timestamp":"20260101_000000"}},"test_cases":[{},{}]}}"#,
        entry("1.5"),
        entry("Infinity")
    );
    let report = report_of(&core_of(vec![file("r.json", text)]));
    let cases = report["runs"][0]["cases"].as_array().unwrap();
    assert_eq!(cases[0]["variant"], "metric 1");
    assert_eq!(cases[1]["variant"], "metric 2");
    assert_eq!(cases[1]["score"], "Infinity");
    assert_eq!(cases[1]["checks"][0]["reason"], "r Infinity");
}

#[test]
fn a_cut_report_keeps_the_test_cases_before_the_cut() {
    let bytes = bytes_of(&fixture_files("rebel/basic")[0]);
    let report = report_of(&core_of(vec![file("r.json", &bytes[..bytes.len() / 2])]));
    let cases = report["runs"][0]["cases"].as_array().unwrap();
    assert!((1..26).contains(&cases.len()), "{}", cases.len());
    let kinds: Vec<&Value> =
        report["notes"].as_array().unwrap().iter().map(|n| &n["kind"]).collect();
    assert!(kinds.iter().any(|kind| *kind == "truncated"), "{kinds:?}");
}
