//! lm-evaluation-harness against its own values, and its odd files.

use crate::support::{
    assert_close, bytes_of, core_of, file, fixture_files, fixture_json, fixture_report, report_of,
};
use serde_json::{Value, json};

const RELEASES: [&str; 2] = ["lm-eval/0.4.3", "lm-eval/0.4.13"];

/// The evaluation of the report whose path ends so.
fn evaluation_id(report: &Value, end: &str) -> Value {
    let all = report["evaluations"].as_array().unwrap();
    let found = all.iter().find(|one| one["path"].as_str().unwrap().contains(end));
    found.unwrap_or_else(|| panic!("{end} is read"))["id"].clone()
}

#[test]
fn every_document_and_every_figure_agrees() {
    let mut n_compared = 0;
    for release in RELEASES {
        let report = fixture_report(release);
        let expected = fixture_json(&format!("{release}/expected.json"));
        for of_run in expected["runs"].as_array().unwrap() {
            let id = evaluation_id(&report, of_run["run"].as_str().unwrap());
            let all_runs = report["runs"].as_array().unwrap();
            let runs: Vec<&Value> = all_runs.iter().filter(|run| run["evaluation"] == id).collect();
            for (task, samples) in of_run["samples"].as_object().unwrap() {
                let own: Vec<&Value> =
                    runs.iter().copied().filter(|run| run["suite"] == **task).collect();
                let cases: Vec<(&Value, &Value)> = own
                    .iter()
                    .flat_map(|run| {
                        run["cases"].as_array().unwrap().iter().map(|case| (*run, case))
                    })
                    .collect();
                let rows = samples["scores"].as_array().unwrap();
                assert_eq!(cases.len(), rows.len(), "{release} {task}");
                for ((run, case), row) in cases.iter().zip(rows) {
                    assert_eq!(case["id"], row["doc_id"], "{task}");
                    if own.len() > 1 && row["filter"].is_string() {
                        assert_eq!(run["variant"], row["filter"], "{task}");
                    }
                    for check in case["checks"].as_array().unwrap() {
                        let stated = &row[check["name"].as_str().unwrap()];
                        let stated = if stated.is_array() { &Value::Null } else { stated };
                        assert_close(&check["score"], stated, task);
                        n_compared += 1;
                    }
                }
            }
            // What the tool's own functions give for the same samples.
            for (key, own) in of_run["recomputed_with_the_tools_functions"].as_object().unwrap() {
                let (task, metric) = key.split_once('/').unwrap();
                let (name, filter) = metric.split_once(',').unwrap();
                let field = |suffix: &str| format!("results.{task}.{name}{suffix},{filter}");
                for (suffix, stated) in [("", &own["value"]), ("_stderr", &own["stderr"])] {
                    let row = audit_row(&report, &id, &field(suffix));
                    if stated.is_null() || ["bleu", "chrf"].contains(&name) {
                        assert!(row.is_none(), "{key}{suffix} is not recomputed");
                        continue;
                    }
                    let row = row.unwrap_or_else(|| panic!("{key}{suffix} is compared"));
                    assert_close(&row["computed"], stated, &field(suffix));
                    n_compared += 1;
                }
            }
        }
        for row in report["audit"].as_array().unwrap() {
            assert_eq!(row["agrees"], true, "{release}: {row}");
            n_compared += 1;
        }
    }
    assert!(n_compared > 200, "only {n_compared} values were compared");
}

fn audit_row<'a>(report: &'a Value, id: &Value, field: &str) -> Option<&'a Value> {
    let rows = report["audit"].as_array().unwrap().iter();
    rows.into_iter().find(|row| row["evaluation"] == *id && row["field"] == field)
}

#[test]
fn which_way_a_metric_is_better_is_read_by_task() {
    for release in RELEASES {
        let read = |from: &str, to: &str| {
            let files =
                fixture_files(release).into_iter().filter(|one| one.path.contains("canned"));
            let files = files.map(|one| {
                let text = String::from_utf8(bytes_of(&one)).unwrap();
                file(&one.path, text.replacen(from, to, 1))
            });
            let report = report_of(&core_of(files.collect()));
            let runs = report["runs"].as_array().unwrap().clone();
            let runs =
                runs.into_iter().map(|run| (run["suite"].clone(), run["score_better"].clone()));
            (runs.collect::<Vec<_>>(), report["evaluations"][0]["config"]["better"].clone())
        };
        let (runs, better) = read("", "");
        assert!(runs.contains(&(json!("local_mc"), json!("more"))), "{runs:?}");
        // Of perplexity a document has a log-likelihood and a number of words: no score of its own.
        assert!(runs.contains(&(json!("local_ppl"), Value::Null)), "{runs:?}");
        assert!(better.as_array().unwrap().contains(&json!(["acc", "more"])), "{better}");
        let (runs, better) = read("\"exact_match\": true", "\"exact_match\": false");
        assert!(runs.contains(&(json!("local_gen"), json!("less"))), "{runs:?}");
        assert!(better.as_array().unwrap().contains(&json!(["exact_match", "less"])), "{better}");
    }
}

