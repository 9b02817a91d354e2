//! Durations: of runs, groups, graders and cases; what is slow; how much is done in a minute.

use super::{MAX_ROWS, named_runs, run_name};
use crate::model::Run;
use crate::order::Order as _;
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Link, Num, Row, Section, Table};
use crate::stats;
use crate::words::report::statistics::{self, timing as words};
use std::collections::{BTreeMap, HashMap};

/// How many of the slowest cases are listed.
const N_SLOWEST: usize = 20;

/// The section; `None` when no file states a duration.
pub(super) fn section(scope: &PageScope<'_>) -> Option<Section> {
    let tables: Vec<Table> =
        [runs(scope), responses(scope), groups(scope), graders(scope), slowest(scope)]
            .into_iter()
            .flatten()
            .collect();
    (!tables.is_empty()).then(|| Section {
        title: words::TITLE.to_owned(),
        lead: Some(words::LEAD.to_owned()),
        tables,
        ..Section::default()
    })
}

fn durations(run: &Run) -> Vec<f64> {
    run.cases.duration_secs.iter().flatten().collect()
}

fn runs(scope: &PageScope<'_>) -> Option<Table> {
    let mut table = Table::new(
        "timing",
        statistics::RUNS,
        vec![
            Column::words(statistics::RUN),
            match scope.has_policies() {
                true => Column::numbers(statistics::TEST_TIME, words::TEST_TIME_HINT),
                false => Column::numbers(words::TOTAL, words::TOTAL_HINT),
            },
            Column::numbers(statistics::AGENT_TIME, words::AGENT_TIME_HINT),
            Column::numbers(words::CASES_TIMED, words::CASES_TIMED_HINT),
            Column::numbers(statistics::MEAN, words::MEAN_HINT),
            Column::numbers(statistics::INTERVAL, statistics::T_INTERVAL_HINT),
            Column::numbers(words::P50, words::P50_HINT),
            Column::numbers(words::P95, words::P95_HINT),
            Column::numbers(words::LONGEST, ""),
            Column::numbers(words::TARGET, words::TARGET_HINT),
            Column::numbers(words::EXTRACTION, words::EXTRACTION_HINT),
            Column::numbers(words::THROUGHPUT, words::THROUGHPUT_HINT),
        ],
    );
    for (entry, idx, run, link) in named_runs(scope) {
        let Some(figures) = entry.figures.runs.get(idx) else { continue };
        let values = durations(run);
        let agent = run.usage.and_then(|usage| usage.agent_secs);
        if values.is_empty() && run.duration_secs.is_none() && agent.is_none() {
            continue;
        }
        let timing = figures.totals.timing.clone().unwrap_or_default();
        let secs =
            |found: Option<Num>| Cell::or_missing(found, Cell::Secs, statistics::NOT_RECORDED);
        let interval = stats::mean_interval(&values);
        table.rows.push(Row {
            cells: vec![
                Cell::Text(run_name(scope, entry, run)),
                secs(run.duration_secs.map(Num)),
                secs(agent.map(Num)),
                Cell::Count(values.len() as u64),
                secs(timing.mean_secs),
                interval.map_or_else(
                    || Cell::Missing(words::TOO_FEW.to_owned()),
                    |ci| Cell::SecsInterval { low: Num(ci.low), high: Num(ci.high) },
                ),
                secs(timing.p50_secs),
                secs(timing.p95_secs),
                secs(values.iter().copied().max_by(f64::total_cmp).map(Num)),
                secs(timing.mean_target_secs),
                secs(timing.mean_extraction_secs),
                throughput(run, &values),
            ],
            link,
        });
    }
    table.drop_unknown(&[statistics::AGENT_TIME, words::TARGET, words::EXTRACTION]);
    table.cap(MAX_ROWS, statistics::CUT_RUNS);
    (!table.rows.is_empty()).then_some(table)
}

