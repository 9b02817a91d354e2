//! Tables of an overview: evaluations, checkpoints, groups, errors, the suite as written.

use crate::format::{count, counted};
use crate::report::cells::{
    NO_SCORE, count_cell, judgement_cell, link_of, mean_interval_cell, no_weighted_score,
    passed_cell, passed_interval_cell, wilson_cell,
};
use crate::report::table::Column;
use crate::report::tree::{evaluation_score, run_score};
use crate::report::{Cell, How, Kind, Link, Num, Row, Table, Target, caveats, declared};
use crate::scoring::{GroupScore, Totals};
use crate::stats;
use crate::workspace::Entry;
use std::collections::BTreeMap;

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
            Column::numbers("Cost", "Where recorded"),
            Column::numbers("Agent time", "Where recorded"),
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
            let verdict = Cell::Missing("only totals are among the files".to_owned());
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
                    || Cell::Missing("the files state no cost".to_owned()),
                    |amount| Cell::Usd { amount, is_lower_bound },
                ),
                Cell::or_missing(agent, Cell::Secs, "the files state no agent time"),
            ],
            link: Some(Link::Target(Target::Evaluation(entry.id))),
        });
    }
    table.drop_unknown(&["Agent time"]);
    table
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
            Column::numbers("95 % interval", "Wilson's interval of the share that passes"),
            Column::numbers("Core", "Core cases that pass, of all"),
            Column::numbers("Cost", "Cost of the agent, where recorded"),
            Column::numbers("Tokens", "Tokens read and written by the model, where recorded"),
            Column::numbers("Steps", "Steps of the agent, where recorded"),
            Column::numbers("Agent time", "Working time of the agent, where recorded"),
            Column::numbers("Test time", "Duration of the tests, where recorded"),
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
                Cell::words(run.key.suite.as_deref(), "no file names the problem"),
                Cell::words(run.key.variant.as_deref(), "no file names the checkpoint"),
                judgement_cell(figures.verdict.as_ref(), caveats::of_run(entry, idx).as_deref()),
                Cell::or_missing(run_score(figures), Cell::Bar, no_weighted_score(&figures.groups))
                    .opening(entry.run_ref(idx).map(|run| Link::How(How::Run(run)))),
                passed_cell([&figures.totals.counts]),
                passed_interval_cell(&figures.totals.counts),
                count_cell(core.passed, core.total),
                usage.cost_usd.map_or_else(
                    || Cell::Missing("the files state no cost".to_owned()),
                    |cost| Cell::Usd { amount: Num(cost), is_lower_bound: false },
                ),
                Cell::or_missing(tokens.map(Num), Cell::Number, "the files state no tokens"),
                Cell::or_missing(usage.n_steps.map(Num), Cell::Number, "the files state no steps"),
                Cell::or_missing(
                    usage.agent_secs.map(Num),
                    Cell::Secs,
                    "the files state no agent time",
                ),
                Cell::or_missing(
                    run.duration_secs.map(Num),
                    Cell::Secs,
                    "the files state no test time",
                ),
            ],
            link: link_of(entry, idx),
        });
    }
    table.drop_unknown(&["Cost", "Tokens", "Steps", "Agent time", "Test time"]);
    if n_declared > 0 {
        table.footnote = Some(format!(
            "{} without cases in the files: the figures are the ones declared in their rows.",
            counted(n_declared, "checkpoint", "checkpoints")
        ));
    }
    table
}

/// The groups of run `idx`.
pub(super) fn groups(entry: &Entry, idx: usize, groups: &[GroupScore]) -> Table {
    let mut table = Table::new(
        "groups",
        "Groups",
        vec![
            Column::words("Group"),
            Column::words("Kind"),
            Column::numbers("Score", "Mean of the case scores"),
            Column::numbers("95 % interval", "Student's t interval of the score"),
            Column::numbers("Scores", "Number of scores in the mean"),
            Column::numbers("Passed", "Cases that pass, of all"),
            Column::numbers("95 % interval", "Wilson's interval of the share that passes"),
            Column::numbers("Weight", "In the weighted score"),
            Column::numbers("Duration", "Wall-clock time of the group"),
        ],
    );
    let mut n_undefined = 0;
    for (group, at) in groups.iter().zip(0_u32..) {
        let how = entry.run_ref(idx).map(|run| Link::How(How::Group { run, group: at }));
        n_undefined += group.n_undefined;
        let why = if group.cases == 0 { "the group is empty" } else { NO_SCORE };
        table.row(vec![
            Cell::Text(group.name.clone()),
            Cell::words(group.kind.map(Kind::as_str), "the files name no kind"),
            Cell::or_missing(group.score, Cell::Bar, why).opening(how),
            mean_interval_cell(group.ci95, group.cases.saturating_sub(group.n_undefined), true),
            Cell::Count(group.n_scores),
            count_cell(group.passed, group.cases),
            wilson_cell(group.passed, group.cases),
            Cell::Number(group.weight),
            Cell::or_missing(group.duration_secs, Cell::Secs, "the files state no duration"),
        ]);
    }
    if groups.is_empty() {
        table.empty = Some("This run has no groups.".to_owned());
    }
    table.drop_unknown(&["Duration"]);
    let mut remarks = Vec::new();
    let run = entry.evaluation.runs.get(idx);
    if run.is_some_and(|run| run.groups.iter().any(|group| group.weight.is_some())) {
        remarks
            .push("Weights that are not set here are the ones declared in config.yaml.".to_owned());
    }
    if n_undefined > 0 {
        remarks.push(format!(
            "{} cases have no score (not run, nothing verified, or no weight) and are left out of the means.",
            count(n_undefined)
        ));
    }
    table.footnote = (!remarks.is_empty()).then(|| remarks.join(" "));
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

/// What the evaluation was asked to do.
pub(super) fn description(asked: &[(String, String)]) -> Table {
    let columns = vec![Column::words("Part"), Column::words("As written")];
    let mut table = Table::new("suite", "The suite as written", columns);
    for (label, value) in asked {
        table.row(vec![Cell::Text(label.clone()), Cell::Text(value.clone())]);
    }
    table
}
