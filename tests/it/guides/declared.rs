//! Totals without rows: the declared figures are the page, the tables, the trends and the exports, and
//! each says that it is declared.

use crate::support::{
    assert_close, at, core_of, exported, file, fixture_files, fixture_json, report_of,
};
use evalglass::report::{Cell, ChartFigure, Headline, Measure, Sections, Table, Target, Topic};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Question};
use serde_json::Value;

fn page(core: &Core, topic: Topic) -> Sections {
    core.sections(topic).expect("a page")
}

fn overview(core: &Core) -> Sections {
    let tree = tree(core);
    page(core, Topic::Overview(Target::Evaluation(tree.evaluations[0].id)))
}

fn tree(core: &Core) -> evalglass::report::Tree {
    match core.answer(Question::Rules(Vec::new())) {
        Ok(Answer::Workspace(tree)) => tree,
        other => panic!("{other:?}"),
    }
}

fn headline<'a>(page: &'a Sections, label: &str) -> &'a Headline {
    let mut all =
        page.headlines.iter().chain(page.sections.iter().flat_map(|section| &section.headlines));
    all.find(|one| one.label == label).unwrap_or_else(|| panic!("no {label} in {page:?}"))
}

/// The number of a cell that says that it is declared.
#[track_caller]
fn declared(cell: &Cell) -> f64 {
    match cell {
        Cell::Declared(inner) => number(inner).unwrap(),
        other => panic!("not marked as declared: {other:?}"),
    }
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Number(n) | Cell::Rate(n) | Cell::Bar(n) | Cell::Secs(n) => Some(n.0),
        Cell::Usd { amount, .. } => Some(amount.0),
        Cell::Count(n) => Some(*n as f64),
        Cell::Share { part, whole } => Some(*part as f64 / *whole as f64),
        Cell::Declared(inner) | Cell::Linked(inner, _) => number(inner),
        _ => None,
    }
}

fn tables(page: &Sections) -> impl Iterator<Item = &Table> {
    page.sections.iter().flat_map(|section| &section.tables)
}

fn table<'a>(page: &'a Sections, id: &str) -> &'a Table {
    tables(page).find(|table| table.id.starts_with(id)).unwrap_or_else(|| panic!("no {id}"))
}

/// The cell of the row that begins with `row`, in the column `column`.
#[track_caller]
fn cell<'a>(table: &'a Table, row: &str, column: &str) -> &'a Cell {
    let at = table.columns.iter().position(|known| known.label == column);
    let at = at.unwrap_or_else(|| panic!("no column {column} in {:?}", table.columns));
    let is_it = |cells: &[Cell]| matches!(&cells[0], Cell::Text(text) if text == row);
    let found = table.rows.iter().find(|found| is_it(&found.cells));
    &found.unwrap_or_else(|| panic!("no row {row}")).cells[at]
}

fn interval(cell: &Cell) -> [f64; 2] {
    match cell {
        Cell::Interval { low, high } | Cell::UnitInterval { low, high } => [low.0, high.0],
        other => panic!("no interval: {other:?}"),
    }
}

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

fn figures(page: &Sections) -> impl Iterator<Item = &ChartFigure> {
    page.sections.iter().flat_map(|section| &section.figures)
}

fn text(core: &Core, kind: ExportKind) -> String {
    String::from_utf8(exported(core, kind)).unwrap()
}

/// The folders of which nothing but totals is there.
const ALONE: [&str; 5] = [
    "guides/l3_summary_alone",
    "guides/l5_aggregate_alone",
    "guides/l12b_multi_model_summary_alone",
    "guides/l21_summaries_and_aggregate",
    "declared/letta_flat_aggregate",
];

