//! The weight and the likely reason of single differences, and of figures without a ground.

use super::{audited, bytes_in, differing, with};
use crate::support::{bytes_of, core_of, file, fixture_files, report_of};
use evalglass::input::Dropped;
use serde_json::{Value, json};

const G1: &str = "slop-code/g1/runs";
const V1: &str = "slop-code/g2/v1.0";

/// The JSON file of `folder` whose path ends with `name`, with the member at `pointer` changed.
fn changed(folder: &str, name: &str, pointer: &str, value: Value) -> Vec<Dropped> {
    let mut document: Value = serde_json::from_slice(&bytes_in(folder, name)).unwrap();
    let member = document.pointer_mut(pointer).unwrap_or_else(|| panic!("{name} has {pointer}"));
    assert_ne!(*member, value, "{name} {pointer}");
    *member = value;
    with(folder, name, document.to_string().as_bytes())
}

/// The row about `field` that differs, if its file ends with `name`.
fn row(files: Vec<Dropped>, name: &str, field: &str) -> Value {
    let report = audited(files);
    let is_own = |row: &&&Value| {
        row["field"] == field && row["file"].as_str().is_some_and(|file| file.ends_with(name))
    };
    let found = differing(&report);
    let found = found.iter().find(is_own);
    (*found.unwrap_or_else(|| panic!("{field} of {name} differs"))).clone()
}

/// One changed count, mean and verdict of each generation.
#[test]
fn a_figure_that_was_changed_alone_is_said_to_be() {
    const ALONE: &str = "no known cause explains it: ";
    const EDITED: &str = " of the same file agree; this one may have been edited after writing";
    let summary = "/metrics/avg_score_attempted";
    let cases = [
        ("slop-code/g1/runs", "checkpoint_2/evaluation.json", "/pass_counts/Core", json!(4)),
        ("slop-code/g1/runs", "/result.json", "/pass_rates/checkpoint/core", json!(0.9)),
        ("slop-code/g1/runs", "/result.json", "/checkpoints_solved", json!(2)),
        ("slop-code/g2/2a9800e", "checkpoint_3/evaluation.json", "/total_counts/Core", json!(3)),
        ("slop-code/g2/feeab5a", "/result.json", "/costs/total", json!(0.67)),
        ("slop-code/g2/v1.0", "/result.json", "/problem_solved", json!(1.0)),
        ("letta-evals/0.3.2_single", "summary.json", "/metrics/total", json!(12)),
        ("letta-evals/0.3.2_single", "summary.json", summary, json!(0.8)),
        ("letta-evals/0.3.2_single", "summary.json", "/gates_passed", json!(false)),
        ("letta-evals/0.4.1_multirun", "aggregate_stats.json", "/runs_passed", json!(2)),
        ("letta-evals/0.7.0_weighted", "summary.json", "/metrics/total_attempted", json!(1)),
        (
            "letta-evals/0.15.0_logical_multirun",
            "run_2/summary.json",
            "/gates_passed",
            json!(false),
        ),
        (
            "letta-evals/0.17.1_suite_multirun",
            "haiku-4-5/summary.json",
            "/runs/1/score",
            json!(0.1),
        ),
        ("letta-evals/0.26.0_reward_multirun", "mini/summary.json", "/runs/0/reward", json!(0.4)),
        ("letta-evals/guide_shape", "aggregate_stats.json", "/pass_rate", json!(33.3)),
    ];
    for (folder, name, pointer, value) in cases {
        let prefix = if name == "/result.json" { "result." } else { "" };
        let path = pointer[1..].replace("runs/0/", "runs[0]/").replace("runs/1/", "runs[1]/");
        let field = format!("{prefix}{}", path.replace('/', "."));
        let row = row(changed(folder, name, pointer, value.clone()), name, &field);
        assert_eq!(row["declared"].as_f64(), value.as_f64(), "{row}");
        assert_eq!(row["severity"], "major", "{row}");
        let why = row["why"].as_str().unwrap();
        assert!(why.starts_with(ALONE) && why.ends_with(EDITED), "{folder}: {row}");
        if let Some(declared) = value.as_f64() {
            let difference = row["computed"].as_f64().unwrap() - declared;
            assert_eq!(row["difference"].as_f64(), Some(difference), "{row}");
        } else {
            assert!(row["difference"].is_null(), "{row}");
        }
    }
}

