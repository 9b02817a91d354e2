//! Any table: pandas' own values in every form it writes, tables with other names, broken ones.

use crate::support::{
    assert_close, core_of, file, fixture, fixture_files, fixture_json, records_of, report_of,
};
use evalglass::input::{Dropped, Pulse};
use evalglass::model::PAGE_MAPPINGS;
use evalglass::stats;
use evalglass::worker::core::Core;
use serde_json::Value;
use std::collections::BTreeMap;

const FOLDER: &str = "table/pandas-3.1.1";

/// The report on one file of the fixtures under the name `name`.
fn report_on(name: &str, path: &str) -> Value {
    let bytes = std::fs::read(fixture(FOLDER).join(name)).unwrap();
    report_of(&core_of(vec![file(path, bytes)]))
}

/// The report on a text.
fn report_of_text(path: &str, text: &str) -> Value {
    report_of(&core_of(vec![file(path, text)]))
}

/// Subject and case, for every case of a report.
fn cases(report: &Value) -> Vec<(String, &Value)> {
    let runs = report["runs"].as_array().unwrap();
    let subject = |run: &Value| run["subject"].as_str().unwrap_or_default().to_owned();
    runs.iter()
        .flat_map(|run| {
            run["cases"].as_array().unwrap().iter().map(move |case| (subject(run), case))
        })
        .collect()
}

/// Role words by column.
fn roles(report: &Value) -> BTreeMap<String, String> {
    let columns = report["evaluations"][0]["config"]["mapping"]["columns"].as_array().unwrap();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    columns.iter().map(|column| (word(&column["name"]), word(&column["role"]))).collect()
}

fn notes(report: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let all = report["notes"].as_array().unwrap();
    all.iter().map(|note| (word(&note["kind"]), word(&note["detail"]))).collect()
}

const WHOLE: [&str; 9] = [
    "results.csv",
    "results.jsonl",
    "results.parquet",
    "results_zstd.parquet",
    "results_columns.json",
    "results_indexed.tsv",
    "results_records.json",
    "results_semicolon_bom_crlf.csv",
    "results_split.json",
];

#[test]
fn every_row_agrees_in_every_form() {
    let expected = fixture_json("table/pandas-3.1.1/expected.json");
    let rows = expected["rows"].as_array().unwrap();
    for name in WHOLE {
        let report = report_on(name, "unknown");
        let found = cases(&report);
        assert_eq!(found.len(), rows.len(), "{name}");
        for row in rows {
            let is_it = |(subject, case): &&(String, &Value)| {
                *subject == row["model"] && case["id"] == row["id"]
            };
            let (_, case) = found.iter().find(is_it).unwrap_or_else(|| panic!("{name}: {row}"));
            let what = format!("{name} {} {}", row["model"], row["id"]);
            assert_close(&case["score"], &row["score"], &what);
            assert_close(&case["duration_secs"], &row["latency_s"], &what);
            assert_close(&case["completion_tokens"], &row["tokens"], &what);
            assert_eq!(case["group"], row["category"], "{what}");
            let outcome = match (&row["error"], &row["passed"]) {
                (Value::String(_), _) => "error",
                (_, Value::Bool(true)) => "passed",
                (_, Value::Bool(false)) => "failed",
                _ => "unscored",
            };
            assert_eq!(case["outcome"], outcome, "{what}");
        }
        let mapping = &report["evaluations"][0]["config"]["mapping"];
        assert_eq!((&mapping["is_confirmed"], &mapping["n_rows"]), (&false.into(), &42.into()));
        assert!(mapping.get("first_rows").is_none(), "{name}");
    }
}

#[test]
fn one_column_for_each_model_is_a_run_for_each() {
    let expected = fixture_json("table/pandas-3.1.1/expected.json");
    let report = report_on("wide_one_column_per_model.csv", "unknown");
    let found = cases(&report);
    let rows = expected["rows"].as_array().unwrap();
    assert_eq!(found.len(), rows.len());
    for row in rows {
        let is_it = |(subject, case): &&(String, &Value)| {
            *subject == row["model"] && case["id"] == row["id"]
        };
        let (_, case) = found.iter().find(is_it).unwrap();
        assert_close(&case["score"], &row["score"], &row.to_string());
        let outcome = if row["score"].is_null() { "unscored" } else { "scored" };
        assert_eq!(case["outcome"], outcome);
    }
}

