//! promptfoo's results against what promptfoo itself computed, in all of its forms, and their odd cases.

use crate::support::{assert_close, assert_same, core_of, file, fixture, fixture_json, report_of};
use evalglass::input::Pulse;
use evalglass::report::{CaseQuery, Target};
use evalglass::worker::protocol::Answer;
use serde_json::{Value, json};

const FOLDERS: [(&str, &str, usize); 4] = [
    ("0.103.11", "main", 1),
    ("0.103.11", "small_repeat", 2),
    ("0.123.1", "main", 1),
    ("0.123.1", "small_repeat", 2),
];

/// The report on one file of a fixture folder.
fn report_on(version: &str, folder: &str, name: &str) -> Value {
    let bytes = std::fs::read(fixture(&format!("promptfoo/{version}/{folder}/{name}"))).unwrap();
    report_of(&core_of(vec![file("unknown", bytes)]))
}

fn told(version: &str, folder: &str) -> Value {
    let expected = fixture_json(&format!("promptfoo/{version}/expected.json"));
    let runs = expected["runs"].as_array().unwrap();
    runs.iter().find(|run| run["folder"] == folder).unwrap().clone()
}

/// What promptfoo's word for a row is here.
fn outcome_of(row: &Value) -> &'static str {
    match (row["success"].as_bool().unwrap(), row["failureReason"].as_u64().unwrap()) {
        (true, _) if row["reason"] == "No assertions" => "scored",
        (true, _) => "passed",
        (false, 2) => "error",
        (false, _) => "failed",
    }
}

/// Cases of a run beside the rows of the same prompt and repeat.
fn pairs<'a>(report: &'a Value, told: &'a Value, n_repeats: usize) -> Vec<(&'a Value, &'a Value)> {
    let mut found = Vec::new();
    let n_prompts = told["prompts"].as_array().unwrap().len();
    for (at, run) in report["runs"].as_array().unwrap().iter().enumerate() {
        let (prompt, repeat) = (at / n_repeats, at % n_repeats);
        assert_eq!(run["repeat"].as_u64(), Some(repeat as u64 + 1));
        assert!(prompt < n_prompts);
        let own = told["rows"].as_array().unwrap().iter().filter(|row| {
            row["promptIdx"].as_u64() == Some(prompt as u64)
                && row["testIdx"].as_u64().unwrap() as usize % n_repeats == repeat
        });
        let own: Vec<&Value> = own.collect();
        let cases = run["cases"].as_array().unwrap();
        assert_eq!(cases.len(), own.len());
        found.extend(cases.iter().zip(own));
    }
    found
}

#[test]
fn every_row_agrees_with_what_promptfoo_computed() {
    let mut n_compared = 0;
    for (version, folder, n_repeats) in FOLDERS {
        let (report, told) = (report_on(version, folder, "results.json"), told(version, folder));
        let rows = told["rows"].as_array().unwrap();
        let pairs = pairs(&report, &told, n_repeats);
        assert_eq!(pairs.len(), rows.len(), "{version} {folder}");
        for (case, row) in pairs {
            let what = format!("{version} {folder} {} {}", row["promptIdx"], row["testIdx"]);
            assert_same(&case["score"], &row["score"], &what);
            assert_eq!(case["outcome"], outcome_of(row), "{what}");
            assert_close(
                &case["duration_secs"],
                &json!(row["latencyMs"].as_f64().unwrap() / 1000.0),
                &what,
            );
            assert_same(&case["cost_usd"], &row["cost"], &what);
            n_compared += 4;
            for (name, score) in row["namedScores"].as_object().unwrap() {
                let checks = case["checks"].as_array().unwrap();
                let own: Vec<&Value> =
                    checks.iter().filter(|check| check["name"] == *name).collect();
                if let [only] = own.as_slice() {
                    assert_close(&only["score"], score, &what);
                    n_compared += 1;
                }
                assert!(!own.is_empty(), "{what} {name}");
            }
        }
    }
    assert!(n_compared > 900, "{n_compared}");
}