#[test]
fn a_changed_result_of_a_case_is_named_with_its_place() {
    let name = "test_results_20261121_201406.json";
    for (member, value) in [("score", json!(0.123)), ("verdict", json!("error"))] {
        let pointer = format!("/test_cases/3/aggregated_result/{member}");
        let field = format!("test_cases[3].aggregated_result.{member}");
        let row = row(changed("rebel/basic", name, &pointer, value), name, &field);
        let why = "no known cause explains it: the recorded result, or the data it is computed from, may have \
            been edited after writing";
        assert_eq!((&row["why"], &row["severity"]), (&json!(why), &json!("major")));
    }
    let name = "ledger_sync/checkpoint_1/evaluation.json";
    let pointer = "/group_outcomes/core_totals/results/sum_basic";
    let field = "group_outcomes.core_totals.results.sum_basic";
    let row = row(changed(G1, name, pointer, json!(0.5)), name, field);
    assert_eq!((&row["declared"], &row["computed"]), (&json!(0.5), &json!(1.0)));
    assert_eq!(row["severity"], "major");
}

#[test]
fn a_copy_that_differs_names_its_original() {
    let name = "checkpoint_1/inference_result.json";
    let files = changed(V1, name, "/usage/cost", json!(9.0));
    let row = row(files, "checkpoint_results.jsonl", "checkpoint_results.cost");
    assert_eq!((&row["declared"], &row["computed"]), (&json!(0.11), &json!(9.0)));
    let why = "no known cause explains it: this value, or the one it is compared with \
        (inference_result.json), may have been edited after writing";
    assert_eq!((&row["why"], &row["severity"]), (&json!(why), &json!("major")));
}

#[test]
fn a_summary_follows_from_a_line_that_differs() {
    let bytes = bytes_in(V1, "checkpoint_results.jsonl");
    let text = String::from_utf8(bytes).unwrap().replacen("\"cost\": 0.11", "\"cost\": 0.51", 1);
    let files = with(V1, "checkpoint_results.jsonl", text.as_bytes());
    let row = row(files, "/result.json", "result.costs.total");
    let why = row["why"].as_str().unwrap();
    assert!(why.starts_with("likely: it is computed from checkpoint_results.cost of "), "{why}");
}

#[test]
fn a_cut_tail_and_a_bad_line_are_the_likely_reason() {
    let folder = "letta-evals/0.3.2_single";
    let bytes = bytes_in(folder, "results.jsonl");
    let cut = with(folder, "results.jsonl", &bytes[..bytes.len() - 20]);
    let why = row(cut, "summary.json", "metrics.total")["why"].as_str().unwrap().to_owned();
    let start = "the last line is cut off (0.3.2_single/results.jsonl, line 11, byte ";
    assert!(why.starts_with(start), "{why}");

    let mut bytes = bytes;
    let at = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    bytes[at] = b'[';
    let bad = with(folder, "results.jsonl", &bytes);
    let why = row(bad, "summary.json", "metrics.total")["why"].as_str().unwrap().to_owned();
    assert!(why.contains("(0.3.2_single/results.jsonl, line 2, byte "), "{why}");
}