#[test]
fn a_missing_score_is_no_zero_and_infinity_no_score() {
    let report = report_on("python_json_dumps_nan.jsonl", "unknown");
    let found = cases(&report);
    assert_eq!(found.len(), 9);
    for (id, outcome) in [("case-03", "unscored"), ("case-08", "unscored"), ("case-00", "passed")] {
        let (_, case) = found.iter().find(|(_, case)| case["id"] == id).unwrap();
        assert_eq!(case["outcome"], outcome, "{id}");
        assert_eq!(case["score"].is_null() || case.get("score").is_none(), outcome == "unscored");
    }
    assert_eq!(roles(&report)["aux"], "fact");
}

#[test]
fn nested_fields_are_columns() {
    let report = report_on("nested.parquet", "unknown");
    assert_eq!(roles(&report)["metrics.score"], "score");
    assert_eq!(notes(&report).len(), 1);
    assert_eq!(cases(&report).len(), 42);
}

#[test]
fn other_names_are_understood() {
    let text = "question_id,subject,prompt,gold,prediction,is_correct,latency_ms,cost_usd,prompt_tokens\n\
        1,math,1+1,2,2,1,1200,0.01,10\n2,math,2+2,4,5,0,800,0.02,11\n3,geo,x?,y,z,0,,0.01,9\n";
    let report = report_of_text("a.csv", text);
    let expected = [
        ("cost_usd", "cost"),
        ("gold", "expected"),
        ("is_correct", "passed"),
        ("latency_ms", "duration"),
        ("prediction", "output"),
        ("prompt", "input"),
        ("prompt_tokens", "tokens"),
        ("question_id", "id"),
        ("subject", "group"),
    ];
    let found = roles(&report);
    let found: Vec<(&str, &str)> =
        found.iter().map(|(name, role)| (name.as_str(), role.as_str())).collect();
    assert_eq!(found, expected);
    let found = cases(&report);
    let outcomes: Vec<&Value> = found.iter().map(|(_, case)| &case["outcome"]).collect();
    assert_eq!(outcomes, ["passed", "failed", "failed"]);
    assert_close(&found[0].1["duration_secs"], &Value::from(1.2), "milliseconds");
}

#[test]
fn figures_agree_with_pandas() {
    let expected = fixture_json("table/pandas-3.1.1/expected.json");
    for name in WHOLE {
        let report = report_on(name, name);
        let runs = report["runs"].as_array().unwrap();
        for (model, figures) in expected["by_model"].as_object().unwrap() {
            let run = runs.iter().find(|run| run["subject"] == **model).unwrap();
            let what = format!("{name} {model}");
            let of = |key: &str| -> Vec<f64> {
                let cases = run["cases"].as_array().unwrap().iter();
                cases.filter_map(|case| case[key].as_f64()).collect()
            };
            let (scores, secs) = (of("score"), of("duration_secs"));
            let deviation = stats::stdev(&scores).unwrap();
            let n = u32::try_from(scores.len()).unwrap();
            for (found, key) in [
                (run["counts"]["total"].clone(), "n"),
                (Value::from(n), "n_scored"),
                (run["score"]["mean_attempted"].clone(), "mean_score_over_scored"),
                (Value::from(deviation), "std_ddof1"),
                (Value::from(deviation / f64::from(n).sqrt()), "sem"),
                (run["counts"]["passed"].clone(), "n_passed"),
                (run["counts"]["failed"].clone(), "n_failed"),
                (Value::from(stats::median(&secs)), "median_latency_s"),
                (Value::from(stats::linear_percentile(&secs, 95.0)), "p95_linear_latency_s"),
                (run["usage"]["completion_tokens"].clone(), "sum_tokens"),
            ] {
                assert_close(&found, &figures[key], &format!("{what} {key}"));
            }
            let missing = ["error", "unscored"].map(|key| run["counts"][key].as_u64().unwrap());
            assert_eq!(missing.iter().sum::<u64>(), figures["n_missing"].as_u64().unwrap());
        }
        for (category, figures) in expected["by_category"].as_object().unwrap() {
            let found = cases(&report);
            let own = || found.iter().filter(|(_, case)| case["group"] == **category);
            let scores: Vec<f64> = own().filter_map(|(_, case)| case["score"].as_f64()).collect();
            assert_eq!(own().count() as u64, figures["n"].as_u64().unwrap());
            let mean = Value::from(stats::mean(scores.iter().copied()));
            assert_close(&mean, &figures["mean_score_over_scored"], category);
        }
    }
}

