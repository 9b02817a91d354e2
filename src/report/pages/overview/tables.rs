//! Tables of an overview: evaluations, checkpoints, groups, errors, the suite as written.

use crate::report::cells::{
    NO_SCORE, count_cell, judgement_cell, link_of, mean_interval_cell, no_weighted_score,
    passed_cell, passed_interval_cell, wilson_cell,
};
use crate::report::table::Column;
use crate::report::tree::{evaluation_score, run_score};
use crate::report::{Cell, How, Kind, Link, Num, Row, Table, Target, caveats, declared};
use crate::scoring::{GroupScore, Totals};
use crate::stats;
use crate::words::report::overview::tables as words;
use crate::workspace::Entry;
use std::collections::BTreeMap;

/// All evaluations, one row each.
pub(super) fn evaluations(entries: &[Entry]) -> Table {
    let mut table = Table::new(
        "evaluations",
        words::EVALUATIONS,
        vec![
            Column::words(words::EVALUATION),
            Column::words(words::PRODUCER),
            Column::words(words::VERDICT),
            Column::numbers(words::SCORE, words::EVALUATION_SCORE_HINT),
            Column::numbers(words::RUNS, ""),
            Column::numbers(words::PASSED, words::PASSED_HINT),
            Column::numbers(words::COST, words::WHERE_RECORDED),
            Column::numbers(words::AGENT_TIME, words::WHERE_RECORDED),
        ],
    );
    for entry in entries {
        let runs = || {
            let runs = entry.evaluation.runs.iter().zip(&entry.figures.runs);
            runs.filter(|(run, _)| run.again().is_none()).map(|(_, figures)| figures)
        };
        let counts = || runs().map(|run| &run.totals.counts);
        let agent = entry.evaluation.runs.iter().filter_map(|run| run.usage?.agent_secs);
        let agent: Vec<f64> = agent.collect();
        let agent = (!agent.is_empty()).then(|| Num(stats::sum(agent)));
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
        if let Some([score, passed, cost]) = declared::evaluation_cells(entry) {
            let name = format!("{} {}", entry.evaluation.producer, entry.evaluation.generation);
            let verdict = Cell::Missing(words::ONLY_TOTALS.to_owned());
            let (label, n_runs) = (entry.evaluation.label.clone(), Cell::Count(0));
            table.rows.push(Row {
                cells: vec![
                    Cell::Text(label),
                    Cell::Text(name),
                    verdict,
                    score,
                    n_runs,
                    passed,
                    cost,
                ],
                link: Some(Link::Target(Target::Evaluation(entry.id))),
            });
            continue;
        }
        table.rows.push(Row {
            cells: vec![
                Cell::Text(entry.evaluation.label.clone()),
                Cell::Text(format!(
                    "{} {}",
                    entry.evaluation.producer, entry.evaluation.generation
                )),
                judgement_cell(
                    entry.figures.verdict.as_ref(),
                    caveats::of_evaluation(entry).as_deref(),
                ),
                Cell::or_missing(evaluation_score(entry), Cell::Number, NO_SCORE),
                Cell::Count(entry.evaluation.runs.len() as u64),
                passed_cell(counts()),
                cost.map_or_else(
                    || Cell::Missing(words::NO_COST.to_owned()),
                    |amount| Cell::Usd { amount, is_lower_bound },
                ),
                Cell::or_missing(agent, Cell::Secs, words::NO_AGENT_TIME),
            ],
            link: Some(Link::Target(Target::Evaluation(entry.id))),
        });
    }
    table.drop_unknown(&[words::AGENT_TIME]);
    table
}

/// The checkpoints of a slop-code run, in order.
pub(super) fn checkpoints(entry: &Entry) -> Table {
    let mut table = Table::new(
        "checkpoints",
        words::CHECKPOINTS,
        vec![
            Column::words(words::PROBLEM),
            Column::words(words::CHECKPOINT),
            Column::words(words::VERDICT),
            Column::numbers(words::SCORE, words::CHECKPOINT_SCORE_HINT),
            Column::numbers(words::PASSED, words::PASSED_HINT),
            Column::numbers(words::INTERVAL, words::WILSON_HINT),
            Column::numbers(words::CORE, words::CORE_HINT),
            Column::numbers(words::COST, words::COST_HINT),
            Column::numbers(words::TOKENS, words::TOKENS_HINT),
            Column::numbers(words::STEPS, words::STEPS_HINT),
            Column::numbers(words::AGENT_TIME, words::AGENT_TIME_HINT),
            Column::numbers(words::TEST_TIME, words::TEST_TIME_HINT),
        ],
    );
    let mut n_declared = 0;
    for (idx, (run, figures)) in entry.evaluation.runs.iter().zip(&entry.figures.runs).enumerate() {
        let core = figures.by_kind.get(&Kind::Core).copied().unwrap_or_default();
        let usage = run.usage.unwrap_or_default();
        let tokens = usage.prompt_tokens.zip(usage.completion_tokens);
        let tokens = tokens.map(|(read, written)| read + written);
        n_declared += u64::from(run.declared_counts().is_some());
        table.rows.push(Row {
            cells: vec![
                Cell::words(run.key.suite.as_deref(), words::NO_PROBLEM),
                Cell::words(run.key.variant.as_deref(), words::NO_CHECKPOINT),
                judgement_cell(figures.verdict.as_ref(), caveats::of_run(entry, idx).as_deref()),
                Cell::or_missing(run_score(figures), Cell::Bar, no_weighted_score(&figures.groups))
                    .opening(entry.run_ref(idx).map(|run| Link::How(How::Run(run)))),
                passed_cell([&figures.totals.counts]),
                passed_interval_cell(&figures.totals.counts),
                count_cell(core.passed, core.total),
                usage.cost_usd.map_or_else(
                    || Cell::Missing(words::NO_COST.to_owned()),
                    |cost| Cell::Usd { amount: Num(cost), is_lower_bound: false },
                ),
                Cell::or_missing(tokens.map(Num), Cell::Number, words::NO_TOKENS),
                Cell::or_missing(usage.n_steps.map(Num), Cell::Number, words::NO_STEPS),
                Cell::or_missing(usage.agent_secs.map(Num), Cell::Secs, words::NO_AGENT_TIME),
                Cell::or_missing(run.duration_secs.map(Num), Cell::Secs, words::NO_TEST_TIME),
            ],
            link: link_of(entry, idx),
        });
    }
    table.drop_unknown(&[
        words::COST,
        words::TOKENS,
        words::STEPS,
        words::AGENT_TIME,
        words::TEST_TIME,
    ]);
    if n_declared > 0 {
        table.footnote = Some(words::declared_checkpoints(n_declared));
    }
    table
}

