//! Code quality of a run directory, from checkpoint to checkpoint, as its rows record it.
//!
//! Words of the rows by generation: `formats/slop-code.md` §5. `loc` was lines of source until
//! January 2026, and is all lines since.

use super::checkpoints::{PlaceRow, lines, number_cell, place_names, short};
use super::repeats::{Repeat, repeat_strips};
use super::{ChartFigure, MarkLinks};
use crate::chart::{Axis, Chart, Range, Scatter, ScatterPoint, Tone, Unit};
use crate::input::json::f64_from_value;
use crate::order::Order as _;
use crate::report::interval95::Interval95;
use crate::report::measure::MeasuredValue;
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Link, Num, Row, Section, Table, Target};
use crate::words::report::charts::{common, quality as words};
use crate::workspace::Entry;
use serde_json::{Map, Value};

type Fields = Map<String, Value>;

/// A figure of a row: its id, its name, what it counts, its fields (the first one that the row has).
struct QualityFigure {
    id: &'static str,
    title: &'static str,
    label: &'static str,
    fields: &'static [&'static str],
}

const fn quality_of(
    id: &'static str,
    [title, label]: [&'static str; 2],
    fields: &'static [&'static str],
) -> QualityFigure {
    QualityFigure { id, title, label, fields }
}

/// What is drawn, in reading order.
const FIGURES: [QualityFigure; 26] = [
    quality_of("source", words::SOURCE, &["sloc", "loc"]),
    quality_of("lines", words::ALL_LINES, &["total_lines"]),
    quality_of("churn", words::CHURN, &["delta.churn_ratio"]),
    quality_of("added", words::ADDED, &["lines_added"]),
    quality_of("removed", words::REMOVED, &["lines_removed"]),
    quality_of("functions", words::FUNCTIONS, &["functions"]),
    quality_of("function-lines", words::FUNCTION_LINES, &["mean_func_loc"]),
    quality_of("lint", words::LINT, &["lint_errors"]),
    quality_of("lint-rate", words::LINT_RATE, &["lint_per_loc"]),
    quality_of("patterns", words::PATTERNS, &["ast_grep_violations"]),
    quality_of("pattern-rate", words::PATTERN_RATE, &["ast_grep_per_loc", "violation_pct"]),
    quality_of("complex", words::COMPLEX, &["cc_high_count"]),
    quality_of("complexity", words::COMPLEXITY, &["cc_max"]),
    quality_of("mean-complexity", words::MEAN_COMPLEXITY, &["cc_mean"]),
    quality_of("concentration", words::CONCENTRATION, &["cc_concentration", "cc_top20"]),
    quality_of("mass", words::MASS, &["mass.cc", "mass.complexity"]),
    quality_of("nesting", words::NESTING, &["max_nesting_depth"]),
    quality_of("clones", words::CLONES, &["clone_lines", "cloned_sloc_lines"]),
    quality_of("rubric", words::RUBRIC, &["rubric_total_flags"]),
    quality_of("rubric-rate", words::RUBRIC_RATE, &["rubric_per_loc"]),
    quality_of("verbosity", words::VERBOSITY, &["verbosity"]),
    quality_of("erosion", words::EROSION, &["erosion"]),
    quality_of("cycles", words::CYCLES, &["graph_cyclic_dependency_mass"]),
    quality_of("propagation", words::PROPAGATION, &["graph_propagation_cost"]),
    quality_of("entropy", words::ENTROPY, &["graph_dependency_entropy"]),
    quality_of("steps", words::STEPS, &["steps"]),
];

/// Changes from one checkpoint to the next that are drawn side by side, in percent of what was.
const CHANGES: [(&str, &[&str]); 6] = [
    (words::LINES, &["loc"]),
    (words::LINT_ERRORS, &["lint_errors"]),
    (words::PATTERN_VIOLATIONS, &["ast_grep_violations"]),
    (words::RUBRIC_FLAGS, &["rubric_total_flags"]),
    (words::COMPLEX_FUNCTIONS, &["cc_high_count"]),
    (words::COST, &["cost"]),
];

fn number(row: &Fields, fields: &[&str]) -> Option<f64> {
    fields.iter().find_map(|field| row.get(*field).and_then(f64_from_value))
}

fn text<'a>(row: &'a Fields, key: &str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Rows of one problem, in order.
fn by_problem(rows: &[Fields]) -> Vec<(&str, Vec<&Fields>)> {
    let mut found: Vec<(&str, Vec<&Fields>)> = Vec::new();
    for row in rows {
        let problem = text(row, "problem");
        match found.iter_mut().find(|(known, _)| *known == problem) {
            Some((_, own)) => own.push(row),
            None => found.push((problem, vec![row])),
        }
    }
    for (_, own) in &mut found {
        let place = |row: &&Fields| number(row, &["idx"]).unwrap_or(f64::INFINITY);
        own.order_by(|left, right| place(left).total_cmp(&place(right)));
    }
    found
}

/// The run that a row is about.
fn link_of(entry: &Entry, row: &Fields) -> Option<Link> {
    let idx = entry.evaluation.runs.iter().position(|run| {
        run.key.suite.as_deref() == Some(text(row, "problem"))
            && run.key.variant.as_deref() == Some(text(row, "checkpoint"))
    })?;
    Some(Link::Target(Target::Run(entry.run_ref(idx)?)))
}