#[test]
fn a_line_that_stands_twice_is_the_likely_reason() {
    let folder = "letta-evals/0.3.2_single";
    let text = String::from_utf8(bytes_in(folder, "results.jsonl")).unwrap();
    let first = text.lines().next().unwrap();
    let twice = format!("{first}\n{text}");
    let files = with(folder, "results.jsonl", twice.as_bytes());
    let why = row(files, "summary.json", "metrics.total")["why"].as_str().unwrap().to_owned();
    assert!(why.starts_with("the id \"1\" occurs more than once: a line may be"), "{why}");
}

#[test]
fn rows_that_were_added_are_the_likely_reason() {
    let folder = "letta-evals/0.3.2_single";
    let text = String::from_utf8(bytes_in(folder, "results.jsonl")).unwrap();
    let mut added: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    added["result"]["sample"]["id"] = json!(99);
    let files = with(folder, "results.jsonl", format!("{text}{added}\n").as_bytes());
    let row = row(files, "summary.json", "metrics.total");
    let why = "the file declares 11, 12 are here: the totals may be older than the rows, or of \
        another run";
    assert_eq!((&row["why"], &row["severity"]), (&json!(why), &json!("major")));
}

#[test]
fn a_missing_run_leaves_its_figures_unchecked_and_the_number_of_runs_differs() {
    let folder = "letta-evals/0.4.1_multirun";
    let files: Vec<Dropped> =
        fixture_files(folder).into_iter().filter(|file| !file.path.contains("run_5/")).collect();
    let report = audited(files);
    let unchecked = report["unchecked"].as_array().unwrap();
    let why = "no results of run 5 are among the files";
    let group = unchecked.iter().find(|group| group["why"] == why).expect("a group");
    assert_eq!(group["file"], "0.4.1_multirun/aggregate_stats.json");
    assert!(group["count"].as_u64().unwrap() > 20, "{group}");
    let found = differing(&report);
    let runs = found.iter().find(|row| row["field"] == "num_runs").unwrap();
    let start = "the file declares 5 runs, 4 are here: ";
    assert!(runs["why"].as_str().unwrap().starts_with(start), "{runs}");
}

#[test]
fn without_the_configuration_gates_and_rewards_are_unchecked() {
    for (folder, name, field, why) in [
        ("letta-evals/0.3.2_single", "header.json", "gates_passed", "the gate is not known: "),
        ("letta-evals/0.20.0_suite", "suite.json", "gates_passed", "the gate is not known: "),
        (
            "letta-evals/0.25.1_reward",
            "suite.json",
            "models[0].reward",
            "the reward's rule is not ",
        ),
    ] {
        let files = fixture_files(folder).into_iter().filter(|file| !file.path.ends_with(name));
        let report = audited(files.collect());
        let unchecked = report["unchecked"].as_array().unwrap();
        let group = unchecked.iter().find(|group| {
            group["fields"].as_array().unwrap().iter().any(|own| own["field"] == field)
        });
        let found = group.unwrap_or_else(|| panic!("{folder}: {field} is listed"));
        assert!(found["why"].as_str().unwrap().starts_with(why), "{found}");
    }
}

#[test]
fn fields_of_a_newer_writer_are_listed_and_the_likely_reason() {
    let folder = "letta-evals/0.3.2_single";
    let mut summary: Value = serde_json::from_slice(&bytes_in(folder, "summary.json")).unwrap();
    summary["metrics"]["avg_score_squared"] = json!(0.5);
    summary["metrics"]["avg_score_total"] = json!(0.1);
    summary["metrics"]["avg_score_attempted"] = json!(0.1);
    let files = with(folder, "summary.json", summary.to_string().as_bytes());
    let report = audited(files.clone());
    let group = &report["unchecked"][0];
    assert_eq!(group["fields"][0]["field"], "metrics.avg_score_squared");
    assert!(group["why"].as_str().unwrap().starts_with("no rule is known for this field"));
    let row = row(files, "summary.json", "metrics.avg_score_total");
    let why = "likely: a newer version of the producer wrote it and counts differently: \
        \"metrics.avg_score_squared\" is not known";
    assert_eq!(row["why"], why);
}

