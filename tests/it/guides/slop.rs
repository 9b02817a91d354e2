//! slop-code's reporting guide: what `tests/fixtures/guides/README.md` says each folder gives.

use crate::support::{
    assert_close, at, bytes_of, core_of, file, fixture_files, report_of, report_under,
};
use evalglass::report::{Cell, Sections, Table, Target, Topic};
use evalglass::worker::core::Core;
use serde_json::{Value, json};

fn core(folder: &str) -> Core {
    core_of(fixture_files(&format!("guides/{folder}")))
}

fn page(core: &Core, topic: Topic) -> Sections {
    core.sections(topic).expect("the page is there")
}

fn table<'a>(page: &'a Sections, id: &str) -> &'a Table {
    let all = page.sections.iter().flat_map(|section| &section.tables);
    let found = all.into_iter().find(|table| table.id == id);
    found.unwrap_or_else(|| panic!("no table {id}"))
}

fn texts(table: &Table, label: &str) -> Vec<String> {
    let at = table.columns.iter().position(|column| column.label == label);
    let at = at.unwrap_or_else(|| panic!("no column {label}"));
    let text = |cell: &Cell| match cell {
        Cell::Text(text) | Cell::Tag { text, .. } => text.clone(),
        Cell::Linked(inner, _) => format!("{inner:?}"),
        Cell::Share { part, whole } => format!("{part} / {whole}"),
        Cell::Number(n) => n.0.to_string(),
        Cell::Missing(_) => "–".to_owned(),
        other => format!("{other:?}"),
    };
    table.rows.iter().map(|row| text(&row.cells[at])).collect()
}

#[test]
fn weights_of_a_config_make_the_checkpoint_score() {
    let core = core("s7_weighted");
    let report = report_of(&core);
    let run = &report["runs"][0];
    assert_close(at(run, "score.weighted"), &json!(0.76), "the guide's example");
    let weight = |name: &str| {
        let groups = run["groups"].as_array().unwrap();
        groups.iter().find(|group| group["name"] == name).unwrap()["weight"].clone()
    };
    assert_eq!(weight("critical_tests"), 2.0);
    assert_eq!(weight("optional_tests"), 0.5);
    // What the user sets holds over it.
    let report =
        report_under(&core, &[("weight:critical_tests", "1"), ("weight:optional_tests", "1")]);
    assert_close(at(&report["runs"][0], "score.weighted"), &json!(0.7), "edited");
}