#[test]
fn runs_of_a_model_without_a_name_come_by_date() {
    // The tool puts each into a folder with a random name.
    let folders =
        [("zz0aaaaa", "2026-11-20"), ("aa0bbbbb", "2026-11-22"), ("mm0ccccc", "2026-11-21")];
    let results = |(folder, day): &(&str, &str)| {
        let text = r#"{"results": {"t": {"acc,none": 0.5}}, "configs": {"t": {}}, "versions": {"t": 1},
            "config": {"model": "dummy"}}"#;
        file(&format!("out/{folder}/results_{day}T10-44-13.598147.json"), text)
    };
    let report = report_of(&core_of(folders.iter().map(results).collect()));
    let paths = report["evaluations"].as_array().unwrap().iter();
    let paths: Vec<&str> = paths.map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["out/zz0aaaaa", "out/mm0ccccc", "out/aa0bbbbb"]);
}

#[test]
fn files_are_recognised_by_content_alone() {
    let files = fixture_files("lm-eval/0.4.13/dummy");
    let names = (0..).map(|nth| format!("unknown {nth}"));
    let renamed = files.iter().zip(names).map(|(one, name)| file(&name, bytes_of(one))).collect();
    let report = report_of(&core_of(renamed));
    for evaluation in report["evaluations"].as_array().unwrap() {
        assert_eq!(evaluation["producer"], "lm-eval");
    }
    let n_cases: usize = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["cases"].as_array().unwrap().len())
        .sum();
    assert_eq!(n_cases, 18 + 7 + 4);
}

#[test]
fn a_changed_mean_is_found_and_an_aggregate_alone_is_shown() {
    let mut files = fixture_files("lm-eval/0.4.13/canned");
    let at = files.iter().position(|one| one.path.contains("results_")).unwrap();
    let text = String::from_utf8(bytes_of(&files[at])).unwrap();
    let changed = text.replacen("0.7142857142857143", "0.7142867142857143", 1);
    files[at] = file(&files[at].path, changed);
    let report = report_of(&core_of(files));
    let differing: Vec<&Value> =
        report["audit"].as_array().unwrap().iter().filter(|row| row["agrees"] == false).collect();
    assert_eq!(differing.len(), 1, "{differing:?}");
    assert_eq!(differing[0]["field"], "results.local_mc.acc,none");

    let report = report_of(&core_of(vec![file("results.json", text)]));
    assert_eq!(report["runs"], json!([]));
    let declared = serde_json::to_string(&report).unwrap();
    assert!(declared.contains("local_mc.acc,none"), "the aggregate is listed");
}

#[test]
fn a_broken_line_costs_itself() {
    let text = concat!(
        r#"{"doc_id": 0, "doc": {}, "target": "x", "resps": [["x"]], "filtered_resps": ["x"], "acc": 1.0}"#,
        "\n{\"doc_id\": 1, \"doc\n",
        r#"{"doc": {}, "target": "x", "resps": [["x"]], "filtered_resps": ["x"], "acc": 1.0}"#,
        "\n",
        r#"{"doc_id": "b", "doc": {}, "target": "x", "resps": [["x"]], "filtered_resps": ["x"], "acc": NaN}"#,
        "\n",
    );
    let report =
        report_of(&core_of(vec![file("samples_t_2026-11-22T10-44-13.598147.jsonl", text)]));
    let cases = report["runs"][0]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 2);
    assert_eq!((&cases[1]["id"], &cases[1]["score"]), (&json!("b"), &json!("NaN")));
    let notes: Vec<String> = report["notes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| format!("{} {}", note["place"], note["detail"]))
        .collect();
    assert!(notes.iter().any(|note| note.contains("a sample has no doc_id")), "{notes:#?}");
    assert!(notes.len() >= 2, "{notes:#?}");
}
