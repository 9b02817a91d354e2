//! The tables of an overview.

use super::figures::{AggregateFigures, RunFigures};
use super::table::Column;
use super::tree::{evaluation_score, run_score};
use super::workspace::Entry;
use super::{Cell, Kind, Num, Outcome, Row, RunRef, Table, Target};
use crate::policy::PolicyVerdict;
use crate::scoring::{GroupScore, KindCount, MetricTotals, SpreadStat, Totals};
use crate::stats;
use std::collections::BTreeMap;

const NO_SCORE: &str = "no score is defined";

/// All evaluations, one row each.
pub(super) fn evaluations(entries: &[Entry]) -> Table {
    let mut table = Table::new(
        "evaluations",
        "Evaluations",
        vec![
            Column::words("Evaluation"),
            Column::words("Producer"),
            Column::words("Verdict"),
            Column::numbers("Score", "Mean over repeats, or over checkpoints"),
            Column::numbers("Runs", ""),
            Column::numbers("Passed", "Cases that pass, of all"),
            Column::numbers("Cost", "Where the files say"),
        ],
    );
    for entry in entries {
        let counts = || entry.figures.runs.iter().map(|run| &run.totals.counts);
        let cost: Vec<f64> = entry
            .figures
            .runs
            .iter()
            .filter_map(|run| run.totals.usage.as_ref()?.cost_usd)
            .map(|cost| cost.0)
            .collect();
        let cost = (!cost.is_empty()).then(|| Num(stats::sum(cost)));
        let is_lower_bound = entry
            .figures
            .runs
            .iter()
            .filter_map(|run| run.totals.usage.as_ref())
            .any(|u| u.cost_missing > 0);
        table.rows.push(Row {
            cells: vec![
                Cell::Text(entry.evaluation.label.clone()),
                Cell::Text(format!(
                    "{} {}",
                    entry.evaluation.producer, entry.evaluation.generation
                )),
                verdict_cell(entry.figures.verdict.as_ref().map(|verdict| verdict.outcome)),
                Cell::or_missing(evaluation_score(entry), Cell::Number, NO_SCORE),
                Cell::Count(entry.evaluation.runs.len() as u64),
                Cell::Share {
                    part: counts().map(|counts| counts.passed).sum(),
                    whole: counts().map(|counts| counts.total).sum(),
                },
                cost.map_or_else(
                    || Cell::Missing("the files state no cost".to_owned()),
                    |amount| Cell::Usd { amount, is_lower_bound },
                ),
            ],
            target: Some(Target::Evaluation(entry.id)),
        });
    }
    table
}

fn verdict_cell(outcome: Option<Outcome>) -> Cell {
    outcome.map_or_else(|| Cell::Missing("no rule gives a verdict".to_owned()), Cell::Outcome)
}

fn target_of(entry: &Entry, idx: usize) -> Option<Target> {
    Some(Target::Run(RunRef { evaluation: entry.id, run: u32::try_from(idx).ok()? }))
}

/// The checkpoints of a slop-code run, in order.
pub(super) fn checkpoints(entry: &Entry) -> Table {
    let mut table = Table::new(
        "checkpoints",
        "Checkpoints",
        vec![
            Column::words("Problem"),
            Column::words("Checkpoint"),
            Column::words("Verdict"),
            Column::numbers("Score", "Weighted mean of the group scores"),
            Column::numbers("Passed", "Cases that pass, of all"),
            Column::numbers("Core", "Core cases that pass, of all"),
            Column::numbers("Cost", "Of the agent, where the files say"),
            Column::numbers("Agent time", "Where the files say"),
        ],
    );
    for (idx, (run, figures)) in entry.evaluation.runs.iter().zip(&entry.figures.runs).enumerate() {
        let core = figures.by_kind.get(&Kind::Core).copied().unwrap_or_default();
        let usage = run.usage.unwrap_or_default();
        table.rows.push(Row {
            cells: vec![
                Cell::words(run.key.suite.as_deref(), "no file names the problem"),
                Cell::words(run.key.variant.as_deref(), "no file names the checkpoint"),
                verdict_cell(figures.verdict.as_ref().map(|verdict| verdict.outcome)),
                Cell::or_missing(run_score(figures), Cell::Bar, NO_SCORE),
                count_cell(KindCount {
                    passed: figures.totals.counts.passed,
                    total: figures.totals.counts.total,
                }),
                count_cell(core),
                usage.cost_usd.map_or_else(
                    || Cell::Missing("the files state no cost".to_owned()),
                    |cost| Cell::Usd { amount: Num(cost), is_lower_bound: false },
                ),
                Cell::or_missing(usage.agent_secs.map(Num), Cell::Secs, "the files state no time"),
            ],
            target: target_of(entry, idx),
        });
    }
    table
}

