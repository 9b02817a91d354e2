//! OpenAI evals against its own values, a crash, several runs in one log, scattered events.

use crate::support::{
    assert_close, bytes_of, core_of, file, fixture_files, fixture_json, fixture_report, records_of,
    report_of,
};
use serde_json::Value;

const FOLDER: &str = "openai-evals/3.0.1.post1";

fn text_of(name: &str) -> String {
    let files = fixture_files(FOLDER);
    let found = files.iter().find(|file| file.path.ends_with(name)).unwrap();
    String::from_utf8(bytes_of(found)).unwrap()
}

fn read(text: impl Into<Vec<u8>>) -> Value {
    report_of(&core_of(vec![file("unknown", text)]))
}

fn details(report: &Value) -> Vec<(&str, &str)> {
    let all = report["notes"].as_array().unwrap();
    all.iter().map(|n| (n["kind"].as_str().unwrap(), n["detail"].as_str().unwrap())).collect()
}

#[test]
fn every_value_of_the_original_agrees() {
    let expected = fixture_json(&format!("{FOLDER}/expected.json"));
    let mut n_compared = 0;
    for (name, expected) in expected["files"].as_object().unwrap() {
        let report = read(text_of(name));
        let run = &report["runs"][0];
        let cases = run["cases"].as_array().unwrap();
        let mut ids: Vec<&Value> = cases.iter().map(|case| &case["id"]).collect();
        ids.sort_by_key(|id| id.to_string());
        let samples: Vec<&Value> = expected["sample_ids"].as_array().unwrap().iter().collect();
        assert_eq!(ids, samples, "{name}");
        let case_of = |id: &str| cases.iter().find(|case| case["id"] == id).unwrap();
        for (id, correct) in expected["per_sample_correct"].as_object().into_iter().flatten() {
            let case = case_of(id);
            assert_eq!(&case["passed"], correct, "{name} {id}");
            let (outcome, score) = if correct == true { ("passed", 1.0) } else { ("failed", 0.0) };
            assert_eq!(
                (&case["outcome"], case["score"].as_f64()),
                (&Value::from(outcome), Some(score))
            );
            n_compared += 3;
        }
        for (id, metrics) in expected["per_sample_metrics"].as_object().into_iter().flatten() {
            let case = case_of(id);
            for (key, value) in metrics.as_object().unwrap() {
                if let Some(choice) = value.as_str() {
                    assert_eq!(case["tags"], serde_json::json!([choice]), "{name} {id}");
                    continue;
                }
                let checks = case["checks"].as_array().unwrap();
                let check = checks.iter().find(|check| check["name"] == key.as_str()).unwrap();
                assert_close(&check["score"], value, &format!("{name} {id} {key}"));
                n_compared += 1;
            }
        }
        if let Some(accuracy) = expected.get("get_accuracy") {
            assert_close(&run["score"]["mean_attempted"], accuracy, name);
        }
        let stated = &expected["final_report"];
        for metric in run["metrics"].as_array().unwrap() {
            if let Some(value) = stated.get(metric["name"].as_str().unwrap()) {
                assert_close(
                    &metric["mean_attempted"],
                    value,
                    &format!("{name} {}", metric["name"]),
                );
                n_compared += 1;
            }
        }
        for (key, ours) in
            [("prompt_tokens", "prompt_tokens"), ("completion_tokens", "completion_tokens")]
        {
            if let Some(sum) = stated.get(format!("usage_{key}")) {
                assert_close(&run["usage"][ours], sum, name);
                n_compared += 1;
            }
        }
        let audit = report["audit"].as_array().unwrap();
        for row in audit {
            assert_eq!(row["agrees"], true, "{name}: {row}");
        }
        let n_stated = stated.as_object().map_or(0, serde_json::Map::len);
        let is_drawn = usize::from(stated.get("boostrap_std").is_some());
        assert_eq!(audit.len(), n_stated - is_drawn, "{name}");
        let unchecked = report["unchecked"].as_array().unwrap();
        assert_eq!(unchecked.len(), is_drawn, "{name}: {unchecked:?}");
        n_compared += audit.len();
    }
    assert!(n_compared > 150, "only {n_compared} values were compared");
    assert_eq!(fixture_report(FOLDER)["evaluations"].as_array().unwrap().len(), 6);
}

#[test]
fn a_log_without_a_final_report_says_so() {
    let report = read(text_of("fx-match_canned-crash.jsonl"));
    assert_eq!(report["runs"][0]["counts"]["total"], 4);
    let note = "there is no final report: the run stopped before its end, or is still going on";
    assert_eq!(details(&report), [("unfinished", note)]);
}

#[test]
fn a_final_report_that_is_broken_is_no_crash() {
    let text = text_of("fx-match_canned.jsonl");
    let broken = text.replace("{\"final_report\": {", "{\"final_report\": [");
    assert_ne!(text, broken);
    let report = read(broken);
    let note = "there is no final report among the lines that could be read";
    assert!(details(&report).contains(&("unfinished", note)), "{:?}", details(&report));
}

