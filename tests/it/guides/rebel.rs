//! The example of REBEL's guide, completed in the ways that the guide allows.

use crate::support::{at, core_of, file, fixture_report, report_of};
use evalglass::report::{Cell, Target, Topic};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Question};
use serde_json::{Value, json};

/// A score and whether it passed; `None`: the metric failed with an error.
type Judged = Option<(f64, bool)>;

/// An entry: by attempt, the answer, its seconds and a result of each metric.
struct Entry<'a> {
    name: &'a str,
    strategy: &'a str,
    planned: usize,
    metrics: Value,
    attempts: Vec<(&'a str, f64, Vec<Judged>)>,
}

fn result(judged: &Judged) -> Value {
    match judged {
        Some((score, true)) => json!({"score": score, "verdict": "passed", "reason": "r"}),
        Some((score, false)) => json!({"score": score, "verdict": "failed", "reason": "r"}),
        None => json!({"score": 0.0, "verdict": "error", "reason": "judge timed out"}),
    }
}

impl Entry<'_> {
    fn json(&self, is_by_metric: bool) -> Value {
        let attempts = &self.attempts;
        let n_metrics = attempts.first().map_or(0, |(_, _, judged)| judged.len());
        let results: Vec<Value> = if is_by_metric {
            let of = |metric: usize| attempts.iter().map(move |(_, _, all)| result(&all[metric]));
            (0..n_metrics).flat_map(of).collect()
        } else {
            attempts.iter().flat_map(|(_, _, all)| all.iter().map(result)).collect()
        };
        let outputs: Vec<Value> = attempts
            .iter()
            .map(|(text, secs, _)| json!({"output": text, "execution_time": secs}))
            .collect();
        json!({
            "name": self.name, "tags": [],
            "retry_params": {"count": self.planned, "aggregation_strategy": self.strategy},
            "input": {"messages": [], "api_params": {}},
            "expected_output": {"output": ""},
            "metrics": self.metrics, "actual_outputs": outputs, "evaluation_results": results,
        })
    }
}

fn document(entries: &[Value]) -> Core {
    let report = json!({"metadata": {"timestamp": "20260102_030405"}, "test_cases": entries});
    core_of(vec![file("test_results_20260102_030405.json", report.to_string())])
}

fn yes(score: f64) -> Judged {
    Some((score, true))
}

fn no(score: f64) -> Judged {
    Some((score, false))
}

/// `attempt name score verdict` of each check of the first case.
fn checks(report: &Value) -> Vec<String> {
    let checks = report["runs"][0]["cases"][0]["checks"].as_array().unwrap();
    let words = |check: &Value| {
        let name = check["name"].as_str().unwrap();
        let verdict = check["verdict"].as_str().unwrap();
        format!("{} {name} {} {verdict}", check["attempt"], check["score"])
    };
    checks.iter().map(words).collect()
}

/// Cells of the row of table `id` on the page of statistics, as numbers where they are.
fn row(core: &Core, id: &str) -> Vec<Option<f64>> {
    let report = report_of(core);
    assert_eq!(report["runs"].as_array().unwrap().len(), 1);
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(Vec::new())) else {
        panic!("rules are answered");
    };
    let target = Target::Evaluation(tree.evaluations[0].id);
    let page = core.sections(Topic::Statistics(target)).expect("statistics");
    let table = page.sections.iter().flat_map(|section| &section.tables).find(|it| it.id == id);
    let table = table.unwrap_or_else(|| panic!("no table {id}"));
    let number = |cell: &Cell| match cell {
        Cell::Number(n) | Cell::Rate(n) | Cell::Secs(n) => Some(n.0),
        Cell::Count(n) => Some(*n as f64),
        _ => None,
    };
    table.rows[0].cells.iter().map(number).collect()
}

fn details(report: &Value) -> Vec<&str> {
    let notes = report["notes"].as_array().unwrap();
    notes.iter().map(|note| note["detail"].as_str().unwrap()).collect()
}

