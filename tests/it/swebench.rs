//! SWE-bench against its own values, logs without a run report, broken files.

use crate::support::{
    assert_close, bytes_of, core_of, file, fixture_files, fixture_json, fixture_report, records_of,
    report_of,
};
use evalglass::input::Dropped;
use evalglass::model::Content;
use serde_json::Value;
use std::collections::BTreeMap;

const FOLDER: &str = "swebench/5.0.2";
const REPORT: &str = "acme__coder-1.nightly_01.json";

fn files_but(is_left_out: impl Fn(&str) -> bool) -> Vec<Dropped> {
    fixture_files(FOLDER).into_iter().filter(|file| !is_left_out(&file.path)).collect()
}

fn cases(report: &Value) -> BTreeMap<&str, &Value> {
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let cases = runs[0]["cases"].as_array().unwrap();
    cases.iter().map(|case| (case["id"].as_str().unwrap(), case)).collect()
}

/// Outcome and message of an instance by how the fixture's maker made it.
fn outcome_of(made_as: &str) -> (&'static str, Option<&'static str>) {
    match made_as {
        "full" | "no_f2p" => ("passed", None),
        "partial" => ("failed", None),
        "none" => ("failed", Some("network_unreachable")),
        "broken_p2p" => ("failed", Some("no_tests_collected")),
        "apply_fail" => ("failed", Some("the patch was not applied, or no test was run")),
        "empty" | "none_patch" => ("failed", Some("the patch is empty")),
        "missing_pred" => ("skipped", None),
        "error" => ("error", Some("there is no report of this instance")),
        "badjson" => ("error", Some("report.json cannot be read: it ends inside a number or word")),
        "emptyfile" => ("error", Some("report.json is empty")),
        other => panic!("{other}"),
    }
}

#[test]
fn every_value_of_the_original_agrees() {
    let report = fixture_report(FOLDER);
    let expected = fixture_json(&format!("{FOLDER}/expected.json"));
    let (cases, run) = (cases(&report), &report["runs"][0]);
    let mut n_compared = 0;
    for (id, made_as) in expected["made_as"].as_object().unwrap() {
        let case = cases[id.as_str()];
        let (outcome, message) = outcome_of(made_as.as_str().unwrap());
        assert_eq!(case["outcome"], outcome, "{id}");
        assert_eq!(case["error"]["message"].as_str(), message, "{id}");
        let tests = &expected["per_instance"][id];
        let checks = case["checks"].as_array().unwrap();
        assert_eq!(checks.len(), if tests.is_null() { 0 } else { 2 }, "{id}");
        for (check, key) in checks.iter().zip(["f2p", "p2p"]) {
            assert_close(&check["score"], &tests[key], id);
            n_compared += 1;
        }
        let is_full = tests["status"] == "RESOLVED_FULL";
        assert_eq!(is_full, outcome == "passed", "{id}");
        n_compared += 4;
    }
    let counts = &expected["counts"];
    for (ours, theirs) in [
        ("total", "total_instances"),
        ("passed", "resolved_instances"),
        ("error", "error_instances"),
    ] {
        assert_eq!(run["counts"][ours], counts[theirs], "{ours}");
    }
    let of = |ours: &str| run["counts"][ours].as_f64().unwrap();
    let n_submitted = counts["submitted_instances"].as_f64().unwrap();
    let n_completed = counts["completed_instances"].as_f64().unwrap();
    for (n, key) in [(of("total"), "total"), (n_submitted, "submitted"), (n_completed, "completed")]
    {
        let rate = Value::from(of("passed") / n);
        assert_close(&rate, &expected[format!("resolved_rate_over_{key}")], key);
    }
    assert_eq!(cases.len(), 24);
    assert!(n_compared > 100, "only {n_compared} values were compared");
    let audit = report["audit"].as_array().unwrap();
    assert_eq!(audit.len(), 35);
    for row in audit {
        assert_eq!(row["agrees"], true, "{row}");
    }
    assert_eq!(
        (&run["subject"], &cases["psf__requests-3927"]["group"]),
        (&Value::from("acme/coder-1"), &Value::from("psf/requests"))
    );
    let kinds: Vec<&Value> =
        report["notes"].as_array().unwrap().iter().map(|note| &note["kind"]).collect();
    assert_eq!(kinds, ["broken"; 4]);
}