/// Single responses, where cases are attempted several times.
fn responses(scope: &PageScope<'_>) -> Option<Table> {
    let mut table = Table::new(
        "response-timing",
        words::RESPONSES,
        vec![
            Column::words(statistics::RUN),
            Column::numbers(words::RESPONSES_TIMED, words::RESPONSES_TIMED_HINT),
            Column::numbers(statistics::MEAN, ""),
            Column::numbers(words::P50, words::RESPONSES_P50_HINT),
            Column::numbers(words::P95, words::P95_HINT),
            Column::numbers(words::SLOWEST_RESPONSE, ""),
        ],
    );
    table.footnote = Some(words::RESPONSES_NOTE.to_owned());
    for (entry, idx, run, link) in named_runs(scope) {
        let Some(figures) = entry.figures.runs.get(idx) else { continue };
        let Some(found) = figures.totals.timing.as_ref().and_then(|it| it.responses.as_ref())
        else {
            continue;
        };
        let mut cells = vec![Cell::Text(run_name(scope, entry, run)), Cell::Count(found.n)];
        let secs = [found.mean_secs, found.p50_secs, found.p95_secs, found.max_secs];
        cells.extend(secs.map(Cell::Secs));
        table.rows.push(Row { cells, link });
    }
    table.cap(MAX_ROWS, statistics::CUT_RUNS);
    (!table.rows.is_empty()).then_some(table)
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn throughput(run: &Run, values: &[f64]) -> Cell {
    let total =
        run.duration_secs.or_else(|| (!values.is_empty()).then(|| stats::sum(values.to_vec())));
    let n_cases = if run.duration_secs.is_some() { run.cases.len() } else { values.len() };
    let rate = total.filter(|secs| *secs > 0.0).map(|secs| Num(n_cases as f64 / secs * 60.0));
    Cell::or_missing(rate, Cell::Number, words::NO_TIME)
}

/// Groups of a single run.
fn groups(scope: &PageScope<'_>) -> Option<Table> {
    let (_, _, run, _) = named_runs(scope).next().filter(|_| scope.is_run)?;
    let mut by_group: HashMap<&str, Vec<f64>> = HashMap::new();
    for idx in 0..run.cases.len() {
        if let (Some(group), Some(secs)) =
            (run.cases.group.get(idx), run.cases.duration_secs.get(idx))
        {
            by_group.entry(group).or_default().push(secs);
        }
    }
    let mut table = Table::new(
        "group-timing",
        words::GROUPS,
        vec![
            Column::words(words::GROUP),
            Column::numbers(words::RECORDED, words::RECORDED_HINT),
            Column::numbers(words::SUM_OF_CASES, ""),
            Column::numbers(words::CASES_TIMED, ""),
            Column::numbers(statistics::MEAN, words::MEAN_HINT),
            Column::numbers(words::LONGEST, ""),
        ],
    );
    for group in &run.groups {
        let values = by_group.remove(group.name.as_str()).unwrap_or_default();
        let secs =
            |found: Option<f64>| Cell::or_missing(found.map(Num), Cell::Secs, words::NO_DURATION);
        table.row(vec![
            Cell::Text(group.name.clone()),
            secs(group.duration_secs),
            secs((!values.is_empty()).then(|| stats::sum(values.iter().copied()))),
            Cell::Count(values.len() as u64),
            secs(stats::mean(values.iter().copied())),
            secs(values.iter().copied().max_by(f64::total_cmp)),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Mean time of judging, by grader.
fn graders(scope: &PageScope<'_>) -> Option<Table> {
    let mut values: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for run in scope.runs() {
        for at in 0..run.checks.len() {
            if let (Some(name), Some(secs)) =
                (run.checks.name.get(at), run.checks.duration_secs.get(at))
            {
                values.entry(name).or_default().push(secs);
            }
        }
    }
    let mut table = Table::new(
        "grader-timing",
        words::GRADERS,
        vec![
            Column::words(words::GRADER),
            Column::numbers(words::GRADES_TIMED, ""),
            Column::numbers(statistics::MEAN, ""),
            Column::numbers(words::P95, words::P95_HINT),
        ],
    );
    for (name, values) in values {
        let secs = |found: Option<f64>| {
            Cell::or_missing(found.map(Num), Cell::Secs, statistics::NOT_RECORDED)
        };
        table.row(vec![
            Cell::Text(name.to_owned()),
            Cell::Count(values.len() as u64),
            secs(stats::mean(values.iter().copied())),
            secs(stats::nearest_rank_p95(&values)),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

fn slowest(scope: &PageScope<'_>) -> Option<Table> {
    let mut slow: Vec<(f64, Vec<Cell>, Link)> = Vec::new();
    for (entry, run_idx, run, _) in named_runs(scope) {
        let Some(at) = entry.run_ref(run_idx) else { continue };
        let mut own: Vec<(f64, usize)> = (0..run.cases.len())
            .filter_map(|idx| Some((run.cases.duration_secs.get(idx)?, idx)))
            .collect();
        own.order_by(|left, right| right.0.total_cmp(&left.0));
        slow.extend(own.into_iter().take(N_SLOWEST).map(|(secs, idx)| {
            let cells = vec![
                Cell::Text(run.cases.id.get(idx).unwrap_or_default().to_owned()),
                Cell::Text(run_name(scope, entry, run)),
                Cell::Secs(Num(secs)),
                Cell::Outcome(run.cases.outcome_of(idx)),
                Cell::or_missing(run.cases.score.get(idx).map(Num), Cell::Number, words::NO_SCORE),
            ];
            (secs, cells, Link::Case { run: at, case_idx: idx as u64 })
        }));
    }
    slow.order_by(|left, right| right.0.total_cmp(&left.0));
    let mut table = Table::new(
        "slowest",
        words::SLOWEST_CASES,
        vec![
            Column::words(statistics::CASE),
            Column::words(statistics::RUN),
            Column::numbers(words::DURATION, ""),
            Column::words(words::OUTCOME),
            Column::numbers(statistics::SCORE, ""),
        ],
    );
    let rows = slow.into_iter().take(N_SLOWEST);
    table.rows.extend(rows.map(|(_, cells, link)| Row { cells, link: Some(link) }));
    (!table.rows.is_empty()).then_some(table)
}
