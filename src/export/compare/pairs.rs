//! Every pair of two sides, as CSV.

use crate::export::csv::{no_formula, number_text, writer};
use crate::model::Num;
use crate::report::compare::{Came, CompareQuery, PairsQuery, compare_pairs};
use crate::workspace::Workspace;
use std::borrow::Cow;
use std::io;

/// The columns.
const COLUMNS: [&str; 11] = [
    "suite",
    "variant",
    "group",
    "id",
    "outcome_baseline",
    "outcome_candidate",
    "value_baseline",
    "value_candidate",
    "difference",
    "contribution",
    "change",
];

/// The pairs of the baseline of `query` and its side `side`, largest loss first; `None` when a side is not
/// loaded.
///
/// # Errors
/// When a value cannot be written.
pub fn pairs_csv(
    workspace: &Workspace,
    query: &CompareQuery,
    side: usize,
) -> io::Result<Option<Vec<u8>>> {
    let all = PairsQuery { side, n: usize::MAX, ..PairsQuery::default() };
    let Some(page) = compare_pairs(workspace, query, &all) else { return Ok(None) };
    let mut out = Vec::new();
    let mut table = writer(&mut out);
    table.write_record(COLUMNS)?;
    for line in page.lines {
        let text = |text: &Option<String>| match text {
            Some(text) => no_formula(text).into_owned(),
            None => String::new(),
        };
        let came = |came: Option<Came>| came.map_or("", Came::as_str);
        let number = |number: Option<Num>| number.map_or(String::new(), |n| number_text(n.0));
        let change = match line.difference.map(|difference| difference.0) {
            None => "",
            Some(apart) if apart < -1e-12 => "regressed",
            Some(apart) if apart > 1e-12 => "fixed",
            Some(_) => "same",
        };
        let cells: [Cow<'_, str>; COLUMNS.len()] = [
            text(&line.suite).into(),
            text(&line.variant).into(),
            text(&line.group).into(),
            no_formula(&line.id),
            came(line.came.0).into(),
            came(line.came.1).into(),
            number(line.values.map(|values| values.0)).into(),
            number(line.values.map(|values| values.1)).into(),
            number(line.difference).into(),
            number(line.contribution).into(),
            change.into(),
        ];
        table.write_record(cells.iter().map(|cell| cell.as_bytes()))?;
    }
    table.flush()?;
    drop(table);
    Ok(Some(out))
}