#[test]
fn every_declared_figure_agrees() {
    let mut n_rows = 0;
    for (version, folder, _) in FOLDERS {
        let report = report_on(version, folder, "results.json");
        for row in report["audit"].as_array().unwrap() {
            assert_eq!(row["agrees"], true, "{version} {folder}: {row}");
            n_rows += 1;
        }
        let unchecked = report["unchecked"].as_array().unwrap();
        let known = ["a derived metric", "wall-clock time", "what graders used"];
        for one in unchecked {
            let why = one["why"].as_str().unwrap();
            assert!(known.iter().any(|start| why.starts_with(start)), "{version} {folder}: {one}");
        }
    }
    assert!(n_rows > 400, "{n_rows}");
}

#[test]
fn a_figure_that_was_changed_is_found() {
    let bytes = std::fs::read(fixture("promptfoo/0.123.1/main/results.json")).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    for (from, to) in [
        ("\"successes\": 31", "\"successes\": 32"),
        ("\"testFailCount\": 13", "\"testFailCount\": 12"),
        ("\"Correct\": 12", "\"Correct\": 11"),
    ] {
        let from = if text.contains(from) { from.to_owned() } else { from.replace(": ", ":") };
        assert!(text.contains(&from), "{from}");
        let report = report_of(&core_of(vec![file("a.json", text.replacen(&from, to, 1))]));
        let rows = report["audit"].as_array().unwrap();
        assert!(rows.iter().any(|row| row["agrees"] == false), "{from}");
    }
}

#[test]
fn every_form_gives_the_same_cases() {
    let folder = "small_repeat";
    let whole = report_on("0.123.1", folder, "results.json");
    for name in ["results.jsonl", "results.yaml", "results.xml", "results.csv"] {
        let report = report_on("0.123.1", folder, name);
        let (own, runs) = (report["runs"].as_array().unwrap(), whole["runs"].as_array().unwrap());
        assert_eq!(own.len(), runs.len(), "{name}");
        for (own, run) in own.iter().zip(runs) {
            assert_eq!(
                (&own["subject"], &own["repeat"]),
                (&run["subject"], &run["repeat"]),
                "{name}"
            );
            let (own, cases) = (own["cases"].as_array().unwrap(), run["cases"].as_array().unwrap());
            assert_eq!(own.len(), cases.len(), "{name}");
            for (own, case) in own.iter().zip(cases) {
                assert_eq!(
                    (&own["id"], &own["outcome"]),
                    (&case["id"], &case["outcome"]),
                    "{name}"
                );
                let (left, right) =
                    (own["score"].as_f64().unwrap(), case["score"].as_f64().unwrap());
                let tolerance = if name.ends_with("csv") { 0.005 } else { 0.0 };
                assert!((left - right).abs() <= tolerance, "{name}: {left} {right}");
            }
        }
        if !name.ends_with("csv") {
            for row in report["audit"].as_array().unwrap() {
                assert_eq!(row["agrees"], true, "{name}: {row}");
            }
        }
        // Only two forms say how often each test was run.
        let n_notes = usize::from(!name.ends_with("yaml"));
        assert_eq!(
            report["notes"].as_array().unwrap().len(),
            n_notes,
            "{name}: {}",
            report["notes"]
        );
    }
    let older = report_on("0.103.11", folder, "results.yaml");
    assert_eq!(older["runs"].as_array().unwrap().len(), 4);
}

/// A file of these rows.
fn document(rows: &Value) -> String {
    json!({"evalId": null, "config": {}, "results": {"version": 3, "prompts": [], "results": rows}})
        .to_string()
}

fn row(test: u64, of: Value) -> Value {
    let mut row = json!({
        "promptIdx": 0, "testIdx": test, "success": true, "score": 1, "failureReason": 0,
        "provider": {"id": "echo"}, "prompt": {"raw": "p", "label": "p"}, "vars": {"q": "a"},
        "testCase": {"assert": [{"type": "equals", "value": "x"}]}, "namedScores": {},
        "gradingResult": {"pass": true, "score": 1, "reason": "All assertions passed",
            "componentResults": [{"pass": true, "score": 1, "assertion": {"type": "equals"}}]},
    });
    row.as_object_mut().unwrap().extend(of.as_object().unwrap().clone());
    row
}

#[test]
fn nothing_checked_is_not_green() {
    let empty = json!({"testCase": {"assert": []}, "gradingResult": {"pass": true, "reason": "No assertions"}});
    let report = report_of(&core_of(vec![file("a.json", document(&json!([row(0, empty)])))]));
    let case = &report["runs"][0]["cases"][0];
    assert_eq!((&case["outcome"], &case["passed"]), (&json!("scored"), &Value::Null));
    assert_eq!(case["tags"], json!(["unchecked"]));
}

