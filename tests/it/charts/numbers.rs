//! The numbers of charts against the exported report.

use super::{figure, figures, page, rebel};
use crate::support::{core_of, fixture_files, report_of};
use evalglass::chart::{Bin, Chart, HeatMap, LineChart, Range, Stacks};
use evalglass::report::{Cell, ChartFigure, Link, Measure, Target, Topic};
use evalglass::worker::core::Core;
use serde_json::Value;

const FIXTURES: [&str; 5] = [
    "slop-code/g1/runs",
    "slop-code/g2/v1.0",
    "letta-evals/0.25.1_reward_11runs",
    "letta-evals/0.20.0_suite",
    "rebel/basic",
];

/// Every case of the exported report.
fn cases(report: &Value) -> Vec<&Value> {
    let runs = report["runs"].as_array().unwrap();
    runs.iter().flat_map(|run| run["cases"].as_array().unwrap()).collect()
}

fn overview(core: &Core) -> evalglass::report::Sections {
    page(core, Topic::Overview(Target::All))
}

fn histogram(figure: &ChartFigure) -> &[Bin] {
    match &figure.chart {
        Some(Chart::Histogram(chart)) => &chart.bins,
        other => panic!("no histogram: {other:?}"),
    }
}

fn stacks(figure: &ChartFigure) -> &Stacks {
    match &figure.chart {
        Some(Chart::Stacks(chart)) => chart,
        other => panic!("no stacks: {other:?}"),
    }
}

fn link(figure: &ChartFigure, at: Option<u32>) -> &Link {
    &figure.links[at.expect("it opens something") as usize]
}

/// How many of `values` a filter of one field keeps: `score>=0.2 score<0.3`.
fn kept(filter: &str, field: &str, values: &[f64]) -> u64 {
    let holds = |value: f64| {
        filter.split(' ').all(|part| {
            let rest = part.strip_prefix(field).expect("it is about the field");
            let sign = rest.trim_end_matches(|c: char| !"<>=".contains(c));
            let bound: f64 = rest[sign.len()..].parse().unwrap();
            match sign {
                ">=" => value >= bound,
                "<=" => value <= bound,
                "<" => value < bound,
                other => panic!("sign {other}"),
            }
        })
    };
    values.iter().filter(|value| holds(**value)).count() as u64
}

#[test]
fn every_score_is_in_the_bin_that_its_filter_finds() {
    for fixture in FIXTURES {
        let core = core_of(fixture_files(fixture));
        let report = report_of(&core);
        let scores: Vec<f64> =
            cases(&report).iter().filter_map(|case| case["score"].as_f64()).collect();
        let overview = overview(&core);
        let figure = figure(&overview, "chart-scores");
        let bins = histogram(figure);
        let total: u64 = bins.iter().map(|bin| bin.n).sum();
        assert_eq!(total, scores.len() as u64, "{fixture}");
        for bin in bins.iter().filter(|bin| bin.n > 0) {
            let Link::Filter(filter) = link(figure, bin.link) else { panic!("no filter") };
            assert_eq!(kept(filter, "score", &scores), bin.n, "{fixture}: {filter}");
        }
        assert!(bins.windows(2).all(|pair| pair[0].high == pair[1].low), "without a gap");
        let counts: u64 = figure.table.rows.iter().map(|row| count(&row.cells[2])).sum();
        assert_eq!(counts, total, "the table has the same numbers");
    }
}

fn count(cell: &Cell) -> u64 {
    match cell {
        Cell::Count(n) => *n,
        Cell::Linked(inner, _) => count(inner),
        other => panic!("no count: {other:?}"),
    }
}

