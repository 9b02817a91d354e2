//! A row taken out of each fixture is missed by the audit, and it says so.

use super::{FOLDERS, audited, bytes_in, differing, with};
use crate::support::{bytes_of, file, fixture_files};
use arrow_array::RecordBatch;
use evalglass::input::Dropped;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

/// The reasons of the rows that differ.
fn reasons(report: &Value) -> Vec<&str> {
    differing(report).iter().map(|row| row["why"].as_str().unwrap()).collect()
}

/// The fields that differ in `report` and did not before.
fn newly_differing(folder: &str, report: &Value) -> Vec<String> {
    let known = FOLDERS.iter().find(|(own, _)| *own == folder).map_or(&[][..], |(_, known)| known);
    let fields = differing(report).into_iter().map(|row| row["field"].as_str().unwrap().to_owned());
    fields.filter(|field| !known.contains(&field.as_str())).collect()
}

/// Whether a reason says that less is here than declared.
fn is_short(why: &&str) -> bool {
    why.starts_with("the file declares ")
        && (why.contains(" are here: ") || why.contains(" is here: "))
}

/// The lines of a file without line `number`.
fn without_line(dropped: &Dropped, number: usize) -> Dropped {
    let text = String::from_utf8(bytes_of(dropped)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let kept = lines.iter().enumerate().filter(|(at, _)| *at != number).map(|(_, line)| *line);
    file(&dropped.path, kept.collect::<Vec<_>>().join("\n") + "\n")
}

#[test]
fn a_result_line_of_letta_evals_is_missed() {
    let mut n_removed = 0;
    for (folder, _) in FOLDERS.iter().filter(|(folder, _)| folder.starts_with("letta-evals")) {
        let files = fixture_files(folder);
        for (at, dropped) in files.iter().enumerate().filter(|(_, f)| f.path.ends_with(".jsonl")) {
            let text = String::from_utf8(bytes_of(dropped)).unwrap();
            let is_row = |line: &str| !line.starts_with(r#"{"type": "header"#);
            let rows: Vec<usize> = text
                .lines()
                .enumerate()
                .filter(|(_, line)| is_row(line) && !line.starts_with(r#"{"type": "summary"#))
                .map(|(number, _)| number)
                .collect();
            for number in [0, rows.len() / 2, rows.len() - 1] {
                let mut files = files.clone();
                files[at] = without_line(dropped, rows[number]);
                let report = audited(files);
                let what = format!("{} line {}", dropped.path, rows[number] + 1);
                let fields = newly_differing(folder, &report);
                let is_total = |field: &String| field.ends_with("total");
                assert!(fields.iter().any(is_total), "{what}: {fields:?}");
                let is_named = |why: &&str| is_short(why) || why.contains("it was interrupted");
                assert!(reasons(&report).iter().any(is_named), "{what}: {:?}", reasons(&report));
                n_removed += 1;
            }
        }
    }
    assert!(n_removed > 100, "only {n_removed}");
}

#[test]
fn a_result_of_a_dump_is_missed() {
    for (folder, pointer, name) in [
        ("letta-evals/0.5.0_runnerresult_dump", "/results", "metrics.total"),
        ("letta-evals/0.25.1_runnerresult_dump", "/runs", "n_total"),
    ] {
        let mut document: Value = serde_json::from_slice(&bytes_in(folder, "result.json")).unwrap();
        let list = match document.pointer_mut(pointer).unwrap() {
            Value::Object(models) => &mut models.values_mut().next().unwrap()["runs"][0],
            list => list,
        };
        list.as_array_mut().unwrap().remove(1);
        let report = audited(with(folder, "result.json", document.to_string().as_bytes()));
        let fields = newly_differing(folder, &report);
        assert!(fields.iter().any(|field| field.ends_with(name)), "{folder}: {fields:?}");
        assert!(reasons(&report).iter().any(is_short), "{folder}: {:?}", reasons(&report));
    }
}

#[test]
fn an_entry_or_an_attempt_of_rebel_is_missed() {
    let mut n_removed = 0;
    for (folder, _) in FOLDERS.iter().filter(|(folder, _)| folder.starts_with("rebel")) {
        let [dropped] = &fixture_files(folder)[..] else { panic!("one report") };
        let bytes = bytes_of(dropped);
        let document = evalglass::input::json::Cursor::new(&bytes).tree().unwrap();
        let audited = |document: &Value| {
            let text =
                ["-Infinity", "Infinity", "NaN"].iter().fold(document.to_string(), |text, word| {
                    text.replace(&format!("\"{word}\""), word)
                });
            audited(vec![file(&dropped.path, text)])
        };
        let entries = document["test_cases"].as_array().unwrap();
        for idx in 0..entries.len() {
            let mut document = document.clone();
            document["test_cases"].as_array_mut().unwrap().remove(idx);
            let report = audited(&document);
            assert_eq!(newly_differing(folder, &report), ["metadata.total_test_cases"], "{folder}");
            let why = reasons(&report)[0];
            assert!(is_short(&why), "{why}");
            n_removed += 1;
        }
        for (idx, entry) in entries.iter().enumerate() {
            let n_attempts = entry["evaluation_results"].as_array().unwrap().len();
            for attempt in 0..n_attempts {
                // The judgement alone, then the answer too, as if the attempt had never been.
                let mut document = document.clone();
                let own = &mut document["test_cases"][idx];
                own["evaluation_results"].as_array_mut().unwrap().remove(attempt);
                let report = audited(&document);
                let length = format!("test_cases[{idx}].actual_outputs (length)");
                assert!(newly_differing(folder, &report).contains(&length), "{folder} {idx}");
                let own = &mut document["test_cases"][idx];
                own["actual_outputs"].as_array_mut().unwrap().remove(attempt);
                let report = audited(&document);
                let is_planned = own_count(entry) == n_attempts as u64;
                let count = format!("test_cases[{idx}].retry_params.count");
                let is_listed = report["unchecked"].as_array().unwrap().iter().any(|group| {
                    let fields = group["fields"].as_array().unwrap();
                    fields.iter().any(|field| field["field"] == count)
                });
                // Where more attempts were merged than planned, one less may be as many as planned.
                assert!(is_listed || !is_planned, "{folder} {idx}");
                n_removed += 1;
            }
        }
    }
    assert!(n_removed > 250, "only {n_removed}");
}

fn own_count(entry: &Value) -> u64 {
    entry["retry_params"]["count"].as_u64().unwrap()
}

#[test]
fn a_line_of_checkpoint_results_is_missed() {
    for (folder, _) in FOLDERS.iter().filter(|(folder, _)| folder.starts_with("slop-code")) {
        let files = fixture_files(folder);
        let is_rows = |file: &Dropped| file.path.ends_with("checkpoint_results.jsonl");
        let Some(at) = files.iter().position(is_rows) else { continue };
        let n_lines = bytes_of(&files[at]).split(|byte| *byte == b'\n').count() - 1;
        for number in 0..n_lines {
            let mut files = files.clone();
            files[at] = without_line(&files[at], number);
            let report = audited(files);
            let fields = newly_differing(folder, &report);
            assert!(fields.contains(&"result.num_checkpoints".to_owned()), "{folder}: {fields:?}");
            assert!(reasons(&report).iter().any(is_short), "{folder}: {:?}", reasons(&report));
        }
    }
}

/// The Parquet file without row `number`.
fn without_row(bytes: Vec<u8>, number: usize) -> Vec<u8> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap();
    let schema = reader.schema().clone();
    let batches: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
    let [batch] = &batches[..] else { panic!("one batch") };
    let mut written = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut written, schema, None).unwrap();
    writer.write(&batch.slice(0, number)).unwrap();
    writer.write(&batch.slice(number + 1, batch.num_rows() - number - 1)).unwrap();
    writer.close().unwrap();
    written
}

#[test]
fn a_row_of_a_parquet_report_is_missed() {
    let mut n_removed = 0;
    for (folder, _) in FOLDERS.iter().filter(|(folder, _)| folder.starts_with("slop-code/g1")) {
        let files = fixture_files(folder);
        let report = audited(files.clone());
        for (at, dropped) in files.iter().enumerate() {
            let Some(checkpoint) = dropped.path.strip_suffix("/reports.parquet") else { continue };
            let run = report["runs"].as_array().unwrap();
            let run = run.iter().find(|run| run["path"] == checkpoint).expect("its run");
            for (number, case) in run["cases"].as_array().unwrap().iter().enumerate() {
                let mut files = files.clone();
                files[at] = file(&dropped.path, without_row(bytes_of(dropped), number));
                let report = audited(files);
                let (group, id) = (case["group"].as_str().unwrap(), case["id"].as_str().unwrap());
                let what = format!("{checkpoint} {group} {id}");
                let fields = newly_differing(folder, &report);
                let is_total = |field: &String| field.starts_with("total_counts.");
                assert!(fields.iter().any(is_total), "{what}: {fields:?}");
                let is_repeated = id == "dup";
                let score = format!("group_outcomes.{group}.results.{id}");
                let is_scored = !case["score"].is_null();
                assert!(fields.contains(&score) || is_repeated || !is_scored, "{what}: {fields:?}");
                if is_scored && !is_repeated {
                    let reasons = reasons(&report);
                    let row = "no row for this case: the file may be an excerpt, or the row is stored elsewhere";
                    assert!(reasons.contains(&row), "{what}: {reasons:?}");
                    let row = "1 recorded case without a row: the file may be an excerpt, or the rows are stored elsewhere";
                    assert!(reasons.contains(&row), "{what}: {reasons:?}");
                }
                n_removed += 1;
            }
        }
    }
    assert!(n_removed >= 25, "only {n_removed}");
}

/// Calls `take` with every list of test ids of an `evaluation.json`.
fn each_test(document: &mut Value, number: usize) -> Option<String> {
    let mut seen = 0;
    if let Some(tests) = document["tests"].as_array_mut() {
        return (number < tests.len())
            .then(|| tests.remove(number)["id"].as_str().unwrap().to_owned());
    }
    for bucket in document["tests"].as_object_mut().unwrap().values_mut() {
        for list in bucket.as_object_mut().unwrap().values_mut() {
            let list = list.as_array_mut().unwrap();
            if number < seen + list.len() {
                return Some(list.remove(number - seen).as_str().unwrap().to_owned());
            }
            seen += list.len();
        }
    }
    None
}

#[test]
fn a_test_of_an_evaluation_or_of_its_report_is_missed() {
    let mut n_removed = 0;
    for (folder, _) in FOLDERS.iter().filter(|(folder, _)| folder.starts_with("slop-code/g2")) {
        let files = fixture_files(folder);
        for (at, dropped) in files.iter().enumerate() {
            let is_evaluation = dropped.path.ends_with("/evaluation.json");
            if !is_evaluation && !dropped.path.ends_with("/report.json") {
                continue;
            }
            let document: Value = serde_json::from_slice(&bytes_of(dropped)).unwrap();
            for number in 0.. {
                let mut document = document.clone();
                let id = if is_evaluation {
                    each_test(&mut document, number)
                } else {
                    let pointer =
                        if document.get("results").is_some() { "/results/tests" } else { "/tests" };
                    let tests = document.pointer_mut(pointer).unwrap().as_array_mut().unwrap();
                    (number < tests.len()).then(|| tests.remove(number)).map(|_| String::new())
                };
                let Some(id) = id else { break };
                let mut files = files.clone();
                files[at] = file(&dropped.path, document.to_string());
                let report = audited(files);
                let fields = newly_differing(folder, &report);
                let what = format!("{} {number} {id}", dropped.path);
                if is_evaluation {
                    let is_total = |field: &String| field.starts_with("total_counts.");
                    assert!(fields.iter().any(is_total), "{what}: {fields:?}");
                    let has = "report.json has a test that evaluation.json does not have";
                    let is_named = |why: &&str| why.contains(has) && why.contains(&id);
                    assert!(
                        reasons(&report).iter().any(is_named),
                        "{what}: {:?}",
                        reasons(&report)
                    );
                } else {
                    let is_total = |field: &String| {
                        field == "report.summary.total" || field == "report.results.summary.tests"
                    };
                    assert!(fields.iter().any(is_total), "{what}: {fields:?}");
                }
                n_removed += 1;
            }
        }
    }
    assert!(n_removed > 150, "only {n_removed}");
}
