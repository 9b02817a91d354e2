//! A measure of runs over time, over checkpoints, over repeats: small drawings, one for each suite.

use super::checkpoints::{PlaceRow, lines, place_names, problems};
use super::declared::{declared_problems, declared_repeats, declared_times, places_of};
use super::durations::seconds_of;
use super::{ChartFigure, MarkLinks, left_out};
use crate::chart::{Axis, Chart, LineAxis, LineChart, LinePoint, Range, Series, Tone};
use crate::format;
use crate::model::Run;
use crate::order::Order as _;
use crate::report::declared::measured;
use crate::report::interval95::Interval95;
use crate::report::measure::MeasuredValue;
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Link, Measure, Row, Table, Target};
use crate::words::report::charts::{common, series as words};
use crate::workspace::Entry;
use crate::workspace::{distinct_parts, folder, run_title};
use std::collections::BTreeMap;

/// Suites that are drawn.
const MAX_SUITES: usize = 24;
/// Points of one drawing.
const MAX_POINTS: usize = 400;

/// What runs are about: problem or suite, and which part of it.
fn suite_of(entry: &Entry, run: &Run) -> String {
    let suite = run.key.suite.as_ref().or(entry.evaluation.suite.as_ref());
    let suite = suite.cloned().unwrap_or_else(|| entry.evaluation.producer.to_string());
    match &run.key.variant {
        Some(variant) => format!("{suite} › {variant}"),
        None => suite,
    }
}

/// A run that has a time and the measure.
pub(super) struct Timed {
    pub at: f64,
    pub name: String,
    pub subject: String,
    pub moment: String,
    pub found: MeasuredValue,
    pub link: Option<Link>,
}

/// The measure over time, one figure for each suite with two runs or more. `Err`: why there is none.
pub(in crate::report) fn over_time(
    scope: &PageScope<'_>,
    measure: Measure,
) -> Result<Vec<ChartFigure>, String> {
    let mut suites: Vec<(String, Vec<Timed>)> = Vec::new();
    let folders = folders_without_subject(scope);
    let no_subject = |entry: &Entry| {
        let own = folders.get(folder(&entry.evaluation.path));
        own.cloned().unwrap_or_else(|| common::NO_MODEL.to_owned())
    };
    let (mut n_runs, mut n_timed, mut n_measured) = (0, 0, 0);
    for (entry, idxs) in &scope.parts {
        for &idx in idxs {
            let Some(run) = entry.evaluation.runs.get(idx) else { continue };
            n_runs += 1;
            let Some(at) = run.started_at.as_deref().and_then(seconds_of) else { continue };
            n_timed += 1;
            let Some(found) = measure.of_run(entry, idx) else { continue };
            if !found.value.is_finite() {
                continue;
            }
            n_measured += 1;
            let suite = suite_of(entry, run);
            let timed = Timed {
                at,
                name: run_title(entry, run),
                subject: run.key.subject.clone().unwrap_or_else(|| no_subject(entry)),
                moment: format::moment(run.started_at.as_deref().unwrap_or_default()),
                found,
                link: entry.run_ref(idx).map(|run| Link::Target(Target::Run(run))),
            };
            match suites.iter_mut().find(|(name, _)| *name == suite) {
                Some((_, own)) => own.push(timed),
                None => suites.push((suite, vec![timed])),
            }
        }
    }
    let mut n_declared = 0;
    for (suite, timed) in declared_times(scope, measure) {
        n_declared += 1;
        match suites.iter_mut().find(|(name, _)| *name == suite) {
            Some((_, own)) => own.push(timed),
            None => suites.push((suite, vec![timed])),
        }
    }
    if n_timed + n_declared == 0 {
        return Err(words::NO_START_TIMES.to_owned());
    }
    suites.retain(|(_, own)| own.len() > 1);
    if suites.is_empty() {
        return Err(words::no_trend(n_runs, n_timed, n_measured));
    }
    suites.order_by_key(|(_, own)| std::cmp::Reverse(own.len()));
    suites.truncate(MAX_SUITES);
    let axes = suite_axes(&suites, measure);
    let figures = suites.into_iter().zip(axes).enumerate();
    Ok(figures
        .map(|(at, ((suite, own), axis))| timed_figure(at, &suite, own, measure, axis))
        .collect())
}

