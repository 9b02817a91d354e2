//! letta-evals' guide: gates that are not there, samples' own scores, errors, rows of any layout.

use crate::support::{
    assert_close, core_of, exported_text, file, fixture, fixture_files, report_of,
};
use evalglass::render::Look;
use evalglass::report::{Cell, Sections, Target, Topic, VerdictOrigin};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Question};
use serde_json::{Value, json};

fn open(folder: &str) -> (Core, Value) {
    let core = core_of(fixture_files(&format!("guides/{folder}")));
    let report = report_of(&core);
    (core, report)
}

fn overview(core: &Core) -> Sections {
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Look(Look::default())) else {
        panic!("a tree")
    };
    core.sections(Topic::Overview(Target::Evaluation(tree.evaluations[0].id))).unwrap()
}

/// The first repeat's totals.
fn totals(report: &Value) -> &Value {
    &report["evaluations"][0]["repeats"][0]
}

fn outcomes(report: &Value) -> Vec<&str> {
    let runs = report["runs"].as_array().unwrap().iter();
    runs.flat_map(|run| run["cases"].as_array().unwrap())
        .map(|case| case["outcome"].as_str().unwrap())
        .collect()
}

fn metric<'a>(report: &'a Value, name: &str) -> &'a Value {
    let metrics = totals(report)["metrics"].as_array().unwrap();
    metrics.iter().find(|metric| metric["name"] == name).unwrap()
}

#[test]
fn without_a_gate_nothing_passes_and_nothing_fails() {
    for (folder, standing, declared) in [
        ("l1_results", VerdictOrigin::Declared, Some("passed")),
        ("l4_results_alone", VerdictOrigin::Unknown, None),
        ("l17c_literal_summary_empty_config", VerdictOrigin::Declared, Some("passed")),
        ("l17d_results_only", VerdictOrigin::Unknown, None),
        ("l19_consistent_no_gate", VerdictOrigin::Declared, Some("passed")),
        ("l19b_consistent_empty_gate", VerdictOrigin::Declared, Some("passed")),
        ("l22_runs_no_gate", VerdictOrigin::Declared, Some("passed in 3 of 3 repeats")),
    ] {
        let (core, report) = open(folder);
        let counts = &totals(&report)["counts"];
        assert_eq!(
            (&counts["passed"], &counts["failed"]),
            (&Value::Null, &Value::Null),
            "{folder}"
        );
        assert_eq!(counts["scored"], counts["total"], "{folder}");
        assert!(outcomes(&report).iter().all(|outcome| *outcome == "scored"), "{folder}");
        for found in totals(&report)["metrics"].as_array().unwrap() {
            assert_eq!(found["pass_rate"], Value::Null, "{folder}");
        }
        let page = overview(&core);
        let verdict = page.verdict.as_ref().unwrap();
        assert_eq!(verdict.standing, standing, "{folder}");
        assert_eq!(verdict.declared.as_deref(), declared, "{folder}");
        assert_eq!(verdict.reason, "the files hold no gate", "{folder}");
        let passed = page.headlines.iter().find(|headline| headline.label == "Passed").unwrap();
        let Cell::Missing(why) = &passed.value else { panic!("{folder}: {:?}", passed.value) };
        assert!(why.contains("the files hold no gate"), "{folder}: {why}");
        let said = report["evaluations"][0]["verdict"].clone();
        assert_eq!(said["outcome"], "scored", "{folder}");
        assert_eq!(said["declared"], json!(declared), "{folder}");
        let text = exported_text(&core, ExportKind::SummaryText);
        assert!(!text.contains("FAILED") && !text.contains("0 / "), "{folder}: {text}");
        assert!(!text.contains("Pass: 100"), "{folder}: {text}");
        let aggregate = &report["evaluations"][0]["aggregate"];
        assert_eq!(aggregate["repeats_passed"], Value::Null, "{folder}");
    }
}

#[test]
fn the_literal_summary_is_reproduced() {
    for (folder, has_rule) in [
        ("l17a_literal_summary_no_key", true),
        ("l17b_literal_summary_yaml_gate", true),
        ("l17c_literal_summary_empty_config", false),
    ] {
        let (_, report) = open(folder);
        let score = &totals(&report)["score"];
        assert_close(&score["mean_attempted"], &json!(0.85), folder);
        assert_close(&score["mean_total"], &json!(0.85), folder);
        assert_close(&metric(&report, "accuracy")["mean_attempted"], &json!(0.9), folder);
        assert_close(&metric(&report, "quality")["mean_attempted"], &json!(0.8), folder);
        if has_rule {
            let counts = &totals(&report)["counts"];
            assert_eq!((&counts["passed"], &counts["failed"]), (&json!(8), &json!(2)), "{folder}");
            for (name, passed, failed) in [("accuracy", 9, 1), ("quality", 7, 3)] {
                let found = metric(&report, name);
                assert_eq!(
                    (&found["passed"], &found["failed"]),
                    (&json!(passed), &json!(failed)),
                    "{folder} {name}"
                );
            }
        }
        let audit = report["audit"].as_array().unwrap();
        let differing: Vec<&Value> = audit.iter().filter(|row| row["agrees"] == false).collect();
        assert!(differing.is_empty(), "{folder}: {differing:?}");
    }
}