fn accusing(report: &Value) -> Vec<&Value> {
    report["audit"].as_array().unwrap().iter().filter(|row| row["agrees"] != true).collect()
}

#[test]
fn two_metrics_and_three_retries_are_three_attempts() {
    let report = fixture_report("guides/r2_two_metrics_three_retries");
    let case = &report["runs"][0]["cases"][0];
    assert_eq!((case["n_attempts"].as_u64(), case["score"].as_f64()), (Some(3), Some(0.5)));
    // Three of six pass: a tie, which fails.
    assert_eq!(case["outcome"], "failed");
    assert_eq!(
        checks(&report),
        [
            "1 metric 1 1.0 passed",
            "1 metric 2 0.0 failed",
            "2 metric 1 1.0 passed",
            "2 metric 2 0.0 failed",
            "3 metric 1 1.0 passed",
            "3 metric 2 0.0 failed",
        ]
    );
    assert_eq!(case["checks"][3]["reason"], "m2 a2");
    assert_eq!(case["checks"][3]["attempt_secs"], 1.003_797_292_709_350_6);
    assert_eq!(accusing(&report), Vec::<&Value>::new());
    assert!(details(&report)[0].starts_with(
        "evaluation_results holds several metrics for each attempt: read attempt by attempt"
    ));
    let metrics = report["runs"][0]["metrics"].as_array().unwrap();
    let of = |at: usize| {
        (
            metrics[at]["n"].as_u64(),
            metrics[at]["passed"].as_u64(),
            metrics[at]["mean_attempted"].as_f64(),
        )
    };
    assert_eq!(of(0), (Some(3), Some(3), Some(1.0)));
    assert_eq!(of(1), (Some(3), Some(0), Some(0.0)));
}

#[test]
fn every_example_of_the_guide_is_read_without_an_accusation() {
    for folder in
        ["r1_literal", "r2_two_metrics_three_retries", "r3_variant", "r4_runs", "r5_extra"]
    {
        let report = fixture_report(&format!("guides/{folder}"));
        assert_eq!(accusing(&report), Vec::<&Value>::new(), "{folder}");
        assert!(!report["runs"].as_array().unwrap().is_empty(), "{folder}");
    }
}

#[test]
fn names_in_metrics_name_the_metrics() {
    let report = fixture_report("guides/r5_extra");
    assert_eq!(checks(&report)[0], "1 CountingMetric 0.0 failed");
    let entry = |metrics: Value| Entry {
        name: "t_[]",
        strategy: "mean",
        planned: 1,
        metrics,
        attempts: vec![("x", 0.5, vec![yes(1.0), no(0.25)])],
    };
    for (metrics, names) in [
        (json!(["exact", "fuzzy"]), ["exact", "fuzzy"]),
        (json!([{"key": "exact"}, {"class": "Fuzzy"}]), ["exact", "Fuzzy"]),
        (json!([{}, {"name": "fuzzy"}]), ["metric 1", "fuzzy"]),
        (json!(["same", "same"]), ["same", "same (2)"]),
        (json!([{}, {}]), ["metric 1", "metric 2"]),
    ] {
        let report = report_of(&document(&[entry(metrics).json(false)]));
        let found = checks(&report);
        assert_eq!(found[0], format!("1 {} 1.0 passed", names[0]));
        assert_eq!(found[1], format!("1 {} 0.25 failed", names[1]));
    }
}

#[test]
fn an_entry_for_each_metric_takes_the_names_in_their_order() {
    // As the tool writes it: the test twice, all its metrics in both.
    let entry = |judged: Judged| Entry {
        name: "t_[]",
        strategy: "max",
        planned: 2,
        metrics: json!([{"name": "exact"}, {"name": "fuzzy"}]),
        attempts: vec![("x", 0.5, vec![judged]), ("y", 0.5, vec![no(0.0)])],
    };
    let report = report_of(&document(&[entry(yes(1.0)).json(false), entry(no(0.5)).json(false)]));
    let cases = report["runs"][0]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 2);
    for (case, name) in cases.iter().zip(["exact", "fuzzy"]) {
        assert_eq!((&case["variant"], &case["checks"][0]["name"]), (&json!(name), &json!(name)));
        assert_eq!(case["n_attempts"], 2);
    }
}