#[test]
fn logs_without_a_run_report_say_the_same_of_what_they_hold() {
    let whole = fixture_report(FOLDER);
    let report = report_of(&core_of(files_but(|path| path.ends_with(REPORT))));
    let (whole, found) = (cases(&whole), cases(&report));
    assert_eq!(found.len(), 22, "what was not predicted is not known");
    for (id, case) in found {
        let expected = match whole[id]["error"]["message"].as_str() {
            // Only the run report knows that nothing came of it.
            Some("there is no report of this instance") => &Value::from("unscored"),
            _ => &whole[id]["outcome"],
        };
        assert_eq!(&case["outcome"], expected, "{id}");
    }
}

#[test]
fn a_run_report_alone_says_what_became_of_each_instance() {
    let whole = fixture_report(FOLDER);
    let alone = files_but(|path| !path.ends_with(REPORT));
    for name in [REPORT, "unknown"] {
        let report = report_of(&core_of(vec![file(name, bytes_of(&alone[0]))]));
        let (whole, found) = (cases(&whole), cases(&report));
        assert_eq!(found.len(), 24);
        for (id, case) in found {
            assert_eq!(case["outcome"], whole[id]["outcome"], "{id}");
        }
        let subject = report["runs"][0]["subject"].as_str();
        assert_eq!(subject, (name == REPORT).then_some("acme__coder-1"));
        assert_eq!(report["notes"].as_array().unwrap().len(), 0);
    }
}

#[test]
fn a_changed_report_is_found() {
    for (name, from, to) in [
        (REPORT, "\"total_instances\": 24", "\"total_instances\": 25"),
        (REPORT, "\"submitted_instances\": 22", "\"submitted_instances\": 23"),
        (REPORT, "\"resolved_instances\": 4", "\"resolved_instances\": 5"),
        (REPORT, "\"infra_failure_instances\": 2", "\"infra_failure_instances\": 1"),
        ("astropy__astropy-13978/report.json", "\"resolved\": false", "\"resolved\": true"),
        ("django__django-6825/report.json", "\"failure\": []", "\"failure\": [\"t\"]"),
    ] {
        let mut files = fixture_files(FOLDER);
        let at = files.iter().position(|file| file.path.ends_with(name)).unwrap();
        let text = String::from_utf8(bytes_of(&files[at])).unwrap();
        assert!(text.contains(from), "{from}");
        files[at] = file(&files[at].path.clone(), text.replacen(from, to, 1));
        let report = report_of(&core_of(files));
        let audit = report["audit"].as_array().unwrap();
        assert!(audit.iter().any(|row| row["agrees"] == false), "{name}: {from} → {to}");
    }
}

#[test]
fn two_models_of_one_run_are_two_runs() {
    let mut files = fixture_files(FOLDER);
    let copies: Vec<Dropped> = files
        .iter()
        .map(|one| {
            let text = String::from_utf8(bytes_of(one)).unwrap();
            let text = text.replace("acme/coder-1", "acme/coder-2");
            file(
                &one.path.replace("acme__coder-1", "acme__coder-2").replace("predictions", "preds"),
                text,
            )
        })
        .collect();
    files.extend(copies);
    let report = report_of(&core_of(files));
    let runs = report["runs"].as_array().unwrap();
    let subjects: Vec<&Value> = runs.iter().map(|run| &run["subject"]).collect();
    assert_eq!(subjects, ["acme/coder-1", "acme/coder-2"]);
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 1);
    for row in report["audit"].as_array().unwrap() {
        assert_eq!(row["agrees"], true, "{row}");
    }
}

