//! Failures by kind, run and group, by check, category and type.

use super::{Failing, RunOf, is_failure};
use crate::model::{CaseTable, Dict, Run, ValueColumn as Cells};
use crate::order::Order as _;
use crate::report::pages::cases::is_right;
use crate::report::table::Column;
use crate::report::{Cell, Kind, Link, Outcome, Row, Table, Target};
use crate::words::report::failures as words;
use crate::workspace::run_title;
use std::collections::{BTreeMap, HashMap};

/// Most rows of a table.
const MAX_ROWS: usize = 100;

/// Cases of one place.
#[derive(Debug, Clone, Copy, Default)]
struct FailureTally {
    failed: u64,
    error: u64,
    all: u64,
}

impl FailureTally {
    fn add(&mut self, outcome: Outcome) {
        self.all += 1;
        self.failed += u64::from(outcome == Outcome::Failed);
        self.error += u64::from(outcome == Outcome::Error);
    }

    fn failing(self) -> u64 {
        self.failed + self.error
    }

    fn cells(self) -> [Cell; 3] {
        [
            Cell::Share { part: self.failing(), whole: self.all },
            Cell::Count(self.failed),
            Cell::Count(self.error),
        ]
    }

    fn columns() -> [Column; 3] {
        [
            Column::numbers(words::FAILING, words::FAILING_HINT),
            Column::numbers(words::FAILED, words::FAILED_HINT),
            Column::numbers(words::ERRORS, words::ERRORS_HINT),
        ]
    }
}