#[test]
fn l3_a_summary_alone_is_a_page_of_its_figures() {
    let core = core_of(fixture_files("guides/l3_summary_alone"));
    let page = overview(&core);
    assert!(page.empty.is_none() && page.verdict.is_none() && page.badge.is_none());
    assert_eq!(declared(&headline(&page, "Mean (errors left out)").value), 0.85);
    assert_eq!(declared(&headline(&page, "Mean (errors counted as 0)").value), 0.85);
    let passed = Cell::Declared(Box::new(Cell::Share { part: 8, whole: 10 }));
    assert_eq!(headline(&page, "Passed").value, passed);
    let gate = Cell::Declared(Box::new(Cell::Text("passed".to_owned())));
    assert_eq!(headline(&page, "Gate").value, gate);
    let metrics = table(&page, "declared-metrics");
    assert!(metrics.caption.contains("declared"));
    for (metric, mean, rate, passed) in [("accuracy", 0.9, 0.9, 9), ("quality", 0.8, 0.7, 7)] {
        assert_eq!(number(cell(metrics, metric, "Mean (errors left out)")), Some(mean));
        assert_eq!(number(cell(metrics, metric, "Pass rate")), Some(rate));
        assert_eq!(*cell(metrics, metric, "Passed"), Cell::Share { part: passed, whole: 10 });
    }
}

#[test]
fn l5_an_aggregate_alone_has_the_intervals_of_the_guide_and_of_student() {
    let core = core_of(fixture_files("guides/l5_aggregate_alone"));
    let page = overview(&core);
    assert_eq!(declared(&headline(&page, "Mean (errors left out)").value), 0.847);
    assert_eq!(declared(&headline(&page, "Runs").value), 10.0);
    let passed = Cell::Declared(Box::new(Cell::Share { part: 8, whole: 10 }));
    assert_eq!(headline(&page, "Runs passed").value, passed);
    assert!(page.badge.is_none(), "nothing can be compared: {:?}", page.badge);
    let statistics = core.sections(Topic::Statistics(Target::All)).unwrap();
    for spread in [table(&page, "declared-spread"), table(&statistics, "declared-spread")] {
        let of = |column: &str| number(cell(spread, "Mean (errors left out)", column)).unwrap();
        assert_eq!([of("Runs"), of("Mean"), of("Std")], [10.0, 0.847, 0.042]);
        assert_eq!([of("Min"), of("Max")], [0.78, 0.91]);
        // 1.96 · 0.042 / √10 and t(9) = 2.2621571628.
        let [low, high] = interval(cell(spread, "Mean (errors left out)", "95 % normal"));
        assert!(near(low, 0.820_968_130_3) && near(high, 0.873_031_869_7), "{low} – {high}");
        let [low, high] = interval(cell(spread, "Mean (errors left out)", "95 % t"));
        let half = 2.262_157_162_8 * 0.042 / 10.0_f64.sqrt();
        assert!(near(low, 0.847 - half) && near(high, 0.847 + half), "{low} – {high}");
        let accuracy = cell(spread, "Metric accuracy, pass rate", "Mean");
        assert_eq!(number(accuracy), Some(0.89));
    }
}

#[test]
fn l12b_models_of_a_summary_stand_beside_each_other() {
    let core = core_of(fixture_files("guides/l12b_multi_model_summary_alone"));
    let page = overview(&core);
    let models = table(&page, "declared-runs");
    for (model, mean, passed) in [("gpt-4o-mini", 0.85, 8), ("claude-3-5-sonnet", 0.9, 9)] {
        assert_eq!(number(cell(models, model, "Mean (errors left out)")), Some(mean));
        assert_eq!(*cell(models, model, "Passed"), Cell::Share { part: passed, whole: 10 });
    }
    let chart = figures(&page).find(|figure| figure.id == "chart-models").expect("scores by model");
    assert_eq!(chart.table.rows.len(), 2);
    let best = &chart.table.rows[0].cells;
    assert_eq!(best[0], Cell::Text("claude-3-5-sonnet (declared)".to_owned()));
    assert_eq!(number(&best[1]), Some(0.9));
}

