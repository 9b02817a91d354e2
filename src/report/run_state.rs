//! What became of a slop-code run beside its cases: states, errors, plans, verdicts that its own files
//! record, and what a skill changed.

use super::cells::{count_cell, link_of};
use super::table::Column;
use super::tree::run_score;
use super::{Cell, Num, Outcome, Row, Table};
use crate::format::count;
use crate::model::{Ended, Run, SuiteState};
use crate::workspace::Entry;

/// `Declared in the files: policy any: passed.`; `None` when its files name no policy.
pub(super) fn declares(entry: &Entry) -> Option<String> {
    let config = &entry.evaluation.config;
    let mut said: Vec<(&str, Option<bool>, u64)> = Vec::new();
    for state in &config.suites {
        let Some(policy) = state.policy.as_deref() else { continue };
        match said.iter_mut().find(|(known, is, _)| *known == policy && *is == state.is_passed) {
            Some((.., n)) => *n += 1,
            None => said.push((policy, state.is_passed, 1)),
        }
    }
    if said.is_empty() {
        let policy = config.declared_policy.as_deref()?;
        return Some(format!("Declared in the files: policy {policy}."));
    }
    let is_one = said.len() == 1;
    let words = said.into_iter().map(|(policy, is_passed, n)| {
        let verdict = match is_passed {
            Some(true) => ": passed",
            Some(false) => ": not passed",
            None => ", without a verdict",
        };
        match (is_one, n) {
            (true, 1) => format!("{policy}{verdict}"),
            (true, n) => format!("{policy}{verdict}, in each of {} problems", count(n)),
            (false, 1) => format!("{policy}{verdict} in 1 problem"),
            (false, n) => format!("{policy}{verdict} in {} problems", count(n)),
        }
    });
    Some(format!("Declared in the files: policy {}.", words.collect::<Vec<_>>().join("; ")))
}

/// The states of the problems; `None` when no file says any. `only`: of this suite.
pub(super) fn states(entry: &Entry, only: Option<&str>) -> Option<Table> {
    let config = &entry.evaluation.config;
    let own = |state: &&SuiteState| only.is_none_or(|only| state.suite == only);
    let states: Vec<&SuiteState> = config.suites.iter().filter(own).collect();
    if states.is_empty() {
        return None;
    }
    let has = |get: &dyn Fn(&SuiteState) -> bool| states.iter().any(|state| get(state));
    let has_error = has(&|state| state.error_type.is_some() || state.message.is_some());
    let has_trace = has(&|state| state.traceback.is_some());
    let mut columns = vec![
        Column::words("Problem"),
        Column::words("State"),
        Column::numbers("Ran", "Checkpoints that ran, of those that were planned"),
        Column::words("Declared policy"),
        Column::words("Declared verdict"),
    ];
    if has_error {
        columns.push(Column::words("Error"));
        columns.push(Column::words("Message"));
    }
    if has_trace {
        columns.push(Column::words("Traceback"));
    }
    let mut table = Table::new("run-state", "Run state", columns);
    for state in states {
        let runs = entry.evaluation.runs.iter().filter(|run| {
            run.key.suite.as_deref() == Some(state.suite.as_str()) && run.again().is_none()
        });
        let (n_all, n_ran) = runs.fold((0, 0), |(all, ran), run| {
            (all + 1, ran + u64::from(run.ended() != Ended::NotRun))
        });
        let planned = state.n_planned.unwrap_or(n_all).max(n_all);
        let mut cells = vec![
            Cell::Text(state.suite.clone()),
            match &state.state {
                Some(word) => Cell::Tag { text: word.clone(), is_bad: state.is_broken() },
                None => Cell::Missing("no run_info.yaml gives the state".to_owned()),
            },
            count_cell(n_ran, planned),
            Cell::words(state.policy.as_deref(), "the files name no policy"),
            match state.is_passed {
                Some(is_passed) => {
                    Cell::Text(if is_passed { "passed" } else { "not passed" }.into())
                }
                None => Cell::Missing("the files record no verdict".to_owned()),
            },
        ];
        if has_error {
            cells.push(Cell::words(state.error_type.as_deref(), "no error"));
            cells.push(Cell::words(state.message.as_deref(), "no error"));
        }
        if has_trace {
            cells.push(match &state.traceback {
                Some(text) => Cell::Folded(text.clone()),
                None => Cell::Missing("no error".to_owned()),
            });
        }
        table.row(cells);
    }
    Some(table)
}

