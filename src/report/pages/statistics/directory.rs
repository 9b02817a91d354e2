//! A slop-code run directory: its summary, and what changes from checkpoint to checkpoint.

use super::MAX_ROWS;
use crate::format::counted;
use crate::input::json::f64_from_value;
use crate::model::Evaluation;
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Num, Row, Section, Table};
use crate::workspace::Entry;
use serde_json::{Map, Value};

/// One row of recorded figures.
type DirectoryFigures = Map<String, Value>;

const COMPUTED: &str = "Recomputed from the checkpoint rows by slop-code's own rules. Audit compares it with result.json.";
const FROM_LINES: &str = "Computed from checkpoint_results.jsonl by slop-code's own rules. The checkpoints are not among the files, so these lines cannot be checked.";
const DECLARED: &str = "Declared in result.json. Neither checkpoint lines nor checkpoints are among the files, so nothing here can be checked.";

/// The sections of each run directory of `scope`.
pub(super) fn sections(scope: &PageScope<'_>) -> Vec<Section> {
    let of_entry = |(entry, _): &(&Entry, Vec<usize>)| {
        let (summary, lead) = match (&entry.figures.summary, entry.is_declared_only()) {
            (Some(summary), false) => (summary, COMPUTED),
            (Some(summary), true) => (summary, FROM_LINES),
            (None, _) => (entry.evaluation.declared_json.get("result")?, DECLARED),
        };
        let tables = vec![
            solved(entry, summary),
            rates(entry, summary),
            spreads(entry, summary),
            deltas(entry.id, &entry.evaluation),
        ];
        Some(Section {
            title: format!("Run directory {}", entry.evaluation.label),
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
    Cell::or_missing(found.map(Num), Cell::Number, "not in the summary")
}

fn solved(entry: &Entry, summary: &Value) -> Table {
    let mut table = Table::new(
        &format!("solved-{}", entry.id),
        "Solved",
        vec![
            Column::words("What"),
            Column::numbers("Number", ""),
            Column::numbers("Of", ""),
            Column::numbers("Share", "As slop-code computes it"),
        ],
    );
    let checkpoints = ["expected_checkpoints", "num_checkpoints"];
    for (words, count, percent, of) in [
        (
            "Checkpoints: every test passed",
            "checkpoints_solved",
            "pct_checkpoints_solved",
            checkpoints.as_slice(),
        ),
        (
            "Checkpoints: every non-regression test passed",
            "checkpoints_iso_solved",
            "pct_checkpoints_iso_solved",
            &checkpoints,
        ),
        (
            "Checkpoints: every Core test passed",
            "checkpoints_core_solved",
            "pct_checkpoints_core_solved",
            &checkpoints,
        ),
        (
            "Problems: every checkpoint solved",
            "problem_solved",
            "pct_problems_solved",
            &["num_problems"],
        ),
        (
            "Problems: some checkpoint solved",
            "problem_partial",
            "pct_problems_partial",
            &["num_problems"],
        ),
    ] {
        if summary.get(count).is_none() {
            continue;
        }
        table.row(vec![
            Cell::Text(words.to_owned()),
            number_cell(number(summary, count)),
            number_cell(of.iter().find_map(|key| number(summary, key))),
            Cell::or_missing(
                number(summary, percent).map(|percent| Num(percent / 100.0)),
                Cell::Rate,
                "not in the summary",
            ),
        ]);
    }
    table
}

fn rates(entry: &Entry, summary: &Value) -> Table {
    let mut table = Table::new(
        &format!("rates-{}", entry.id),
        "Mean pass rates",
        vec![
            Column::words("Tests"),
            Column::numbers("Over checkpoints", "Mean of the checkpoints' rates"),
            Column::numbers("Over problems", "Mean of the per-problem means"),
        ],
    );
    for kind in ["total", "core", "functionality", "regression", "error"] {
        let rate = |scope: &str| {
            let found = number(summary, &format!("pass_rates.{scope}.{kind}"));
            Cell::or_missing(found.map(Num), Cell::Rate, "not in the summary")
        };
        table.row(vec![Cell::Text(kind.to_owned()), rate("checkpoint"), rate("problem")]);
    }
    table
}

/// Every figure of the summary that has a mean, a deviation and ends.
fn spreads(entry: &Entry, summary: &Value) -> Table {
    let mut table = Table::new(
        &format!("directory-spread-{}", entry.id),
        "Spread",
        vec![
            Column::words("Figure"),
            Column::numbers("Mean", "Exact mean"),
            Column::numbers("Std", "Sample standard deviation, n − 1"),
            Column::numbers("Min", ""),
            Column::numbers("Max", ""),
            Column::numbers("Median", ""),
            Column::numbers("n", ""),
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
            Cell::or_missing(found.map(Num), cell, "not in the summary")
        }));
        cells.push(number_cell(count));
        table.row(cells);
    }
    if n_empty > 0 {
        let figures = counted(n_empty, "figure without a value is", "figures without a value are");
        table.footnote = Some(format!("{figures} left out: nothing was recorded."));
    }
    table
}

/// What a figure of the summary is called, and in which unit it is: `costs checkpoint` is "Cost per checkpoint".
fn spread_words(path: &str) -> (String, fn(Num) -> Cell) {
    let usd = |amount| Cell::Usd { amount, is_lower_bound: false };
    let (what, cell): (&str, fn(Num) -> Cell) = match path.split_once(' ') {
        Some(("costs", _)) => ("Cost", usd),
        Some(("time", _)) => ("Agent time", Cell::Secs),
        Some(("steps", _)) => ("Steps", Cell::Number),
        Some(("cc", of)) => return (format!("Complexity: {}", plain(of)), Cell::Number),
        Some(("ratios", of)) => return (format!("{} per line", quality(of)), Cell::Number),
        Some(("delta", of)) => return (format!("{}: change, %", quality(of)), Cell::Number),
        _ => return (quality(path), Cell::Number),
    };
    let of = path.split_once(' ').map(|(_, of)| of).unwrap_or_default();
    (format!("{what} per {of}"), cell)
}

/// A figure of the code's quality in words: what slop-code counts under a key of the summary.
fn quality(key: &str) -> String {
    let words = match key {
        "rubric" => "Rubric flags",
        "rubric_non_carryover" => "New rubric flags",
        "lint" => "Lint errors",
        "ast_grep" => "Pattern violations",
        "violation_pct" => "Violations",
        "complex" => "Complex functions",
        "comparisons" => "Comparisons",
        "verbosity" => "Verbosity",
        "erosion" => "Erosion",
        other => return plain(other),
    };
    words.to_owned()
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
        "From checkpoint to checkpoint",
        vec![
            Column::words("Problem"),
            Column::words("Step"),
            Column::numbers(
                "Pass rate, points",
                "Change of the share of all tests that pass, in points",
            ),
            Column::numbers(
                "Core, points",
                "Change of the share of Core tests that pass, in points",
            ),
            Column::numbers("Cost, $", "Change in dollars"),
            Column::numbers("Steps", "Change of the agent's steps"),
            Column::numbers("Time, s", "Change of the agent's seconds"),
            Column::numbers("Lines, %", "Change of the lines of code, in percent of those before"),
            Column::numbers("Lint, %", "Change of the lint errors, in percent of those before"),
            Column::numbers("Churn", "Lines added and removed over lines before, as recorded"),
        ],
    );
    table.footnote = Some(
        "Change in percent from 0 is 0 when nothing was added, otherwise infinite, as slop-code reports it."
            .to_owned(),
    );
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
            Cell::or_missing(found, Cell::Number, "not recorded for both")
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
                    "not recorded",
                ),
            ],
            link: None,
        });
    }
    table.cap(MAX_ROWS, "steps");
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
    Cell::or_missing(found, Cell::Number, "not recorded for both")
}
