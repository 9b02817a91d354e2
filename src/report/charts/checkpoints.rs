//! Run directories: checkpoints in order, problem by problem.

use super::{ChartFigure, MarkLinks};
use crate::chart::{
    Axis, Chart, HeatMap, HeatMapCell, HeatMapRow, LineAxis, LineChart, LinePoint, Range, Series,
    Tone, Unit,
};
use crate::report::cells::{passed_cell, passed_interval_cell, verdict_cell};
use crate::report::measure::{MeasuredValue, pass_rate};
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Link, Num, Outcome, Row, Table, Target};
use crate::stats;
use crate::words::report::charts::{checkpoints as words, common};
use crate::workspace::Entry;

/// Lines that are told apart; of more, all lie behind their median.
const MAX_NAMED: usize = 8;
/// Lines that are drawn.
const MAX_LINES: usize = 60;
/// Run directories that get a map each.
const MAX_MAPS: usize = 6;
/// Rows and columns of a heat map.
const MAX_ROWS: usize = 60;
const MAX_COLUMNS: usize = 40;

/// A problem with its checkpoints in order.
pub(super) struct ProblemCheckpoints<'a> {
    pub name: String,
    pub entry: &'a Entry,
    pub runs: Vec<usize>,
}

/// The problems of every run directory of `scope`.
pub(super) fn problems<'a>(scope: &PageScope<'a>) -> Vec<ProblemCheckpoints<'a>> {
    let parts: Vec<_> =
        scope.parts.iter().filter(|(entry, _)| entry.evaluation.config.has_policies).collect();
    let mut found: Vec<ProblemCheckpoints<'a>> = Vec::new();
    for (entry, idxs) in &parts {
        let entry: &'a Entry = entry;
        let first = found.len();
        for &idx in idxs {
            let Some(run) = entry.evaluation.runs.get(idx) else { continue };
            let suite = run.key.suite.as_deref().unwrap_or(common::UNNAMED_PROBLEM);
            let name = match parts.len() {
                1 => suite.to_owned(),
                _ => format!("{} › {suite}", entry.evaluation.label),
            };
            match found.iter_mut().skip(first).find(|problem| problem.name == name) {
                Some(problem) => problem.runs.push(idx),
                None => found.push(ProblemCheckpoints { name, entry, runs: vec![idx] }),
            }
        }
    }
    found
}

/// What names of checkpoints usually begin with.
const PREFIX: &str = "checkpoint_";

/// The name of a checkpoint without that.
pub(in crate::report) fn short(name: &str) -> &str {
    name.strip_prefix(PREFIX).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// Names of the checkpoints by their place, without what all of them begin with.
pub(super) fn place_names(names: &[Vec<String>]) -> Vec<String> {
    let n_places = names.iter().map(Vec::len).max().unwrap_or(0);
    let is_usual = names.iter().flatten().all(|name| name.starts_with(PREFIX));
    (0..n_places)
        .map(|at| {
            let mut here = names.iter().filter_map(|names| names.get(at));
            let first = here.next().cloned().unwrap_or_default();
            let name = if here.all(|name| *name == first) { first } else { (at + 1).to_string() };
            if is_usual { short(&name).to_owned() } else { name }
        })
        .collect()
}

impl ProblemCheckpoints<'_> {
    fn names(&self) -> Vec<String> {
        let runs = self.runs.iter().filter_map(|&idx| self.entry.evaluation.runs.get(idx));
        runs.map(|run| run.key.variant.clone().unwrap_or_else(|| run.label.clone())).collect()
    }
}

/// A line: its name, and its values by place, each with its own name and what it opens.
pub(super) struct PlaceRow {
    pub name: String,
    pub values: Vec<(String, Option<MeasuredValue>, Option<Link>)>,
}

