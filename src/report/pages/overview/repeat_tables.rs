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
use crate::workspace::Entry;

/// Means, their uncertainty, passes and errors.
fn total_columns() -> [Column; 6] {
    [
        Column::numbers("Mean (errors left out)", "Mean score over attempted cases"),
        Column::numbers("95 % interval", "Student's t interval of the mean over attempted cases"),
        Column::numbers("Scores", "Number of scores in that mean"),
        Column::numbers(
            "Mean (errors counted as 0)",
            "Mean over all cases; a missing score counts as 0",
        ),
        Column::numbers("Passed", "Cases that pass, of all"),
        Column::numbers("Errors", "Cases that could not be judged"),
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
    let mut columns = vec![Column::words("Repeat")];
    if has_gate {
        columns.push(Column::words("Gate"));
        columns.push(Column::numbers("Gate value", "What the gate compares; percent for accuracy"));
    }
    if has_reward {
        columns.push(Column::numbers("Reward", "Mean over cases without error"));
    }
    columns.extend(total_columns());
    let mut table = Table::new("repeats", "Repeats", columns);
    for repeat in &entry.figures.repeats {
        let totals = &repeat.totals;
        let mut cells = vec![Cell::Text(format!("Run {}", repeat.repeat))];
        if has_gate {
            let gate = repeat.gate.as_ref();
            let outcome = gate.and_then(|gate| gate.is_passed).map(Outcome::of);
            cells.push(verdict_cell(outcome, repeat_proviso(entry, repeat.repeat).as_deref()));
            let value = gate.and_then(|gate| gate.value);
            cells.push(Cell::or_missing(value, Cell::Number, "the gate compares several values"));
        }
        if has_reward {
            cells.push(Cell::or_missing(totals.reward, Cell::Bar, "no case has a reward"));
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
    let mut columns = vec![Column::words("Subject")];
    columns.extend(has_tasks.then(|| Column::words("Task")));
    columns.push(Column::numbers("Repeat", ""));
    if has_reward {
        columns.push(Column::numbers("Reward", "Mean over cases without error"));
    }
    columns.extend(total_columns());
    columns.push(Column::numbers("Cost", "Sum over the cases that record it"));
    let mut table = Table::new("runs", "Runs", columns);
    for (idx, (run, figures)) in entry.evaluation.runs.iter().zip(&entry.figures.runs).enumerate() {
        let totals = &figures.totals;
        let mut cells = vec![Cell::words(run.key.subject.as_deref(), "no file names the subject")];
        cells.extend(has_tasks.then(|| Cell::Text(task_name(run))));
        cells.push(Cell::Count(u64::from(run.key.repeat)));
        if has_reward {
            cells.push(Cell::or_missing(totals.reward, Cell::Bar, "no case has a reward"));
        }
        let usage = totals.usage.as_ref();
        let how = entry.run_ref(idx).map(|run| Link::How(How::Run(run)));
        cells.extend(total_cells(totals, how, has_unit_scores(&entry.evaluation)));
        cells.push(usage.and_then(|usage| usage.cost_usd).map_or_else(
            || Cell::Missing("the files state no cost".to_owned()),
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
        Column::words("Metric"),
        Column::numbers("Mean (errors left out)", "Mean score over attempted cases"),
        Column::numbers(
            "Mean (errors counted as 0)",
            "Mean over all cases; a missing score counts as 0",
        ),
    ];
    if !is_many {
        let hint = if has_counts {
            "Wilson's interval of the share that passes"
        } else {
            "Student's t interval of the mean over attempted cases"
        };
        columns.push(Column::numbers("95 % interval", hint));
    }
    if has_counts {
        columns.push(Column::numbers("Passed", "Attempted cases that pass by this metric"));
    }
    columns.push(Column::numbers("Graded", "Number of scores"));
    let caption = if is_many { "Metrics, mean over repeats" } else { "Metrics" };
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
    let mut table = Table::new(
        "spread",
        &format!("Spread over {} repeats", aggregate.n_repeats),
        vec![
            Column::words("Figure"),
            Column::numbers("Mean", "Exact mean of the repeats"),
            Column::numbers("Std", "Sample standard deviation, n − 1"),
            Column::numbers("Min", ""),
            Column::numbers("Max", ""),
            Column::numbers(
                "95 % normal",
                "Mean ± 1.96·s/√n, as the guide of letta-evals has it; too narrow for few repeats",
            ),
            Column::numbers("95 % t", "Student's t interval of the mean"),
        ],
    );
    let spread = &aggregate.spread;
    let mut stats: Vec<(String, &SpreadStat)> = vec![
        ("Mean (errors left out)".to_owned(), &spread.score),
        ("Mean (errors counted as 0)".to_owned(), &spread.score_total),
    ];
    stats.extend(spread.reward.as_ref().map(|reward| ("Reward".to_owned(), reward)));
    stats.extend(spread.metrics.iter().map(|(name, stat)| (format!("Metric {name}"), stat)));
    for (subject, _, spread) in aggregate.subjects.iter().filter(|_| aggregate.subjects.len() > 1) {
        let stat = spread.reward.as_ref().unwrap_or(&spread.score);
        stats.push((subject.clone(), stat));
    }
    for (name, stat) in stats {
        let cell = |number| Cell::or_missing(number, Cell::Number, "too few repeats");
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