#[test]
fn four_metrics_and_two_retries_give_pass_at_k_of_two() {
    let core = document(&[Entry {
        name: "t_[]",
        strategy: "mean",
        planned: 2,
        metrics: json!([{}, {}, {}, {}]),
        attempts: vec![
            ("x", 2.0, vec![yes(1.0), yes(0.75), yes(0.5), no(0.0)]),
            ("y", 4.0, vec![no(0.0), no(0.25), yes(1.0), no(0.5)]),
        ],
    }
    .json(false)]);
    let report = report_of(&core);
    let case = &report["runs"][0]["cases"][0];
    // Exact mean of eight scores; four of eight pass, which is no majority.
    assert_eq!((case["score"].as_f64(), case["outcome"].as_str()), (Some(0.5), Some("failed")));
    assert_eq!(checks(&report)[5], "2 metric 2 0.25 failed");
    // The first attempt passes by the majority of its metrics, the second does not.
    let steady = row(&core, "case-steadiness");
    assert_eq!(steady[3..5], [Some(0.0), Some(0.5)]);
    assert_eq!(steady[6..8], [Some(0.4375), Some(0.5625)]);
    assert_eq!(at(&report["runs"][0], "timing.responses.max_secs"), &json!(4.0));
}

#[test]
fn one_metric_and_five_retries_with_two_dropped_requests() {
    let core = document(&[Entry {
        name: "t_[]",
        strategy: "max",
        planned: 5,
        metrics: json!([{}]),
        attempts: vec![
            ("x", 0.5, vec![no(0.0)]),
            ("y", 1.5, vec![yes(0.75)]),
            ("z", 1.0, vec![None]),
        ],
    }
    .json(false)]);
    let report = report_of(&core);
    let case = &report["runs"][0]["cases"][0];
    assert_eq!((case["score"].as_f64(), case["n_attempts"].as_u64()), (Some(0.75), Some(3)));
    assert_eq!(accusing(&report), Vec::<&Value>::new());
    assert_eq!(
        details(&report),
        ["fewer results than attempts were planned: failed requests leave no record"]
    );
    // Three responses: mean 1, upper middle value 1, rank ⌊0.95·3⌋ = 2 is the largest.
    let found = row(&core, "response-timing");
    assert_eq!(found[1..], [Some(3.0), Some(1.0), Some(1.0), Some(1.5), Some(1.5)]);
}

#[test]
fn dropped_requests_drop_all_metrics_of_an_attempt() {
    let core = document(&[Entry {
        name: "t_[]",
        strategy: "min",
        planned: 3,
        metrics: json!(["exact", "fuzzy"]),
        attempts: vec![("x", 0.5, vec![yes(1.0), yes(0.5)]), ("y", 1.5, vec![yes(1.0), None])],
    }
    .json(false)]);
    let report = report_of(&core);
    let case = &report["runs"][0]["cases"][0];
    assert_eq!((case["n_attempts"].as_u64(), case["outcome"].as_str()), (Some(2), Some("passed")));
    assert_eq!(accusing(&report), Vec::<&Value>::new());
    let fuzzy = &report["runs"][0]["metrics"][1];
    assert_eq!((fuzzy["n"].as_u64(), fuzzy["pass_rate"].as_f64()), (Some(1), Some(1.0)));
    // The failed judgement is one of two, and counts as 0 among all.
    assert_eq!(fuzzy["mean_total"], 0.25);
}