#[test]
fn a_changed_number_is_found() {
    for (name, from, to) in [
        ("fx-match_canned.jsonl", "\"accuracy\": 0.625", "\"accuracy\": 0.75"),
        ("fx-match_canned.jsonl", "\"correct\": true", "\"correct\": false"),
        ("fx-match_canned.jsonl", "\"usage_total_tokens\": 52", "\"usage_total_tokens\": 53"),
        ("fx-fuzzy_canned.jsonl", "\"f1_score\": 0.625", "\"f1_score\": 0.62"),
        ("fx-graded_canned.jsonl", "\"counts/No\": 1", "\"counts/No\": 2"),
        ("fx-graded_canned.jsonl", "\"score\": 0.5625", "\"score\": 0.5"),
        ("fx-json_canned.jsonl", "\"accuracy\": 0.0", "\"accuracy\": 1.0"),
    ] {
        let text = text_of(name);
        assert!(text.contains(from), "{name} {from}");
        let report = read(text.replacen(from, to, 1));
        let audit = report["audit"].as_array().unwrap();
        assert!(audit.iter().any(|row| row["agrees"] == false), "{name}: {from} → {to}");
    }
}

#[test]
fn two_runs_in_one_log_are_two_runs() {
    let both = text_of("fx-match_canned.jsonl") + &text_of("fx-graded_canned.jsonl");
    let report = read(both);
    let runs = report["runs"].as_array().unwrap();
    let suites: Vec<&Value> = runs.iter().map(|run| &run["suite"]).collect();
    assert_eq!(suites, ["fx-match.test.v0", "fx-graded.test.v0"]);
    for row in report["audit"].as_array().unwrap() {
        assert_eq!(row["agrees"], true, "{row}");
    }
    assert_eq!(report["audit"].as_array().unwrap().len(), 4 + 7);
}

#[test]
fn events_in_any_order_give_the_same_cases() {
    let text = text_of("fx-graded_canned.jsonl");
    let mut lines: Vec<&str> = text.lines().collect();
    // Samples among each other, as threads write them.
    lines[2..].sort_by_key(|line| (line.len() * 7919) % 31);
    let (one, other) = (read(text.clone()), read(lines.join("\n")));
    let cases = |report: &Value| {
        let mut cases = report["runs"][0]["cases"].as_array().unwrap().clone();
        cases.sort_by_key(|case| case["id"].to_string());
        cases
    };
    for (left, right) in cases(&one).iter().zip(cases(&other)) {
        for key in ["id", "score", "outcome", "tags", "checks", "input_hash"] {
            assert_eq!(left[key], right[key], "{}", left["id"]);
        }
    }
}

#[test]
fn bad_lines_cost_only_themselves() {
    let text = text_of("fx-match_canned.jsonl");
    let cut = &text[..text.len() - 20];
    let report = read(cut);
    assert_eq!(report["runs"][0]["counts"]["total"], 8);
    let notes = details(&report);
    assert!(
        notes.iter().any(|(kind, detail)| {
            *kind == "truncated" && detail.starts_with("the last event is cut off")
        }),
        "{notes:?}"
    );
    let odd = "{\"run_id\": \"r\", \"event_id\": 0, \"sample_id\": 7, \"type\": \"match\", \"data\": 3}\n7\n\
        {\"run_id\": \"r\", \"event_id\": \"x\", \"sample_id\": \"b\", \"type\": \"error\", \"data\": {\"type\": \"E\", \"message\": \"no\"}}\n\
        {\"run_id\": \"r\", \"event_id\": 2, \"sample_id\": \"c\", \"type\": \"metrics\", \"data\": {\"score\": null}}\n";
    let report = read(odd);
    let cases = report["runs"][0]["cases"].as_array().unwrap();
    let outcomes: Vec<&Value> = cases.iter().map(|case| &case["outcome"]).collect();
    assert_eq!(outcomes, ["unscored", "error", "unscored"]);
    assert_eq!(cases[1]["error"]["message"], "no");
    assert!(details(&report).contains(&("broken", "an event is not an object")));
}

#[test]
fn a_sample_shows_its_model_calls_as_a_conversation() {
    for scattered in [false, true] {
        let text = text_of("fx-graded_canned.jsonl");
        let mut lines: Vec<&str> = text.lines().collect();
        if scattered {
            lines[2..].sort_by_key(|line| (line.len() * 7919) % 31);
        }
        let records = records_of(vec![file("unknown", lines.join("\n"))]);
        assert_eq!(records.len(), 8);
        for (case, detail) in &records {
            let id = case.cases.id.get(0).unwrap();
            assert_eq!(detail.checks.len(), case.checks.len(), "{id}");
            assert_eq!(detail.raw.len(), 3, "{id}");
            let roles: Vec<&str> = detail.transcript.iter().map(|m| m.role.as_str()).collect();
            assert_eq!(roles, ["user", "assistant", "user", "assistant"], "{id}");
            let turns: Vec<u32> = detail.transcript.iter().map(|m| m.turn).collect();
            assert_eq!(turns, [0, 0, 1, 1], "{id}");
            let calls = detail.facts.iter().find(|fact| fact.label == "model calls");
            assert_eq!(calls.unwrap().value, "2", "{id}");
        }
    }
    let records = records_of(vec![file("unknown", text_of("fx-fuzzy_canned.jsonl"))]);
    for (case, detail) in &records {
        let names: Vec<&str> = detail.checks.iter().map(|check| check.name.as_str()).collect();
        let own: Vec<&str> =
            (0..case.checks.len()).filter_map(|at| case.checks.name.get(at)).collect();
        assert_eq!(names, own);
        assert_eq!(detail.expected.len(), 1);
    }
}