#[test]
fn every_duration_is_in_the_bin_that_its_filter_finds() {
    let core = core_of(fixture_files("letta-evals/0.20.0_suite"));
    let report = report_of(&core);
    let secs: Vec<f64> =
        cases(&report).iter().filter_map(|case| case["duration_secs"].as_f64()).collect();
    let overview = overview(&core);
    let figure = figure(&overview, "chart-durations");
    let bins = histogram(figure);
    assert_eq!(bins.iter().map(|bin| bin.n).sum::<u64>(), secs.len() as u64);
    for bin in bins.iter().filter(|bin| bin.n > 0) {
        let Link::Filter(filter) = link(figure, bin.link) else { panic!("no filter") };
        assert_eq!(kept(filter, "duration", &secs), bin.n, "{filter}");
    }
}

#[test]
fn outcomes_add_up_to_the_cases_of_the_report() {
    let core = core_of(fixture_files("slop-code/g1/runs"));
    let report = report_of(&core);
    let overview = overview(&core);
    for (id, field) in [("chart-groups", "group"), ("chart-kinds", "kind")] {
        let figure = figure(&overview, id);
        for stack in &stacks(figure).stacks {
            for part in &stack.parts {
                let is_own = |case: &&&Value| {
                    case[field] == stack.name.as_str() && case["outcome"] == part.name.as_str()
                };
                let expected = cases(&report).iter().filter(is_own).count() as u64;
                assert_eq!(part.n, expected, "{} {}", stack.name, part.name);
                if part.n > 0 {
                    let expected = format!("{field}=\"{}\" outcome:{}", stack.name, part.name);
                    assert_eq!(link(figure, part.link), &Link::Filter(expected));
                }
            }
        }
        let drawn: u64 = stacks(figure).stacks.iter().map(|stack| stack.total()).sum();
        assert_eq!(drawn, cases(&report).len() as u64, "{id}");
        let table: u64 = figure.table.rows.iter().map(|row| count(&row.cells[1])).sum();
        assert_eq!(table, drawn);
    }
}

#[test]
fn the_largest_groups_are_drawn_and_all_stand_in_the_table() {
    let core = core_of(fixture_files("slop-code"));
    let overview = overview(&core);
    let figure = figure(&overview, "chart-groups");
    let stacks = stacks(figure);
    assert_eq!(stacks.stacks.len(), 12);
    assert!(figure.table.rows.len() > 12);
    assert!(figure.lead.contains(&format!("of {} groups", figure.table.rows.len())));
    let totals: Vec<u64> = stacks.stacks.iter().map(|stack| stack.total()).collect();
    assert!(totals.is_sorted_by(|left, right| left >= right), "{totals:?}");
}

#[test]
fn the_frontier_is_what_no_other_point_beats() {
    for fixture in ["letta-evals", "slop-code", "rebel"] {
        let core = core_of(fixture_files(fixture));
        let page = page(&core, Topic::Statistics(Target::All));
        let scatters = figures(&page).into_iter().filter_map(|figure| match &figure.chart {
            Some(Chart::Scatter(chart)) => Some((figure, chart)),
            _ => None,
        });
        let mut n_figures = 0;
        for (figure, chart) in scatters {
            n_figures += 1;
            let beats = |left: usize, right: usize| {
                let (left, right) = (&chart.points[left], &chart.points[right]);
                left.x <= right.x && left.y >= right.y && (left.x < right.x || left.y > right.y)
            };
            let all = 0..chart.points.len();
            let unbeaten = |at: &usize| !all.clone().any(|other| beats(other, *at));
            let mut expected: Vec<usize> = all.clone().filter(unbeaten).collect();
            let mut found = chart.frontier.clone();
            let xs: Vec<f64> = found.iter().map(|at| chart.points[*at].x).collect();
            assert!(xs.is_sorted(), "{}: {xs:?}", figure.id);
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{fixture} {}", figure.id);
        }
        assert!(n_figures > 0, "{fixture}");
    }
}

fn heat_map(figure: &ChartFigure) -> &HeatMap {
    match &figure.chart {
        Some(Chart::HeatMap(chart)) => chart,
        other => panic!("no map: {other:?}"),
    }
}

