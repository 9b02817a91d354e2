//! Durations: of runs, groups, graders and cases; what is slow; how much is done in a minute.

use super::{MAX_ROWS, named_runs, run_name};
use crate::model::Run;
use crate::order::Order as _;
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Link, Num, Row, Section, Table};
use crate::stats;
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
        title: "Timing".to_owned(),
        lead: Some(
            "p50 is the upper median, p95 the value at rank ⌊0.95·n⌋, as in letta-evals. Throughput uses the run's wall-clock time or, if that is not recorded, the sum of the case durations."
                .to_owned(),
        ),
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
        "Runs",
        vec![
            Column::words("Run"),
            match scope.has_policies() {
                true => Column::numbers("Test time", "Duration of the tests"),
                false => Column::numbers("Total", "Wall-clock time of the run"),
            },
            Column::numbers("Agent time", "Working time of the agent"),
            Column::numbers("Cases timed", "Number of cases with a duration"),
            Column::numbers("Mean", "Mean duration of a case"),
            Column::numbers("95 % interval", "Student's t interval of the mean"),
            Column::numbers("p50", "Upper median"),
            Column::numbers("p95", "Value at rank ⌊0.95·n⌋"),
            Column::numbers("Longest", ""),
            Column::numbers("Target", "Mean time of the target"),
            Column::numbers("Extraction", "Mean time of extraction"),
            Column::numbers("Cases per minute", "Throughput"),
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
        let secs = |found: Option<Num>| Cell::or_missing(found, Cell::Secs, "not recorded");
        let interval = stats::mean_interval(&values);
        table.rows.push(Row {
            cells: vec![
                Cell::Text(run_name(scope, entry, run)),
                secs(run.duration_secs.map(Num)),
                secs(agent.map(Num)),
                Cell::Count(values.len() as u64),
                secs(timing.mean_secs),
                interval.map_or_else(
                    || Cell::Missing("too few values".to_owned()),
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
    table.drop_unknown(&["Agent time", "Target", "Extraction"]);
    table.cap(MAX_ROWS, "runs");
    (!table.rows.is_empty()).then_some(table)
}

/// Single responses, where cases are attempted several times.
fn responses(scope: &PageScope<'_>) -> Option<Table> {
    let mut table = Table::new(
        "response-timing",
        "Single responses",
        vec![
            Column::words("Run"),
            Column::numbers("Responses timed", "Number of attempts with an execution time"),
            Column::numbers("Mean", ""),
            Column::numbers("p50", "Upper median, sorted[⌊n/2⌋]"),
            Column::numbers("p95", "Value at rank ⌊0.95·n⌋"),
            Column::numbers("Slowest", ""),
        ],
    );
    table.footnote = Some(
        "Each attempt is one response. A case's duration is the sum of its responses.".to_owned(),
    );
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
    table.cap(MAX_ROWS, "runs");
    (!table.rows.is_empty()).then_some(table)
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn throughput(run: &Run, values: &[f64]) -> Cell {
    let total =
        run.duration_secs.or_else(|| (!values.is_empty()).then(|| stats::sum(values.to_vec())));
    let n_cases = if run.duration_secs.is_some() { run.cases.len() } else { values.len() };
    let rate = total.filter(|secs| *secs > 0.0).map(|secs| Num(n_cases as f64 / secs * 60.0));
    Cell::or_missing(rate, Cell::Number, "no time is recorded")
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
        "Groups",
        vec![
            Column::words("Group"),
            Column::numbers("Recorded", "Wall-clock time of the group, as recorded"),
            Column::numbers("Sum of cases", ""),
            Column::numbers("Cases timed", ""),
            Column::numbers("Mean", "Mean duration of a case"),
            Column::numbers("Longest", ""),
        ],
    );
    for group in &run.groups {
        let values = by_group.remove(group.name.as_str()).unwrap_or_default();
        let secs = |found: Option<f64>| {
            Cell::or_missing(found.map(Num), Cell::Secs, "no duration is recorded")
        };
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
        "Graders",
        vec![
            Column::words("Grader"),
            Column::numbers("Grades timed", ""),
            Column::numbers("Mean", ""),
            Column::numbers("p95", "Value at rank ⌊0.95·n⌋"),
        ],
    );
    for (name, values) in values {
        let secs =
            |found: Option<f64>| Cell::or_missing(found.map(Num), Cell::Secs, "not recorded");
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
                Cell::or_missing(run.cases.score.get(idx).map(Num), Cell::Number, "no score"),
            ];
            (secs, cells, Link::Case { run: at, case_idx: idx as u64 })
        }));
    }
    slow.order_by(|left, right| right.0.total_cmp(&left.0));
    let mut table = Table::new(
        "slowest",
        "Slowest cases",
        vec![
            Column::words("Case"),
            Column::words("Run"),
            Column::numbers("Duration", ""),
            Column::words("Outcome"),
            Column::numbers("Score", ""),
        ],
    );
    let rows = slow.into_iter().take(N_SLOWEST);
    table.rows.extend(rows.map(|(_, cells, link)| Row { cells, link: Some(link) }));
    (!table.rows.is_empty()).then_some(table)
}
