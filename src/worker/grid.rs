//! The cases as they are sent: rows of the table or the heat map, what stands around them, completions.

use crate::address::{Page, Route};
use crate::report::compare::{CompareQuery, suggest_pairs};
use crate::report::filter::{FilterError, Suggestions, suggest};
use crate::report::{
    self, CaseLine, CaseQuery, HeatLine, Link, RunRef, SortKey, Target, case_page, heat_page,
};
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// Some rows of the cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseGrid {
    /// The rows.
    pub rows: GridRows,
    /// Number of the first one.
    pub first: u64,
    /// What stands around them, when it was asked for.
    pub frame: Option<GridFrame>,
}

/// Rows of the table, or of the heat map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum GridRows {
    /// Of the table.
    Cases(Vec<CaseRow>),
    /// Of the heat map.
    Heat(Vec<HeatRow>),
}

impl GridRows {
    /// The case that row `nth` opens: its run, and its key there.
    pub fn case(&self, nth: usize) -> Option<(RunRef, String)> {
        match self {
            Self::Cases(rows) => rows.get(nth).map(|row| (row.line.run, row.key.clone())),
            Self::Heat(rows) => rows.get(nth)?.case.clone(),
        }
    }

    /// Where cell `cell` of row `nth` of a heat map leads.
    pub fn address(&self, nth: usize, cell: usize) -> Option<&str> {
        let Self::Heat(rows) = self else { return None };
        rows.get(nth)?.addresses.get(cell).map(String::as_str).filter(|address| !address.is_empty())
    }

    /// The cases that the rows open.
    pub fn cases(&self) -> impl Iterator<Item = (RunRef, String)> {
        (0..).map_while(|nth| self.case(nth))
    }
}

impl Default for GridRows {
    fn default() -> Self {
        Self::Cases(Vec::new())
    }
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseRow {
    /// What it says.
    pub line: CaseLine,
    /// The key of its case within the run.
    pub key: String,
}

/// A row of the heat map.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HeatRow {
    /// What it says.
    pub line: HeatLine,
    /// Where each of its cells leads; empty where the case is not there.
    pub addresses: Vec<String>,
    /// The case that the row itself opens: its run, and its key there.
    pub case: Option<(RunRef, String)>,
}

/// What stands around the rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GridFrame {
    /// Number of rows in all.
    pub n_rows: u64,
    /// Number of rows without the filter.
    pub n_total: u64,
    /// Columns of the table when nobody has chosen any, in display order.
    pub columns: Vec<SortKey>,
    /// Columns that are not among them because they say the same of every case.
    pub constants: Vec<SortKey>,
    /// A case that tells what these say.
    pub sample: Option<CaseLine>,
    /// Columns that can be chosen; none in a heat map.
    pub choosable: Vec<SortKey>,
    /// What the columns of metrics are called.
    pub metrics: Vec<String>,
    /// Why the filter is not applied.
    pub error: Option<FilterError>,
    /// The filter as it was probably meant.
    pub by_value: Option<String>,
    /// Texts that the filter looks for in files which have not been searched for them.
    pub unsearched: Vec<String>,
    /// What stands side by side in a heat map.
    pub heat: Option<HeatFrame>,
}

/// What stands side by side in a heat map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeatFrame {
    /// Names of runs, or `Attempt 1`.
    pub columns: Vec<String>,
    /// Columns that are left out.
    pub n_hidden: u64,
    /// Whether some case has more than one attempt.
    pub has_attempts: bool,
    /// Whether there is more than one run.
    pub has_runs: bool,
}

/// The rows that `query` asks for; `None` when its target is not there.
pub(super) fn case_grid(
    workspace: &Workspace,
    query: &CaseQuery,
    is_framed: bool,
) -> Option<CaseGrid> {
    if query.heat.is_some() {
        return heat_grid(workspace, query, is_framed);
    }
    let page = case_page(workspace, query)?;
    let frame = GridFrame {
        n_rows: page.n_matching,
        n_total: page.n_total,
        columns: page.columns,
        constants: page.constants,
        sample: page.sample,
        choosable: page.choosable,
        metrics: page.metrics,
        error: page.filter_error,
        by_value: page.by_value,
        unsearched: page.unsearched,
        heat: None,
    };
    let row = |line: CaseLine| CaseRow { key: key_of(workspace, line.run, line.case_idx), line };
    let rows = GridRows::Cases(page.rows.into_iter().map(row).collect());
    Some(CaseGrid { rows, first: page.offset, frame: is_framed.then_some(frame) })
}