fn lines(figure: &ChartFigure) -> &LineChart {
    match &figure.chart {
        Some(Chart::Lines(chart)) => chart,
        other => panic!("no lines: {other:?}"),
    }
}

#[test]
fn a_run_directory_shows_its_checkpoints_and_its_code() {
    let core = core_of(fixture_files("slop-code/g1/runs"));
    let report = report_of(&core);
    let page = page(&core, Topic::Trends { target: Target::All, measure: Measure::PassRate });
    let map = heat_map(figure(&page, "chart-map-0"));
    assert_eq!(map.columns, ["1", "2", "3"]);
    let rows: Vec<&str> = map.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(rows, ["ledger_sync", "tide_tables"]);
    for run in report["runs"].as_array().unwrap() {
        let row = map.rows.iter().find(|row| run["suite"] == row.name.as_str()).unwrap();
        let place: usize =
            run["variant"].as_str().unwrap().trim_start_matches("checkpoint_").parse().unwrap();
        let cell = row.cells[place - 1].as_ref().unwrap();
        let (passed, total) =
            (run["counts"]["passed"].as_f64().unwrap(), run["counts"]["total"].as_f64().unwrap());
        assert_eq!(cell.value, (total > 0.0).then_some(passed / total));
        // Without cases the policy passes, and nothing passed.
        let is_passed = run["policies"]["core-cases"] == true && total > 0.0;
        assert_eq!(cell.is_ticked, is_passed);
    }
    assert_eq!(map.rows[1].cells[2], None, "this problem has two checkpoints");

    let trend = lines(figure(&page, "chart-checkpoint-trend"));
    let found: Vec<f64> = trend.series[0].points.iter().map(|point| point.y).collect();
    assert_eq!(found, [2.0 / 7.0, 0.5, 1.0]);
    let [low, high] = trend.series[0].points[1].interval.unwrap();
    let wilson = evalglass::stats::wilson_interval(5, 10).unwrap();
    assert_eq!((low, high), (wilson.low, wilson.high));

    // Values of `checkpoint_results.jsonl`.
    for (id, expected) in [
        ("chart-quality-source", [150.0, 195.0, 240.0].as_slice()),
        ("chart-quality-lines", &[200.0, 260.0, 320.0]),
        ("chart-quality-lint", &[20.0, 27.0, 34.0]),
        ("chart-quality-complex", &[1.0, 2.0, 3.0]),
        ("chart-quality-churn", &[0.27, 0.211_538_461_538_461_54]),
    ] {
        let series = &lines(figure(&page, id)).series[0];
        assert_eq!(series.name, "ledger_sync");
        let found: Vec<f64> = series.points.iter().map(|point| point.y).collect();
        assert_eq!(found, expected, "{id}");
    }
}

#[test]
fn lines_of_source_keep_their_meaning_over_generations() {
    // `loc` of the newer rows counts all lines, `sloc` those of source.
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let page = page(&core, Topic::Trends { target: Target::All, measure: Measure::Score });
    let of = |id: &str| -> Vec<f64> {
        lines(figure(&page, id)).series[0].points.iter().map(|point| point.y).collect()
    };
    let rows = std::fs::read_to_string(crate::support::fixture(
        "slop-code/g2/v1.0/maple-3_20260430T1200/checkpoint_results.jsonl",
    ))
    .unwrap();
    let rows: Vec<Value> = rows
        .lines()
        .map(|line| evalglass::input::json::Cursor::new(line.as_bytes()).tree().unwrap())
        .collect();
    let column =
        |field: &str| -> Vec<f64> { rows.iter().filter_map(|row| row[field].as_f64()).collect() };
    assert_eq!(of("chart-quality-source"), column("sloc"));
    assert_eq!(of("chart-quality-lines"), column("total_lines"));
}

