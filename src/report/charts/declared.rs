//! What is declared only, in trends: its marks and rows stand beside those of cases, and say "declared".

use super::checkpoints::{PlaceRow, lines};
use super::durations::seconds_of;
use super::series::Timed;
use super::{ChartFigure, MarkLinks};
use crate::chart::Chart;
use crate::format;
use crate::order::Order as _;
use crate::report::declared::{DeclaredPart, DeclaredSheet, measured};
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Link, Measure, Row, Table, Target};
use crate::words::report::charts::{common, declared as words};
use crate::workspace::Entry;

/// Suites that are drawn.
const MAX_SUITES: usize = 24;

/// What is declared only and has a time: checkpoints, or models.
pub(super) fn declared_times(scope: &PageScope<'_>, measure: Measure) -> Vec<(String, Timed)> {
    let mut found = Vec::new();
    let entries = scope.parts.iter().filter(|_| !scope.is_run).map(|(entry, _)| *entry);
    for entry in entries {
        let (evaluation, sheet) = (&entry.evaluation, entry.declared());
        let checkpoints: Vec<DeclaredPart> = sheet.checkpoints().cloned().collect();
        let parts = if checkpoints.is_empty() { sheet.subjects() } else { checkpoints };
        for part in parts {
            let Some(moment) = part.started_at.as_deref() else { continue };
            let Some((at, found_here)) = seconds_of(moment).zip(measured(&part, measure)) else {
                continue;
            };
            let suite = part.suite.as_ref().or(evaluation.suite.as_ref());
            let suite = suite.cloned().unwrap_or_else(|| evaluation.producer.to_string());
            let (suite, name) = match &part.variant {
                Some(variant) => (format!("{suite} › {variant}"), variant.clone()),
                None => (suite, part.subject.clone().unwrap_or_default()),
            };
            let label = &evaluation.label;
            let name = if name.is_empty() { label.clone() } else { format!("{label} › {name}") };
            let subject = part.subject.as_deref().unwrap_or(common::NO_MODEL);
            let timed = Timed {
                at,
                name: common::declared(&name),
                subject: common::declared(subject),
                moment: format::moment(moment),
                found: found_here,
                link: Some(Link::Target(Target::Evaluation(entry.id))),
            };
            found.push((suite, timed));
        }
    }
    found
}

/// The problems of which some checkpoints are declared only, each with those of all its lines.
pub(super) fn declared_problems(scope: &PageScope<'_>, measure: Measure) -> Vec<PlaceRow> {
    let entries = scope.parts.iter().filter(|_| !scope.is_run).map(|(entry, _)| *entry);
    let mut rows: Vec<PlaceRow> = Vec::new();
    for entry in entries {
        let first = rows.len();
        let link = Some(Link::Target(Target::Evaluation(entry.id)));
        for part in entry.declared().checkpoints() {
            let problem = part.suite.as_deref().unwrap_or(common::UNNAMED_PROBLEM);
            let name = match scope.parts.len() {
                1 => common::declared(problem),
                _ => common::declared(&format!("{} › {problem}", entry.evaluation.label)),
            };
            let checkpoint = part.variant.clone().unwrap_or_default();
            let value = (checkpoint, measured(part, measure), link.clone());
            match rows.iter_mut().skip(first).find(|row| row.name == name) {
                Some(row) => row.values.push(value),
                None => rows.push(PlaceRow { name, values: vec![value] }),
            }
        }
    }
    rows
}

/// The parts of an evaluation that stand for one repeat each and are declared only: of each model,
/// else of all together.
pub(super) fn declared_repeats<'a>(
    scope: &PageScope<'_>,
    sheet: &'a DeclaredSheet,
) -> Vec<&'a DeclaredPart> {
    if scope.is_run {
        return Vec::new();
    }
    let runs: Vec<&DeclaredPart> = sheet.runs().collect();
    if runs.is_empty() { sheet.repeats().collect() } else { runs }
}

