//! Runs of several folders: counted as repeats, told apart by name, their intervals alike everywhere.

use crate::support::{bytes_of, core_of, file, fixture_files};
use evalglass::chart::Chart;
use evalglass::report::{Cell, ChartFigure, Sections, Table, Target, Topic};
use evalglass::worker::core::Core;
use serde_json::json;

fn page(core: &Core, topic: Topic) -> Sections {
    core.sections(topic).expect("a page")
}

fn table<'a>(page: &'a Sections, id: &str) -> &'a Table {
    let mut all = page.sections.iter().flat_map(|section| &section.tables);
    all.find(|table| table.id == id).unwrap_or_else(|| panic!("no table {id}"))
}

fn figure<'a>(page: &'a Sections, id: &str) -> &'a ChartFigure {
    let mut all = page.sections.iter().flat_map(|section| &section.figures);
    all.find(|figure| figure.id == id).unwrap_or_else(|| panic!("no figure {id}"))
}

fn was_repeated(core: &Core) -> String {
    let page = page(core, Topic::Overview(Target::All));
    let rows = &table(&page, "trust").rows;
    let is_it = |cell: &Cell| *cell == Cell::Text("Was it repeated?".to_owned());
    let row = rows.iter().find(|row| is_it(&row.cells[0])).expect("the question");
    let answer = match &row.cells[1] {
        Cell::Linked(inner, _) => inner,
        other => other,
    };
    match answer {
        Cell::Tag { text, .. } => text.clone(),
        other => panic!("{other:?}"),
    }
}

/// A folder with one run of letta-evals: a sample for each score.
fn letta(folder: &str, suite: &str, ids: u64, scores: &[f64]) -> evalglass::input::Dropped {
    let line = |(id, score): (u64, &f64)| {
        let row = json!({
            "sample": {"id": id, "input": format!("{suite} {id}"), "ground_truth": "a"},
            "submission": "a", "grade": {"score": score, "rationale": "r"}, "trajectory": [],
            "agent_id": "agent-1", "model_name": "default",
        });
        format!("{row}\n")
    };
    let text: String = (ids..).zip(scores).map(line).collect();
    file(&format!("{folder}/results.jsonl"), text)
}

#[test]
fn of_many_folders_that_are_repeats_a_few_are_named() {
    let of_model = |model: &'static str| {
        (1..=4).map(move |nth| {
            let path = format!("{model}/night-{nth}");
            let text = String::from_utf8(bytes_of(&letta(&path, "s", 0, &[0.5, 1.0]))).unwrap();
            file(
                &format!("{path}/results.jsonl"),
                text.replace("\"default\"", &format!("{model:?}")),
            )
        })
    };
    let files = ["ash-2", "birch-1", "maple-3"].into_iter().flat_map(of_model);
    let page = page(&core_of(files.collect()), Topic::Statistics(Target::All));
    let repeats = page.sections.iter().find(|section| section.title == "Repeats").unwrap();
    let lead = repeats.lead.as_ref().unwrap();
    let said = lead.split(" Each run gives").next().unwrap();
    assert_eq!(said.matches("night-").count(), 5, "{said}");
    assert!(said.contains("and 3 more, counted as repeats"), "{said}");
    assert!(said.ends_with("1 more in the same way."), "{said}");
}

#[test]
fn three_folders_of_one_problem_are_three_repeats() {
    assert_eq!(was_repeated(&core_of(fixture_files("guides/outputs"))), "3 times");
    let two: Vec<_> = fixture_files("guides/outputs")
        .into_iter()
        .filter(|file| !file.path.contains("run_3"))
        .collect();
    assert_eq!(was_repeated(&core_of(two)), "2 times");
}