fn count_cell(count: KindCount) -> Cell {
    if count.total == 0 {
        Cell::Missing("there are no such cases".to_owned())
    } else {
        Cell::Share { part: count.passed, whole: count.total }
    }
}

/// Passed and all cases by kind, over runs.
pub(super) fn kinds<'a>(runs: impl Iterator<Item = &'a RunFigures>) -> Table {
    let mut sums: BTreeMap<Kind, KindCount> = BTreeMap::new();
    for run in runs {
        for (kind, count) in &run.by_kind {
            let sum = sums.entry(*kind).or_default();
            sum.passed += count.passed;
            sum.total += count.total;
        }
    }
    let mut table = Table::new(
        "kinds",
        "Cases by kind",
        vec![Column::words("Kind"), Column::numbers("Passed", "Cases that pass, of all")],
    );
    for (kind, count) in sums {
        table.row(vec![Cell::Text(kind.as_str().to_owned()), count_cell(count)]);
    }
    if table.rows.is_empty() {
        table.empty = Some("No case of this run says what kind it is.".to_owned());
    }
    table
}

/// The groups of a run.
pub(super) fn groups(groups: &[GroupScore]) -> Table {
    let mut table = Table::new(
        "groups",
        "Groups",
        vec![
            Column::words("Group"),
            Column::words("Kind"),
            Column::numbers("Score", "Mean of the case scores"),
            Column::numbers("Passed", "Cases that pass, of all"),
            Column::numbers("Weight", "In the weighted score"),
            Column::numbers("Duration", "Wall-clock time of the group"),
        ],
    );
    let mut n_undefined = 0;
    for group in groups {
        n_undefined += group.n_undefined;
        let why = if group.cases == 0 { "the group is empty" } else { NO_SCORE };
        table.row(vec![
            Cell::Text(group.name.clone()),
            Cell::words(group.kind.map(Kind::as_str), "the files name no kind"),
            Cell::or_missing(group.score, Cell::Bar, why),
            count_cell(KindCount { passed: group.passed, total: group.cases }),
            Cell::Number(group.weight),
            Cell::or_missing(group.duration_secs, Cell::Secs, "the files state no duration"),
        ]);
    }
    if groups.is_empty() {
        table.empty = Some("This run has no groups.".to_owned());
    }
    if n_undefined > 0 {
        table.footnote = Some(format!(
            "{n_undefined} cases have no defined score (nothing verified, or no weight) and are left out of the means."
        ));
    }
    table
}

/// All seven policies.
pub(super) fn policies(policies: &[PolicyVerdict]) -> Table {
    let mut table = Table::new(
        "policies",
        "Pass policies",
        vec![Column::words("Policy"), Column::words("Verdict"), Column::words("Reason")],
    );
    for verdict in policies {
        let outcome = if verdict.is_passed { Outcome::Passed } else { Outcome::Failed };
        table.row(vec![
            Cell::Text(verdict.policy.as_str().to_owned()),
            Cell::Outcome(outcome),
            Cell::Text(verdict.reason.clone()),
        ]);
    }
    table.footnote = Some(
        "Policy any follows the guide, at least one case; slop-code's own code answers it with always."
            .to_owned(),
    );
    table
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
    columns.extend([
        Column::numbers("Mean attempted", "Mean score over attempted cases"),
        Column::numbers("Mean of all", "The same sum over all cases"),
        Column::numbers("Passed", "Cases that pass, of all"),
        Column::numbers("Errors", "Cases that could not be judged"),
    ]);
    let mut table = Table::new("repeats", "Repeats", columns);
    for repeat in &entry.figures.repeats {
        let totals = &repeat.totals;
        let mut cells = vec![Cell::Text(format!("Run {}", repeat.repeat))];
        if has_gate {
            let gate = repeat.gate.as_ref();
            let outcome = gate
                .and_then(|gate| gate.is_passed)
                .map(|passed| if passed { Outcome::Passed } else { Outcome::Failed });
            cells.push(verdict_cell(outcome));
            let value = gate.and_then(|gate| gate.value);
            cells.push(Cell::or_missing(value, Cell::Number, "the gate compares several values"));
        }
        if has_reward {
            cells.push(Cell::or_missing(totals.reward, Cell::Bar, "no case has a reward"));
        }
        cells.extend([
            Cell::or_missing(totals.score.mean_attempted, Cell::Bar, NO_SCORE),
            Cell::or_missing(totals.score.mean_total, Cell::Number, NO_SCORE),
            count_cell(KindCount { passed: totals.counts.passed, total: totals.counts.total }),
            Cell::Count(totals.counts.error),
        ]);
        table.row(cells);
    }
    table
}