#[test]
fn a_cut_report_and_wrong_types_cost_only_themselves() {
    let report = bytes_of(&files_but(|path| !path.ends_with(REPORT))[0]);
    let cut = report_of(&core_of(vec![file("unknown", &report[..report.len() / 2])]));
    assert_eq!(cut["evaluations"][0]["producer"], "swebench");
    let notes = cut["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note["kind"] == "truncated"), "{notes:?}");
    let text = r#"{"submitted_instances": 1, "completed_instances": "x", "resolved_instances": 2,
        "resolved_ids": [1, "a__b-1", null], "error_ids": {}, "failure_reasons": 3}"#;
    let text = text.replace("\"x\"", "7");
    let wrong = report_of(&core_of(vec![file("unknown", text)]));
    let cases = cases(&wrong);
    assert_eq!(cases.keys().collect::<Vec<_>>(), [&"a__b-1"]);
    let disagreeing =
        wrong["audit"].as_array().unwrap().iter().filter(|row| row["agrees"] == false);
    assert_eq!(disagreeing.count(), 3);
    let lines = "{\"instance_id\": \"a__b-1\", \"model_name_or_path\": \"m\", \"model_patch\": \"x\"}\n7\n{\"model_patch\": \"\"}\n";
    let predictions = report_of(&core_of(vec![file("unknown", lines)]));
    assert_eq!(predictions["runs"][0]["cases"][0]["outcome"], "unscored");
    let notes: Vec<&str> = predictions["notes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|note| note["detail"].as_str())
        .collect();
    assert_eq!(notes, ["a prediction is not an object", "a prediction has no instance_id"]);
}

#[test]
fn a_list_of_ids_that_is_none_is_named() {
    let text = fixture_files(FOLDER).into_iter().find(|file| file.path.ends_with(REPORT)).unwrap();
    let mut report: Value = serde_json::from_slice(&bytes_of(&text)).unwrap();
    report["resolved_ids"] = Value::from(3);
    let found = report_of(&core_of(vec![file(REPORT, report.to_string())]));
    let notes = found["notes"].as_array().unwrap().iter();
    let details: Vec<&str> = notes.filter_map(|note| note["detail"].as_str()).collect();
    let expected = "resolved_ids is not a list of ids: none of it is read";
    assert!(details.contains(&expected), "{details:?}");
    assert_eq!(found["evaluations"][0]["producer"], "swebench");
    assert!(cases(&found).values().all(|case| case["outcome"] != "passed"));
}

#[test]
fn an_instance_shows_its_tests_its_patch_and_its_logs() {
    let records = records_of(fixture_files(FOLDER));
    let of = |id: &str| {
        let mut all = records.iter().filter(|(case, _)| case.cases.id.get(0) == Some(id));
        &all.next().unwrap().1
    };
    for (case, detail) in &records {
        assert_eq!(detail.checks.len(), case.checks.len());
        let id = case.cases.id.get(0).unwrap();
        assert!(detail.facts.iter().any(|fact| fact.label == "lists of the run report"), "{id}");
    }
    let labels = |list: &[Content]| list.iter().map(|one| one.label.clone()).collect::<Vec<_>>();
    let failed = of("astropy__astropy-14159");
    assert_eq!(labels(&failed.actual), ["patch", "test_output.txt"]);
    assert_eq!(labels(&failed.failure), ["FAIL_TO_PASS: tests that fail"]);
    assert_eq!(failed.failure[0].body.lines().count(), 3);
    assert_eq!(failed.checks[0].reason.as_deref(), Some("0 of 3 tests pass"));
    let fact = |label: &str| {
        let fact = failed.facts.iter().find(|fact| fact.label == label);
        fact.map(|fact| fact.value.as_str())
    };
    assert_eq!(fact("failure reason"), Some("network_unreachable"));
    assert_eq!(
        fact("lists of the run report"),
        Some("completed, submitted, unresolved, infra failure")
    );
    let broken = of("django__django-18050");
    assert_eq!(labels(&broken.failure), ["report.json, which cannot be read"]);
    assert_eq!(of("django__django-14564").raw[0].json, "\"django__django-14564\"");
}
