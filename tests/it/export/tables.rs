//! CSV, JSONL and Parquet hold the same cells as the report.

use super::FOLDERS;
use crate::support::{core_of, exported, exported_text, file, fixture_files, number, report_of};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::ExportKind;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::{Map, Value, json};

/// The rows of an exported Parquet file, non-finite numbers as the report spells them.
fn parquet_rows(core: &Core, kind: ExportKind) -> Vec<Map<String, Value>> {
    let bytes = bytes::Bytes::from(exported(core, kind));
    let reader = SerializedFileReader::new(bytes).unwrap();
    let cell = |(name, field): (&String, &Field)| {
        let value = match field {
            Field::Null => Value::Null,
            Field::Bool(flag) => json!(flag),
            Field::Long(n) => json!(n),
            Field::Double(number) if number.is_nan() => json!("NaN"),
            Field::Double(number) if number.is_infinite() => {
                json!(if *number > 0.0 { "Infinity" } else { "-Infinity" })
            }
            Field::Double(number) => json!(number),
            Field::Str(text) => json!(text),
            other => panic!("{other:?}"),
        };
        (name.clone(), value)
    };
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row: Result<Row, _>| row.unwrap().get_column_iter().map(cell).collect()).collect()
}

/// The rows of the exported CSV, typed as the Parquet rows `like` are.
fn csv_rows(core: &Core, like: &[Map<String, Value>]) -> Vec<Map<String, Value>> {
    let text = exported_text(core, ExportKind::CasesCsv);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().unwrap().clone();
    let rows = reader.records().zip(like).map(|(row, like)| {
        let row = row.unwrap();
        let cell = |(name, text): (&str, &str)| {
            let value = match &like[name] {
                Value::Null | Value::String(_) if text.is_empty() => Value::Null,
                Value::Bool(_) => json!(text == "true"),
                Value::Number(number) if number.is_u64() => json!(text.parse::<u64>().unwrap()),
                Value::Number(number) if number.is_i64() => json!(text.parse::<i64>().unwrap()),
                Value::Number(_) => json!(text.parse::<f64>().unwrap()),
                _ => json!(text.strip_prefix('\'').unwrap_or(text)),
            };
            (name.to_owned(), value)
        };
        head.iter().zip(&row).map(cell).collect()
    });
    rows.collect()
}

fn jsonl(core: &Core) -> Vec<Value> {
    let text = exported_text(core, ExportKind::CasesJsonl);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// An empty text is no text, in CSV.
fn without_empty(rows: &[Map<String, Value>]) -> Vec<Map<String, Value>> {
    let emptied = |(name, value): (&String, &Value)| {
        (name.clone(), if value == "" { Value::Null } else { value.clone() })
    };
    rows.iter().map(|row| row.iter().map(emptied).collect()).collect()
}

#[test]
fn csv_and_parquet_hold_the_same_cells() {
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let rows = parquet_rows(&core, ExportKind::CasesParquet);
        assert!(!rows.is_empty(), "{folder}");
        assert_eq!(csv_rows(&core, &rows), without_empty(&rows), "{folder}");
        let text = exported_text(&core, ExportKind::CasesCsv);
        assert_eq!(csv::Reader::from_reader(text.as_bytes()).records().count(), rows.len());
        assert!(text.ends_with("\r\n") && !text.starts_with('\u{FEFF}'));
    }
}

/// Fails unless two cells are the same, numbers to the last bit.
fn assert_cell(found: &Value, expected: &Value, what: &str) {
    match (number(found), number(expected)) {
        (Some(left), Some(right)) => {
            assert!(left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan(), "{what}");
        }
        _ => assert_eq!(found, expected, "{what}"),
    }
}

#[test]
fn the_tables_hold_what_the_report_says() {
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let report = report_of(&core);
        let cases = parquet_rows(&core, ExportKind::CasesParquet);
        let checks = parquet_rows(&core, ExportKind::ChecksParquet);
        let (mut cases, mut checks) = (cases.iter(), checks.iter());
        for run in report["runs"].as_array().unwrap() {
            for (idx, case) in run["cases"].as_array().unwrap().iter().enumerate() {
                let row = cases.next().unwrap();
                let id = case["id"].as_str().map_or(case["id"].to_string(), str::to_owned);
                let what = format!("{folder} {id}");
                assert_eq!(row["case_id"], id);
                assert_eq!(row["case_idx"], idx);
                assert_eq!(row["run"], run["id"]);
                assert_eq!(row["evaluation"], run["evaluation"]);
                assert_eq!(row["run_variant"], run["variant"], "{what}");
                let pairs = [
                    ("group", "group"),
                    ("type", "kind"),
                    ("passed", "passed"),
                    ("score", "score"),
                    ("duration", "duration_secs"),
                    ("outcome", "outcome"),
                    ("n_attempts", "n_attempts"),
                    ("strategy", "strategy"),
                    ("reward", "reward"),
                    ("variant", "variant"),
                ];
                for (column, member) in pairs {
                    assert_cell(&row[column], &case[member], &what);
                }
                for (column, member) in [
                    ("error_category", "category"),
                    ("error_type", "type"),
                    ("error_message", "message"),
                ] {
                    assert_cell(&row[column], &case["error"][member], &what);
                }
                let mut counts = (0, 0);
                for check in case["checks"].as_array().unwrap() {
                    let row = checks.next().unwrap();
                    assert_eq!((&row["run"], &row["case_idx"]), (&run["id"], &json!(idx)));
                    for name in
                        ["attempt", "name", "score", "is_correct", "weight", "verdict", "reason"]
                    {
                        assert_cell(&row[name], &check[name], &what);
                    }
                    let verdict = check["verdict"].as_str().map(|verdict| verdict == "passed");
                    if let Some(is_right) = check["is_correct"].as_bool().or(verdict) {
                        counts.0 += 1;
                        counts.1 += u64::from(!is_right);
                    }
                }
                assert_eq!(row["n_checks"], counts.0, "{what}");
                assert_eq!(row["n_failed_checks"], counts.1, "{what}");
            }
        }
        assert!(cases.next().is_none() && checks.next().is_none(), "{folder}");
    }
}