/// Lines over places in order. Of more than [`MAX_NAMED`], all lie behind their median.
pub(super) fn lines(
    rows: Vec<PlaceRow>,
    places: Vec<String>,
    label: &str,
    axis: Axis,
    links: &mut MarkLinks,
) -> (LineChart, String) {
    let is_many = rows.len() > MAX_NAMED;
    let n_rows = rows.len();
    let mut series = Vec::new();
    let mut by_place: Vec<Vec<f64>> = vec![Vec::new(); places.len()];
    for (row, number) in rows.into_iter().zip(0_u8..=u8::MAX) {
        let mut points = Vec::new();
        for ((at, (name, found, link)), x) in row.values.into_iter().enumerate().zip(0_u32..) {
            let Some(found) = found.filter(|found| found.value.is_finite()) else { continue };
            if let Some(values) = by_place.get_mut(at) {
                values.push(found.value);
            }
            points.push(LinePoint {
                name: format!("{} › {name}", row.name),
                x: f64::from(x),
                y: found.value,
                interval: found.interval.drawn(),
                note: found.note,
                link: links.add(link),
            });
        }
        let tone = if is_many { Tone::Faint } else { Tone::Series(number) };
        if series.len() < MAX_LINES {
            series.push(Series { name: row.name, tone, points, is_joined: true });
        }
    }
    if !is_many {
        return (LineChart { across: across(label, places), axis, series }, String::new());
    }
    let middle = by_place.iter().zip(&places).zip(0_u32..).filter_map(|((values, place), at)| {
        Some(LinePoint {
            name: words::median_at(place),
            x: f64::from(at),
            y: stats::median(values)?,
            interval: None,
            note: words::median_of(values.len()),
            link: None,
        })
    });
    let points = middle.collect();
    let tone = Tone::Series(0);
    series.push(Series { name: common::MEDIAN.to_owned(), tone, points, is_joined: true });
    let part = if n_rows > MAX_LINES {
        words::median_line_of(MAX_LINES, n_rows)
    } else {
        words::MEDIAN_LINE.to_owned()
    };
    (LineChart { across: across(label, places), axis, series }, part)
}

fn across(label: &str, names: Vec<String>) -> LineAxis {
    LineAxis::Names { label: label.to_owned(), names }
}

/// Share of cases that pass, from checkpoint to checkpoint.
pub(in crate::report) fn pass_rates(scope: &PageScope<'_>) -> Option<ChartFigure> {
    const ID: &str = "chart-checkpoints";
    let problems = problems(scope);
    if scope.is_run || problems.iter().all(|problem| problem.runs.len() < 2) {
        return None;
    }
    let names: Vec<Vec<String>> = problems.iter().map(ProblemCheckpoints::names).collect();
    let mut table = Table::new(
        ID,
        words::PASS_RATES,
        vec![
            Column::words(common::PROBLEM),
            Column::words(common::CHECKPOINT),
            Column::numbers(words::PASSED, words::PASSED_HINT),
            Column::numbers(common::INTERVAL, words::INTERVAL_HINT),
        ],
    );
    let mut rows = Vec::new();
    for (problem, names) in problems.iter().zip(&names) {
        let mut values = Vec::new();
        for (&idx, name) in problem.runs.iter().zip(names) {
            let figures = problem.entry.figures.runs.get(idx);
            let link = problem.entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)));
            let counts = figures.map(|run| run.totals.counts.clone()).unwrap_or_default();
            table.rows.push(Row {
                cells: vec![
                    Cell::Text(problem.name.clone()),
                    Cell::Text(name.clone()),
                    passed_cell([&counts]),
                    passed_interval_cell(&counts),
                ],
                link: link.clone(),
            });
            values.push((name.clone(), figures.and_then(pass_rate), link));
        }
        rows.push(PlaceRow { name: problem.name.clone(), values });
    }
    let mut links = MarkLinks::default();
    let axis = Axis::new(common::PASS_RATE, Unit::Rate, Range::Whole);
    let n_problems = rows.len() as u64;
    let (lines, part) = lines(rows, place_names(&names), common::CHECKPOINT, axis, &mut links);
    let lead = words::pass_rates_lead(n_problems, &part);
    Some(ChartFigure::new(words::PASS_RATES, lead, Chart::Lines(lines), links, table))
}