#[test]
fn twins_are_told_apart_and_repeats_are_found() {
    let other = json!({"vars": {"q": "b"}});
    let rows = json!([row(0, json!({})), row(1, json!({})), row(2, other)]);
    let report = report_of(&core_of(vec![file("a.json", document(&rows))]));
    let run = &report["runs"][0];
    let names: Vec<(&Value, &Value)> = run["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| (&case["id"], &case["variant"]))
        .collect();
    assert_eq!(report["runs"].as_array().unwrap().len(), 1);
    assert_eq!(names[0].0, "q=a");
    assert_eq!(names[1], (&json!("q=a"), &json!("2")));
    assert_eq!(names[2].0, "q=b");
    let rows = json!([row(0, json!({})), row(1, json!({}))]);
    let report = report_of(&core_of(vec![file("a.json", document(&rows))]));
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
    assert_eq!(report["notes"][0]["kind"], "assumed");
}

#[test]
fn an_assertion_set_is_one_check() {
    let report = report_on("0.123.1", "main", "results.json");
    let cases = report["runs"][2]["cases"].as_array().unwrap();
    let case = cases.iter().find(|case| case["id"] == "assert-set").unwrap();
    let names: Vec<&str> = case["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| check["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Set", "latency"]);
}

#[test]
fn broken_files_keep_what_stands_before_and_say_where() {
    let notes = |text: &str| -> Vec<String> {
        let report = report_of(&core_of(vec![file("a.json", text)]));
        let notes = report["notes"].as_array().unwrap();
        notes.iter().map(|n| format!("{} {} {}", n["kind"], n["at"], n["detail"])).collect()
    };
    let whole = document(&json!([row(0, json!({})), row(1, json!({"vars": {"q": "b"}}))]));
    let cut = &whole[..whole.len() - 200];
    let found = notes(cut);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("row 2 is cut off, the one before it is kept"), "{found:?}");
    let wrong = document(&json!([3, {"promptIdx": 0}, row(1, json!({}))]));
    let found = notes(&wrong);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("a row is not an object"), "{found:?}");
    assert!(found[1].contains("a row has no \\\"success\\\""), "{found:?}");
    let yaml = "evalId: x\nresults:\n  prompts:\n    - {";
    assert!(notes(yaml)[0].contains("not valid YAML"), "{:?}", notes(yaml));
    let xml = "<promptfoo><results><results><success>true</success>";
    assert!(notes(xml)[0].contains("it ends inside an element"), "{:?}", notes(xml));
}

#[test]
fn texts_of_rows_are_found_in_every_form() {
    for name in ["results.json", "results.jsonl", "results.yaml", "results.xml", "results.csv"] {
        let bytes = fixture(&format!("promptfoo/0.123.1/small_repeat/{name}"));
        let core = core_of(vec![file("unknown", std::fs::read(bytes).unwrap())]);
        let found = pollster::block_on(core.search(Target::All, "«月»", &Pulse::silent()));
        assert_eq!(found, Ok(Answer::Found(4)), "{name}");
    }
}

#[test]
fn a_row_shows_what_it_holds() {
    let bytes = std::fs::read(fixture("promptfoo/0.123.1/main/results.json")).unwrap();
    let core = core_of(vec![file("a.json", bytes)]);
    let page = core.cases(&CaseQuery { limit: 1_000, ..CaseQuery::default() }).unwrap();
    let mut labels = std::collections::BTreeSet::new();
    for row in &page.rows {
        let detail = core.case(row.run, row.case_idx).unwrap().unwrap().detail;
        let contents = [&detail.input, &detail.expected, &detail.actual, &detail.failure];
        labels.extend(contents.into_iter().flatten().map(|content| content.label.clone()));
        labels.extend(detail.facts.iter().map(|fact| fact.label.clone()));
        assert!(!detail.raw[0].json.is_empty());
    }
    for label in [
        "q",
        "obj",
        "img",
        "prompt",
        "assertions",
        "output",
        "provider error",
        "reason",
        "latency",
        "cost",
    ] {
        assert!(labels.contains(label), "{label} is not among {labels:?}");
    }
}