/// The axis of each suite: scores that are shares lie between 0 and 1, whatever those of others are; all others share their
/// ends.
fn suite_axes(suites: &[(String, Vec<Timed>)], measure: Measure) -> Vec<Axis> {
    let axis_of = |own: &[Timed]| {
        let values: Vec<f64> = own.iter().map(|timed| timed.found.value).collect();
        (measure.axis(&values), values)
    };
    let own: Vec<(Axis, Vec<f64>)> = suites.iter().map(|(_, own)| axis_of(own)).collect();
    let is_whole = |axis: &Axis| matches!(axis.range, Range::Whole);
    let others = own.iter().filter(|(axis, _)| !is_whole(axis));
    let others: Vec<f64> = others.flat_map(|(_, values)| values).copied().collect();
    let common = shared(measure.axis(&others), &others);
    own.into_iter().map(|(axis, _)| if is_whole(&axis) { axis } else { common.clone() }).collect()
}

/// What tells the folders apart in which evaluations lie whose runs name no model; nothing where
/// that is one folder. People keep the reports of each model in a folder of its own.
fn folders_without_subject(scope: &PageScope<'_>) -> BTreeMap<String, String> {
    let is_nameless = |entry: &&Entry| {
        let runs = &entry.evaluation.runs;
        !runs.is_empty() && runs.iter().all(|run| run.key.subject.is_none())
    };
    let entries = scope.parts.iter().map(|(entry, _)| *entry).filter(is_nameless);
    let mut folders: Vec<&str> = entries.map(|entry| folder(&entry.evaluation.path)).collect();
    folders.order_by(Ord::cmp);
    folders.dedup();
    if folders.len() < 2 {
        return BTreeMap::new();
    }
    let parts = distinct_parts(&folders);
    folders.into_iter().map(str::to_owned).zip(parts).collect()
}

/// The same ends for drawings side by side, where the measure has none of its own.
fn shared(axis: Axis, values: &[f64]) -> Axis {
    let low = values.iter().copied().min_by(f64::total_cmp);
    let high = values.iter().copied().max_by(f64::total_cmp);
    match (axis.range, low, high) {
        (Range::Whole, ..) => axis,
        (Range::Zero, Some(low), Some(high)) => {
            Axis { range: Range::Within { low: low.min(0.0), high: high.max(0.0) }, ..axis }
        }
        (_, Some(low), Some(high)) => Axis { range: Range::Within { low, high }, ..axis },
        _ => axis,
    }
}