#[test]
fn runs_of_a_suite_stand_in_the_order_in_which_they_began() {
    let core = core_of(fixture_files("rebel/trend"));
    let report = report_of(&core);
    let page = page(&core, Topic::Trends { target: Target::All, measure: Measure::Score });
    let chart = lines(figure(&page, "chart-time-0"));
    let points: Vec<_> = chart.series.iter().flat_map(|series| &series.points).collect();
    assert_eq!(points.len(), 3);
    assert!(points.is_sorted_by(|left, right| left.x < right.x));
    let mut runs: Vec<&Value> = report["runs"].as_array().unwrap().iter().collect();
    runs.sort_by_key(|run| run["started_at"].as_str().unwrap().to_owned());
    for (point, run) in points.iter().zip(runs) {
        assert_eq!(Some(point.y), run["score"]["mean_attempted"].as_f64());
        let at: jiff::civil::DateTime = run["started_at"].as_str().unwrap().parse().unwrap();
        let secs = at.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp().as_second();
        assert_eq!(point.x, secs as f64);
    }
}

#[test]
fn suites_of_shares_are_drawn_from_0_to_1_beside_suites_of_other_scores() {
    let folders = ["inspect-ai/0.3.285/epochs", "rebel/trend", "rebel/edge"];
    let core = core_of(folders.into_iter().flat_map(fixture_files).collect());
    let trends = page(&core, Topic::Trends { target: Target::All, measure: Measure::Score });
    let ranges = |id: &str| {
        let chart = lines(figure(&trends, id));
        let values = chart.series.iter().flat_map(|series| &series.points).map(|point| point.y);
        (values.fold(0.0, f64::max) > 1.0, chart.axis.range)
    };
    let mut found = [ranges("chart-time-0"), ranges("chart-time-1")];
    found.sort_by_key(|(is_beyond, _)| *is_beyond);
    let [(false, Range::Whole), (true, Range::Within { high, .. })] = found else {
        panic!("{found:?}")
    };
    assert!(high > 1.0, "{high}");
}

#[test]
fn a_trend_without_runs_says_why() {
    let core = core_of(fixture_files("letta-evals/0.20.0_suite"));
    let trends = |target| page(&core, Topic::Trends { target, measure: Measure::Score });
    let of_all = trends(Target::All);
    assert_eq!(of_all.sections[0].lead.as_deref(), Some("No start times are recorded."));
    let run = evalglass::report::RunRef { evaluation: 0, run: 0 };
    assert!(trends(Target::Run(run)).empty.is_some());
    let choices: Vec<&str> = of_all.choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(choices, ["Score", "Pass rate", "Cost", "Tokens", "Time", "Errors"]);
    assert_eq!(of_all.choices.iter().filter(|choice| choice.is_on).count(), 1);
}

#[test]
fn models_stand_beside_each_other_with_the_numbers_of_the_tables() {
    let core = core_of(fixture_files("letta-evals/0.25.1_reward_11runs"));
    let report = report_of(&core);
    let overview = overview(&core);
    let Some(Chart::Dots(chart)) = &figure(&overview, "chart-models").chart else {
        panic!("no dots")
    };
    let subjects = report["evaluations"][0]["aggregate"]["subjects"].as_array().unwrap();
    assert_eq!(chart.dots.len(), subjects.len());
    for dot in &chart.dots {
        let own = subjects.iter().find(|subject| subject["subject"] == dot.name.as_str()).unwrap();
        assert_eq!(dot.value, own["reward"]["mean"].as_f64(), "{}", dot.name);
        let ends = own["reward"]["ci95"].as_array().unwrap();
        let ends: Vec<f64> = ends.iter().map(|end| end.as_f64().unwrap()).collect();
        assert_eq!(dot.interval.unwrap().to_vec(), ends);
    }
}

