//! CTRF and Every Eval Ever: exports of every fixture meet the tools' own schemas, and come back as they went.

use crate::any_order::FOLDERS;
use crate::support::{core_of, exported, file, fixture, fixture_files, report_of};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::ExportKind;
use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read as _;

/// The schema `path` of another tool.
fn schema(path: &str) -> Validator {
    let text = std::fs::read_to_string(fixture(&format!("schemas/{path}"))).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

fn assert_meets(schema: &Validator, value: &Value, what: &str) {
    let faults: Vec<String> = schema
        .iter_errors(value)
        .map(|err| format!("{}: {err}", err.instance_path()))
        .take(3)
        .collect();
    assert!(faults.is_empty(), "{what}: {}", faults.join("\n"));
}

/// A case as outcome and score. Where no case of its run has a score, the score is what its outcome counts.
type Case = (String, Option<String>);

/// How often each outcome and score is there.
fn cases(report: &Value) -> BTreeMap<Case, usize> {
    let mut all = BTreeMap::new();
    for run in report["runs"].as_array().unwrap() {
        let cases = run["cases"].as_array().unwrap();
        let has_scores = cases.iter().any(|case| !case["score"].is_null());
        for case in cases {
            let outcome = case["outcome"].as_str().unwrap().to_owned();
            let score = match outcome.as_str() {
                _ if has_scores => Some(&case["score"]).filter(|score| !score.is_null()).cloned(),
                "passed" => Some(json!(1.0)),
                "failed" => Some(json!(0.0)),
                _ => None,
            };
            *all.entry((outcome, score.map(|score| score.to_string()))).or_default() += 1;
        }
    }
    all
}

fn ctrf_of(core: &Core) -> Value {
    serde_json::from_slice(&exported(core, ExportKind::CtrfJson)).unwrap()
}

/// The files of an archive by path.
fn unzipped(bytes: Vec<u8>) -> BTreeMap<String, String> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut files = BTreeMap::new();
    for idx in 0..archive.len() {
        let mut entry = archive.by_index(idx).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        assert!(files.insert(name.clone(), text).is_none(), "{name} twice");
    }
    files
}

#[test]
fn ctrf_of_every_fixture_meets_its_schema_and_comes_back() {
    let schema = schema("ctrf/ctrf-schema-0.0.json");
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let report = report_of(&core);
        let ctrf = ctrf_of(&core);
        assert_meets(&schema, &ctrf, folder);
        let summary = &ctrf["results"]["summary"];
        let tests = ctrf["results"]["tests"].as_array().unwrap();
        assert_eq!(summary["tests"], tests.len(), "{folder}");
        for status in ["passed", "failed", "skipped", "pending", "other"] {
            let n = tests.iter().filter(|test| test["status"] == status).count();
            assert_eq!(summary[status], n, "{folder}: {status}");
        }
        if tests.is_empty() {
            continue;
        }
        let back = report_of(&core_of(vec![file("ctrf.json", ctrf.to_string())]));
        assert_eq!(back["evaluations"][0]["producer"], "ctrf", "{folder}");
        assert_eq!(outcomes(&back), outcomes(&report), "{folder}");
        // The form has one list of tests: where some have a score, the others have none.
        if !scores(&report).is_empty() {
            assert_eq!(scores(&back), scores(&report), "{folder}");
        }
        assert_eq!(differing(&back), Vec::<Value>::new(), "{folder}");
    }
}

/// Figures that the files state otherwise than they are computed.
fn differing(report: &Value) -> Vec<Value> {
    let all = report["audit"].as_array().unwrap();
    all.iter().filter(|figure| figure["agrees"] == false).cloned().collect()
}

/// How often each outcome is there.
fn outcomes(report: &Value) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for ((outcome, _), n) in cases(report) {
        *all.entry(outcome).or_default() += n;
    }
    all
}

/// How often each score is there that the files state.
fn scores(report: &Value) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for run in report["runs"].as_array().unwrap() {
        for case in run["cases"].as_array().unwrap() {
            let score = Some(&case["score"]).filter(|score| !score.is_null());
            if let Some(score) = score {
                *all.entry(score.to_string()).or_default() += 1;
            }
        }
    }
    all
}