/// The groups of run `idx`.
pub(super) fn groups(entry: &Entry, idx: usize, groups: &[GroupScore]) -> Table {
    let mut table = Table::new(
        "groups",
        words::GROUPS,
        vec![
            Column::words(words::GROUP),
            Column::words(words::KIND),
            Column::numbers(words::SCORE, words::GROUP_SCORE_HINT),
            Column::numbers(words::INTERVAL, words::GROUP_INTERVAL_HINT),
            Column::numbers(words::SCORES, words::GROUP_SCORES_HINT),
            Column::numbers(words::PASSED, words::PASSED_HINT),
            Column::numbers(words::INTERVAL, words::WILSON_HINT),
            Column::numbers(words::WEIGHT, words::WEIGHT_HINT),
            Column::numbers(words::DURATION, words::DURATION_HINT),
        ],
    );
    let mut n_undefined = 0;
    for (group, at) in groups.iter().zip(0_u32..) {
        let how = entry.run_ref(idx).map(|run| Link::How(How::Group { run, group: at }));
        n_undefined += group.n_undefined;
        let why = if group.cases == 0 { words::EMPTY_GROUP } else { NO_SCORE };
        table.row(vec![
            Cell::Text(group.name.clone()),
            Cell::words(group.kind.map(Kind::as_str), words::NO_KIND),
            Cell::or_missing(group.score, Cell::Bar, why).opening(how),
            mean_interval_cell(group.ci95, group.cases.saturating_sub(group.n_undefined), true),
            Cell::Count(group.n_scores),
            count_cell(group.passed, group.cases),
            wilson_cell(group.passed, group.cases),
            Cell::Number(group.weight),
            Cell::or_missing(group.duration_secs, Cell::Secs, words::NO_DURATION),
        ]);
    }
    if groups.is_empty() {
        table.empty = Some(words::NO_GROUPS.to_owned());
    }
    table.drop_unknown(&[words::DURATION]);
    let mut remarks = Vec::new();
    let run = entry.evaluation.runs.get(idx);
    if run.is_some_and(|run| run.groups.iter().any(|group| group.weight.is_some())) {
        remarks.push(words::DECLARED_WEIGHTS.to_owned());
    }
    if n_undefined > 0 {
        remarks.push(words::cases_without_score(n_undefined));
    }
    table.footnote = (!remarks.is_empty()).then(|| remarks.join(" "));
    table
}

/// Errors by category and type; `None` without errors.
pub(super) fn errors(totals: &[&Totals]) -> Option<Table> {
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for totals in totals {
        for (name, n) in &totals.errors.by_category {
            *counts.entry((words::BY_CATEGORY, name)).or_default() += n;
        }
        for (name, n) in &totals.errors.by_exception_type {
            *counts.entry((words::BY_EXCEPTION, name)).or_default() += n;
        }
    }
    let [by, name, cases] = words::ERROR_COLUMNS;
    let columns = vec![Column::words(by), Column::words(name), Column::numbers(cases, "")];
    let mut table = Table::new("errors", words::ERRORS, columns);
    for ((by, name), n) in counts {
        table.row(vec![Cell::Text(by.to_owned()), Cell::Text(name.to_owned()), Cell::Count(n)]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// What the evaluation was asked to do.
pub(super) fn description(asked: &[(String, String)]) -> Table {
    let columns = Vec::from(words::SUITE_COLUMNS.map(Column::words));
    let mut table = Table::new("suite", words::SUITE, columns);
    for (label, value) in asked {
        table.row(vec![Cell::Text(label.clone()), Cell::Text(value.clone())]);
    }
    table
}