#[test]
fn failures_of_several_folders_name_the_folder() {
    let core = core_of(fixture_files("guides/outputs"));
    let page = page(&core, Topic::Failures(Target::All));
    let names: Vec<&Cell> =
        table(&page, "failures-by-run").rows.iter().map(|row| &row.cells[0]).collect();
    // Every case of the third passes.
    for (folder, n_rows) in [("run_1", 1), ("run_2", 1), ("run_3", 0)] {
        let is_its = |cell: &&&Cell| matches!(cell, Cell::Text(text) if text.contains(folder));
        assert_eq!(names.iter().filter(is_its).count(), n_rows, "{folder}: {names:?}");
    }
}

/// The intervals that charts of `core` draw of scores: of strips, then of models.
fn drawn(core: &Core) -> Vec<Option<[f64; 2]>> {
    let statistics = page(core, Topic::Statistics(Target::All));
    let overview = page(core, Topic::Overview(Target::All));
    let mut found = Vec::new();
    match &figure(&statistics, "chart-repeat-scores").chart {
        Some(Chart::Strips(chart)) => found.extend(chart.strips.iter().map(|one| one.interval)),
        other => panic!("no strips: {other:?}"),
    }
    match &figure(&overview, "chart-models").chart {
        Some(Chart::Dots(chart)) => found.extend(chart.dots.iter().map(|one| one.interval)),
        other => panic!("no dots: {other:?}"),
    }
    found
}

#[test]
fn charts_draw_no_interval_of_two_values_and_none_beyond_0_and_1() {
    let two = [letta("a", "s", 0, &[0.0, 1.0]), letta("b", "s", 0, &[1.0, 1.0])];
    let found = drawn(&core_of(two.into()));
    assert_eq!(found, [None, None, None]);
    let three = ["a", "b", "c"]
        .map(|at| letta(at, "s", 0, if at == "a" { &[0.0; 3] } else { &[0.0, 1.0, 1.0] }));
    let core = core_of(three.into());
    let found: Vec<[f64; 2]> = drawn(&core).into_iter().flatten().collect();
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found.iter().all(|[low, high]| (0.0..=1.0).contains(low) && *high <= 1.0));
    // Of 0, 1 and 1 the interval is 0.667 ± 1.434: the table keeps what was computed, the chart ends it.
    assert!(found.contains(&[0.0, 1.0]), "{found:?}");
    let overview = page(&core, Topic::Overview(Target::All));
    let cells = figure(&overview, "chart-models").table.rows.iter().map(|row| &row.cells[2]);
    let is_wide = |cell: &&Cell| matches!(cell, Cell::UnitInterval { low, high } if low.0 < 0.0 && high.0 > 1.0);
    assert_eq!(cells.filter(is_wide).count(), 2);
}

#[test]
fn intervals_of_what_is_measured_do_not_end_at_1() {
    let copies = ["one", "two", "three"].into_iter().flat_map(|folder| {
        let files = fixture_files("slop-code/g2/v1.0").into_iter();
        files
            .map(move |own| file(&format!("{folder}/{}", own.path), crate::support::bytes_of(&own)))
    });
    let core = core_of(copies.collect());
    let page = page(&core, Topic::Statistics(Target::All));
    let rows: Vec<_> = page
        .sections
        .iter()
        .flat_map(|section| &section.tables)
        .flat_map(|table| &table.rows)
        .collect();
    let is_unit = |cell: &Cell| matches!(cell, Cell::UnitInterval { .. });
    for (name, ends_at_1) in [
        ("Cost, $", false),
        ("Steps", false),
        ("Agent time, s", false),
        ("Mean seconds", false),
        ("Pass rate of cases", true),
    ] {
        let is_its = |cell: &Cell| matches!(cell, Cell::Text(text) if text == name);
        let own = rows.iter().filter(|row| row.cells.iter().any(is_its));
        let intervals: Vec<&Cell> = own
            .flat_map(|row| &row.cells)
            .filter(|cell| matches!(cell, Cell::Interval { .. } | Cell::UnitInterval { .. }))
            .collect();
        assert!(!intervals.is_empty(), "{name}");
        assert!(intervals.iter().all(|cell| is_unit(cell) == ends_at_1), "{name}: {intervals:?}");
    }
}
