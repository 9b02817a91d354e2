//! Exports of the rows that somebody has selected in the table of cases, or in its heat map.

use crate::support::{core_of, fixture_files};
use evalglass::input::Pulse;
use evalglass::report::{Across, CaseQuery, RunRef, SortKey, Target};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ChosenCases, ExportKind, Failure, Question, Task};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// As the page's menu asks for it: at once, and in steps, which is what the worker does.
fn text(core: &Core, kind: ExportKind, query: &CaseQuery, rows: &[(u64, u64)]) -> String {
    let view = ChosenCases { query: query.clone(), rows: rows.to_vec() };
    let pulse = Pulse::silent();
    let stepped = pollster::block_on(core.export_view(kind, Some(&view), &pulse)).unwrap();
    let whole = core.answer(Task::Export { kind, view: Some(view) }).unwrap();
    assert_eq!(stepped, whole);
    let Answer::Export(download) = whole else { panic!("{whole:?}") };
    String::from_utf8(download.bytes).unwrap()
}

/// Row in the run and id of each exported case.
fn cases(core: &Core, query: &CaseQuery, rows: &[(u64, u64)]) -> Vec<(u64, String)> {
    let text = text(core, ExportKind::CasesCsv, query, rows);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().unwrap().clone();
    let at = |name: &str| head.iter().position(|column| column == name).unwrap();
    let (row, id) = (at("case_idx"), at("case_id"));
    let rows = reader.records().map(|record| {
        let record = record.unwrap();
        (record[row].parse().unwrap(), record[id].to_owned())
    });
    rows.collect()
}

/// What the page shows in these rows.
fn shown(core: &Core, query: &CaseQuery, rows: &[(u64, u64)]) -> Vec<(u64, String)> {
    let page = core.cases(&CaseQuery { limit: 1_000, ..query.clone() }).unwrap();
    let of = |(first, end): &(u64, u64)| {
        let part = &page.rows[*first as usize..(*end as usize).min(page.rows.len())];
        part.iter().map(|line| (line.case_idx, line.id.clone())).collect::<Vec<_>>()
    };
    rows.iter().flat_map(of).collect()
}

#[test]
fn selected_rows_are_those_that_the_table_shows_there() {
    let core = core_of(fixture_files("letta-evals/0.26.0_reward_multirun"));
    let everything = CaseQuery::default();
    let run = CaseQuery {
        target: Target::Run(RunRef { evaluation: 0, run: 1 }),
        sort: vec![(SortKey::Score, true), (SortKey::Id, false)],
        ..CaseQuery::default()
    };
    let filtered = CaseQuery {
        filter: "outcome:failed".to_owned(),
        sort: vec![(SortKey::Id, true)],
        ..CaseQuery::default()
    };
    for query in [&everything, &run, &filtered] {
        let n_rows = core.cases(query).unwrap().n_matching;
        assert!(n_rows >= 4, "{n_rows} rows of {query:?}");
        for rows in [vec![(1, 2)], vec![(0, 1), (2, 4)], vec![(n_rows - 2, n_rows)]] {
            let expected = shown(&core, query, &rows);
            assert!(!expected.is_empty());
            assert_eq!(cases(&core, query, &rows), expected, "{rows:?} of {query:?}");
        }
    }
    // Without rows it is all of the view.
    assert_eq!(cases(&core, &filtered, &[]), shown(&core, &filtered, &[(0, u64::MAX)]));
}

#[test]
fn every_format_that_lists_cases_lists_the_selected_ones() {
    let core = core_of(fixture_files("letta-evals/0.26.0_reward_multirun"));
    let (query, rows) = (CaseQuery::default(), [(0, 2), (5, 6)]);
    let of = |kind| text(&core, kind, &query, &rows);
    let report: Value = serde_json::from_str(&of(ExportKind::ReportJson)).unwrap();
    assert_eq!(report["scope"], json!({ "cases": 3 }));
    let listed = report["runs"].as_array().unwrap().iter();
    assert_eq!(listed.map(|run| run["cases"].as_array().unwrap().len()).sum::<usize>(), 3);
    assert_eq!(of(ExportKind::CasesJsonl).lines().count(), 3);
    assert_eq!(of(ExportKind::JunitXml).matches("<testcase ").count(), 3);
    for kind in [ExportKind::SummaryMarkdown, ExportKind::DetailedText, ExportKind::ReportHtml] {
        assert!(of(kind).contains("Cases listed here: the 3 that were chosen."), "{kind:?}");
    }
    core.answer(Question::Rules(vec![("pass".to_owned(), ">= 0".to_owned())])).unwrap();
    let n_flips = |rows: &[_]| text(&core, ExportKind::FlipsCsv, &query, rows).lines().count();
    assert!(n_flips(&rows) < n_flips(&[]));
}

#[test]
fn a_row_of_the_heat_map_stands_for_every_case_it_shows() {
    let over_runs = core_of(fixture_files("letta-evals/0.26.0_reward_multirun"));
    let over_attempts = core_of(fixture_files("rebel/basic"));
    for (core, across) in [(&over_runs, Across::Runs), (&over_attempts, Across::Attempts)] {
        let query = CaseQuery { heat: Some(across), limit: 1_000, ..CaseQuery::default() };
        let page = core.heat(&query).unwrap();
        assert!(page.rows.len() >= 3);
        let rows = [(0, 1), (2, 3)];
        let lines = [&page.rows[0], &page.rows[2]];
        let cells = lines.iter().flat_map(|line| line.cells.iter().flatten());
        let expected: BTreeSet<(u32, u64)> =
            cells.map(|cell| (cell.run.run, cell.case_idx)).collect();
        let found = cases(core, &query, &rows);
        assert_eq!(found.len(), expected.len(), "{across:?}: each once");
        let ids: BTreeSet<&str> = found.iter().map(|(_, id)| id.as_str()).collect();
        assert_eq!(ids, lines.iter().map(|line| line.id.as_str()).collect());
    }
}

#[test]
fn rows_that_are_not_there_give_nothing() {
    let core = core_of(fixture_files("rebel/basic"));
    let heat = CaseQuery { heat: Some(Across::Runs), ..CaseQuery::default() };
    for query in [CaseQuery::default(), heat] {
        assert_eq!(cases(&core, &query, &[(10_000, u64::MAX), (9, 3)]), []);
    }
    let gone = CaseQuery { target: Target::Evaluation(7), ..CaseQuery::default() };
    let view = Some(ChosenCases { query: gone, rows: vec![(0, 1)] });
    let answer = core.answer(Task::Export { kind: ExportKind::CasesCsv, view });
    assert_eq!(answer, Err(Failure::Gone));
}