/// Code quality of the only run directory of `scope`; `None` without one that records any.
pub(in crate::report) fn quality(scope: &PageScope<'_>) -> Option<Section> {
    let mut directories = scope.parts.iter().filter(|(entry, _)| !entry.evaluation.rows.is_empty());
    let ((entry, _), None) = (directories.next()?, directories.next()) else { return None };
    if scope.is_run {
        return None;
    }
    let problems = by_problem(&entry.evaluation.rows);
    let mut figures: Vec<ChartFigure> =
        FIGURES.iter().filter_map(|figure| trend(entry, &problems, figure)).collect();
    figures.extend(changes(entry, &problems));
    figures.extend(lint_against_lines(entry, &problems));
    (!figures.is_empty()).then(|| Section {
        title: words::SECTION.to_owned(),
        lead: Some(words::SECTION_LEAD.to_owned()),
        figures,
        ..Section::default()
    })
}

fn trend(
    entry: &Entry,
    problems: &[(&str, Vec<&Fields>)],
    figure: &QualityFigure,
) -> Option<ChartFigure> {
    let id = format!("chart-quality-{}", figure.id);
    let mut table = Table::new(
        &id,
        figure.title,
        vec![
            Column::words(common::PROBLEM),
            Column::words(common::CHECKPOINT),
            Column::numbers(figure.title, &words::of_row(figure.fields)),
        ],
    );
    let mut rows = Vec::new();
    let mut names = Vec::new();
    let mut all = Vec::new();
    for (problem, own) in problems {
        let mut values = Vec::new();
        for row in own {
            let name = text(row, "checkpoint").to_owned();
            let value = number(row, figure.fields);
            let link = link_of(entry, row);
            table.rows.push(Row {
                cells: vec![
                    Cell::Text((*problem).to_owned()),
                    Cell::Text(name.clone()),
                    number_cell(value),
                ],
                link: link.clone(),
            });
            all.extend(value.filter(|value| value.is_finite()));
            let interval = Interval95::Undefined;
            let found = value.map(|value| MeasuredValue { value, interval, note: String::new() });
            values.push((name, found, link));
        }
        names.push(values.iter().map(|(name, ..)| name.clone()).collect());
        rows.push(PlaceRow { name: (*problem).to_owned(), values });
    }
    if all.is_empty() {
        return None;
    }
    let mut links = MarkLinks::default();
    let axis = Axis::new(figure.label, Unit::Number, Range::Zero);
    let (lines, part) = lines(rows, place_names(&names), common::CHECKPOINT, axis, &mut links);
    let lead = part.trim_start().to_owned();
    Some(ChartFigure::new(figure.title, lead, Chart::Lines(lines), links, table).small())
}

/// Every step from a checkpoint to the next, in percent of what was before.
fn changes(entry: &Entry, problems: &[(&str, Vec<&Fields>)]) -> Option<ChartFigure> {
    let mut repeats: Vec<Repeat> = Vec::new();
    for (name, fields) in CHANGES {
        let mut values = Vec::new();
        for (problem, own) in problems {
            for (was, is) in own.iter().zip(own.iter().skip(1)) {
                let pair = number(was, fields).zip(number(is, fields));
                // Of nothing there is no share: such steps are left out.
                let Some((was, now)) = pair.filter(|(was, _)| *was > 0.0) else { continue };
                let step = format!("{problem} › {}", short(text(is, "checkpoint")));
                values.push((step, (now - was) / was * 100.0, link_of(entry, is)));
            }
        }
        values.retain(|(_, value, _)| value.is_finite());
        repeats.push(Repeat { name: name.to_owned(), values, is_unit: false });
    }
    let axis = Axis::new(words::CHANGE, Unit::Percent, Range::Free);
    let figure =
        repeat_strips("chart-quality-changes", words::CHANGES, axis, &repeats, Cell::Number)?;
    let lead = words::CHANGES_LEAD.to_owned();
    Some(ChartFigure { lead, ..figure })
}

fn lint_against_lines(entry: &Entry, problems: &[(&str, Vec<&Fields>)]) -> Option<ChartFigure> {
    const ID: &str = "chart-quality-lint-lines";
    let mut links = MarkLinks::default();
    let mut table = Table::new(
        ID,
        words::LINT_AGAINST_LINES,
        vec![
            Column::words(common::CHECKPOINT),
            Column::numbers(words::LINES, ""),
            Column::numbers(words::LINT_ERRORS, ""),
        ],
    );
    let mut points = Vec::new();
    for row in problems.iter().flat_map(|(_, own)| own) {
        let pair = number(row, &["total_lines", "loc"]).zip(number(row, &["lint_errors"]));
        let Some((x, y)) = pair.filter(|(x, y)| x.is_finite() && y.is_finite()) else { continue };
        let name = format!("{} › {}", text(row, "problem"), short(text(row, "checkpoint")));
        let link = link_of(entry, row);
        table.rows.push(Row {
            cells: vec![Cell::Text(name.clone()), Cell::Number(Num(x)), Cell::Number(Num(y))],
            link: link.clone(),
        });
        points.push(ScatterPoint { name, x, y, tone: Tone::Plain, link: links.add(link) });
    }
    let chart = Chart::Scatter(Scatter {
        x: Axis::new(words::LINES, Unit::Number, Range::Zero),
        y: Axis::new(words::LINT_ERRORS, Unit::Number, Range::Zero),
        points,
        frontier: Vec::new(),
    });
    let lead = words::LINT_AGAINST_LINES_LEAD.to_owned();
    (table.rows.len() > 1)
        .then(|| ChartFigure::new(words::LINT_AGAINST_LINES, lead, chart, links, table))
}