#[test]
fn rounding_and_the_order_of_a_sum_are_no_alarm() {
    let folder = "letta-evals/0.3.2_single";
    let pointer = "/metrics/avg_score_total";
    for (value, severity) in
        [(0.615_818_181_9, "minor"), (0.615_818, "expected"), (0.615_81, "major")]
    {
        let files = changed(folder, "summary.json", pointer, json!(value));
        assert_eq!(row(files, "summary.json", "metrics.avg_score_total")["severity"], severity);
    }
    // Beyond 1e-12 relative they differ, within they agree.
    let value = json!(0.615_818_181_818_181_9);
    let report = audited(changed(folder, "summary.json", pointer, value));
    assert!(differing(&report).is_empty());
}

/// A known reason explains just the value that the producer's own rule gives.
#[test]
fn a_known_reason_hides_no_other_difference() {
    // `any` always passes in the code; one that is said to fail does so for another reason.
    let info = String::from_utf8(bytes_in(V1, "run_info.yaml")).unwrap();
    let field = "run_info.summary.passed_policy";
    let failed = info.replace("passed_policy: true", "passed_policy: false");
    let row_of =
        |text: &str| row(with(V1, "run_info.yaml", text.as_bytes()), "run_info.yaml", field);
    assert_eq!(row_of(&failed)["severity"], "major");
    // Of checkpoints without a passed test the guide says that it does not hold.
    let mut files = with(V1, "run_info.yaml", info.as_bytes());
    for dropped in &mut files {
        if dropped.path.ends_with("/evaluation.json") {
            let mut document: Value = serde_json::from_slice(&bytes_of(dropped)).unwrap();
            for bucket in document["tests"].as_object_mut().unwrap().values_mut() {
                bucket["passed"] = json!([]);
            }
            *dropped = file(&dropped.path.clone(), document.to_string());
        }
    }
    let row = row(files, "run_info.yaml", field);
    assert_eq!(row["severity"], "expected");
    assert!(row["why"].as_str().unwrap().contains("lets `any` always pass"), "{row}");

    // The original leaves out kinds without a passed case: 7 of 9; any other number is no such.
    let folder = "slop-code/g2/2a9800e";
    let name = "checkpoint_results.jsonl";
    let text = String::from_utf8(bytes_in(folder, name)).unwrap();
    let text = text.replacen("\"total_tests\": 7", "\"total_tests\": 8", 1);
    let changed = super::reasons::row(
        with(folder, name, text.as_bytes()),
        name,
        "checkpoint_results.total_tests",
    );
    assert_eq!(changed["severity"], "major", "{changed}");
}

#[test]
fn a_summary_without_its_lines_is_checked_as_far_as_it_can_be() {
    let files: Vec<Dropped> = fixture_files(V1)
        .into_iter()
        .filter(|file| !file.path.ends_with("checkpoint_results.jsonl"))
        .collect();
    let report = audited(files);
    let fields: Vec<&str> =
        differing(&report).iter().map(|row| row["field"].as_str().unwrap()).collect();
    assert_eq!(fields, super::RUN_INFO, "nothing is compared with lines that are not there");
    let unchecked = report["unchecked"].as_array().unwrap();
    let start = "checkpoint_results.jsonl is not among the files";
    let group =
        unchecked.iter().find(|group| group["why"].as_str().unwrap().starts_with(start)).unwrap();
    assert!(group["fields"].as_array().unwrap().iter().any(|own| own["field"] == "cc.max.mean"));
}