#[test]
fn lines_are_the_cases_of_the_report_and_meet_their_schema() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../schema/evalglass-case-1.json")).unwrap();
    let report_schema: Value =
        serde_json::from_str(include_str!("../../../schema/evalglass-report-1.json")).unwrap();
    for (name, shared) in schema["$defs"].as_object().unwrap() {
        assert_eq!(shared, &report_schema["$defs"][name], "{name} differs between the schemas");
    }
    let of_report_alone = ["detail", "detail_error", "transcript", "turns", "raw"];
    let members = report_schema["$defs"]["case"]["properties"].as_object().unwrap();
    let shared = members.iter().filter(|(name, _)| !of_report_alone.contains(&name.as_str()));
    for (name, member) in shared {
        assert_eq!(member, &schema["properties"][name], "{name} differs between the schemas");
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let report = report_of(&core);
        let mut lines = jsonl(&core).into_iter();
        for run in report["runs"].as_array().unwrap() {
            for (idx, case) in run["cases"].as_array().unwrap().iter().enumerate() {
                let mut line = lines.next().unwrap();
                let faults: Vec<String> =
                    validator.iter_errors(&line).map(|err| err.to_string()).collect();
                assert!(faults.is_empty(), "{folder}: {faults:?}");
                let own = line.as_object_mut().unwrap();
                let of_run = [
                    ("evaluation", "evaluation"),
                    ("run", "id"),
                    ("suite", "suite"),
                    ("run_variant", "variant"),
                    ("subject", "subject"),
                    ("repeat", "repeat"),
                ];
                for (member, of_run) in of_run {
                    let found = own.shift_remove(member).unwrap_or_default();
                    assert_eq!(found, run[of_run], "{folder} {member}");
                }
                assert_eq!(own.shift_remove("case_idx"), Some(json!(idx)));
                assert_eq!(&line, case, "{folder}");
            }
        }
        assert!(lines.next().is_none(), "{folder}");
    }
}

#[test]
fn texts_that_break_tables_come_back_whole() {
    let names = ["=1+1", "a,\"b\"", "line\nbreak", "-5", "@x", "  ", "\u{1F600}é", "'=2", "\u{1}"];
    let entries: Vec<Value> = names
        .iter()
        .map(|name| {
            json!({"name": name, "retry_params": {"count": 1, "aggregation_strategy": "min"},
                "evaluation_results": [{"score": 0.5, "verdict": "failed", "reason": name}]})
        })
        .collect();
    let text = json!({"metadata": {}, "test_cases": entries}).to_string();
    let core = core_of(vec![file("r.json", text)]);
    let rows = parquet_rows(&core, ExportKind::CasesParquet);
    let found: Vec<&str> = rows.iter().map(|row| row["case_id"].as_str().unwrap()).collect();
    assert_eq!(found, names);
    let reasons = parquet_rows(&core, ExportKind::ChecksParquet);
    let found: Vec<&str> = reasons.iter().map(|row| row["reason"].as_str().unwrap()).collect();
    assert_eq!(found, names);
    let csv = exported_text(&core, ExportKind::CasesCsv);
    let ids: Vec<String> = csv::Reader::from_reader(csv.as_bytes())
        .records()
        .map(|row| row.unwrap()[1].to_owned())
        .collect();
    let written =
        ["'=1+1", "a,\"b\"", "line\nbreak", "-5", "'@x", "  ", "\u{1F600}é", "''=2", "\u{1}"];
    assert_eq!(ids, written);
}

#[test]
fn long_tables_are_several_row_groups() {
    let entry = r#"{"name":"t","retry_params":{"count":1,"aggregation_strategy":"min"},
        "evaluation_results":[{"score":1,"verdict":"passed","reason":""}]}"#;
    let n_cases = 70_000;
    let text = format!(r#"{{"metadata":{{}},"test_cases":[{}]}}"#, vec![entry; n_cases].join(","));
    let core = core_of(vec![file("r.json", text)]);
    let bytes = bytes::Bytes::from(exported(&core, ExportKind::CasesParquet));
    let reader = SerializedFileReader::new(bytes).unwrap();
    assert_eq!(reader.num_row_groups(), 2);
    assert_eq!(reader.metadata().file_metadata().num_rows(), n_cases as i64);
    let rows = parquet_rows(&core, ExportKind::CasesParquet);
    assert!(rows.iter().enumerate().all(|(idx, row)| row["case_idx"] == idx));
}