/// Problems against checkpoints, one map for each run directory; none of more than [`MAX_MAPS`],
/// which [`problems_by_evaluation`] shows together.
pub(in crate::report) fn heat_maps(scope: &PageScope<'_>) -> Vec<ChartFigure> {
    let is_directory = |(entry, _): &&(&Entry, Vec<usize>)| entry.evaluation.config.has_policies;
    if scope.parts.iter().filter(is_directory).count() > MAX_MAPS {
        return Vec::new();
    }
    let of_part = |(entry, idxs): &(&Entry, Vec<usize>)| {
        let own =
            PageScope { workspace: scope.workspace, parts: vec![(*entry, idxs.clone())], ..*scope };
        heat_map(&own, entry)
    };
    scope.parts.iter().filter_map(of_part).collect()
}

fn heat_map(scope: &PageScope<'_>, entry: &Entry) -> Option<ChartFigure> {
    let problems = problems(scope);
    if scope.is_run || problems.is_empty() {
        return None;
    }
    let id = format!("chart-map-{}", entry.id);
    let title = words::map(&entry.evaluation.label);
    let names: Vec<Vec<String>> = problems.iter().map(ProblemCheckpoints::names).collect();
    let mut columns = place_names(&names);
    let mut links = MarkLinks::default();
    let mut table = Table::new(
        &id,
        &title,
        vec![
            Column::words(common::PROBLEM),
            Column::words(common::CHECKPOINT),
            Column::numbers(words::PASSED, words::PASSED_HINT),
            Column::words(common::VERDICT),
        ],
    );
    let mut rows = Vec::new();
    for (problem, names) in problems.iter().zip(&names) {
        let mut cells = Vec::new();
        for (&idx, name) in problem.runs.iter().zip(names) {
            let Some(figures) = entry.figures.runs.get(idx) else { continue };
            let counts = &figures.totals.counts;
            let outcome = figures.verdict.as_ref().map(|verdict| verdict.outcome);
            let link = entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)));
            table.rows.push(Row {
                cells: vec![
                    Cell::Text(problem.name.clone()),
                    Cell::Text(name.clone()),
                    passed_cell([counts]),
                    verdict_cell(outcome, crate::report::run_proviso(entry, idx).as_deref()),
                ],
                link: link.clone(),
            });
            let found = pass_rate(figures);
            let is_drawn = cells.len() < MAX_COLUMNS && rows.len() < MAX_ROWS;
            cells.push(Some(HeatMapCell {
                value: found.as_ref().map(|found| found.value),
                note: found.map(|found| found.note).unwrap_or_default(),
                is_ticked: outcome == Some(Outcome::Passed),
                link: links.add(link.filter(|_| is_drawn)),
            }));
        }
        cells.resize(columns.len(), None);
        cells.truncate(MAX_COLUMNS);
        rows.push(HeatMapRow { name: problem.name.clone(), cells });
    }
    let (n_rows, n_columns) = (rows.len(), columns.len());
    rows.truncate(MAX_ROWS);
    columns.truncate(MAX_COLUMNS);
    let part = if n_rows > MAX_ROWS || n_columns > MAX_COLUMNS {
        words::more_than_drawn(n_rows, n_columns)
    } else {
        String::new()
    };
    let rule = scope.workspace.settings.policy.as_str();
    let lead = words::map_lead(&part);
    let chart = Chart::HeatMap(HeatMap {
        label: common::CHECKPOINT.to_owned(),
        columns,
        rows,
        axis: Axis::new(common::PASS_RATE, Unit::Rate, Range::Whole),
        tick: Some(match &scope.workspace.settings.gate {
            Some(_) => words::PASSES_BY_GATE.to_owned(),
            None => words::passes_by(rule),
        }),
    });
    Some(ChartFigure::new(&title, lead, chart, links, table))
}