/// What became of one run, where it says more than its cases do.
pub(super) fn of_run(run: &Run) -> Option<Table> {
    let state = run.state.as_ref()?;
    let mut table = Table::new(
        "run-end",
        "State of this run",
        vec![Column::words("What"), Column::words("Value")],
    );
    let mut put = |what: &str, value: Cell| table.row(vec![Cell::Text(what.to_owned()), value]);
    let ended = match state.ended {
        Ended::Complete => None,
        Ended::Error => Some("the agent ended in an error"),
        Ended::NotRun => Some("planned, and did not run"),
    };
    if let Some(words) = ended {
        put("State", Cell::Tag { text: words.to_owned(), is_bad: true });
    }
    if let Some(message) = &state.message {
        put("Message", Cell::Text(message.clone()));
    }
    if let Some(again) = &state.again {
        put("Re-evaluates", Cell::Text(again.clone()));
    }
    if !state.tools.is_empty() {
        let tools = state.tools.iter().map(|(name, n)| format!("{name} {n}"));
        put("Tools used", Cell::Text(tools.collect::<Vec<_>>().join(", ")));
    }
    (!table.rows.is_empty()).then_some(table)
}

/// A figure before and after a skill, and how it is shown.
struct SkillPair {
    what: &'static str,
    before: Option<f64>,
    after: Option<f64>,
    cell: fn(f64) -> Cell,
}

/// Checkpoints before and after a skill, side by side; `None` when none was evaluated again.
pub(super) fn before_after(entry: &Entry) -> Option<Table> {
    let runs = &entry.evaluation.runs;
    if runs.iter().all(|run| run.again().is_none()) {
        return None;
    }
    let mut table = Table::new(
        "after-skill",
        "Before and after the skill",
        vec![
            Column::words("Problem"),
            Column::words("Checkpoint"),
            Column::words("Figure"),
            Column::numbers("Before", "Of the checkpoint itself"),
            Column::numbers(
                "After",
                "Of the evaluation after the skill; its cost is the skill's own",
            ),
            Column::numbers("Difference", "After minus before"),
        ],
    );
    for (idx, after) in runs.iter().enumerate() {
        let Some(name) = after.again() else { continue };
        let is_before = |run: &Run| {
            run.key.suite == after.key.suite
                && run.key.variant.as_deref() == Some(name)
                && run.again().is_none()
        };
        let before = runs.iter().position(is_before);
        for pair in pairs(entry, before, idx) {
            let cell = |value: Option<f64>| {
                value.map_or_else(|| Cell::Missing("the files do not say".to_owned()), pair.cell)
            };
            let difference = pair.before.zip(pair.after).map(|(before, after)| after - before);
            table.rows.push(Row {
                cells: vec![
                    Cell::words(after.key.suite.as_deref(), "no file names the problem"),
                    Cell::Text(name.to_owned()),
                    Cell::Text(pair.what.to_owned()),
                    cell(pair.before),
                    cell(pair.after),
                    cell(difference),
                ],
                link: link_of(entry, idx),
            });
        }
    }
    Some(table)
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn pairs(entry: &Entry, before: Option<usize>, after: usize) -> Vec<SkillPair> {
    let both = |what: &'static str, cell: fn(f64) -> Cell, get: &dyn Fn(usize) -> Option<f64>| {
        SkillPair { what, before: before.and_then(get), after: get(after), cell }
    };
    let figures = |idx: usize| entry.figures.runs.get(idx);
    let usage = |idx: usize| entry.evaluation.runs.get(idx)?.usage;
    let number = |value: f64| Cell::Number(Num(value));
    let usd = |value: f64| Cell::Usd { amount: Num(value), is_lower_bound: false };
    let tokens = |idx: usize| {
        let usage = usage(idx)?;
        Some(usage.prompt_tokens? + usage.completion_tokens?)
    };
    vec![
        both("Score", number, &|idx| Some(run_score(figures(idx)?)?.0)),
        both("Passed", number, &|idx| {
            let counts = &figures(idx)?.totals.counts;
            counts.passed.filter(|_| counts.total > 0).map(|passed| passed as f64)
        }),
        both("Cost", usd, &|idx| usage(idx)?.cost_usd),
        both("Steps", number, &|idx| usage(idx)?.n_steps),
        both("Tokens", number, &tokens),
    ]
}

/// The outcome of a run in the words of a list, where a score says nothing.
pub(super) fn word_of(run: &Run, outcome: Outcome) -> Option<&'static str> {
    match (run.ended(), outcome) {
        (Ended::NotRun, _) => Some("not run"),
        (Ended::Error, Outcome::Error) => Some("error"),
        (_, Outcome::Error) if run.is_infrastructure_failure == Some(true) => {
            Some("infrastructure failure")
        }
        _ => None,
    }
}