#[test]
fn results_metric_by_metric_are_known_by_equal_answers() {
    let entry = |is_by_metric: bool| {
        Entry {
            name: "t_[]",
            strategy: "mean",
            planned: 4,
            metrics: json!(["exact", "fuzzy"]),
            attempts: ["x"; 4].map(|text| (text, 1.0, vec![yes(1.0), no(0.25)])).into(),
        }
        .json(is_by_metric)
    };
    let told = |is_by_metric: bool| report_of(&document(&[entry(is_by_metric)]));
    let mut by_metric = checks(&told(true));
    by_metric.sort();
    assert_eq!(by_metric, checks(&told(false)));
    assert!(details(&told(true))[0].contains("read metric by metric"));
}

#[test]
fn results_that_name_their_metric_need_no_guess() {
    let mut entry = Entry {
        name: "t_[]",
        strategy: "mean",
        planned: 2,
        metrics: json!([]),
        attempts: vec![("x", 1.0, vec![yes(1.0), no(0.5)]), ("y", 2.0, vec![no(0.0), yes(0.75)])],
    }
    .json(true);
    let labels = [("exact", 0), ("exact", 7), ("fuzzy", 0), ("fuzzy", 7)];
    for (at, (metric, attempt)) in labels.iter().enumerate() {
        entry["evaluation_results"][at]["metric"] = json!(metric);
        entry["evaluation_results"][at]["attempt"] = json!(attempt);
    }
    let report = report_of(&document(&[entry]));
    let expected =
        ["1 exact 1.0 passed", "2 exact 0.0 failed", "1 fuzzy 0.5 failed", "2 fuzzy 0.75 passed"];
    assert_eq!(checks(&report), expected);
    assert_eq!(details(&report), Vec::<&str>::new());
}

#[test]
fn lengths_that_fit_nothing_are_said_and_accuse_nobody() {
    let mut entry = Entry {
        name: "t_[]",
        strategy: "mean",
        planned: 3,
        metrics: json!([{}, {}]),
        attempts: ["x", "y", "z"].map(|text| (text, 1.0, vec![yes(1.0), yes(0.5)])).into(),
    }
    .json(false);
    entry["evaluation_results"].as_array_mut().unwrap().pop();
    let report = report_of(&document(&[entry]));
    assert_eq!(accusing(&report), Vec::<&Value>::new());
    assert!(details(&report)[0].starts_with("the number of results is neither"));
    assert_eq!(report["runs"][0]["cases"][0]["n_attempts"], 5);
}

#[test]
fn merged_groups_keep_their_meaning() {
    // The same test twice: six answers, six results, three planned.
    let entry = Entry {
        name: "t_[]",
        strategy: "mean",
        planned: 3,
        metrics: json!([{}, {}]),
        attempts: ["a", "b", "c", "a", "b", "c"].map(|text| (text, 1.0, vec![yes(1.0)])).into(),
    };
    let report = report_of(&document(&[entry.json(false)]));
    assert_eq!(report["runs"][0]["cases"][0]["n_attempts"], 6);
    assert!(details(&report)[0].starts_with("more results than attempts were planned"));
}

#[test]
fn what_an_entry_says_beyond_scores_is_shown() {
    let core = core_of(crate::support::fixture_files("guides/r5_extra"));
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(Vec::new())) else {
        panic!("rules are answered");
    };
    let run = tree.evaluations[0].runs[0].run;
    let detail = core.case(run, 0).unwrap().unwrap().detail;
    let fact = |label: &str| {
        detail.facts.iter().find(|fact| fact.label == label).map(|fact| fact.value.as_str())
    };
    assert_eq!(fact("aggregated reason"), Some("2 of 3 failed: AGGREASON"));
    assert_eq!(fact("expected execution time"), Some("1.5 s"));
    let labels: Vec<&str> = detail.expected.iter().map(|content| content.label.as_str()).collect();
    assert_eq!(labels, ["expected", "expected: tools_called", "expected: context"]);
    // What was expected and did not come is there to be compared.
    let labels: Vec<&str> =
        detail.attempts[0].output.iter().map(|content| content.label.as_str()).collect();
    assert_eq!(labels, ["output", "output: tools_called", "output: context"]);
}
