//! Every Eval Ever against its own values, and its odd files.

use crate::support::{
    assert_close, bytes_of, core_of, file, fixture_files, fixture_json, fixture_report, report_of,
};
use serde_json::{Value, json};

const RELEASE: &str = "every-eval-ever/0.3.0";

#[test]
fn every_sample_and_every_score_agrees() {
    let report = fixture_report(RELEASE);
    let expected = fixture_json("every-eval-ever/0.3.0/expected.json");
    let cases = report["runs"][0]["cases"].as_array().unwrap();
    let mut n_compared = 0;
    for (path, own) in expected["files"].as_object().unwrap() {
        if let Some(rows) = own["scores"].as_array() {
            // One row for each sample and result; errors have one without a result.
            let checks: Vec<(&Value, &Value)> = cases
                .iter()
                .flat_map(|case| {
                    case["checks"].as_array().unwrap().iter().map(move |check| (case, check))
                })
                .collect();
            let judged: Vec<&Value> = rows
                .iter()
                .filter(|row| checks.iter().any(|(case, _)| case["id"] == row[0]))
                .collect();
            assert_eq!(checks.len(), judged.len(), "{path}");
            for ((case, check), row) in checks.iter().zip(judged) {
                assert_eq!(case["id"], row[0], "{path}");
                assert_close(&check["score"], &row[2], path);
                assert_eq!(check["is_correct"], row[3], "{path}");
                n_compared += 1;
            }
        }
        for (at, result) in own["results"].as_array().into_iter().flatten().enumerate() {
            let field = format!("evaluation_results[{at}].score_details.score");
            let audit = report["audit"].as_array().unwrap();
            let row = audit.iter().find(|row| row["field"] == *field).unwrap();
            assert_close(&row["computed"], &result[2], &field);
            n_compared += 1;
        }
    }
    assert_eq!(n_compared, 24 + 3);
    let errors: Vec<&Value> = cases.iter().filter(|case| case["outcome"] == "error").collect();
    assert_eq!(errors.len(), 2, "a sample with an error is none that failed");
    assert!(report["audit"].as_array().unwrap().iter().all(|row| row["agrees"] == true));
}

#[test]
fn which_way_a_result_is_better_is_read_unless_its_polarity_is_unknown() {
    let read = |from: &str, to: &str| {
        let files = fixture_files(RELEASE).into_iter().map(|one| {
            let text = String::from_utf8(bytes_of(&one)).unwrap();
            file(&one.path, text.replacen(from, to, 1))
        });
        let report = report_of(&core_of(files.collect()));
        let run = report["runs"][0]["score_better"].clone();
        (run, report["evaluations"][0]["config"]["better"].clone())
    };
    // `mean` and `var` have the polarities `unknown` and `not_applicable`.
    let (run, better) = read("", "");
    assert_eq!((run, better), (json!("more"), json!([["includes:accuracy", "more"]])));
    let (run, better) = read("\"lower_is_better\": false", "\"lower_is_better\": true");
    assert_eq!((run, better), (json!("less"), json!([["includes:accuracy", "less"]])));
}

#[test]
fn files_are_recognised_by_content_alone_and_a_changed_score_is_found() {
    let files = fixture_files(RELEASE);
    let names = ["one/unknown", "one/also unknown"];
    let renamed = files.iter().zip(names).map(|(one, name)| {
        let text = String::from_utf8(bytes_of(one)).unwrap();
        file(name, text.replacen("\"score\": 0.875", "\"score\": 0.975", 1))
    });
    let report = report_of(&core_of(renamed.collect()));
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 1);
    let audit = report["audit"].as_array().unwrap();
    let differing: Vec<&Value> = audit.iter().filter(|row| row["agrees"] == false).collect();
    assert_eq!(differing.len(), 1, "{differing:?}");
}

#[test]
fn repeats_of_a_sample_are_runs_of_their_own() {
    let line = |id: &str, score: f64| {
        json!({"schema_version": "0.3.0", "evaluation_id": "e", "evaluation_name": "t",
               "evaluation_result_id": "r", "sample_id": id, "interaction_type": "single_turn",
               "evaluation": {"score": score, "is_correct": score > 0.5}})
        .to_string()
    };
    let text =
        [line("a", 1.0), line("b", 0.0), line("a", 0.25), "{\"evaluation_id\": 1".to_owned()];
    let report = report_of(&core_of(vec![file("x_samples.jsonl", text.join("\n"))]));
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    assert_eq!((&runs[1]["repeat"], &runs[1]["cases"][0]["score"]), (&json!(2), &json!(0.25)));
    let notes = report["notes"].as_array().unwrap();
    let is_cut =
        |note: &Value| note["detail"].as_str().unwrap().contains("the last sample is cut off");
    assert!(notes.iter().any(is_cut), "{notes:?}");
}