/// By kind, by run, by group: those that the files tell apart.
pub(super) fn by_place(runs: &[RunOf<'_>]) -> Vec<Table> {
    let mut kinds: BTreeMap<Option<Kind>, KindFailures> = BTreeMap::new();
    let mut of_runs = vec![FailureTally::default(); runs.len()];
    let mut groups: Vec<(usize, &str, FailureTally)> = Vec::new();
    for ((nth_run, of), of_run) in runs.iter().enumerate().zip(&mut of_runs) {
        let run: &Run = of.run;
        let mut group_at: HashMap<&str, usize> = HashMap::new();
        let outcome_of = run.cases.outcomes();
        for idx in 0..run.cases.len() {
            let outcome = outcome_of(idx);
            of_run.add(outcome);
            let of_kind: &mut KindFailures = kinds.entry(run.cases.kind_of(idx)).or_default();
            of_kind.tally.add(outcome);
            if is_failure(outcome) && of_kind.examples.len() < N_EXAMPLES {
                of_kind.examples.push(name_of(run, idx));
            }
            let Some(name) = run.cases.group.get(idx) else { continue };
            let at = *group_at.entry(name).or_insert_with(|| {
                groups.push((nth_run, name, FailureTally::default()));
                groups.len() - 1
            });
            if let Some((_, _, tally)) = groups.get_mut(at) {
                tally.add(outcome);
            }
        }
    }
    let mut tables = Vec::new();
    if kinds.keys().any(Option::is_some) {
        tables.push(of_kinds(kinds));
    }
    if runs.len() > 1 {
        tables.push(of_every_run(runs, &of_runs));
    }
    if !groups.is_empty() {
        tables.push(of_groups(runs, groups));
    }
    tables
}

/// How many failing cases of a kind are named.
const N_EXAMPLES: usize = 3;

/// Cases of a kind, and the first of them that fail.
#[derive(Default)]
struct KindFailures {
    tally: FailureTally,
    examples: Vec<String>,
}

/// Group and id of a case, as the guide of slop-code prints them.
fn name_of(run: &Run, idx: usize) -> String {
    let id = run.cases.id.get(idx).unwrap_or_default();
    match run.cases.group.get(idx) {
        Some(group) => format!("{group}/{id}"),
        None => id.to_owned(),
    }
}

fn of_kinds(kinds: BTreeMap<Option<Kind>, KindFailures>) -> Table {
    let columns = std::iter::once(Column::words(words::KIND))
        .chain(FailureTally::columns())
        .chain(std::iter::once(Column::words(words::FIRST_FAILING)));
    let mut table = Table::new("failures-by-kind", words::KINDS, columns.collect());
    for (kind, KindFailures { tally, examples }) in kinds {
        let name = Cell::Text(kind.map_or(words::NO_KIND, Kind::as_str).to_owned());
        let examples = match examples.is_empty() {
            true => Cell::Missing(words::NONE_OF_KIND.to_owned()),
            false => Cell::Text(examples.join(", ")),
        };
        table.row([name].into_iter().chain(tally.cells()).chain([examples]).collect());
    }
    table
}

/// A run's name; with its evaluation's when there are several.
pub(super) fn named(runs: &[RunOf<'_>], of: &RunOf<'_>) -> String {
    if runs.iter().any(|other| other.entry.id != of.entry.id) {
        run_title(of.entry, of.run)
    } else {
        of.run.label.clone()
    }
}

fn of_every_run(runs: &[RunOf<'_>], tallies: &[FailureTally]) -> Table {
    let columns =
        std::iter::once(Column::words(words::RUN)).chain(FailureTally::columns()).collect();
    let mut table = Table::new("failures-by-run", words::RUNS_TABLE, columns);
    let mut rows: Vec<(&RunOf<'_>, FailureTally)> =
        runs.iter().zip(tallies.iter().copied()).filter(|(_, tally)| tally.failing() > 0).collect();
    rows.order_by_key(|(_, tally)| std::cmp::Reverse(tally.failing()));
    table.footnote = rest_of(&rows, words::more_runs, |(_, tally)| tally.failing());
    for (of, tally) in rows.into_iter().take(MAX_ROWS) {
        let name = Cell::Text(named(runs, of));
        table.rows.push(Row {
            cells: std::iter::once(name).chain(tally.cells()).collect(),
            link: Some(Link::Target(Target::Run(of.at))),
        });
    }
    table
}

fn of_groups(runs: &[RunOf<'_>], mut groups: Vec<(usize, &str, FailureTally)>) -> Table {
    let is_many = runs.len() > 1;
    let mut columns = vec![Column::words(words::GROUP)];
    columns.extend(is_many.then(|| Column::words(words::RUN)));
    columns.extend(FailureTally::columns());
    let mut table = Table::new("failures-by-group", words::GROUPS, columns);
    groups.retain(|(_, _, tally)| tally.failing() > 0);
    groups.order_by(|(left_run, left, a), (right_run, right, b)| {
        b.failing().cmp(&a.failing()).then(left_run.cmp(right_run)).then(left.cmp(right))
    });
    table.footnote = rest_of(&groups, words::more_groups, |(_, _, tally)| tally.failing());
    for (nth_run, name, tally) in groups.into_iter().take(MAX_ROWS) {
        let mut cells = vec![Cell::Text(name.to_owned())];
        if let Some(of) = runs.get(nth_run).filter(|_| is_many) {
            let link = Link::Target(Target::Run(of.at));
            cells.push(Cell::Text(named(runs, of)).opening(Some(link)));
        }
        cells.extend(tally.cells());
        table.rows.push(Row { cells, link: Some(Link::Find(name.to_owned())) });
    }
    table
}

/// What is left out after the first rows: `12 further groups with 40 failing cases are not shown.`
fn rest_of<T>(
    rows: &[T],
    say: fn(u64, u64) -> String,
    n_failing: impl Fn(&T) -> u64,
) -> Option<String> {
    let rest = rows.get(MAX_ROWS..).filter(|rest| !rest.is_empty())?;
    let n_cases: u64 = rest.iter().map(n_failing).sum();
    Some(say(rest.len() as u64, n_cases))
}

/// By check, by category of the error, by type of the exception.
pub(super) fn by_cause(runs: &[RunOf<'_>], failing: &[Failing<'_>]) -> Vec<Table> {
    [
        of_checks(runs),
        of_words("failures-by-category", words::CATEGORIES, failing, |cases| &cases.error_category),
        of_words("failures-by-type", words::TYPES, failing, |cases| &cases.error_type)
            .map(findable),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// How often a check of one name is wrong.
#[derive(Debug, Clone, Copy, Default)]
struct Wrong {
    wrong: u64,
    judged: u64,
    /// Failing cases in which it is wrong.
    cases: u64,
}

/// Attributes, metrics or graders that are wrong somewhere; `None` when none is.
fn of_checks(runs: &[RunOf<'_>]) -> Option<Table> {
    let mut counts: HashMap<(&str, &str), Wrong> = HashMap::new();
    let mut is_many = false;
    for of in runs {
        let (run, producer) = (of.run, of.entry.evaluation.producer.as_ref());
        is_many |= runs.first().is_some_and(|first| first.entry.evaluation.producer != producer);
        let outcome_of = run.cases.outcomes();
        for idx in 0..run.cases.len() {
            let mut seen: Vec<&str> = Vec::new();
            for at in run.checks_of(idx) {
                let (Some(is_right), Some(name)) = (is_right(run, at), run.checks.name.get(at))
                else {
                    continue;
                };
                let count = counts.entry((producer, name)).or_default();
                count.judged += 1;
                if is_right {
                    continue;
                }
                count.wrong += 1;
                // The attempts of a case have checks of one name.
                if is_failure(outcome_of(idx)) && !seen.contains(&name) {
                    seen.push(name);
                    count.cases += 1;
                }
            }
        }
    }
    let mut rows: Vec<((&str, &str), Wrong)> =
        counts.into_iter().filter(|(_, count)| count.wrong > 0).collect();
    rows.order_by(|(left, a), (right, b)| b.wrong.cmp(&a.wrong).then(left.cmp(right)));
    let mut columns = vec![Column::words(words::CHECK)];
    columns.extend(is_many.then(|| Column::words(words::PRODUCER)));
    columns.extend([
        Column::numbers(words::FAILED, words::FAILED_CHECKS_HINT),
        Column::numbers(words::FAILING_CASES, words::FAILING_CASES_HINT),
    ]);
    let mut table = Table::new("failures-by-check", words::CHECKS, columns);
    if let Some(rest) = rows.get(MAX_ROWS..).filter(|rest| !rest.is_empty()) {
        table.footnote = Some(words::more_checks(rest.len() as u64));
    }
    for ((producer, name), count) in rows.into_iter().take(MAX_ROWS) {
        let label = runs
            .iter()
            .find(|of| of.entry.evaluation.producer == producer)
            .map_or(name, |of| of.entry.evaluation.config.label_of(name));
        let mut cells = vec![Cell::Text(label.to_owned())];
        cells.extend(is_many.then(|| Cell::Text(producer.to_owned())));
        cells.push(Cell::Share { part: count.wrong, whole: count.judged });
        cells.push(Cell::Count(count.cases));
        table.row(cells);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Failing cases by a word that the files give them; `None` when they give none.
fn of_words(
    id: &str,
    caption: &str,
    failing: &[Failing<'_>],
    column: fn(&CaseTable) -> &Cells<Dict>,
) -> Option<Table> {
    // Number of cases and of runs, and the run that was counted last.
    let mut counts: BTreeMap<&str, (u64, u64, usize)> = BTreeMap::new();
    for case in failing {
        let Some(word) = column(&case.of.run.cases).get(case.idx) else { continue };
        let (n_cases, n_runs, last_run) = counts.entry(word).or_insert((0, 0, usize::MAX));
        *n_cases += 1;
        if *last_run != case.nth_run {
            (*n_runs, *last_run) = (*n_runs + 1, case.nth_run);
        }
    }
    let mut rows: Vec<(&str, (u64, u64, usize))> = counts.into_iter().collect();
    rows.order_by_key(|(_, (n_cases, ..))| std::cmp::Reverse(*n_cases));
    let mut table = Table::new(
        id,
        caption,
        vec![
            Column::words(words::NAME),
            Column::numbers(words::CASES, words::CASES_HINT),
            Column::numbers(words::RUNS, words::RUNS_HINT),
        ],
    );
    let whole = failing.len() as u64;
    let n_named: u64 = rows.iter().map(|(_, (n_cases, ..))| n_cases).sum();
    let unnamed = (n_named < whole).then(|| words::unnamed(whole - n_named, whole));
    let rest = rest_of(&rows, words::more_names, |(_, (n_cases, ..))| *n_cases);
    table.footnote = match (rest, unnamed) {
        (Some(rest), Some(unnamed)) => Some(format!("{rest} {unnamed}")),
        (rest, unnamed) => rest.or(unnamed),
    };
    for (word, (n_cases, n_runs, _)) in rows.into_iter().take(MAX_ROWS) {
        table.row(vec![
            Cell::Text(word.to_owned()),
            Cell::Share { part: n_cases, whole },
            Cell::Count(n_runs),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The table with names that open the cases in which they occur. Names of exceptions are words of their
/// own; categories like `call` would be found in anything.
fn findable(mut table: Table) -> Table {
    for row in &mut table.rows {
        if let Some(Cell::Text(name)) = row.cells.first() {
            row.link = Some(Link::Find(name.clone()));
        }
    }
    table
}
