//! Failures by run: a row for each message or group, a column for each run.

use super::tables::named;
use super::{Failing, RunOf};
use crate::order::Order as _;
use crate::report::charts::quoted;
use crate::report::table::Column;
use crate::report::{Cell, Link, Row, Table, TableShape};
use crate::words::report::failures as words;
use std::collections::HashMap;

/// Rows that have a name of their own; the others are one row together.
const MAX_ROWS: usize = 12;
/// Runs that have a column.
const MAX_RUNS: usize = 100;

/// What a row counts.
pub(super) struct MatrixRow {
    pub name: String,
    /// The filter that finds its cases; `None` when none does.
    pub filter: Option<String>,
}

/// How many failing cases of each of `rows` are in each run. `of_case`: the row of each of `failing`.
/// `None` when the failures are all in one run.
pub(super) fn matrix(
    runs: &[RunOf<'_>],
    failing: &[Failing<'_>],
    what: &str,
    rows: Vec<MatrixRow>,
    of_case: &[Option<usize>],
) -> Option<Table> {
    let mut counts: HashMap<(Option<usize>, usize), u64> = HashMap::new();
    let mut of_row = vec![0_u64; rows.len()];
    let mut of_run = vec![0_u64; runs.len()];
    for (case, row) in failing.iter().zip(of_case) {
        *counts.entry((*row, case.nth_run)).or_default() += 1;
        if let Some(n) = row.and_then(|row| of_row.get_mut(row)) {
            *n += 1;
        }
        if let Some(n) = of_run.get_mut(case.nth_run) {
            *n += 1;
        }
    }
    let columns: Vec<usize> =
        (0..runs.len()).filter(|at| of_run.get(*at).is_some_and(|n| *n > 0)).collect();
    if columns.len() < 2 {
        return None;
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.order_by_key(|row| std::cmp::Reverse(of_row.get(*row).copied().unwrap_or_default()));
    let n_shown = if order.len() == MAX_ROWS + 1 { order.len() } else { MAX_ROWS };
    order.truncate(n_shown);
    let shown: Vec<usize> = columns.iter().copied().take(MAX_RUNS).collect();
    let mut heads = vec![Column::words(what), Column::numbers(words::ALL, words::ALL_HINT)];
    heads.extend(
        shown.iter().filter_map(|at| runs.get(*at)).map(|of| Column::numbers(&named(runs, of), "")),
    );
    let mut table = Table::new("failures-matrix", words::MESSAGES_BY_RUN, heads);
    if what != words::MESSAGE {
        table.caption = words::GROUPS_BY_RUN.to_owned();
    }
    table.shape = TableShape::Matrix;
    let own = own_labels(runs);
    let mut left: Vec<u64> = of_run.clone();
    for row in order {
        let Some(MatrixRow { name, filter }) = rows.get(row) else { continue };
        let all = of_row.get(row).copied().unwrap_or_default();
        let find = |run: Option<&str>| {
            let run = run.map(|label| format!("run={} ", quoted(label))).unwrap_or_default();
            let filter = filter.as_ref()?;
            Some(Link::Filter(format!("{run}outcome:failed,error {filter}")))
        };
        let mut cells = vec![Cell::Text(name.clone()), Cell::Count(all).opening(find(None))];
        for (run, n_left) in left.iter_mut().enumerate() {
            let n = counts.get(&(Some(row), run)).copied().unwrap_or_default();
            *n_left -= n;
            if shown.contains(&run) {
                let label = own.get(run).copied().flatten();
                let link = label.filter(|_| n > 0).and_then(|label| find(Some(label)));
                cells.push(number(n).opening(link));
            }
        }
        table.rows.push(Row { cells, link: None });
    }
    let n_others: u64 = left.iter().sum();
    if n_others > 0 {
        let mut cells = vec![Cell::Text(words::OTHERS.to_owned()), Cell::Count(n_others)];
        cells.extend(shown.iter().map(|run| number(left.get(*run).copied().unwrap_or_default())));
        table.last_row(cells);
    }
    if columns.len() > shown.len() {
        table.footnote = Some(words::first_runs(shown.len() as u64, columns.len() as u64));
    }
    Some(table)
}

/// A cell without cases stays blank: what there is catches the eye.
fn number(n: u64) -> Cell {
    if n == 0 { Cell::Text(String::new()) } else { Cell::Count(n) }
}

/// The label of each run, where no other run has the same.
fn own_labels<'a>(runs: &'a [RunOf<'_>]) -> Vec<Option<&'a str>> {
    let mut n_of: HashMap<&str, u64> = HashMap::new();
    for of in runs {
        *n_of.entry(of.run.label.as_str()).or_default() += 1;
    }
    let label = |of: &'a RunOf<'_>| Some(of.run.label.as_str());
    runs.iter().map(|of| label(of).filter(|label| n_of.get(label) == Some(&1))).collect()
}
