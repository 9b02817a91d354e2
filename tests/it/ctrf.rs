//! CTRF reports against what the runners themselves report, and their odd cases.

use crate::support::{
    at, bytes_of, core_of, file, fixture_files, fixture_json, fixture_report, records_of, report_of,
};
use evalglass::model::{AttemptDetail, CaseDetail};
use serde_json::Value;

const PYTEST: [&str; 3] = ["ctrf.json", "ctrf-continue.json", "ctrf-collect-error.json"];

fn run_of<'a>(report: &'a Value, name: &str) -> &'a Value {
    let runs = report["runs"].as_array().unwrap();
    let ends = |run: &&Value| run["path"].as_str().unwrap().ends_with(&format!("/{name}"));
    runs.iter().find(ends).unwrap()
}

#[test]
fn every_test_and_every_count_agrees() {
    let mut n_compared = 0;
    let report = fixture_report("ctrf/pytest-9.2.0");
    let expected = fixture_json("ctrf/pytest-9.2.0/expected.json");
    for name in PYTEST {
        let run = run_of(&report, name);
        let told = &expected["files"][name];
        assert_eq!(run["counts"]["total"], told["n_tests"], "{name}");
        let n = |key: &str| run["counts"][key].as_u64().unwrap();
        let summary = |key: &str| told["summary"][key].as_u64().unwrap();
        assert_eq!(n("passed"), summary("passed"), "{name}");
        assert_eq!(n("failed") + n("error"), summary("failed"), "{name}");
        assert_eq!(n("skipped"), summary("skipped") + summary("pending"), "{name}");
        let secs = run["duration_secs"].as_f64().unwrap();
        assert!((secs * 1000.0 - summary("duration") as f64).abs() < 1e-6, "{name}");
        n_compared += 5;
    }
    for folder in ["ctrf/pytest-9.2.0", "ctrf/js-runners"] {
        let report = fixture_report(folder);
        let rows = report["audit"].as_array().unwrap();
        for row in rows {
            assert_eq!(row["agrees"], true, "{folder}: {row}");
            n_compared += 1;
        }
    }
    assert!(n_compared > 30, "{n_compared}");
    let js = fixture_report("ctrf/js-runners");
    let own = fixture_json("ctrf/js-runners/expected.json")["jest_own_json"].clone();
    let counts = &js["runs"][0]["counts"];
    assert_eq!(counts["passed"], own["numPassedTests"]);
    assert_eq!(counts["failed"], own["numFailedTests"]);
    let n_idle = own["numPendingTests"].as_u64().unwrap() + own["numTodoTests"].as_u64().unwrap();
    assert_eq!(counts["skipped"].as_u64(), Some(n_idle));
}

#[test]
fn outcomes_are_those_of_pytest_where_the_report_tells_them() {
    let report = fixture_report("ctrf/pytest-9.2.0");
    let run = run_of(&report, "ctrf.json");
    let outcome = |end: &str| {
        let cases = run["cases"].as_array().unwrap();
        let case = cases.iter().find(|case| case["id"].as_str().unwrap().ends_with(end)).unwrap();
        (case["outcome"].as_str().unwrap(), case["tags"].clone())
    };
    assert_eq!(outcome("::test_setup_error").0, "error");
    assert_eq!(outcome("::test_teardown_error").0, "error");
    assert_eq!(outcome("::test_xfail").0, "skipped");
    assert!(outcome("::test_xfail").1.as_array().unwrap().iter().any(|tag| tag == "xfailed"));
    assert_eq!(outcome("::test_skipped").0, "skipped");
    assert_eq!(outcome("test_eq[2-3]").0, "failed");
}

