//! The tables about repeats, subjects and metrics.

use crate::figures::AggregateFigures;
use crate::model::Config;
use crate::report::cells::{
    NO_SCORE, count_cell, has_tasks, has_unit_scores, interval_cell, link_of, mean_interval_cell,
    passed_cell, sided, task_name, verdict_cell,
};
use crate::report::table::Column;
use crate::report::{Cell, How, Link, Num, Outcome, Row, Table, caveats};
use crate::scoring::{MetricTotals, SpreadStat, Totals};
use crate::stats;
use crate::words::report::overview::{repeats as words, tables as shared};
use crate::workspace::Entry;

/// Means, their uncertainty, passes and errors.
fn total_columns() -> [Column; 6] {
    [
        Column::numbers(words::MEAN_ATTEMPTED, words::MEAN_ATTEMPTED_HINT),
        Column::numbers(shared::INTERVAL, words::MEAN_INTERVAL_HINT),
        Column::numbers(shared::SCORES, words::SCORES_HINT),
        Column::numbers(words::MEAN_TOTAL, words::MEAN_TOTAL_HINT),
        Column::numbers(shared::PASSED, shared::PASSED_HINT),
        Column::numbers(shared::ERRORS, words::ERRORS_HINT),
    ]
}

/// The cells of [`total_columns`]; the mean opens `how`.
fn total_cells(totals: &Totals, how: Option<Link>, is_unit: bool) -> [Cell; 6] {
    let (score, counts) = (&totals.score, &totals.counts);
    [
        Cell::or_missing(score.mean_attempted, Cell::Bar, NO_SCORE).opening(how),
        mean_interval_cell(score.ci95, score.n, is_unit),
        Cell::Count(score.n),
        Cell::or_missing(score.mean_total, Cell::Number, NO_SCORE),
        passed_cell([counts]),
        Cell::Count(counts.error),
    ]
}

/// The repeats of a letta-evals evaluation.
pub(super) fn repeats(entry: &Entry) -> Table {
    let has_gate = entry.evaluation.config.gate.is_some();
    let has_reward = entry.evaluation.config.reward.is_some();
    let mut columns = vec![Column::words(words::REPEAT)];
    if has_gate {
        columns.push(Column::words(words::GATE));
        columns.push(Column::numbers(words::GATE_VALUE, words::GATE_VALUE_HINT));
    }
    if has_reward {
        columns.push(Column::numbers(words::REWARD, words::REWARD_HINT));
    }
    columns.extend(total_columns());
    let mut table = Table::new("repeats", words::REPEATS, columns);
    for repeat in &entry.figures.repeats {
        let totals = &repeat.totals;
        let mut cells = vec![Cell::Text(words::repeat(repeat.repeat))];
        if has_gate {
            let gate = repeat.gate.as_ref();
            let outcome = gate.and_then(|gate| gate.is_passed).map(Outcome::of);
            cells.push(verdict_cell(outcome, repeat_proviso(entry, repeat.repeat).as_deref()));
            let value = gate.and_then(|gate| gate.value);
            cells.push(Cell::or_missing(value, Cell::Number, words::SEVERAL_VALUES));
        }
        if has_reward {
            cells.push(Cell::or_missing(totals.reward, Cell::Bar, words::NO_REWARD));
        }
        cells.extend(total_cells(totals, None, has_unit_scores(&entry.evaluation)));
        table.row(cells);
    }
    table
}

/// The runs of an evaluation: one row per subject and repeat.
pub(super) fn runs(entry: &Entry) -> Table {
    let has_reward = entry.evaluation.config.reward.is_some();
    let has_tasks = has_tasks(&entry.evaluation);
    let mut columns = vec![Column::words(words::SUBJECT)];
    columns.extend(has_tasks.then(|| Column::words(words::TASK)));
    columns.push(Column::numbers(words::REPEAT, ""));
    if has_reward {
        columns.push(Column::numbers(words::REWARD, words::REWARD_HINT));
    }
    columns.extend(total_columns());
    columns.push(Column::numbers(shared::COST, words::COST_HINT));
    let mut table = Table::new("runs", shared::RUNS, columns);
    for (idx, (run, figures)) in entry.evaluation.runs.iter().zip(&entry.figures.runs).enumerate() {
        let totals = &figures.totals;
        let mut cells = vec![Cell::words(run.key.subject.as_deref(), words::NO_SUBJECT)];
        cells.extend(has_tasks.then(|| Cell::Text(task_name(run))));
        cells.push(Cell::Count(u64::from(run.key.repeat)));
        if has_reward {
            cells.push(Cell::or_missing(totals.reward, Cell::Bar, words::NO_REWARD));
        }
        let usage = totals.usage.as_ref();
        let how = entry.run_ref(idx).map(|run| Link::How(How::Run(run)));
        cells.extend(total_cells(totals, how, has_unit_scores(&entry.evaluation)));
        cells.push(usage.and_then(|usage| usage.cost_usd).map_or_else(
            || Cell::Missing(shared::NO_COST.to_owned()),
            |amount| Cell::Usd {
                amount,
                is_lower_bound: usage.is_some_and(|usage| usage.cost_missing > 0),
            },
        ));
        table.rows.push(Row { cells, link: link_of(entry, idx) });
    }
    table
}

