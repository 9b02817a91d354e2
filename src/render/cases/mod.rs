//! The cases: rows of the table or the heat map, what stands around them, facets, completions.

mod facets;
mod frame;
mod heat;
mod help;
mod row;

use super::Look;
use crate::markup::Markup;
use crate::report::{CaseQuery, RunRef, SortKey, Workspace, case_page};
pub use facets::facets;
pub use help::{FilterHelp, filter_help};
use serde::{Deserialize, Serialize};

/// Some rows of the cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseGrid {
    /// The rows: each a `role="row"` that says in `data-row` which one it is.
    pub rows: Markup,
    /// The case that each row opens: its run, and its key there.
    pub cases: Vec<(RunRef, String)>,
    /// Number of the first one.
    pub first: u64,
    /// What stands around them, when it was asked for.
    pub frame: Option<GridFrame>,
}

/// What stands around the rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GridFrame {
    /// Number of rows in all.
    pub n_rows: u64,
    /// How many cases there are, as words.
    pub count: String,
    /// The columns, in display order.
    pub columns: Vec<GridColumn>,
    /// The cells of the heading.
    pub head: Markup,
    /// What must be known of the answer: an error in the filter, files that are not searched, that
    /// there is no row.
    pub notice: Markup,
    /// The list from which columns are chosen; empty where there is none to choose.
    pub chooser: Markup,
}

/// A column and its width.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridColumn {
    /// Its word in addresses and settings.
    pub word: String,
    /// Width in pixels; the least one when it takes a share of what is left.
    pub width: u32,
    /// Share of what is left.
    pub share: u32,
}

/// The rows that `query` asks for; `None` when its target is not there.
pub fn case_grid(
    workspace: &Workspace,
    query: &CaseQuery,
    look: Look,
    is_framed: bool,
) -> Option<CaseGrid> {
    if query.heat.is_some() {
        return heat::heat_grid(workspace, query, look, is_framed);
    }
    let page = case_page(workspace, query)?;
    let mut rows = Markup::new();
    for (line, at) in page.rows.iter().zip(page.offset..) {
        row::row(line, at, &page.columns, look, &mut rows);
    }
    Some(CaseGrid {
        rows,
        cases: page.rows.iter().map(|line| named(workspace, line.run, line.case_idx)).collect(),
        first: page.offset,
        frame: is_framed.then(|| frame::frame(&page, query, workspace)),
    })
}

/// A case by its key.
fn named(workspace: &Workspace, run: RunRef, case_idx: u64) -> (RunRef, String) {
    (run, workspace.case_name(run, case_idx).unwrap_or_default())
}

/// Whether a column holds numbers, which are aligned at their end.
fn is_number(key: SortKey) -> bool {
    matches!(
        key,
        SortKey::Score
            | SortKey::FailedChecks
            | SortKey::Attempts
            | SortKey::Duration
            | SortKey::Tokens
            | SortKey::Cost
            | SortKey::Repeat
            | SortKey::Instability
    )
}