#[test]
fn rows_open_however_they_lie() {
    for (folder, n_cases) in [
        ("l13_full_row", 1),
        ("l13c_full_row_pretty", 1),
        ("l14_rows_as_array", 2),
        ("l7_error_pretty", 1),
        ("l7a_error_pretty_empty_sample", 1),
    ] {
        let (_, report) = open(folder);
        assert_eq!(outcomes(&report).len(), n_cases, "{folder}");
        let notes = report["notes"].as_array().unwrap();
        let lost = |note: &&Value| note["kind"] == "broken" || note["kind"] == "truncated";
        assert!(!notes.iter().any(|note| lost(&note)), "{folder}: {notes:?}");
    }
}

/// The rows of a JSONL fixture in other layouts: the same cases, with locators that find the record.
#[test]
fn other_layouts_say_the_same_as_lines() {
    let text = std::fs::read_to_string(fixture("guides/l17d_results_only/results.jsonl")).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let pretty: Vec<String> =
        rows.iter().map(|row| serde_json::to_string_pretty(row).unwrap()).collect();
    let compact = format!("[{}]", text.lines().collect::<Vec<_>>().join(","));
    let cases = |bytes: String| {
        let core = core_of(vec![file("r/results.json", bytes)]);
        report_of(&core)["runs"][0]["cases"].clone()
    };
    let by_line = cases(text.clone());
    assert_eq!(by_line.as_array().unwrap().len(), rows.len());
    for other in [
        pretty.join("\n"),
        pretty.join(""),
        pretty.join("\n").replace('\n', "\r\n"),
        serde_json::to_string_pretty(&rows).unwrap(),
        compact,
    ] {
        assert_eq!(cases(other.clone()), by_line, "{}", &other[..60]);
    }
}

#[test]
fn a_broken_row_over_several_lines_costs_only_itself() {
    let row = |id: u32| {
        let row = json!({"sample": {"id": id, "input": "q"}, "submission": "a",
            "grade": {"score": 1.0, "rationale": "r"}, "trajectory": []});
        serde_json::to_string_pretty(&row).unwrap()
    };
    let torn = row(1);
    let torn = torn.trim_end().trim_end_matches('}');
    let core = core_of(vec![file("r/rows.json", [&row(0), torn, &row(2)].join("\n"))]);
    let report = report_of(&core);
    assert_eq!(outcomes(&report).len(), 2);
    let notes = report["notes"].as_array().unwrap();
    let broken = notes.iter().find(|note| note["kind"] == "broken").unwrap();
    let byte = row(0).len() + 1;
    let line = row(0).lines().count() + 1;
    assert_eq!(broken["at"], format!("line {line}, byte {byte}"));
    let why = broken["detail"].as_str().unwrap();
    assert!(why.contains("does not end before the next one begins"), "{why}");
}

#[test]
fn samples_with_errors_keep_score_type_and_text() {
    for (folder, n_attempted, n_total) in [
        ("l7_error_pretty", 0, 1),
        ("l7b_error_jsonl", 2, 3),
        ("l7c_error_only", 0, 1),
        ("l9_errors", 2, 3),
        ("l9b_errors", 2, 3),
    ] {
        let (_, report) = open(folder);
        let counts = &totals(&report)["counts"];
        assert_eq!(
            (&counts["attempted"], &counts["total"], &counts["error"]),
            (&json!(n_attempted), &json!(n_total), &json!(1)),
            "{folder}"
        );
        let cases = report["runs"][0]["cases"].as_array().unwrap();
        let case = cases.iter().find(|case| case["outcome"] == "error").unwrap();
        assert_eq!(case["score"], json!(0.0), "{folder}");
        let error = &case["error"];
        assert_eq!(error["type"], "ConnectionError", "{folder}");
        assert_eq!(error["message"], "Error during grading: Connection timeout", "{folder}");
    }
    let (_, report) = open("l9_errors");
    assert_close(&totals(&report)["score"]["mean_attempted"], &json!(0.9), "of attempted");
    assert_close(&totals(&report)["score"]["mean_total"], &json!(0.6), "of all");
}

#[test]
fn a_sample_with_only_grades_has_the_gates_one_or_none() {
    let (_, report) = open("l18_grades_only_with_partners");
    assert_close(&totals(&report)["score"]["mean_attempted"], &json!(0.9), "by the gate's grader");
    let (core, report) = open("l13b_grades_only");
    assert_eq!(report["runs"][0]["cases"][0]["score"], Value::Null);
    assert_eq!(totals(&report)["score"]["mean_attempted"], Value::Null);
    let notes = core.files().notes;
    assert!(notes.iter().any(|note| note.detail.contains("several grades and no score")));
    let (_, report) = open("l18b_second_row_grades_only");
    assert_eq!(outcomes(&report), ["scored", "unscored"]);
}

