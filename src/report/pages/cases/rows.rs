//! The cases that stand in some rows of an answer.

use super::{CaseOrder, CaseQuery, MAX_ROWS, heat_page};
use crate::report::RunRef;
use crate::workspace::Workspace;

/// The cases in the rows `ranges` (each first and end) of the answer to `query`, in its order: run, row in
/// the run. A row of the heat map stands for every case that it shows, each once. `None` when the target
/// of `query` is not there; rows that are not there are passed over.
pub fn cases_in_rows(
    workspace: &Workspace,
    query: &CaseQuery,
    ranges: &[(u64, u64)],
) -> Option<Vec<(RunRef, u32)>> {
    let mut cases = Vec::new();
    if query.heat.is_none() {
        let row = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let end = ranges.iter().map(|(_, end)| row(*end)).max().unwrap_or_default();
        let order = CaseOrder::with_rows(workspace, query, end)?;
        let row = |at: u64| row(at).min(order.len());
        for (first, end) in ranges {
            let found = (row(*first)..row(*end)).filter_map(|at| order.case(at));
            cases.extend(found.map(|case| (case.run, case.case_idx)));
        }
        return Some(cases);
    }
    for (first, end) in ranges {
        let mut at = *first;
        while at < *end {
            let limit = (end - at).min(MAX_ROWS);
            let page = heat_page(workspace, &CaseQuery { offset: at, limit, ..query.clone() })?;
            if page.rows.is_empty() {
                break;
            }
            at += page.rows.len() as u64;
            for line in &page.rows {
                // The cells of a row are attempts of one case, or one case of each run.
                let mut last = None;
                for cell in line.cells.iter().flatten() {
                    let case = u32::try_from(cell.case_idx).ok().map(|row| (cell.run, row));
                    if case != last {
                        cases.extend(case);
                        last = case;
                    }
                }
            }
        }
    }
    Some(cases)
}
