//! The page of statistics: what is repeated is found, and its figures are those of slow computations.

use crate::support::{core_of, file, fixture_files};
use evalglass::report::{Cell, Sections, Table, Target, Topic};
use evalglass::worker::core::Core;

fn statistics(core: &Core, target: Target) -> Sections {
    core.sections(Topic::Statistics(target)).expect("statistics")
}

fn table<'a>(page: &'a Sections, id: &str) -> &'a Table {
    let mut tables = page.sections.iter().flat_map(|section| &section.tables);
    tables.find(|table| table.id == id).unwrap_or_else(|| panic!("there is no table {id}"))
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Number(number) | Cell::Rate(number) | Cell::Secs(number) => Some(number.0),
        Cell::Usd { amount, .. } => Some(amount.0),
        Cell::Count(n) => Some(*n as f64),
        _ => None,
    }
}

fn text(cell: &Cell) -> &str {
    match cell {
        Cell::Text(text) => text,
        other => panic!("no text: {other:?}"),
    }
}

/// A REBEL report of cases with these verdicts, one letter for each attempt: p, f, e.
fn rebel(cases: &[&str]) -> Core {
    let case = |(idx, attempts): (usize, &&str)| {
        let result = |letter: char| {
            let (score, verdict) = match letter {
                'p' => (1.0, "passed"),
                'f' => (0.25, "failed"),
                _ => (0.0, "error"),
            };
            serde_json::json!({"score": score, "verdict": verdict, "reason": ""})
        };
        let results: Vec<_> = attempts.chars().map(result).collect();
        let outputs: Vec<_> = attempts.chars().map(|c| serde_json::json!({"output": c})).collect();
        serde_json::json!({
            "name": format!("test_{idx}_[]"), "tags": [],
            "retry_params": {"count": attempts.len(), "aggregation_strategy": "mean"},
            "input": {"messages": [], "api_params": {}}, "expected_output": {},
            "actual_outputs": outputs, "metrics": [{}], "evaluation_results": results,
            "aggregated_result": {"score": 0.0, "verdict": "failed", "reason": ""},
        })
    };
    let cases: Vec<_> = cases.iter().enumerate().map(case).collect();
    let report = serde_json::json!({
        "metadata": {"timestamp": "20260101_000000", "total_test_cases": cases.len()},
        "test_cases": cases,
    });
    core_of(vec![file("test_results_20260101_000000.json", report.to_string())])
}

#[test]
fn chances_in_k_trials_count_every_subset() {
    // By hand: 2 of 3, 3 of 3, 0 of 3 (an error is no pass).
    let core = rebel(&["ppf", "ppp", "fef"]);
    let page = statistics(&core, Target::All);
    let rows = &table(&page, "pass-at-k").rows;
    let expected = [
        (1.0, (2.0 / 3.0 + 1.0) / 3.0, (2.0 / 3.0 + 1.0) / 3.0),
        (2.0, 2.0 / 3.0, (1.0 / 3.0 + 1.0) / 3.0),
        (3.0, 2.0 / 3.0, 1.0 / 3.0),
    ];
    assert_eq!(rows.len(), expected.len());
    for (row, (k, any, all)) in rows.iter().zip(expected) {
        assert_eq!(number(&row.cells[1]), Some(k));
        assert!((number(&row.cells[2]).unwrap() - any).abs() < 1e-12, "pass@{k}");
        assert!((number(&row.cells[4]).unwrap() - all).abs() < 1e-12, "pass^{k}");
    }
    let steady = &table(&page, "steadiness").rows[0].cells;
    let shares = [Cell::Share { part: 1, whole: 3 }, Cell::Share { part: 1, whole: 3 }];
    assert_eq!(steady[3..5], shares, "one always, one sometimes");
    // Only the answers of the second case are all the same.
    assert_eq!(steady[6], Cell::Share { part: 1, whole: 3 });
    let least = &table(&page, "case-steadiness").rows[0];
    assert_eq!(text(&least.cells[0]), "test_0_[]", "the least steady case stands first");
    assert!(least.link.is_some());
}