#[test]
fn a_suite_as_written_holds_for_the_results_beside_it() {
    let (core, report) = open("l6b_yaml_beside");
    let counts = &totals(&report)["counts"];
    assert_eq!((&counts["passed"], &counts["failed"]), (&json!(2), &json!(0)));
    assert_eq!(overview(&core).verdict.unwrap().standing, VerdictOrigin::Judged);
    assert_eq!(totals(&report)["gate"]["value"], json!(1.0));
    let (core, report) = open("l6_yaml_alone");
    assert_eq!(report["runs"], json!([]));
    let page = overview(&core);
    assert_eq!(page.title, "my-eval-suite");
    assert_eq!(
        page.empty.as_deref(),
        Some("The files describe a suite but contain no runs of it.")
    );
    let said = serde_json::to_string(&page).unwrap();
    for word in
        ["dataset.jsonl", "agent_file my_agent.af", "exact_match", "avg_score ≥ 0.8", "\"5\""]
    {
        assert!(said.contains(word) || word == "\"5\"", "{word}: {said}");
    }
}

#[test]
fn a_broken_suite_costs_only_itself() {
    let mut files = fixture_files("guides/l6b_yaml_beside");
    files.retain(|file| !file.path.ends_with("suite.yaml"));
    let broken =
        "name: s\ndataset: d\ntarget:\n  kind: agent\ngraders:\n  a: [1\ngate: {op: gte}\n";
    files.push(file("l6b_yaml_beside/suite.yaml", broken));
    let core = core_of(files);
    let report = report_of(&core);
    assert_eq!(outcomes(&report), ["scored", "scored"]);
    let notes = core.files().notes;
    let note = notes.iter().find(|note| note.file.ends_with("suite.yaml")).unwrap();
    assert!(note.detail.starts_with("not valid YAML"), "{}", note.detail);
    assert!(note.places[0].to_string().starts_with("line "), "{}", note.places[0]);
}

const ROW: &str = r#"{"type":"result","result":{"sample":{"id":ID,"input":"x","ground_truth":"y"},"submission":"y","trajectory":[[{"role":"user","content":"x"}]],"agent_id":"a","grade":{"score":SCORE,"rationale":"r"},"grades":{"g":{"score":SCORE,"rationale":"r"}},"model_name":"m"}}"#;
const HEADER: &str = r#"{"type":"header","suite":"s","config":{"target":{"kind":"agent"},"gate":{"metric":"avg_score","metric_key":"g","op":"gte","value":0.5},"graders":{"g":{"kind":"tool"}}}}"#;

#[test]
fn appended_runs_are_told_apart_and_the_summary_is_of_the_last() {
    let row = |id: u32, score: f64| {
        ROW.replace("ID", &id.to_string()).replace("SCORE", &score.to_string())
    };
    // An interrupted run of two samples, then a whole one that begins with a sample new to the file.
    let first = [row(0, 1.0), row(1, 1.0)];
    let last = [row(2, 0.5), row(0, 0.5), row(1, 0.0)];
    let lines: Vec<String> = first.iter().chain(&last).cloned().collect();
    let summary = r#"{"type":"summary","metrics":{"total":3,"total_attempted":3,"avg_score_attempted":0.3333333333333333,"avg_score_total":0.3333333333333333,"passed_attempts":2,"failed_attempts":1},"gates_passed":false}"#;
    let core = core_of(vec![
        file("r/header.json", HEADER),
        file("r/results.jsonl", lines.join("\n") + "\n"),
        file("r/summary.json", summary),
    ]);
    let report = report_of(&core);
    let runs = report["runs"].as_array().unwrap();
    let told: Vec<(&Value, &Value, usize)> = runs
        .iter()
        .map(|run| (&run["repeat"], &run["label"], run["cases"].as_array().unwrap().len()))
        .collect();
    assert_eq!(
        told,
        [
            (&json!(1), &json!("m · run 1 (appended earlier run)"), 2),
            (&json!(2), &json!("m · run 2"), 3)
        ]
    );
    let audit = report["audit"].as_array().unwrap();
    assert!(audit.len() > 4 && audit.iter().all(|row| row["agrees"] == true), "{audit:?}");
    let notes = core.files().notes;
    assert!(notes.iter().any(|note| note.detail.contains("2 runs, appended")), "{notes:?}");
    assert!(!notes.iter().any(|note| note.kind.is_loss()), "{notes:?}");
}

#[test]
fn a_sample_twice_is_no_appended_run() {
    let row = |id: u32| ROW.replace("ID", &id.to_string()).replace("SCORE", "1.0");
    let lines = [row(0), row(1), row(1), row(2)].join("\n");
    let core = core_of(vec![file("r/header.json", HEADER), file("r/results.jsonl", lines)]);
    assert_eq!(report_of(&core)["runs"].as_array().unwrap().len(), 1);
}