const ODD: &str = "wer,was,wie gut,dauer\nx,1,3,20\nx,2,5,30\ny,1,4,10\ny,2,1,40\n";

/// A mapping file for [`ODD`].
fn odd_mapping(role_of_second: &str) -> String {
    format!(
        r#"{{"evalglass_mapping": 1, "columns": [
            {{"name": "wer", "role": "model"}},
            {{"name": "was", "role": "{role_of_second}"}},
            {{"name": "wie gut", "role": "score"}},
            {{"name": "dauer", "role": "duration", "unit": "ms"}}]}}"#
    )
}

fn mapping_of(report: &Value) -> &Value {
    &report["evaluations"][0]["config"]["mapping"]
}

#[test]
fn a_mapping_file_beside_a_table_says_what_its_columns_are() {
    let table = || file("runs/odd.csv", ODD);
    let own = || file("runs/any name.json", odd_mapping("id"));
    for drops in [
        vec![vec![table(), own()]],
        vec![vec![own()], vec![table()]],
        vec![vec![table()], vec![own()]],
    ] {
        let core = Core::default();
        for files in drops {
            pollster::block_on(core.open(files, Vec::new(), &Pulse::silent())).unwrap();
        }
        let report = report_of(&core);
        assert_eq!(mapping_of(&report)["is_confirmed"], true);
        assert_eq!(mapping_of(&report)["file"], "runs/any name.json");
        let found = cases(&report);
        assert_eq!(found.len(), 4);
        assert_eq!((found[0].0.as_str(), &found[0].1["score"]), ("x", &Value::from(3.0)));
        assert_close(&found[1].1["duration_secs"], &Value::from(0.03), "milliseconds");
        assert_eq!(notes(&report), []);
    }
}

#[test]
fn the_nearest_mapping_file_counts_and_that_of_the_page_first() {
    let page = format!("{PAGE_MAPPINGS}/1.json");
    let paths = [page.as_str(), "a/b/m.json", "a/m.json", "m.json", "other/m.json"];
    for nearest in 0..paths.len() {
        let mut files = vec![file("a/b/odd.csv", ODD)];
        for (at, path) in paths.iter().enumerate().skip(nearest) {
            let role = if at == nearest { "group" } else { "id" };
            files.push(file(path, odd_mapping(role)));
        }
        let report = report_of(&core_of(files));
        assert_eq!(roles(&report)["was"], "group", "{}", paths[nearest]);
        let named = mapping_of(&report).get("file").and_then(Value::as_str);
        assert_eq!(named, Some(paths[nearest]).filter(|_| nearest > 0));
    }
}

#[test]
fn a_draft_is_still_guessed_and_a_mapping_file_alone_or_broken_is_noted() {
    let draft = odd_mapping("id").replacen("1,", "1, \"confirmed\": false,", 1);
    let report = report_of(&core_of(vec![file("odd.csv", ODD), file("m.json", draft)]));
    assert_eq!(mapping_of(&report)["is_confirmed"], false);
    for (text, expected) in [
        (
            odd_mapping("id"),
            "a mapping file for other columns than those of any table that is open",
        ),
        (
            odd_mapping("scor"),
            "this mapping file cannot be read: unknown variant `scor`, expected one of `fact`, `id`",
        ),
        (
            odd_mapping("id").replacen('1', "2", 1),
            "this mapping file cannot be read: it is of version 2, and this program knows version 1",
        ),
    ] {
        let report = report_of(&core_of(vec![file("m.json", text)]));
        let found = notes(&report);
        assert!(found.iter().any(|(_, detail)| detail.starts_with(expected)), "{found:?}");
    }
}