#[test]
fn every_eval_ever_of_every_fixture_meets_its_schemas_and_comes_back() {
    let aggregates = schema("every-eval-ever/eval.schema.json");
    let samples = schema("every-eval-ever/instance_level_eval.schema.json");
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let report = report_of(&core);
        let files = unzipped(exported(&core, ExportKind::EveryEvalEver));
        assert_eq!(files.len(), 2 * report["runs"].as_array().unwrap().len(), "{folder}");
        for (path, text) in &files {
            if path.ends_with(".jsonl") {
                for line in text.lines() {
                    assert_meets(&samples, &serde_json::from_str(line).unwrap(), path);
                }
                continue;
            }
            let aggregate: Value = serde_json::from_str(text).unwrap();
            assert_meets(&aggregates, &aggregate, path);
            let named = &aggregate["detailed_evaluation_results"];
            let own = &files[named["file_path"].as_str().unwrap()];
            assert_eq!(named["total_rows"], own.lines().count(), "{path}");
        }
        let has_cases =
            files.iter().any(|(path, text)| path.ends_with(".jsonl") && !text.is_empty());
        if !has_cases {
            continue;
        }
        let files = files.into_iter().map(|(path, text)| file(&path, text)).collect();
        let back = report_of(&core_of(files));
        assert!(
            back["evaluations"]
                .as_array()
                .unwrap()
                .iter()
                .all(|one| one["producer"] == "every-eval-ever")
        );
        assert_eq!(cases(&back), cases(&report), "{folder}");
        assert_eq!(differing(&back), Vec::<Value>::new(), "{folder}");
    }
}

#[test]
fn which_way_a_metric_is_better_goes_out_to_every_eval_ever_and_comes_back() {
    let mapping = r#"{"evalglass_mapping": 1, "columns": [{"name": "id", "role": "id"},
        {"name": "wer", "role": "score", "less_is_better": true},
        {"name": "cer", "role": "metric", "less_is_better": true}, {"name": "f1", "role": "metric"}]}"#;
    let table = "id,wer,cer,f1\na,0.5,0.25,1\nb,0.75,0.5,0\n";
    let core = core_of(vec![file("t.csv", table), file("t.json", mapping)]);
    let files = unzipped(exported(&core, ExportKind::EveryEvalEver));
    let (_, text) = files.iter().find(|(path, _)| path.ends_with(".json")).unwrap();
    let aggregate: Value = serde_json::from_str(text).unwrap();
    assert_meets(&schema("every-eval-ever/eval.schema.json"), &aggregate, "aggregate");
    let said = aggregate["evaluation_results"].as_array().unwrap().iter().map(|result| {
        let config = &result["metric_config"];
        let polarity = config["additional_details"]["polarity"].clone();
        (result["evaluation_result_id"].clone(), config["lower_is_better"].clone(), polarity)
    });
    let said: Vec<(Value, Value, Value)> = said.collect();
    let expected = [
        (json!("score"), json!(true), Value::Null),
        (json!("cer"), json!(true), Value::Null),
        (json!("f1"), json!(false), json!("unknown")),
    ];
    assert_eq!(said, expected);
    let files = files.into_iter().map(|(path, text)| file(&path, text)).collect();
    let back = report_of(&core_of(files));
    assert_eq!(back["runs"][0]["score_better"], "less");
    let better = &back["evaluations"][0]["config"]["better"];
    assert_eq!(*better, json!([["score", "less"], ["cer", "less"]]));
}

#[test]
fn nothing_passes_that_no_rule_passes() {
    for folder in ["rebel/nonfinite", "inspect-ai/0.3.285/agentic", "lm-eval/0.4.13"] {
        let ctrf = ctrf_of(&core_of(fixture_files(folder)));
        for test in ctrf["results"]["tests"].as_array().unwrap() {
            assert_eq!(test["status"] == "passed", test["rawStatus"] == "passed", "{test}");
        }
    }
}