#[test]
fn l21_repeats_that_are_declared_are_a_table_and_a_trend() {
    let core = core_of(fixture_files("guides/l21_summaries_and_aggregate"));
    let page = overview(&core);
    let repeats = table(&page, "declared-repeats");
    for (run, mean) in [("Run 1", 0.86), ("Run 2", 0.87), ("Run 3", 0.88)] {
        assert!(near(number(cell(repeats, run, "Mean (errors left out)")).unwrap(), mean));
    }
    assert_eq!(declared(&headline(&page, "Mean (errors left out)").value), 0.847, "of all 10 runs");
    let trends = Topic::Trends { target: Target::All, measure: Measure::Score };
    let trends = core.sections(trends).unwrap();
    let chart = figures(&trends).find(|figure| figure.id.starts_with("chart-repeats")).unwrap();
    let rows = &chart.table.rows;
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0].cells[0], Cell::Text("runs (declared)".to_owned()));
    assert!(near(declared(&rows[2].cells[2]), 0.88));
}

#[test]
fn what_is_declared_of_runs_with_rows_stays_beside_them() {
    for folder in ["l5b_aggregate_and_summary", "l20_literal_aggregate"] {
        let core = core_of(fixture_files(&format!("guides/{folder}")));
        let page = overview(&core);
        let spread = table(&page, "declared-spread");
        assert_eq!(number(cell(spread, "Mean (errors left out)", "Mean")), Some(0.847), "{folder}");
        assert!(spread.caption.contains("declared"));
        let shown = headline(&page, "Score");
        assert!(!matches!(shown.value, Cell::Declared(_)), "{folder}: rows are computed");
    }
}

#[test]
fn no_page_without_rows_is_green_or_speaks_of_cases() {
    for folder in ALONE {
        let core = core_of(fixture_files(folder));
        let page = overview(&core);
        assert!(page.verdict.is_none(), "{folder}");
        assert!(page.lead.as_ref().unwrap().contains("Declared figures only"), "{folder}");
        let trust = table(&page, "trust");
        let answers: Vec<String> =
            trust.rows.iter().map(|row| format!("{:?}", row.cells)).collect();
        assert!(!answers.concat().contains("No case ended in an error"), "{folder}");
        assert!(!answers.concat().contains("computed from the cases"), "{folder}");
        let node = &tree(&core).evaluations[0];
        assert!(
            node.score_words.ends_with("declared") || node.score_words.ends_with("declared only")
        );
    }
}

#[test]
fn every_folder_declares_what_was_worked_out_by_hand() {
    let folders = ["letta_flat_aggregate", "letta_late_summary", "letta_model_folders"];
    for folder in folders.into_iter().chain(["slop_result", "slop_rows"]) {
        let core = core_of(fixture_files(&format!("declared/{folder}")));
        let report = report_of(&core);
        let expected = fixture_json(&format!("declared/{folder}/expected.json"));
        let evaluation = &report["evaluations"][0];
        assert_eq!(report["evaluations"].as_array().unwrap().len(), 1, "{folder}");
        assert_eq!(evaluation["label"], expected["label"], "{folder}");
        for wanted in expected["totals"].as_array().unwrap() {
            let keys = ["scope", "suite", "variant", "subject", "repeat"];
            let is_it = |part: &&Value| keys.iter().all(|key| at(part, key) == at(wanted, key));
            let mut parts = evaluation["declared_totals"].as_array().unwrap().iter();
            let part = parts.find(is_it).unwrap_or_else(|| panic!("{folder}: no {wanted}"));
            assert_eq!(part["declared"], true);
            for (path, value) in wanted["values"].as_object().unwrap() {
                assert_close(at(part, path), value, &format!("{folder} {wanted} {path}"));
            }
        }
        for wanted in expected["spreads"].as_array().unwrap() {
            let keys = ["figure", "subject"];
            let is_it = |one: &&Value| keys.iter().all(|key| at(one, key) == at(wanted, key));
            let mut spreads = evaluation["declared_spread"].as_array().unwrap().iter();
            let spread = spreads.find(is_it).unwrap_or_else(|| panic!("{folder}: no {wanted}"));
            for key in ["n", "mean", "std", "min", "max"] {
                assert_close(&spread[key], &wanted[key], &format!("{folder} {wanted} {key}"));
            }
            for key in ["normal95", "t95"] {
                for end in 0..2 {
                    let (found, value) = (&spread[key][end], &wanted[key][end]);
                    let [found, value] = [found, value].map(|v| v.as_f64().unwrap_or(-9.0));
                    assert!(near(found, value), "{folder} {wanted} {key}: {found}");
                }
            }
        }
    }
}

