//! Score bands of the letta-evals guide: counted, and found again by their filters.

use crate::support::{core_of, file, fixture_files};
use evalglass::chart::Chart;
use evalglass::report::{CaseQuery, Cell, ChartFigure, Link, Sections, Table, Target, Topic};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Question};
use serde_json::{Value, json};

fn targets(core: &Core) -> [Target; 2] {
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(Vec::new())) else {
        panic!("rules are answered");
    };
    let evaluation = &tree.evaluations[0];
    [Target::Evaluation(evaluation.id), Target::Run(evaluation.runs[0].run)]
}

fn overview(core: &Core, target: Target) -> Sections {
    core.sections(Topic::Overview(target)).expect("an overview")
}

fn table(page: &Sections) -> Option<&Table> {
    page.sections.iter().flat_map(|section| &section.tables).find(|it| it.id == "score-bands")
}

fn figure(page: &Sections) -> &ChartFigure {
    let mut all = page.sections.iter().flat_map(|section| &section.figures);
    all.find(|figure| figure.id == "chart-score-bands").expect("bars of the bands")
}

fn found(core: &Core, target: Target, link: &Link) -> u64 {
    let Link::Filter(filter) = link else { panic!("no filter: {link:?}") };
    let filter = filter.clone();
    let page = core.cases(&CaseQuery { target, filter, limit: 1, ..CaseQuery::default() }).unwrap();
    assert_eq!(page.filter_error, None, "{link:?}");
    page.n_matching
}

/// Checks table, bars and filters against the bands and their cases, in order, of all cases.
#[track_caller]
fn check(core: &Core, expected: &[(&str, u64)]) {
    let n_cases: u64 = expected.iter().map(|(_, n)| n).sum();
    for target in targets(core) {
        let page = overview(core, target);
        let table = table(&page).expect("a table of bands");
        let rows: Vec<(&str, u64)> = table
            .rows
            .iter()
            .map(|row| match row.cells.as_slice() {
                [Cell::Text(band), Cell::Text(_), Cell::Count(n), Cell::Rate(share)] => {
                    assert!((share.0 - *n as f64 / n_cases as f64).abs() < 1e-12, "{band}");
                    match &row.link {
                        Some(link) => assert_eq!(found(core, target, link), *n, "{band}"),
                        None => assert_eq!(*n, 0, "{band}"),
                    }
                    (band.as_str(), *n)
                }
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(rows, expected);
        let figure = figure(&page);
        let Some(Chart::Stacks(chart)) = &figure.chart else { panic!("no bars") };
        for (stack, (band, n)) in chart.stacks.iter().zip(expected) {
            assert!(stack.name.starts_with(band), "{}", stack.name);
            assert_eq!(stack.total(), *n, "{band}");
            for part in stack.parts.iter().filter(|part| part.n > 0) {
                let link = &figure.links[part.link.expect("a bar leads to its cases") as usize];
                assert_eq!(found(core, target, link), part.n, "{band} {}", part.name);
            }
        }
    }
}

#[test]
fn the_guide_s_bands_hold_the_scores_that_it_prints() {
    let core = core_of(fixture_files("guides/l15_bands"));
    // 1.0 · 0.99 0.8 · 0.79 0.6 · 0.59 0.4 · 0.39 0.2 · 0.19 0.0
    check(
        &core,
        &[
            ("1.0", 1),
            ("0.8–0.99", 2),
            ("0.6–0.79", 2),
            ("0.4–0.59", 2),
            ("0.2–0.39", 2),
            ("0.0–0.19", 2),
        ],
    );
    let page = overview(&core, targets(&core)[0]);
    let table = table(&page).unwrap();
    let words = |at: usize| match &table.rows[at].cells[1] {
        Cell::Text(words) => words.as_str(),
        other => panic!("{other:?}"),
    };
    let meanings: Vec<&str> = (0..6).map(words).collect();
    assert_eq!(meanings, ["Perfect", "Very good", "Good", "Acceptable", "Poor", "Failed"]);
    assert_eq!(table.rows[1].link, Some(Link::Filter("score>=0.8 score<1".to_owned())));
}

fn rows(scores: &[Value]) -> Core {
    let line = |(id, score): (usize, &Value)| {
        let grade = match score {
            Value::Null => Value::Null,
            score => json!({"score": score, "rationale": "r"}),
        };
        let row = json!({
            "sample": {"id": id, "input": "q", "ground_truth": "a"}, "submission": "a",
            "grade": grade, "trajectory": [], "agent_id": "agent-1", "model_name": "default",
        });
        format!("{row}\n")
    };
    let text: String = scores.iter().enumerate().map(line).collect();
    core_of(vec![file("edges/results.jsonl", text)])
}

#[test]
fn scores_between_and_beyond_the_printed_ends_are_counted_once() {
    let scores = json!([
        1,
        1.0,
        0.995,
        0.9999999999999999,
        0.8,
        0.7999999999999999,
        0.795,
        0.6,
        0.5999,
        0.4,
        0.395,
        0.2,
        0.1999,
        0,
        -0.0,
        -0.1,
        1.0000000000000002,
        2,
        null,
        null,
        null
    ]);
    check(
        &rows(scores.as_array().unwrap()),
        &[
            ("1.0", 2),
            ("0.8–0.99", 3),
            ("0.6–0.79", 3),
            ("0.4–0.59", 2),
            ("0.2–0.39", 2),
            ("0.0–0.19", 3),
            ("above 1", 2),
            ("below 0", 1),
            ("no score", 3),
        ],
    );
}

#[test]
fn other_producers_scores_have_no_bands() {
    for fixture in ["rebel/basic", "slop-code/g1/runs"] {
        let core = core_of(fixture_files(fixture));
        assert!(targets(&core).into_iter().all(|at| table(&overview(&core, at)).is_none()));
    }
}