#[test]
fn repeats_of_a_subject_are_found_over_evaluations() {
    let core = rebel(&["p", "f"]);
    let page = statistics(&core, Target::All);
    assert!(page.sections.iter().all(|section| section.title != "Repeats"));
    let once = fixture_files("rebel/basic");
    let twice: Vec<_> = ["first", "second"]
        .iter()
        .flat_map(|folder| {
            once.iter().map(move |dropped| {
                file(&format!("{folder}/{}", dropped.path), crate::support::bytes_of(dropped))
            })
        })
        .collect();
    let page = statistics(&core_of(twice), Target::All);
    let spread = table(&page, "repeat-spread");
    assert!(!spread.rows.is_empty());
    for row in &spread.rows {
        assert_eq!(number(&row.cells[2]), Some(2.0), "two runs have it");
        if number(&row.cells[4]).is_some_and(f64::is_finite) {
            assert_eq!(number(&row.cells[5]), Some(0.0), "equal runs do not differ");
        }
    }
}

#[test]
fn the_spread_over_runs_is_that_of_the_files() {
    let core = core_of(fixture_files("letta-evals/0.25.1_reward_11runs"));
    let page = statistics(&core, Target::All);
    let rows = &table(&page, "repeat-spread").rows;
    let reward = rows.iter().find(|row| text(&row.cells[1]) == "Reward").expect("a reward");
    let expected = crate::support::fixture_json("letta-evals/0.25.1_reward_11runs/expected.json");
    let model = &expected["summary"]["models"][0];
    assert_eq!(number(&reward.cells[4]), model["reward"].as_f64());
    assert_eq!(number(&reward.cells[5]), model["reward_std"].as_f64());
    assert_eq!(number(&reward.cells[2]), Some(11.0));
}

#[test]
fn an_unknown_price_is_no_price_of_zero() {
    let core = core_of(fixture_files("letta-evals/0.26.0_reward_multirun"));
    let page = statistics(&core, Target::All);
    let usage = table(&page, "usage");
    let column = |label: &str| {
        usage.columns.iter().position(|column| column.label == label).expect("the column is there")
    };
    let unpriced: Vec<_> =
        usage.rows.iter().filter(|row| text(&row.cells[0]).contains("unpriced")).collect();
    assert_eq!(unpriced.len(), 2);
    for row in unpriced {
        assert!(
            matches!(&row.cells[column("Cost")], Cell::Missing(why) if why == "no price known")
        );
        assert!(
            number(&row.cells[column("Price unknown")]) > Some(0.0),
            "cases without a price are counted"
        );
    }
}

#[test]
fn a_run_directory_shows_its_summary_and_its_steps() {
    let core = core_of(fixture_files("slop-code/g1/runs"));
    let page = statistics(&core, Target::All);
    let solved = table(&page, "solved-0");
    let found: Vec<_> = solved.rows.iter().map(|row| number(&row.cells[1])).collect();
    assert_eq!(found, [Some(1.0), Some(1.0), Some(2.0), Some(0.0), Some(1.0)]);
    let spread = table(&page, "directory-spread-0");
    let costs = &spread.rows[0].cells;
    assert_eq!(text(&costs[0]), "Cost per checkpoint");
    assert_eq!(number(&costs[1]), Some(0.666));
    assert_eq!(number(&costs[2]), Some(0.309_564_209_817_608));
    let steps = &table(&page, "deltas-0").rows;
    assert_eq!(steps.len(), 3, "two of one problem, one of the other");
    assert_eq!(text(&steps[0].cells[1]), "checkpoint_1 → checkpoint_2");
    assert!((number(&steps[0].cells[7]).unwrap() - 30.0).abs() < 1e-9, "150 lines become 195");
}