fn timed_figure(
    at: usize,
    suite: &str,
    mut own: Vec<Timed>,
    measure: Measure,
    axis: Axis,
) -> ChartFigure {
    own.order_by(|left, right| left.at.total_cmp(&right.at));
    let mut table = Table::new(
        &format!("chart-time-{at}"),
        &words::over_time(measure.title(), suite),
        vec![
            Column::words(common::RUN),
            Column::words(common::BEGAN),
            Column::words(common::MODEL),
            Column::numbers(measure.title(), ""),
            Column::numbers(common::INTERVAL, ""),
        ],
    );
    let n_own = own.len();
    let mut links = MarkLinks::default();
    let mut series: Vec<Series> = Vec::new();
    for timed in own {
        table.rows.push(Row {
            cells: vec![
                Cell::Text(timed.name.clone()),
                Cell::Text(timed.moment.clone()),
                Cell::Text(timed.subject.clone()),
                measure.cell(timed.found.value),
                timed.found.interval.cell(),
            ],
            link: timed.link.clone(),
        });
        if table.rows.len() > MAX_POINTS {
            continue;
        }
        let point = LinePoint {
            name: timed.name,
            x: timed.at,
            y: timed.found.value,
            interval: timed.found.interval.drawn(),
            note: format!("{} · {}", timed.moment, timed.found.note),
            link: links.add(timed.link),
        };
        match series.iter_mut().find(|series| series.name == timed.subject) {
            Some(series) => series.points.push(point),
            None => {
                // Beyond the looks there are, series lie behind the others.
                let number = u8::try_from(series.len()).ok();
                let number = number.filter(|number| *number < Tone::N_SERIES);
                let tone = number.map_or(Tone::Faint, Tone::Series);
                series.push(Series {
                    name: timed.subject,
                    tone,
                    points: vec![point],
                    is_joined: true,
                });
            }
        }
    }
    let more = left_out(n_own.saturating_sub(MAX_POINTS) as u64, words::TOO_MANY);
    let lead = words::over_time_lead(n_own as u64, &more);
    let title = table.caption.clone();
    let across = LineAxis::Time { label: words::BEGAN_UTC.to_owned() };
    let chart = Chart::Lines(LineChart { across, axis, series });
    ChartFigure::new(&title, lead, chart, links, table).small()
}

/// The interval of a value that may not be known.
fn interval_cell(found: Option<&MeasuredValue>) -> Cell {
    found.map_or(Interval95::Undefined, |found| found.interval).cell()
}

/// The measure from checkpoint to checkpoint, over all run directories together; `None` where no
/// problem has two checkpoints with it.
pub(in crate::report) fn over_checkpoints(
    scope: &PageScope<'_>,
    measure: Measure,
) -> Option<ChartFigure> {
    let id = "chart-checkpoint-trend";
    let title = words::over_checkpoints(measure.title());
    let mut table = Table::new(
        id,
        &title,
        vec![
            Column::words(common::PROBLEM),
            Column::words(common::CHECKPOINT),
            Column::numbers(measure.title(), ""),
            Column::numbers(common::INTERVAL, ""),
        ],
    );
    let mut rows = Vec::new();
    let mut all = Vec::new();
    let mut names = Vec::new();
    for problem in problems(scope) {
        let mut values = Vec::new();
        for &idx in &problem.runs {
            let Some(run) = problem.entry.evaluation.runs.get(idx) else { continue };
            let name = run.key.variant.clone().unwrap_or_else(|| run.label.clone());
            let link = problem.entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)));
            let found = measure.of_run(problem.entry, idx);
            let value = found.as_ref().map(|found| found.value).filter(|value| value.is_finite());
            all.extend(value);
            table.rows.push(Row {
                cells: vec![
                    Cell::Text(problem.name.clone()),
                    Cell::Text(name.clone()),
                    value.map_or_else(
                        || Cell::Missing(common::NOT_RECORDED.to_owned()),
                        |value| measure.cell(value),
                    ),
                    interval_cell(found.as_ref()),
                ],
                link: link.clone(),
            });
            values.push((name, found, link));
        }
        names.push(values.iter().map(|(name, ..)| name.clone()).collect());
        rows.push(PlaceRow { name: problem.name, values });
    }
    for row in declared_problems(scope, measure) {
        for (name, found, link) in &row.values {
            let Some(found) = found else { continue };
            all.push(found.value);
            table.rows.push(Row {
                cells: vec![
                    Cell::Text(row.name.clone()),
                    Cell::Text(name.clone()),
                    measure.cell(found.value).declared(),
                    found.interval.cell(),
                ],
                link: link.clone(),
            });
        }
        names.push(row.values.iter().map(|(name, ..)| name.clone()).collect());
        rows.push(row);
    }
    let is_trend =
        |row: &PlaceRow| row.values.iter().filter(|(_, found, _)| found.is_some()).count() > 1;
    if !rows.iter().any(is_trend) {
        return None;
    }
    let mut links = MarkLinks::default();
    let axis = measure.axis(&all);
    let (lines, part) = lines(rows, place_names(&names), common::CHECKPOINT, axis, &mut links);
    let lead = format!("{}{part}", measure.definition());
    Some(ChartFigure::new(&title, lead, Chart::Lines(lines), links, table))
}