#[test]
fn a_table_among_results_of_a_tool_is_opened_only_when_a_mapping_file_is_for_it() {
    let beside = |files: Vec<Dropped>| {
        let mut all: Vec<Dropped> = fixture_files("rebel/basic");
        let folder = all[0].path.rsplit_once('/').unwrap().0.to_owned();
        all.extend(
            files.into_iter().map(|one| Dropped { path: format!("{folder}/{}", one.path), ..one }),
        );
        report_of(&core_of(all))
    };
    let producers = |report: &Value| -> Vec<String> {
        let all = report["evaluations"].as_array().unwrap().iter();
        all.map(|one| one["producer"].as_str().unwrap().to_owned()).collect()
    };
    let table = || file("scores.csv", "id,score\na,1\nb,0\n");
    assert!(!producers(&beside(vec![table()])).contains(&"table".to_owned()));
    let mapping = r#"{"evalglass_mapping":1,"columns":[{"name":"id","role":"id"},{"name":"score","role":"score"}]}"#;
    let found = producers(&beside(vec![table(), file("scores.json", mapping)]));
    assert!(found.contains(&"table".to_owned()), "{found:?}");
}

#[test]
fn a_column_called_task_is_the_id_where_its_values_stand_once_else_the_group() {
    let of = |text: &str| roles(&report_of_text("t.csv", text))["task"].clone();
    assert_eq!(of("task,score\nadd,1\nsort,0\nparse,1\n"), "id");
    assert_eq!(of("task,model,score\nadd,a,1\nadd,b,0\nsort,a,1\nsort,b,1\n"), "id");
    assert_eq!(of("task,id,score\nadd,1,1\nadd,2,0\nsort,3,1\nsort,4,1\n"), "group");
    assert_eq!(of("task,question,score\nadd,1+1?,1\nadd,2+2?,0\nadd,3+3?,1\n"), "group");
}

#[test]
fn the_first_line_that_excel_writes_says_what_stands_between_cells() {
    let rows = "id;score;note\na;0,5;x,y\nb;0,25;z,w\n";
    for before in ["sep=;\n", "sep=;\r\n", "\u{feff}\"sep=;\"\n", "SEP=;\n"] {
        let text = format!(
            "{before}{}",
            rows.replace('\n', if before.contains('\r') { "\r\n" } else { "\n" })
        );
        let report = report_of_text("t.csv", &text);
        let found = cases(&report);
        let scores: Vec<&Value> = found.iter().map(|(_, case)| &case["score"]).collect();
        assert_eq!(scores, [&Value::from(0.5), &Value::from(0.25)], "{before:?}");
        let ids: Vec<&Value> = found.iter().map(|(_, case)| &case["id"]).collect();
        assert_eq!(ids, [&Value::from("a"), &Value::from("b")], "{before:?}");
        // A case is read again at its place.
        for (_, detail) in records_of(vec![file("t.csv", text.as_str())]) {
            assert!(detail.raw[0].json.contains("\"id\":\""), "{:?}", detail.raw[0]);
        }
    }
    let ragged = report_of_text("t.csv", &format!("sep=;\n{rows}c;1\n"));
    let places = &ragged["notes"].as_array().unwrap().iter().find(|note| note["kind"] == "broken");
    assert!(places.unwrap()["places"].to_string().contains("5"), "{places:?}");
}

#[test]
fn points_between_thousands_are_read_where_every_number_of_the_column_fits() {
    let of = |cells: &[&str]| {
        let rows: Vec<String> =
            cells.iter().enumerate().map(|(id, cell)| format!("c{id};{cell}")).collect();
        let report = report_of_text("t.csv", &format!("id;score\n{}\n", rows.join("\n")));
        let scores = cases(&report).into_iter().map(|(_, case)| case["score"].as_f64());
        scores.collect::<Vec<Option<f64>>>()
    };
    assert_eq!(of(&["1.234,56", "7,5", "1.000"]), [Some(1234.56), Some(7.5), Some(1000.0)]);
    // Without such a number a point stays a decimal one; and one that does not fit keeps the others from it.
    assert_eq!(of(&["1.234", "7.5", "1.000"]), [Some(1.234), Some(7.5), Some(1.0)]);
    let others = ["7.5"; 12];
    let found = of(&[&["1.234,56", "1.000"], &others[..]].concat());
    assert_eq!(found[..3], [None, Some(1.0), Some(7.5)]);
}

