//! A slop-code run directory: its summary, and what changes from checkpoint to checkpoint.

use super::MAX_ROWS;
use crate::input::json::f64_from_value;
use crate::model::Evaluation;
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Num, Row, Section, Table};
use crate::words::report::statistics::{self, directory as words};
use crate::workspace::Entry;
use serde_json::{Map, Value};

/// One row of recorded figures.
type DirectoryFigures = Map<String, Value>;

/// The sections of each run directory of `scope`.
pub(super) fn sections(scope: &PageScope<'_>) -> Vec<Section> {
    let of_entry = |(entry, _): &(&Entry, Vec<usize>)| {
        let (summary, lead) = match (&entry.figures.summary, entry.is_declared_only()) {
            (Some(summary), false) => (summary, words::COMPUTED),
            (Some(summary), true) => (summary, words::FROM_LINES),
            (None, _) => (entry.evaluation.declared_json.get("result")?, words::DECLARED),
        };
        let tables = vec![
            solved(entry, summary),
            rates(entry, summary),
            spreads(entry, summary),
            deltas(entry.id, &entry.evaluation),
        ];
        Some(Section {
            title: words::title(&entry.evaluation.label),
            lead: Some(lead.to_owned()),
            tables: tables.into_iter().filter(|table| !table.rows.is_empty()).collect(),
            ..Section::default()
        })
    };
    scope.parts.iter().filter_map(of_entry).collect()
}

fn number(summary: &Value, path: &str) -> Option<f64> {
    path.split('.').try_fold(summary, |value, key| value.get(key)).and_then(f64_from_value)
}

fn number_cell(found: Option<f64>) -> Cell {
    Cell::or_missing(found.map(Num), Cell::Number, words::NOT_IN_SUMMARY)
}

fn solved(entry: &Entry, summary: &Value) -> Table {
    let mut table = Table::new(
        &format!("solved-{}", entry.id),
        words::SOLVED,
        vec![
            Column::words(words::WHAT),
            Column::numbers(words::NUMBER, ""),
            Column::numbers(words::WHOLE, ""),
            Column::numbers(words::SHARE, words::SHARE_HINT),
        ],
    );
    let checkpoints = ["expected_checkpoints", "num_checkpoints"];
    for (what, count, percent, of) in [
        (
            words::CHECKPOINTS_SOLVED,
            "checkpoints_solved",
            "pct_checkpoints_solved",
            checkpoints.as_slice(),
        ),
        (
            words::CHECKPOINTS_ISO_SOLVED,
            "checkpoints_iso_solved",
            "pct_checkpoints_iso_solved",
            &checkpoints,
        ),
        (
            words::CHECKPOINTS_CORE_SOLVED,
            "checkpoints_core_solved",
            "pct_checkpoints_core_solved",
            &checkpoints,
        ),
        (words::PROBLEMS_SOLVED, "problem_solved", "pct_problems_solved", &["num_problems"]),
        (words::PROBLEMS_PARTIAL, "problem_partial", "pct_problems_partial", &["num_problems"]),
    ] {
        if summary.get(count).is_none() {
            continue;
        }
        table.row(vec![
            Cell::Text(what.to_owned()),
            number_cell(number(summary, count)),
            number_cell(of.iter().find_map(|key| number(summary, key))),
            Cell::or_missing(
                number(summary, percent).map(|percent| Num(percent / 100.0)),
                Cell::Rate,
                words::NOT_IN_SUMMARY,
            ),
        ]);
    }
    table
}

fn rates(entry: &Entry, summary: &Value) -> Table {
    let mut table = Table::new(
        &format!("rates-{}", entry.id),
        words::RATES,
        vec![
            Column::words(words::TESTS),
            Column::numbers(words::OVER_CHECKPOINTS, words::OVER_CHECKPOINTS_HINT),
            Column::numbers(words::OVER_PROBLEMS, words::OVER_PROBLEMS_HINT),
        ],
    );
    for kind in ["total", "core", "functionality", "regression", "error"] {
        let rate = |scope: &str| {
            let found = number(summary, &format!("pass_rates.{scope}.{kind}"));
            Cell::or_missing(found.map(Num), Cell::Rate, words::NOT_IN_SUMMARY)
        };
        table.row(vec![Cell::Text(kind.to_owned()), rate("checkpoint"), rate("problem")]);
    }
    table
}

/// Every figure of the summary that has a mean, a deviation and ends.
fn spreads(entry: &Entry, summary: &Value) -> Table {
    let mut table = Table::new(
        &format!("directory-spread-{}", entry.id),
        words::SPREAD,
        vec![
            Column::words(statistics::FIGURE),
            Column::numbers(statistics::MEAN, statistics::EXACT_MEAN),
            Column::numbers(statistics::STD, statistics::STD_HINT),
            Column::numbers(statistics::MIN, ""),
            Column::numbers(statistics::MAX, ""),
            Column::numbers(words::MEDIAN, ""),
            Column::numbers(words::N, ""),
        ],
    );
    let mut found = Vec::new();
    collect_spreads(summary, String::new(), &mut found);
    let mut n_empty = 0_u64;
    for (name, stat) in found {
        let (words, cell) = spread_words(&name);
        let count = stat.get("count").and_then(f64_from_value);
        if count == Some(0.0) {
            n_empty += 1;
            continue;
        }
        let mut cells = vec![Cell::Text(words)];
        cells.extend(["mean", "stddev", "min", "max", "median"].map(|key| {
            let found = stat.get(key).and_then(f64_from_value);
            Cell::or_missing(found.map(Num), cell, words::NOT_IN_SUMMARY)
        }));
        cells.push(number_cell(count));
        table.row(cells);
    }
    if n_empty > 0 {
        table.footnote = Some(words::left_out(n_empty));
    }
    table
}