/// The measure from repeat to repeat, one figure for each evaluation that has several.
pub(in crate::report) fn over_repeats(scope: &PageScope<'_>, measure: Measure) -> Vec<ChartFigure> {
    let mut figures = Vec::new();
    for (entry, idxs) in &scope.parts {
        if entry.evaluation.config.has_policies || places_of(scope, entry).len() < 2 {
            continue;
        }
        figures.extend(repeat_figure(scope, entry, idxs, measure));
    }
    figures.truncate(MAX_SUITES);
    figures
}

fn repeat_figure(
    scope: &PageScope<'_>,
    entry: &Entry,
    idxs: &[usize],
    measure: Measure,
) -> Option<ChartFigure> {
    let title = words::over_repeats(measure.title(), &entry.evaluation.label);
    let id = format!("chart-repeats-{}", entry.id);
    let mut table = Table::new(
        &id,
        &title,
        vec![
            Column::words(common::MODEL),
            Column::numbers(words::REPEAT, ""),
            Column::numbers(measure.title(), ""),
            Column::numbers(common::INTERVAL, ""),
        ],
    );
    let repeats = places_of(scope, entry);
    let places: Vec<String> = repeats.iter().map(u32::to_string).collect();
    let mut rows: Vec<PlaceRow> = Vec::new();
    let mut all = Vec::new();
    let of_runs = idxs.iter().filter_map(|&idx| {
        let run = entry.evaluation.runs.get(idx)?;
        let found = measure.of_run(entry, idx).filter(|found| found.value.is_finite())?;
        let subject = run.key.subject.clone().unwrap_or_else(|| common::NO_MODEL.to_owned());
        let link = entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)));
        Some((subject, run.key.repeat, found, link, false))
    });
    let sheet = entry.declared();
    let of_files = declared_repeats(scope, &sheet).into_iter().filter_map(|part| {
        let subject = common::declared(part.subject.as_deref().unwrap_or(common::NO_MODEL));
        let link = Some(Link::Target(Target::Evaluation(entry.id)));
        Some((subject, part.repeat?, measured(part, measure)?, link, true))
    });
    for (subject, repeat, found, link, is_declared) in of_runs.chain(of_files) {
        let Some(place) = repeats.iter().position(|known| *known == repeat) else { continue };
        all.push(found.value);
        let value = measure.cell(found.value);
        table.rows.push(Row {
            cells: vec![
                Cell::Text(subject.clone()),
                Cell::Count(u64::from(repeat)),
                if is_declared { value.declared() } else { value },
                found.interval.cell(),
            ],
            link: link.clone(),
        });
        let blank = || {
            let name = |place: &String| (words::repeat(place), None, None);
            places.iter().map(name).collect()
        };
        let at = rows.iter().position(|row| row.name == subject).unwrap_or_else(|| {
            rows.push(PlaceRow { name: subject, values: blank() });
            rows.len() - 1
        });
        let value = rows.get_mut(at).and_then(|row| row.values.get_mut(place));
        if let Some(value) = value {
            (value.1, value.2) = (Some(found), link);
        }
    }
    if all.len() < 2 {
        return None;
    }
    let mut links = MarkLinks::default();
    let axis = measure.axis(&all);
    let (lines, part) = lines(rows, places, words::REPEAT, axis, &mut links);
    let lead = words::over_repeats_lead(all.len() as u64, &part);
    Some(ChartFigure::new(&title, lead, Chart::Lines(lines), links, table).small())
}