#[test]
fn a_list_of_failed_samples_names_the_one_that_is_too_much_or_missing() {
    let folder = "letta-evals/0.15.0_logical_multirun";
    let (name, field) = ("run_1/summary.json", "metrics.error_summary.failed_sample_ids");
    let pointer = "/metrics/error_summary/failed_sample_ids";
    for (ids, why) in [
        (json!([1, 3, 3, 4, 4, 6, 6, 7]), "\"7\" is not in the list, though its row has an error"),
        (
            json!([1, 2, 3, 3, 4, 4, 6, 6, 7, 7]),
            "\"2\" is in the list, though no such row has an error",
        ),
    ] {
        let row = row(changed(folder, name, pointer, ids), name, field);
        assert_eq!((&row["why"], &row["severity"]), (&json!(why), &json!("major")));
    }
}

/// A report with more entries than are listed one by one.
#[test]
fn a_long_report_lists_what_differs() {
    let entry = |idx: usize| {
        let declared = if idx == 5_500 { 0.5 } else { 1.0 };
        let n_attempts = if idx == 5_600 { 2 } else { 1 };
        let results = vec![json!({"score": 1.0, "verdict": "passed", "reason": ""}); n_attempts];
        json!({"name": format!("t{idx}"),
            "retry_params": {"count": if idx == 5_700 { 3 } else { n_attempts },
                "aggregation_strategy": "min"},
            "actual_outputs": [{"output": "x"}], "evaluation_results": results,
            "aggregated_result": {"score": declared, "verdict": "passed", "reason": ""}})
    };
    let entries: Vec<Value> = (0..6_000).map(entry).collect();
    let report = json!({"metadata": {"total_test_cases": 6_000}, "test_cases": entries});
    let report = audited(vec![file("r.json", report.to_string())]);
    let fields: Vec<&str> =
        differing(&report).iter().map(|row| row["field"].as_str().unwrap()).collect();
    let expected =
        ["test_cases[5500].aggregated_result.score", "test_cases[5600].actual_outputs (length)"];
    assert_eq!(fields, expected);
    assert_eq!(report["unchecked"][0]["fields"][0]["field"], "test_cases[].retry_params.count");
    assert_eq!(report["unchecked"][0]["count"], 1);
    assert_eq!(report["audit"].as_array().unwrap().len(), 4);
}

#[test]
fn the_page_gets_so_many_rows_and_the_export_all() {
    use evalglass::report::ROWS_KEPT;
    let folder = "letta-evals/0.3.2_single";
    let mut summary: Value = serde_json::from_slice(&bytes_in(folder, "summary.json")).unwrap();
    for number in 0..ROWS_KEPT {
        summary["metrics"]["error_summary"]["by_category"][format!("c{number}")] = json!(5);
    }
    let core = core_of(with(folder, "summary.json", summary.to_string().as_bytes()));
    let n_exported = report_of(&core)["audit"].as_array().unwrap().len();
    assert_eq!(n_exported, ROWS_KEPT + 25);
    let page = core.audit();
    assert_eq!(page.rows.len(), ROWS_KEPT);
    assert_eq!((page.n_differing, page.n_agreeing), (ROWS_KEPT as u64, 25));
    assert!(page.words.ends_with(" 25 are in the exported report only."), "{}", page.words);
}

fn reversed(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            members.into_iter().rev().map(|(key, value)| (key, reversed(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(reversed).collect(),
        other => other,
    }
}

#[test]
fn a_mean_of_the_metric_that_was_first_is_said_to_be() {
    let folder = "letta-evals/0.2.x_singlefile";
    let text = String::from_utf8(bytes_in(folder, "run.jsonl")).unwrap();
    let lines = text.lines().map(|line| reversed(serde_json::from_str(line).unwrap()).to_string());
    let text = lines.collect::<Vec<_>>().join("\n");
    let report = audited(with(folder, "run.jsonl", text.as_bytes()));
    let found = differing(&report);
    assert!(!found.is_empty(), "ratio comes first now, and the file declares the mean of accuracy");
    for row in found {
        assert_eq!(row["severity"], "expected", "{row}");
        assert!(
            row["why"].as_str().unwrap().starts_with("the mean of the metric accuracy: "),
            "{row}"
        );
    }
}