#[test]
fn every_repeat_is_in_the_chart_of_repeats() {
    let core = core_of(fixture_files("letta-evals/0.25.1_reward_11runs"));
    let page = page(&core, Topic::Statistics(Target::All));
    let Some(Chart::Strips(chart)) = &figure(&page, "chart-repeat-scores").chart else {
        panic!("no strips")
    };
    assert_eq!(chart.strips.len(), 2);
    for strip in &chart.strips {
        assert_eq!(strip.points.len(), 11);
        let values: Vec<f64> = strip.points.iter().map(|point| point.value).collect();
        assert_eq!(strip.middle, evalglass::stats::exact_mean(&values));
    }
}

#[test]
fn odd_scores_have_a_reason_or_an_axis() {
    let case = |score: f64| vec![("a".to_owned(), score)];
    let none = overview(&rebel("test_results_1.json", &[]));
    assert!(figures(&none).is_empty(), "no case has no chart");
    let equal = overview(&rebel("test_results_2.json", &[case(0.5), case(0.5)].concat()));
    assert_eq!(histogram(figure(&equal, "chart-scores")).iter().map(|bin| bin.n).sum::<u64>(), 2);
    let large = overview(&rebel("test_results_3.json", &[case(-3.0), case(250.0)].concat()));
    let bins = histogram(figure(&large, "chart-scores"));
    assert!(bins[0].low <= -3.0 && bins.last().unwrap().high >= 250.0);
    let files = fixture_files("rebel/nonfinite");
    let odd = overview(&core_of(files));
    let lead = &figure(&odd, "chart-scores").lead;
    assert!(lead.contains("left out: without a numeric score"), "{lead}");
}

#[test]
fn rules_in_force_change_charts_too() {
    let core = core_of(fixture_files("letta-evals/0.20.0_suite"));
    let passed = |core: &Core| -> f64 {
        let page = overview(core);
        let Some(Chart::Dots(chart)) = &figure(&page, "chart-model-passes").chart else {
            panic!("no dots")
        };
        chart.dots.iter().filter_map(|dot| dot.value).sum()
    };
    let before = passed(&core);
    crate::support::report_under(&core, &[("pass", ">= 0")]);
    assert!(passed(&core) > before, "more pass by a lower threshold");
}

#[test]
fn code_is_shown_without_recorded_rows_too() {
    for fixture in ["slop-code/g1/runs", "slop-code/g2/v1.0"] {
        let trends = |core: &Core| {
            page(core, Topic::Trends { target: Target::All, measure: Measure::Score })
        };
        let recorded = trends(&core_of(fixture_files(fixture)));
        let mut files = fixture_files(fixture);
        files.retain(|file| !file.path.ends_with("checkpoint_results.jsonl"));
        let derived = trends(&core_of(files));
        let mut n_values = 0;
        let ids =
            ["source", "lines", "lint", "lint-rate", "complex", "complexity", "nesting", "churn"];
        for id in ids.map(|id| format!("chart-quality-{id}")) {
            let Some(found) = figures(&derived).into_iter().find(|figure| figure.id == id) else {
                panic!("{fixture}: no {id}")
            };
            // Equal values are said, not drawn.
            if let Some(words) = &found.empty {
                assert!(words.starts_with("All ") && words.contains("equal"), "{id}: {words}");
                assert_eq!(found.table.rows.len(), figure(&recorded, &id).table.rows.len(), "{id}");
                n_values += found.table.rows.len();
                continue;
            }
            let all = &lines(figure(&recorded, &id)).series;
            // Not every checkpoint has its analysis among the files.
            for point in lines(found).series.iter().flat_map(|series| &series.points) {
                let same = all.iter().flat_map(|series| &series.points);
                let same = same.filter(|other| other.name == point.name && other.y == point.y);
                assert_eq!(same.count(), 1, "{fixture} {id} {} {}", point.name, point.y);
                n_values += 1;
            }
        }
        assert!(n_values >= ids.len(), "{fixture}: {n_values}");
    }
}