fn heat_grid(workspace: &Workspace, query: &CaseQuery, is_framed: bool) -> Option<CaseGrid> {
    let page = heat_page(workspace, query)?;
    let frame = is_framed.then(|| {
        let list = CaseQuery { heat: None, offset: 0, limit: 0, ..query.clone() };
        let list = case_page(workspace, &list).unwrap_or_default();
        GridFrame {
            n_rows: page.n_matching,
            n_total: page.n_total,
            error: list.filter_error,
            by_value: list.by_value,
            unsearched: list.unsearched,
            heat: Some(HeatFrame {
                columns: page.columns,
                n_hidden: page.n_hidden as u64,
                has_attempts: page.has_attempts,
                has_runs: page.has_runs,
            }),
            ..GridFrame::default()
        }
    });
    let row = |line: HeatLine| HeatRow {
        addresses: addresses(workspace, query, &line),
        case: line
            .cells
            .iter()
            .flatten()
            .next()
            .map(|cell| (cell.run, key_of(workspace, cell.run, cell.case_idx))),
        line,
    };
    let rows = GridRows::Heat(page.rows.into_iter().map(row).collect());
    Some(CaseGrid { rows, first: page.offset, frame })
}

/// Where the cells of `line` lead.
fn addresses(workspace: &Workspace, query: &CaseQuery, line: &HeatLine) -> Vec<String> {
    let address = |cell: &Option<report::HeatCell>| {
        let Some(cell) = cell else { return String::new() };
        let link = Link::Case { run: cell.run, case_idx: cell.case_idx };
        let case = Route::of_link(&link, Page::Cases, query.target, workspace).case;
        Route { case, ..Route::of_query(query) }.to_hash(workspace)
    };
    line.cells.iter().map(address).collect()
}

/// A case by its key.
fn key_of(workspace: &Workspace, run: RunRef, case_idx: u64) -> String {
    workspace.case_name(run, case_idx).unwrap_or_default()
}

/// What there is to say of a filter while it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterHelp {
    /// Why it cannot be read, and where.
    pub error: Option<FilterError>,
    /// How it could go on, the likeliest first.
    pub options: Vec<FilterOption>,
}

/// One way to go on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterOption {
    /// What is put in.
    pub label: String,
    /// What it is, or how many cases it has.
    pub note: String,
    /// The whole filter with it.
    pub text: String,
    /// The place behind it, in units of UTF-16.
    pub at: u32,
}

/// What there is to say of `text`, a filter on the cases of `target` that is being written at `at`,
/// counted in units of UTF-16.
pub(super) fn filter_help(
    workspace: &Workspace,
    target: Target,
    text: &str,
    at: u32,
) -> FilterHelp {
    suggest(workspace, target, text, byte_of_unit(text, at)).into()
}

/// The same of a filter on the pairs of the baseline and side `side`; `None`: a side is not there.
pub(super) fn pairs_filter_help(
    workspace: &Workspace,
    query: &CompareQuery,
    side: usize,
    text: &str,
    at: u32,
) -> Option<FilterHelp> {
    Some(suggest_pairs(workspace, query, side, text, byte_of_unit(text, at))?.into())
}

impl From<Suggestions> for FilterHelp {
    fn from(found: Suggestions) -> Self {
        let options = found.items.into_iter().map(|item| {
            let n_units = item.text.get(..item.at).map_or(0, |head| head.encode_utf16().count());
            let at = u32::try_from(n_units).unwrap_or(u32::MAX);
            FilterOption { label: item.label, note: item.note, text: item.text, at }
        });
        Self { error: found.error, options: options.collect() }
    }
}

/// The byte at which unit `at` of UTF-16 begins.
fn byte_of_unit(text: &str, at: u32) -> usize {
    let mut n_units = 0;
    for (byte, letter) in text.char_indices() {
        if n_units >= at as usize {
            return byte;
        }
        n_units += letter.len_utf16();
    }
    text.len()
}