#[test]
fn a_run_directory_without_checkpoints_shows_cost_tokens_steps_and_time() {
    let core = core_of(fixture_files("declared/slop_result"));
    let page = overview(&core);
    let solved = Cell::Declared(Box::new(Cell::Share { part: 2, whole: 5 }));
    assert_eq!(headline(&page, "Checkpoints solved").value, solved);
    assert_eq!(declared(&headline(&page, "Cost").value), 2.0);
    assert_eq!(declared(&headline(&page, "Steps").value), 40.0);
    assert_eq!(declared(&headline(&page, "Agent time").value), 400.0);
    assert_eq!(
        number(cell(table(&page, "declared-rates"), "core", "Over checkpoints")),
        Some(0.875)
    );
    let core = core_of(fixture_files("declared/slop_rows"));
    let page = overview(&core);
    assert_eq!(declared(&headline(&page, "Cost").value), 2.0);
    assert_eq!(table(&page, "declared-checkpoints").rows.len(), 4);
    let topic = |measure| Topic::Trends { target: Target::All, measure };
    for (measure, value) in
        [(Measure::Cost, 0.5), (Measure::Time, 100.0), (Measure::Tokens, 1100.0)]
    {
        let trends = core.sections(topic(measure)).unwrap();
        let chart = figures(&trends).find(|figure| figure.id == "chart-checkpoint-trend").unwrap();
        assert_eq!(chart.table.rows[0].cells[0], Cell::Text("tide (declared)".to_owned()));
        assert_eq!(declared(&chart.table.rows[0].cells[2]), value, "{measure:?}");
    }
}

#[test]
fn two_summaries_of_one_suite_are_told_apart_and_compared() {
    let core = core_of(fixture_files("declared/two_folders"));
    let labels: Vec<String> = tree(&core).evaluations.into_iter().map(|node| node.label).collect();
    assert_eq!(labels, ["harbour-suite · monday", "harbour-suite · tuesday"]);
    let page = core.sections(Topic::Overview(Target::All)).unwrap();
    let everywhere = table(&page, "declared-everywhere");
    assert_eq!(
        number(cell(everywhere, "harbour-suite · monday", "Mean (errors left out)")),
        Some(0.4)
    );
    assert_eq!(
        number(cell(everywhere, "harbour-suite · tuesday", "Mean (errors left out)")),
        Some(0.625)
    );
    let list = table(&page, "evaluations");
    assert_eq!(declared(cell(list, "harbour-suite · tuesday", "Score")), 0.625);
    assert_eq!(declared(cell(list, "harbour-suite · monday", "Passed")), 0.375);
    let chart = figures(&page).find(|figure| figure.id == "chart-models").unwrap();
    assert_eq!(
        chart.table.rows[0].cells[0],
        Cell::Text("harbour-suite · tuesday (declared)".to_owned())
    );
    let trends = Topic::Trends { target: Target::All, measure: Measure::Score };
    let trends = core.sections(trends).unwrap();
    let chart = figures(&trends).find(|figure| figure.id == "chart-folders-0").unwrap();
    let scores: Vec<f64> = chart.table.rows.iter().map(|row| declared(&row.cells[2])).collect();
    assert_eq!(scores, [0.4, 0.625]);
}