/// Run directories against problems: the share of checkpoints that pass. `None` of fewer than two.
pub(in crate::report) fn problems_by_evaluation(scope: &PageScope<'_>) -> Option<ChartFigure> {
    const ID: &str = "chart-directories";
    let is_directory = |(entry, _): &&(&Entry, Vec<usize>)| entry.evaluation.config.has_policies;
    let parts: Vec<&(&Entry, Vec<usize>)> = scope.parts.iter().filter(is_directory).collect();
    if parts.len() < 2 {
        return None;
    }
    let mut columns: Vec<String> = Vec::new();
    for (entry, idxs) in &parts {
        for run in idxs.iter().filter_map(|&idx| entry.evaluation.runs.get(idx)) {
            let suite = run.key.suite.as_deref().unwrap_or(common::UNNAMED_PROBLEM);
            if !columns.iter().any(|known| known == suite) {
                columns.push(suite.to_owned());
            }
        }
    }
    let mut table = Table::new(
        ID,
        words::DIRECTORIES,
        vec![
            Column::words(words::DIRECTORY),
            Column::words(common::PROBLEM),
            Column::numbers(words::PASSING, words::PASSING_HINT),
        ],
    );
    let mut links = MarkLinks::default();
    let mut rows = Vec::new();
    for (entry, idxs) in parts.iter().take(MAX_ROWS) {
        let link = Link::Target(Target::Evaluation(entry.id));
        let cells = columns.iter().take(MAX_COLUMNS).map(|column| {
            let is_own = |idx: &&usize| {
                let run = entry.evaluation.runs.get(**idx);
                run.is_some_and(|run| {
                    run.key.suite.as_deref().unwrap_or(common::UNNAMED_PROBLEM) == column
                })
            };
            let own: Vec<usize> = idxs.iter().filter(is_own).copied().collect();
            let is_passed = |idx: &&usize| {
                let verdict = entry.figures.runs.get(**idx).and_then(|run| run.verdict.as_ref());
                verdict.is_some_and(|verdict| verdict.outcome == Outcome::Passed)
            };
            let (passed, all) = (own.iter().filter(is_passed).count(), own.len());
            if all == 0 {
                return None;
            }
            table.rows.push(Row {
                cells: vec![
                    Cell::Text(entry.evaluation.label.clone()),
                    Cell::Text(column.clone()),
                    Cell::Share { part: passed as u64, whole: all as u64 },
                ],
                link: Some(link.clone()),
            });
            #[expect(clippy::cast_precision_loss, reason = "few checkpoints")]
            let value = Some(passed as f64 / all as f64);
            let note = words::passing_of(passed, all);
            Some(HeatMapCell {
                value,
                note,
                is_ticked: passed == all,
                link: links.add(Some(link.clone())),
            })
        });
        let cells = cells.collect();
        rows.push(HeatMapRow { name: entry.evaluation.label.clone(), cells });
    }
    let part = if parts.len() > MAX_ROWS || columns.len() > MAX_COLUMNS {
        words::TABLE_HAS_ALL
    } else {
        ""
    };
    let lead = words::directories_lead(parts.len() as u64, columns.len() as u64, part);
    columns.truncate(MAX_COLUMNS);
    let chart = Chart::HeatMap(HeatMap {
        label: common::PROBLEM.to_owned(),
        columns,
        rows,
        axis: Axis::new(words::PASSING, Unit::Rate, Range::Whole),
        tick: Some(words::ALL_PASS.to_owned()),
    });
    Some(ChartFigure::new(words::DIRECTORIES, lead, chart, links, table))
}

/// A number in a table.
pub(super) fn number_cell(value: Option<f64>) -> Cell {
    Cell::or_missing(value.map(Num), Cell::Number, common::NOT_RECORDED)
}
