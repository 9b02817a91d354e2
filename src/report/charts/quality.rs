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
    title: &'static str,
    label: &'static str,
    fields: &'static [&'static str],
) -> QualityFigure {
    QualityFigure { id, title, label, fields }
}

/// What is drawn, in reading order.
const FIGURES: [QualityFigure; 26] = [
    quality_of("source", "Source lines", "Lines", &["sloc", "loc"]),
    quality_of("lines", "All lines", "Lines", &["total_lines"]),
    quality_of("churn", "Churn", "Changed lines per line", &["delta.churn_ratio"]),
    quality_of("added", "Lines added", "Lines", &["lines_added"]),
    quality_of("removed", "Lines removed", "Lines", &["lines_removed"]),
    quality_of("functions", "Functions", "Functions", &["functions"]),
    quality_of("function-lines", "Mean lines per function", "Lines", &["mean_func_loc"]),
    quality_of("lint", "Lint errors", "Errors", &["lint_errors"]),
    quality_of("lint-rate", "Lint errors per line", "Errors per line", &["lint_per_loc"]),
    quality_of("patterns", "Pattern violations (ast-grep)", "Violations", &["ast_grep_violations"]),
    quality_of(
        "pattern-rate",
        "Pattern violations per line",
        "Violations per line",
        &["ast_grep_per_loc", "violation_pct"],
    ),
    quality_of("complex", "Functions with high complexity", "Functions", &["cc_high_count"]),
    quality_of("complexity", "Highest function complexity", "Cyclomatic complexity", &["cc_max"]),
    quality_of(
        "mean-complexity",
        "Mean function complexity",
        "Cyclomatic complexity",
        &["cc_mean"],
    ),
    quality_of(
        "concentration",
        "Concentration of complexity",
        "Share",
        &["cc_concentration", "cc_top20"],
    ),
    quality_of("mass", "Mass of complexity", "Mass", &["mass.cc", "mass.complexity"]),
    quality_of("nesting", "Deepest nesting", "Levels", &["max_nesting_depth"]),
    quality_of("clones", "Cloned lines", "Lines", &["clone_lines", "cloned_sloc_lines"]),
    quality_of("rubric", "Rubric flags", "Flags", &["rubric_total_flags"]),
    quality_of("rubric-rate", "Rubric flags per line", "Flags per line", &["rubric_per_loc"]),
    quality_of("verbosity", "Verbosity", "Verbosity", &["verbosity"]),
    quality_of("erosion", "Erosion", "Erosion", &["erosion"]),
    quality_of("cycles", "Cyclic dependency mass", "Mass", &["graph_cyclic_dependency_mass"]),
    quality_of("propagation", "Propagation cost", "Cost", &["graph_propagation_cost"]),
    quality_of("entropy", "Dependency entropy", "Entropy", &["graph_dependency_entropy"]),
    quality_of("steps", "Agent steps", "Steps", &["steps"]),
];

/// Changes from one checkpoint to the next that are drawn side by side, in percent of what was.
const CHANGES: [(&str, &[&str]); 6] = [
    ("Lines", &["loc"]),
    ("Lint errors", &["lint_errors"]),
    ("Pattern violations", &["ast_grep_violations"]),
    ("Rubric flags", &["rubric_total_flags"]),
    ("Complex functions", &["cc_high_count"]),
    ("Cost", &["cost"]),
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
        title: "Code quality and agent steps by checkpoint".to_owned(),
        lead: Some(
            "As recorded in the run directory's rows. The code is not among the files, so nothing here can be recomputed."
                .to_owned(),
        ),
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
            Column::words("Problem"),
            Column::words("Checkpoint"),
            Column::numbers(figure.title, &format!("{} of its row", figure.fields.join(" or "))),
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
    let (lines, part) = lines(rows, place_names(&names), "Checkpoint", axis, &mut links);
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
    let axis = Axis::new("Change", Unit::Percent, Range::Free);
    let title = "Change from one checkpoint to the next";
    let figure = repeat_strips("chart-quality-changes", title, axis, &repeats, Cell::Number)?;
    let lead = "Each mark is the change in percent from one checkpoint to the next; changes from 0 are left out. Line: mean. Band: its 95 % t interval.".to_owned();
    Some(ChartFigure { lead, ..figure })
}

fn lint_against_lines(entry: &Entry, problems: &[(&str, Vec<&Fields>)]) -> Option<ChartFigure> {
    const ID: &str = "chart-quality-lint-lines";
    const TITLE: &str = "Lint errors against lines";
    let mut links = MarkLinks::default();
    let mut table = Table::new(
        ID,
        TITLE,
        vec![
            Column::words("Checkpoint"),
            Column::numbers("Lines", ""),
            Column::numbers("Lint errors", ""),
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
        x: Axis::new("Lines", Unit::Number, Range::Zero),
        y: Axis::new("Lint errors", Unit::Number, Range::Zero),
        points,
        frontier: Vec::new(),
    });
    let lead = "Each mark is one checkpoint.".to_owned();
    (table.rows.len() > 1).then(|| ChartFigure::new(TITLE, lead, chart, links, table))
}