#[test]
fn weights_of_other_numbers_and_of_the_other_form_are_read() {
    let evaluation = bytes_of(
        fixture_files("guides/s7_weighted").iter().find(|f| f.path.ends_with(".json")).unwrap(),
    );
    let config = "groups:\n  critical_tests:\n    type: Core\n    weight: 1\n  optional_tests: {weight: 3}\n";
    let files = vec![file("c/evaluation.json", evaluation.clone()), file("c/config.yaml", config)];
    let report = report_of(&core_of(files));
    // (0.8 · 1 + 0.6 · 3) / 4
    assert_close(at(&report["runs"][0], "score.weighted"), &json!(0.65), "a mapping");
    // A type that differs is named, and the evaluation's own holds; a bad weight costs itself.
    let config =
        "groups:\n  critical_tests: {type: Error, weight: 1}\n  optional_tests: {weight: much}\n";
    let files = vec![file("c/evaluation.json", evaluation.clone()), file("c/config.yaml", config)];
    let report = report_of(&core_of(files));
    assert_eq!(report["runs"][0]["groups"][0]["kind"], "Core");
    assert_close(at(&report["runs"][0], "score.weighted"), &json!(0.7), "1 and 1");
    let details: Vec<&str> =
        report["notes"].as_array().unwrap().iter().map(|n| n["detail"].as_str().unwrap()).collect();
    assert!(details.iter().any(|d| d.contains("type Error")), "{details:?}");
    assert!(details.iter().any(|d| d.contains("a weight is a number")), "{details:?}");
    // A config that is no YAML costs only itself.
    let files = vec![
        file("c/evaluation.json", evaluation),
        file("c/config.yaml", "groups:\n  - name: a\n    weight: [1\n"),
    ];
    let report = report_of(&core_of(files));
    assert_eq!(report["runs"].as_array().unwrap().len(), 1);
    let notes = report["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note["file"] == "c/config.yaml"), "{notes:?}");
}

#[test]
fn a_config_alone_says_what_it_is() {
    for (folder, words) in [
        ("s8b_config_alone", "critical_tests (type Core)"),
        ("s8c_config_alone", "critical_tests (weight 2)"),
    ] {
        let overview = page(&core(folder), Topic::Overview(Target::Evaluation(0)));
        let said = overview.empty.unwrap();
        assert!(said.starts_with("This is the config of a checkpoint") && said.contains(words));
    }
    let report = report_of(&core("s8_types"));
    let kinds: Vec<&Value> =
        report["runs"][0]["groups"].as_array().unwrap().iter().map(|g| &g["kind"]).collect();
    assert_eq!(kinds, ["Core", "Functionality", "Error"]);
}

#[test]
fn totals_by_type_and_their_sum_stand_as_declared_and_as_computed() {
    let overview = page(&core("s9_key_properties"), Topic::Overview(Target::Evaluation(0)));
    let kinds = table(&overview, "kinds");
    assert_eq!(texts(kinds, "Kind"), ["Core", "Functionality", "All kinds"]);
    assert_eq!(texts(kinds, "Passed"), ["5 / 5", "10 / 12", "15 / 17"]);
    assert_eq!(texts(kinds, "Declared"), ["5 / 5", "10 / 12", "15 / 17"]);
    assert_eq!(kinds.footnote, None);
    let overview = page(&core("s1_evaluation_alone"), Topic::Overview(Target::Evaluation(0)));
    let kinds = table(&overview, "kinds");
    assert_eq!(texts(kinds, "Passed"), ["2 / 3", "–", "2 / 3"]);
    assert_eq!(texts(kinds, "Declared"), ["2 / 3", "5 / 6", "7 / 9"]);
    let said = kinds.footnote.as_deref();
    assert_eq!(said, Some("The file declares 7 of 9, its groups hold 3 cases."));
}

#[test]
fn three_runs_in_folders_that_are_called_alike_are_told_apart_and_taken_together() {
    let core = core("outputs");
    let report = report_of(&core);
    let labels: Vec<&str> = report["evaluations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["label"].as_str().unwrap())
        .collect();
    assert_eq!(labels, ["run_1 / checkpoint_1", "run_2 / checkpoint_1", "run_3 / checkpoint_1"]);
    let statistics = page(&core, Topic::Statistics(Target::All));
    let spread = table(&statistics, "repeat-spread");
    let mean = |figure: &str| {
        let at = texts(spread, "Figure").iter().position(|own| own == figure).unwrap();
        (texts(spread, "Mean")[at].parse::<f64>().unwrap(), spread.rows[at].cells[2].clone())
    };
    assert_eq!(mean("Pass rate of cases"), (0.8, Cell::Count(3)));
    assert_eq!(mean("Test time, s"), (110.0, Cell::Count(3)));
    let overview = page(&core, Topic::Overview(Target::All));
    let trust = table(&overview, "trust");
    let at = texts(trust, "Question").iter().position(|own| own == "Was it repeated?").unwrap();
    assert!(texts(trust, "Answer")[at].contains("3 times"), "{:?}", texts(trust, "Answer"));
}

#[test]
fn failures_by_type_name_their_first_three() {
    let core = core("outputs");
    let failures = page(&core, Topic::Failures(Target::All));
    let kinds = table(&failures, "failures-by-kind");
    assert_eq!(texts(kinds, "Kind"), ["Core"]);
    let first = &texts(kinds, "First failing cases")[0];
    assert_eq!(first.split(", ").count(), 3, "{first}");
    assert!(first.contains('/'), "group and id: {first}");
}

#[test]
fn what_was_never_declared_has_no_column() {
    let overview = page(&core("s9_key_properties"), Topic::Overview(Target::Evaluation(0)));
    let checkpoints = table(&overview, "checkpoints");
    let labels: Vec<&str> = checkpoints.columns.iter().map(|c| c.label.as_str()).collect();
    for label in ["Cost", "Tokens", "Steps", "Agent time"] {
        assert!(!labels.contains(&label), "{label}: {labels:?}");
    }
    assert!(labels.contains(&"Test time"));
}