/// The repeats that have cases or are declared, in order.
pub(super) fn places_of(scope: &PageScope<'_>, entry: &Entry) -> Vec<u32> {
    let mut places: Vec<u32> = entry.figures.repeats.iter().map(|repeat| repeat.repeat).collect();
    places.extend(
        declared_repeats(scope, &entry.declared()).into_iter().filter_map(|part| part.repeat),
    );
    places.order_by(Ord::cmp);
    places.dedup();
    places
}

/// An evaluation with what is declared of its models.
type Own<'a> = (&'a Entry, Vec<DeclaredPart>);

/// Evaluations of the same suite that are declared only and say no time, in the order of their
/// folders: one figure for each suite that has two.
pub(in crate::report) fn by_folder(scope: &PageScope<'_>, measure: Measure) -> Vec<ChartFigure> {
    let mut suites: Vec<(String, Vec<Own<'_>>)> = Vec::new();
    for (entry, _) in scope.parts.iter().filter(|_| !scope.is_run) {
        let entry: &Entry = entry;
        let mut parts = entry.declared().subjects();
        parts.retain(|part| part.started_at.is_none() && measured(part, measure).is_some());
        if !entry.is_declared_only() || parts.is_empty() {
            continue;
        }
        let suite = entry.evaluation.suite.clone();
        let suite = suite.unwrap_or_else(|| entry.evaluation.producer.to_string());
        match suites.iter_mut().find(|(known, _)| *known == suite) {
            Some((_, own)) => own.push((entry, parts)),
            None => suites.push((suite, vec![(entry, parts)])),
        }
    }
    suites.retain(|(_, own)| own.len() > 1);
    let figures = suites.into_iter().take(MAX_SUITES).enumerate();
    figures.map(|(at, (suite, own))| folder_figure(at, &suite, own, measure)).collect()
}

fn folder_figure(at: usize, suite: &str, mut own: Vec<Own<'_>>, measure: Measure) -> ChartFigure {
    own.order_by(|(left, _), (right, _)| left.evaluation.path.cmp(&right.evaluation.path));
    let title = words::by_folder(measure.title(), suite);
    let mut table = Table::new(
        &format!("chart-folders-{at}"),
        &title,
        vec![
            Column::words(words::EVALUATION),
            Column::words(common::MODEL),
            Column::numbers(measure.title(), ""),
            Column::numbers(common::INTERVAL, ""),
        ],
    );
    let places: Vec<String> = own.iter().map(|(entry, _)| entry.evaluation.label.clone()).collect();
    let blank = || places.iter().map(|place| (place.clone(), None, None)).collect();
    let mut rows: Vec<PlaceRow> = Vec::new();
    let mut all = Vec::new();
    for (place, (entry, parts)) in own.iter().enumerate() {
        let link = Some(Link::Target(Target::Evaluation(entry.id)));
        for part in parts {
            let Some(found) = measured(part, measure) else { continue };
            let subject = part.subject.as_deref().unwrap_or(words::ALL_SAMPLES);
            let name = common::declared(subject);
            all.push(found.value);
            table.rows.push(Row {
                cells: vec![
                    Cell::Text(entry.evaluation.label.clone()),
                    Cell::Text(subject.to_owned()),
                    measure.cell(found.value).declared(),
                    found.interval.cell(),
                ],
                link: link.clone(),
            });
            let at = rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
                rows.push(PlaceRow { name, values: blank() });
                rows.len() - 1
            });
            if let Some(value) = rows.get_mut(at).and_then(|row| row.values.get_mut(place)) {
                (value.1, value.2) = (Some(found), link.clone());
            }
        }
    }
    let mut links = MarkLinks::default();
    let (lines, more) = lines(rows, places, words::FOLDER, measure.axis(&all), &mut links);
    let lead = words::by_folder_lead(own.len() as u64, &more);
    ChartFigure::new(&title, lead, Chart::Lines(lines), links, table).small()
}