#[test]
fn of_a_tiny_table_each_ragged_line_is_named() {
    let report = report_of_text("t.csv", "id,score,passed\na,1\nb,0,no\nc,1,yes,more\n");
    assert_eq!(cases(&report).len(), 3);
    let lines = report["notes"].as_array().unwrap().iter().filter(|note| note["kind"] == "broken");
    let lines: Vec<String> = lines.map(|note| note["places"].to_string()).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains('2') && lines[1].contains('4'), "{lines:?}");
    // Lines with commas are no table.
    let report = report_of_text("t.txt", "Dear all, hello\nsee you, soon, there\nbye\n");
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 0);
}

#[test]
fn broken_tables_cost_what_is_broken() {
    for (text, n_cases, expected) in [
        (
            "id,score\na,1\nb\nc,3,4\nd,0.5\ne,1\n",
            5,
            vec![
                ("broken", "a row has 1 cell and the table 2 columns: the others are missing"),
                (
                    "broken",
                    "a row has 3 cells and the table 2 columns: those behind the last column are left out",
                ),
                ("assumed", "what the columns are is guessed: id as id, score as score"),
            ],
        ),
        (
            "id,score\na,1\nb,high\nc,3\nd,1\ne,1\nf,1\ng,1\nh,1\ni,1\nj,1\nk,1\n",
            11,
            vec![
                ("assumed", "what the columns are is guessed: id as id, score as score"),
                ("broken", "column score: a cell is not a number and counts as missing"),
            ],
        ),
        (
            "{\"id\":\"a\",\"score\":1}\n{\"id\":\"b\",\"score\":\n{\"id\":\"c\",\"score\":0}\n{\"id\":\"d\"",
            2,
            vec![
                ("broken", "the line ends inside a value"),
                ("truncated", "the last record is cut off: the file ends inside a value"),
                ("assumed", "what the columns are is guessed: id as id, score as score"),
            ],
        ),
        (
            "id,score\na,1\nb,2\na,3\n",
            3,
            vec![
                ("assumed", "what the columns are is guessed: id as id, score as score"),
                (
                    "assumed",
                    "1 more row has the same id as another row of the run: each counts as another repeat",
                ),
            ],
        ),
    ] {
        let report = report_of_text("unknown", text);
        assert_eq!(cases(&report).len(), n_cases, "{text}");
        let found = notes(&report);
        assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
        for (kind, part) in expected {
            let is_it = |(own, detail): &(String, String)| own == kind && detail.contains(part);
            assert!(found.iter().any(is_it), "{part}: {found:?}");
        }
    }
}

#[test]
fn a_report_of_a_table_opens_again_as_it_was() {
    let core = core_of(vec![file(
        "results.csv",
        std::fs::read(fixture(FOLDER).join("results.csv")).unwrap(),
    )]);
    let first = report_of(&core);
    let bytes = serde_json::to_vec(&first).unwrap();
    let again = report_of(&core_of(vec![file("evalglass-report.json", bytes)]));
    assert_eq!(mapping_of(&first), mapping_of(&again));
    assert_eq!(mapping_of(&again)["is_confirmed"], false);
    assert_eq!(cases(&first).len(), cases(&again).len());
}

#[test]
fn the_page_of_a_case_holds_the_whole_row() {
    for (name, transcripts) in
        [("results.csv", false), ("results_split.json", false), ("nested.parquet", true)]
    {
        let bytes = std::fs::read(fixture(FOLDER).join(name)).unwrap();
        let records = records_of(vec![file(name, bytes)]);
        assert_eq!(records.len(), 42, "{name}");
        for (case, detail) in &records {
            let raw: Value = serde_json::from_str(&detail.raw[0].json).unwrap();
            assert_eq!(raw["id"], case.cases.id.get(0).unwrap(), "{name}");
            assert_eq!(!detail.transcript.is_empty(), transcripts, "{name}");
            assert_eq!(detail.input.is_empty(), transcripts, "{name}");
        }
    }
}