/// What a figure of the summary is called, and in which unit it is: `costs checkpoint` is "Cost per checkpoint".
fn spread_words(path: &str) -> (String, fn(Num) -> Cell) {
    let usd = |amount| Cell::Usd { amount, is_lower_bound: false };
    let (what, cell): (&str, fn(Num) -> Cell) = match path.split_once(' ') {
        Some(("costs", _)) => (statistics::COST, usd),
        Some(("time", _)) => (statistics::AGENT_TIME, Cell::Secs),
        Some(("steps", _)) => (statistics::STEPS, Cell::Number),
        Some(("cc", of)) => return (words::complexity(&plain(of)), Cell::Number),
        Some(("ratios", of)) => return (words::per_line(&quality(of)), Cell::Number),
        Some(("delta", of)) => return (words::change(&quality(of)), Cell::Number),
        _ => return (quality(path), Cell::Number),
    };
    let of = path.split_once(' ').map(|(_, of)| of).unwrap_or_default();
    (words::per(what, of), cell)
}

/// A figure of the code's quality in words: what slop-code counts under a key of the summary.
fn quality(key: &str) -> String {
    let name = match key {
        "rubric" => words::RUBRIC,
        "rubric_non_carryover" => words::RUBRIC_NEW,
        "lint" => words::LINT,
        "ast_grep" => words::PATTERNS,
        "violation_pct" => words::VIOLATIONS,
        "complex" => words::COMPLEX,
        "comparisons" => words::COMPARISONS,
        "verbosity" => words::VERBOSITY,
        "erosion" => words::EROSION,
        other => return plain(other),
    };
    name.to_owned()
}

/// A key of the summary as words.
fn plain(key: &str) -> String {
    key.replace('_', " ")
}

fn collect_spreads<'a>(value: &'a Value, path: String, found: &mut Vec<(String, &'a Value)>) {
    let Value::Object(members) = value else { return };
    if members.contains_key("stddev") && members.contains_key("mean") {
        found.push((path, value));
        return;
    }
    for (key, member) in members {
        let path = if path.is_empty() { key.clone() } else { format!("{path} {key}") };
        collect_spreads(member, path, found);
    }
}

/// What each checkpoint changes against the one before it.
fn deltas(entry: u32, evaluation: &Evaluation) -> Table {
    let mut table = Table::new(
        &format!("deltas-{entry}"),
        words::DELTAS,
        vec![
            Column::words(words::PROBLEM),
            Column::words(words::STEP),
            Column::numbers(words::PASS_RATE, words::PASS_RATE_HINT),
            Column::numbers(words::CORE, words::CORE_HINT),
            Column::numbers(statistics::COST_IN_USD, words::COST_HINT),
            Column::numbers(statistics::STEPS, words::STEPS_HINT),
            Column::numbers(words::TIME, words::TIME_HINT),
            Column::numbers(words::LINES, words::LINES_HINT),
            Column::numbers(words::LINT_CHANGE, words::LINT_CHANGE_HINT),
            Column::numbers(words::CHURN, words::CHURN_HINT),
        ],
    );
    table.footnote = Some(words::CHANGE_FROM_0.to_owned());
    let rows = &evaluation.rows;
    for (was, is) in rows.iter().zip(rows.iter().skip(1)) {
        let text = |row: &DirectoryFigures, key: &str| {
            row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        if text(was, "problem") != text(is, "problem") {
            continue;
        }
        let change = |keys: &[&str], scale: f64| {
            let get = |row: &DirectoryFigures| keys.iter().find_map(|key| figure(row, key));
            let found = get(is).zip(get(was)).map(|(is, was)| Num((is - was) * scale));
            Cell::or_missing(found, Cell::Number, words::NOT_FOR_BOTH)
        };
        table.rows.push(Row {
            cells: vec![
                Cell::Text(text(is, "problem")),
                Cell::Text(format!("{} → {}", text(was, "checkpoint"), text(is, "checkpoint"))),
                change(&["strict_pass_rate", "pass_rate"], 100.0),
                change(&["core_pass_rate"], 100.0),
                change(&["cost"], 1.0),
                change(&["steps"], 1.0),
                // In the older rows `duration` is the evaluation's own time.
                change(&["elapsed", "duration"], 1.0),
                percent(was, is, "loc"),
                percent(was, is, "lint_errors"),
                Cell::or_missing(
                    figure(is, "delta.churn_ratio").map(Num),
                    Cell::Number,
                    statistics::NOT_RECORDED,
                ),
            ],
            link: None,
        });
    }
    table.cap(MAX_ROWS, words::CUT_STEPS);
    table
}

fn figure(row: &DirectoryFigures, key: &str) -> Option<f64> {
    row.get(key).and_then(f64_from_value)
}

/// `(is − was) / was · 100`; of nothing 0 or infinite.
fn percent(was: &DirectoryFigures, is: &DirectoryFigures, key: &str) -> Cell {
    let found = figure(was, key).zip(figure(is, key)).map(|(was, is)| {
        Num(match (was == 0.0, is == 0.0) {
            (true, true) => 0.0,
            (true, false) => f64::INFINITY,
            _ => (is - was) / was * 100.0,
        })
    });
    Cell::or_missing(found, Cell::Number, words::NOT_FOR_BOTH)
}
