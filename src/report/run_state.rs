//! What became of a slop-code run beside its cases: states, errors, plans, verdicts that its own files
//! record, and what a skill changed.

use super::cells::{count_cell, link_of};
use super::table::Column;
use super::tree::run_score;
use super::{Cell, Num, Outcome, Row, Table};
use crate::model::{Ended, Run, SuiteState};
use crate::words::report::runs as words;
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
        return Some(words::declared_policies(policy));
    }
    let is_one = said.len() == 1;
    let words = said.into_iter().map(|(policy, is_passed, n)| {
        let judged = match is_passed {
            Some(true) => words::policy_passed(policy),
            Some(false) => words::policy_not_passed(policy),
            None => words::policy_without_verdict(policy),
        };
        match (is_one, n) {
            (true, 1) => judged,
            (true, n) => words::in_each_problem(&judged, n),
            (false, n) => words::in_problems(&judged, n),
        }
    });
    Some(words::declared_policies(&words.collect::<Vec<_>>().join("; ")))
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
        Column::words(words::PROBLEM),
        Column::words(words::STATE),
        Column::numbers(words::RAN, words::RAN_HINT),
        Column::words(words::DECLARED_POLICY),
        Column::words(words::DECLARED_VERDICT),
    ];
    if has_error {
        columns.push(Column::words(words::ERROR));
        columns.push(Column::words(words::MESSAGE));
    }
    if has_trace {
        columns.push(Column::words(words::TRACEBACK));
    }
    let mut table = Table::new("run-state", words::STATES, columns);
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
                None => Cell::Missing(words::NO_STATE.to_owned()),
            },
            count_cell(n_ran, planned),
            Cell::words(state.policy.as_deref(), words::NO_POLICY),
            match state.is_passed {
                Some(is_passed) => {
                    Cell::Text(if is_passed { words::PASSED } else { words::NOT_PASSED }.into())
                }
                None => Cell::Missing(words::NO_VERDICT.to_owned()),
            },
        ];
        if has_error {
            cells.push(Cell::words(state.error_type.as_deref(), words::NO_ERROR));
            cells.push(Cell::words(state.message.as_deref(), words::NO_ERROR));
        }
        if has_trace {
            cells.push(match &state.traceback {
                Some(text) => Cell::Folded(text.clone()),
                None => Cell::Missing(words::NO_ERROR.to_owned()),
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
        words::STATE_OF_RUN,
        Vec::from(words::STATE_OF_RUN_COLUMNS.map(Column::words)),
    );
    let mut put = |what: &str, value: Cell| table.row(vec![Cell::Text(what.to_owned()), value]);
    let ended = match state.ended {
        Ended::Complete => None,
        Ended::Error => Some(words::ENDED_IN_ERROR),
        Ended::NotRun => Some(words::DID_NOT_RUN),
    };
    if let Some(words) = ended {
        put(words::STATE, Cell::Tag { text: words.to_owned(), is_bad: true });
    }
    if let Some(message) = &state.message {
        put(words::MESSAGE, Cell::Text(message.clone()));
    }
    if let Some(again) = &state.again {
        put(words::EVALUATES_AGAIN, Cell::Text(again.clone()));
    }
    if !state.tools.is_empty() {
        let tools = state.tools.iter().map(|(name, n)| format!("{name} {n}"));
        put(words::TOOLS, Cell::Text(tools.collect::<Vec<_>>().join(", ")));
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
        words::SKILL,
        vec![
            Column::words(words::PROBLEM),
            Column::words(words::CHECKPOINT),
            Column::words(words::FIGURE),
            Column::numbers(words::BEFORE, words::BEFORE_HINT),
            Column::numbers(words::AFTER, words::AFTER_HINT),
            Column::numbers(words::DIFFERENCE, words::DIFFERENCE_HINT),
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
                value.map_or_else(|| Cell::Missing(words::NOT_SAID.to_owned()), pair.cell)
            };
            let difference = pair.before.zip(pair.after).map(|(before, after)| after - before);
            table.rows.push(Row {
                cells: vec![
                    Cell::words(after.key.suite.as_deref(), words::NO_PROBLEM),
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
        both(words::SCORE_FIGURE, number, &|idx| Some(run_score(figures(idx)?)?.0)),
        both(words::PASSED_FIGURE, number, &|idx| {
            let counts = &figures(idx)?.totals.counts;
            counts.passed.filter(|_| counts.total > 0).map(|passed| passed as f64)
        }),
        both(words::COST_FIGURE, usd, &|idx| usage(idx)?.cost_usd),
        both(words::STEPS_FIGURE, number, &|idx| usage(idx)?.n_steps),
        both(words::TOKENS_FIGURE, number, &tokens),
    ]
}

/// The outcome of a run in the words of a list, where a score says nothing.
pub(super) fn word_of(run: &Run, outcome: Outcome) -> Option<&'static str> {
    match (run.ended(), outcome) {
        (Ended::NotRun, _) => Some(words::NOT_RUN),
        (Ended::Error, Outcome::Error) => Some(words::ENDED_ERROR),
        (_, Outcome::Error) if run.is_infrastructure_failure == Some(true) => {
            Some(words::INFRASTRUCTURE)
        }
        _ => None,
    }
}