#[test]
fn folders_tell_reports_without_a_model_apart() {
    let core = core_of(fixture_files("declared/rebel_folders"));
    let labels: Vec<String> = tree(&core).evaluations.into_iter().map(|node| node.label).collect();
    assert_eq!(labels, ["REBEL 20260501_080000 · gemini-2", "REBEL 20260502_080000 · gpt-5"]);
    let statistics = core.sections(Topic::Statistics(Target::All)).unwrap();
    let repeats = statistics.sections.iter().find(|section| section.title == "Repeats").unwrap();
    let lead = repeats.lead.as_ref().unwrap();
    assert!(
        lead.contains("2 folders: gemini-2, gpt-5, counted as repeats of the same subject"),
        "{lead}"
    );
    let trends = Topic::Trends { target: Target::All, measure: Measure::Score };
    let trends = core.sections(trends).unwrap();
    let chart = figures(&trends).find(|figure| figure.id == "chart-time-0").unwrap();
    let models: Vec<&Cell> = chart.table.rows.iter().map(|row| &row.cells[2]).collect();
    assert_eq!(models, [&Cell::Text("gemini-2".to_owned()), &Cell::Text("gpt-5".to_owned())]);
}

#[test]
fn a_name_that_the_user_gave_stays() {
    let core = core_of(fixture_files("declared/two_folders"));
    let id = tree(&core).evaluations[0].id;
    let renamed = Question::Rename { target: Target::Evaluation(id), label: "mine".to_owned() };
    core.answer(renamed).unwrap();
    core.answer(Question::Remove(tree(&core).evaluations[1].id)).unwrap();
    assert_eq!(tree(&core).evaluations[0].label, "mine");
}

#[test]
fn exports_say_that_figures_are_declared() {
    for folder in ALONE {
        let core = core_of(fixture_files(folder));
        let report = report_of(&core);
        let evaluation = &report["evaluations"][0];
        assert!(evaluation["declared_totals"][0]["declared"].as_bool().unwrap(), "{folder}");
        assert!(evaluation.get("aggregate").is_none(), "{folder}: nothing was computed");
        for kind in [
            ExportKind::SummaryText,
            ExportKind::DetailedText,
            ExportKind::SummaryMarkdown,
            ExportKind::ReportHtml,
        ] {
            assert!(text(&core, kind).contains("declared"), "{folder} {kind:?}");
        }
    }
    let core = core_of(fixture_files("guides/l5_aggregate_alone"));
    let words = text(&core, ExportKind::SummaryText);
    assert!(words.contains("Mean (errors left out):     0.847 declared"), "{words}");
    assert!(words.contains("0.821 – 0.873"), "{words}");
    let words = text(&core, ExportKind::SummaryMarkdown);
    assert!(words.contains("| 0.847 declared |"), "{words}");
}

#[test]
fn a_report_opened_again_gives_the_same_figures() {
    let folders =
        ["declared/letta_late_summary", "declared/letta_model_folders", "declared/slop_rows"];
    let more = ["declared/slop_result", "declared/two_folders", "declared/rebel_folders"];
    for folder in ALONE.into_iter().chain(folders).chain(more) {
        let core = core_of(fixture_files(folder));
        let report = exported(&core, ExportKind::ReportJson);
        let back = core_of(vec![file("evalglass-report.json", report)]);
        assert_eq!(report_of(&back)["evaluations"], report_of(&core)["evaluations"], "{folder}");
        for topic in [
            Topic::Overview(Target::All),
            Topic::Statistics(Target::All),
            Topic::Trends { target: Target::All, measure: Measure::Score },
        ] {
            assert_eq!(page(&back, topic.clone()), page(&core, topic), "{folder}");
        }
        assert_eq!(overview(&back), overview(&core), "{folder}");
    }
}

#[test]
fn reports_of_totals_alone_meet_the_schema() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../schema/evalglass-report-1.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let more = ["declared/letta_late_summary", "declared/slop_rows", "declared/slop_result"];
    for folder in ALONE.into_iter().chain(more) {
        let report = report_of(&core_of(fixture_files(folder)));
        let faults: Vec<String> = validator
            .iter_errors(&report)
            .map(|err| format!("{}: {err}", err.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{folder}: {}", faults.join("\n"));
    }
}