#[test]
fn a_report_without_tests_is_not_green() {
    let report = fixture_report("ctrf/pytest-9.2.0");
    let evaluations = report["evaluations"].as_array().unwrap();
    let empty = evaluations.iter().find(|one| one["label"] == "ctrf-collect-error.json").unwrap();
    assert_ne!(at(empty, "verdict.outcome"), "passed");
    let notes = report["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note["kind"] == "unfinished"), "{notes:?}");
}

#[test]
fn retries_of_a_test_are_its_attempts() {
    let text = r#"{"results":{"tool":{"name":"playwright"},"summary":{"tests":2,"passed":1,"failed":1,"skipped":0,
        "pending":0,"other":0,"flaky":1,"start":0,"stop":1000},"tests":[
        {"name":"a","status":"passed","duration":2000,"retries":1,"flaky":true,"suite":["s","t"],
         "retryAttempts":[{"attempt":1,"status":"failed","duration":1000,"message":"no"}]},
        {"name":"b","status":"failed","duration":5,"retries":2,"message":"AssertionError: x"}]}}"#;
    let report = report_of(&core_of(vec![file("unknown", text)]));
    let cases = report["runs"][0]["cases"].as_array().unwrap();
    assert_eq!(report["evaluations"][0]["producer"], "ctrf");
    assert_eq!(
        (&cases[0]["n_attempts"], &cases[1]["n_attempts"]),
        (&Value::from(2), &Value::from(3))
    );
    assert_eq!(cases[0]["checks"][0]["verdict"], "failed");
    assert_eq!(cases[0]["checks"][1]["verdict"], "passed");
    assert_eq!(cases[0]["group"], "s > t");
    assert_eq!(cases[0]["tags"], serde_json::json!(["flaky"]));
    assert_eq!(cases[1]["error"]["type"], "AssertionError");
    for row in report["audit"].as_array().unwrap() {
        assert_eq!(row["agrees"], true, "{row}");
    }
    let found = records_of(vec![file("unknown", text)]);
    let said = |detail: &CaseDetail| -> Vec<Vec<String>> {
        let of = |one: &AttemptDetail| one.output.iter().map(|text| text.body.clone()).collect();
        detail.attempts.iter().map(of).collect()
    };
    let reasons: Vec<Vec<Vec<String>>> = found.iter().map(|(_, detail)| said(detail)).collect();
    assert_eq!(
        reasons,
        [vec![vec!["no"], vec![]], vec![vec![], vec![], vec!["AssertionError: x"]]]
    );
}

#[test]
fn a_report_belongs_to_slop_code_only_among_its_files() {
    let mut files = fixture_files("slop-code/g2/2a9800e");
    let n_files = files.len();
    files.extend(fixture_files("ctrf/pytest-9.2.0"));
    let report = report_of(&core_of(files));
    let producers: Vec<&str> = report["evaluations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["producer"].as_str().unwrap())
        .collect();
    assert!(n_files > 3);
    assert_eq!(producers.iter().filter(|producer| **producer == "ctrf").count(), 3);
    assert_eq!(producers.iter().filter(|producer| **producer == "slop-code").count(), 1);
}

#[test]
fn a_loose_report_is_adopted_by_the_evaluation_that_knows_its_tests() {
    let folder = "slop-code/g2/2a9800e/maple-1_20251222T1010/inventory_api/checkpoint_1";
    let mut files: Vec<_> = fixture_files(folder)
        .iter()
        .filter(|one| {
            ["/evaluation.json", "/report.json"].iter().any(|end| one.path.ends_with(end))
        })
        .map(|one| file("unknown", bytes_of(one)))
        .collect();
    assert_eq!(files.len(), 2);
    files.extend(
        fixture_files("ctrf/pytest-9.2.0").iter().map(|one| file("unknown", bytes_of(one))),
    );
    let n_files = files.len();
    for by in 0..n_files {
        let mut files = files.clone();
        files.rotate_left(by);
        let report = report_of(&core_of(files));
        let producers = report["evaluations"].as_array().unwrap().iter();
        let producers: Vec<&str> = producers.map(|one| one["producer"].as_str().unwrap()).collect();
        let n = |id: &str| producers.iter().filter(|producer| **producer == id).count();
        assert_eq!((n("ctrf"), n("slop-code")), (3, 1), "{by}: {producers:?}");
    }
}

#[test]
fn broken_reports_keep_what_stands_before_and_say_where() {
    let notes = |text: &str| -> Vec<String> {
        let report = report_of(&core_of(vec![file("a.json", text)]));
        let notes = report["notes"].as_array().unwrap();
        notes.iter().map(|n| format!("{} {} {}", n["kind"], n["at"], n["detail"])).collect()
    };
    let cut =
        r#"{"reportFormat":"CTRF","results":{"tests":[{"name":"a","status":"passed"},{"name":"b","#;
    assert_eq!(
        notes(cut),
        [
            r#""truncated" "byte 74" "test 2 is cut off, the one before it is kept: it ends inside an array at byte 86""#
        ]
    );
    let wrong = r#"{"reportFormat":"CTRF","results":{"tests":[1,{"status":"passed"},{"name":"c","status":"odd"}]}}"#;
    assert_eq!(
        notes(wrong),
        [
            r#""broken" "byte 43" "a test is not an object""#,
            r#""broken" "byte 45" "a test has no name""#
        ]
    );
}