/// The runs of an evaluation: one row per subject and repeat.
pub(super) fn runs(entry: &Entry) -> Table {
    let has_reward = entry.evaluation.config.reward.is_some();
    let mut columns = vec![Column::words("Subject"), Column::numbers("Repeat", "")];
    if has_reward {
        columns.push(Column::numbers("Reward", "Mean over cases without error"));
    }
    columns.extend([
        Column::numbers("Mean attempted", "Mean score over attempted cases"),
        Column::numbers("Mean of all", "The same sum over all cases"),
        Column::numbers("Passed", "Cases that pass, of all"),
        Column::numbers("Errors", "Cases that could not be judged"),
        Column::numbers("Cost", "Sum over cases, where the files say"),
    ]);
    let mut table = Table::new("runs", "Runs", columns);
    for (idx, (run, figures)) in entry.evaluation.runs.iter().zip(&entry.figures.runs).enumerate() {
        let totals = &figures.totals;
        let mut cells = vec![
            Cell::words(run.key.subject.as_deref(), "no file names the subject"),
            Cell::Count(u64::from(run.key.repeat)),
        ];
        if has_reward {
            cells.push(Cell::or_missing(totals.reward, Cell::Bar, "no case has a reward"));
        }
        let usage = totals.usage.as_ref();
        cells.extend([
            Cell::or_missing(totals.score.mean_attempted, Cell::Bar, NO_SCORE),
            Cell::or_missing(totals.score.mean_total, Cell::Number, NO_SCORE),
            count_cell(KindCount { passed: totals.counts.passed, total: totals.counts.total }),
            Cell::Count(totals.counts.error),
            usage.and_then(|usage| usage.cost_usd).map_or_else(
                || Cell::Missing("the files state no cost".to_owned()),
                |amount| Cell::Usd {
                    amount,
                    is_lower_bound: usage.is_some_and(|usage| usage.cost_missing > 0),
                },
            ),
        ]);
        table.rows.push(Row { cells, target: target_of(entry, idx) });
    }
    table
}

/// Metrics of one repeat, or their means over several; `None` without metrics.
pub(super) fn metrics(totals: &[&Totals]) -> Option<Table> {
    let first = totals.first().filter(|totals| !totals.metrics.is_empty())?;
    let has_counts = first.metrics.iter().any(|metric| metric.passed.is_some());
    let is_many = totals.len() > 1;
    let mut columns = vec![
        Column::words("Metric"),
        Column::numbers("Mean attempted", "Mean score over attempted cases"),
        Column::numbers("Mean of all", "The same sum over all cases"),
    ];
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
            Cell::Text(metric.label.clone()),
            Cell::or_missing(mean(|metric| metric.mean_attempted), Cell::Bar, NO_SCORE),
            Cell::or_missing(mean(|metric| metric.mean_total), Cell::Number, NO_SCORE),
        ];
        if has_counts {
            cells.push(count_cell(KindCount {
                passed: of_name().filter_map(|metric| metric.passed).sum(),
                total: of_name().filter_map(|metric| Some(metric.passed? + metric.failed?)).sum(),
            }));
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
            Column::numbers("95 % interval", "Student's t interval of the mean"),
        ],
    );
    let spread = &aggregate.spread;
    let mut stats: Vec<(String, &SpreadStat)> = vec![
        ("Mean attempted".to_owned(), &spread.score),
        ("Mean of all".to_owned(), &spread.score_total),
    ];
    stats.extend(spread.reward.as_ref().map(|reward| ("Reward".to_owned(), reward)));
    stats.extend(spread.metrics.iter().map(|(name, stat)| (format!("Metric {name}"), stat)));
    for (subject, _, spread) in aggregate.subjects.iter().filter(|_| aggregate.subjects.len() > 1) {
        let stat = spread.reward.as_ref().unwrap_or(&spread.score);
        stats.push((subject.clone(), stat));
    }
    for (name, stat) in stats {
        let cell = |number| Cell::or_missing(number, Cell::Number, "too few repeats");
        let interval = stat.ci95.map_or_else(
            || Cell::Missing("too few repeats".to_owned()),
            |[low, high]| Cell::Interval { low, high },
        );
        table.row(vec![
            Cell::Text(name),
            cell(stat.mean),
            cell(stat.std),
            cell(stat.min),
            cell(stat.max),
            interval,
        ]);
    }
    table
}

/// Errors by category and type; `None` without errors.
pub(super) fn errors(totals: &[&Totals]) -> Option<Table> {
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for totals in totals {
        for (name, n) in &totals.errors.by_category {
            *counts.entry(("category", name)).or_default() += n;
        }
        for (name, n) in &totals.errors.by_exception_type {
            *counts.entry(("exception", name)).or_default() += n;
        }
    }
    let mut table = Table::new(
        "errors",
        "Errors",
        vec![Column::words("By"), Column::words("Name"), Column::numbers("Cases", "")],
    );
    for ((by, name), n) in counts {
        table.row(vec![Cell::Text(by.to_owned()), Cell::Text(name.to_owned()), Cell::Count(n)]);
    }
    (!table.rows.is_empty()).then_some(table)
}