/// Metrics of one repeat, or their means over several, by the rules of `config`; `None` without metrics.
pub(super) fn metrics(totals: &[&Totals], config: &Config) -> Option<Table> {
    let first = totals.first().filter(|totals| !totals.metrics.is_empty())?;
    let has_counts = first.metrics.iter().any(|metric| metric.passed.is_some());
    let is_many = totals.len() > 1;
    let mut columns = vec![
        Column::words(words::METRIC),
        Column::numbers(words::MEAN_ATTEMPTED, words::MEAN_ATTEMPTED_HINT),
        Column::numbers(words::MEAN_TOTAL, words::MEAN_TOTAL_HINT),
    ];
    if !is_many {
        let hint = if has_counts { shared::WILSON_HINT } else { words::MEAN_INTERVAL_HINT };
        columns.push(Column::numbers(shared::INTERVAL, hint));
    }
    if has_counts {
        columns.push(Column::numbers(shared::PASSED, words::METRIC_PASSED_HINT));
    }
    columns.push(Column::numbers(words::GRADED, words::GRADED_HINT));
    let caption = if is_many { words::METRICS_OF_REPEATS } else { words::METRICS };
    let mut table = Table::new("metrics", caption, columns);
    for metric in &first.metrics {
        let of_name = || {
            totals.iter().filter_map(|totals| totals.metrics.iter().find(|m| m.name == metric.name))
        };
        let mean = |get: fn(&MetricTotals) -> Option<Num>| {
            let values: Vec<f64> = of_name().filter_map(get).map(|number| number.0).collect();
            stats::exact_mean(&values).map(Num)
        };
        let mut cells = vec![
            Cell::Text(sided(&metric.label, config.better_of(&metric.name))),
            Cell::or_missing(mean(|metric| metric.mean_attempted), Cell::Bar, NO_SCORE),
            Cell::or_missing(mean(|metric| metric.mean_total), Cell::Number, NO_SCORE),
        ];
        if !is_many {
            cells.push(if metric.passed.is_some() {
                interval_cell(metric.ci95)
            } else {
                mean_interval_cell(metric.ci95, metric.n, true)
            });
        }
        if has_counts {
            cells.push(count_cell(
                of_name().filter_map(|metric| metric.passed).sum(),
                of_name().filter_map(|metric| Some(metric.passed? + metric.failed?)).sum(),
            ));
        }
        cells.push(Cell::Count(of_name().map(|metric| metric.n).sum()));
        table.row(cells);
    }
    Some(table)
}

/// Spread over repeats.
pub(super) fn spread(aggregate: &AggregateFigures) -> Table {
    let [figure, mean, std, min, max, normal, t] = words::SPREAD_COLUMNS;
    let mut table = Table::new(
        "spread",
        &words::spread_over(aggregate.n_repeats),
        vec![
            Column::words(figure),
            Column::numbers(mean, words::SPREAD_MEAN_HINT),
            Column::numbers(std, words::STD_HINT),
            Column::numbers(min, ""),
            Column::numbers(max, ""),
            Column::numbers(normal, words::NORMAL_HINT),
            Column::numbers(t, words::T_HINT),
        ],
    );
    let spread = &aggregate.spread;
    let mut stats: Vec<(String, &SpreadStat)> = vec![
        (words::MEAN_ATTEMPTED.to_owned(), &spread.score),
        (words::MEAN_TOTAL.to_owned(), &spread.score_total),
    ];
    stats.extend(spread.reward.as_ref().map(|reward| (words::REWARD.to_owned(), reward)));
    stats.extend(spread.metrics.iter().map(|(name, stat)| (words::metric(name), stat)));
    for (subject, _, spread) in aggregate.subjects.iter().filter(|_| aggregate.subjects.len() > 1) {
        let stat = spread.reward.as_ref().unwrap_or(&spread.score);
        stats.push((subject.clone(), stat));
    }
    for (name, stat) in stats {
        let cell = |number| Cell::or_missing(number, Cell::Number, words::TOO_FEW_REPEATS);
        let n = aggregate.n_repeats;
        let interval = |found| mean_interval_cell(found, n, true);
        table.row(vec![
            Cell::Text(name),
            cell(stat.mean),
            cell(stat.std),
            cell(stat.min),
            cell(stat.max),
            interval(stat.normal95),
            interval(stat.ci95),
        ]);
    }
    table
}

/// Why the verdict about a repeat may still change.
fn repeat_proviso(entry: &Entry, repeat: u32) -> Option<String> {
    let runs = entry.recorded_runs().iter().enumerate();
    runs.filter(|(_, run)| run.key.repeat == repeat)
        .find_map(|(idx, _)| caveats::of_run(entry, idx))
}
