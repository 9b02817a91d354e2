//! What comes before and after a case in the table's order.

use super::pages::cases::CaseOrder;
use super::{CaseQuery, Name, Outcome, RunRef};
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// Which case, in which order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NeighboursQuery {
    /// The table.
    pub query: CaseQuery,
    /// The case's run.
    pub run: RunRef,
    /// What it is called there.
    pub case: Name,
    /// Step over cases that neither failed nor ended in an error.
    pub is_failures_only: bool,
}

/// A case and its row in the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseAt {
    /// Its run.
    pub run: RunRef,
    /// Its key.
    pub key: String,
    /// Its row in the table, 0-based.
    pub at: u64,
}

/// A case among the matching ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbours {
    /// Its row in the table; `None` when the table does not hold it.
    pub at: Option<u64>,
    /// Rows of the table.
    pub n_matching: u64,
    /// The case before it.
    pub previous: Option<CaseAt>,
    /// The case after it; the table's first one for a case that it does not hold.
    pub next: Option<CaseAt>,
}

/// Answers `query`; `None` when its target is not there.
pub fn neighbours(workspace: &Workspace, query: &NeighboursQuery) -> Option<Neighbours> {
    let order = CaseOrder::of(workspace, &query.query)?;
    let found = neighbours_in(workspace, query, &order);
    let is_known = order.n_known() == order.len() || (found.at.is_some() && found.next.is_some());
    if is_known {
        return Some(found);
    }
    Some(neighbours_in(workspace, query, &*CaseOrder::whole(workspace, &query.query)?))
}

/// The neighbours among the rows that `order` knows.
fn neighbours_in(workspace: &Workspace, query: &NeighboursQuery, order: &CaseOrder) -> Neighbours {
    let case_idx = workspace.case_idx(query.run, &query.case);
    let at = case_idx.and_then(|case_idx| order.row_of(query.run, case_idx));
    let wanted = |idx: usize| {
        let case = order.case(idx)?;
        let (_, run) = workspace.run(case.run)?;
        let outcome = run.cases.outcome_of(case.case_idx as usize);
        let is_failure = matches!(outcome, Outcome::Failed | Outcome::Error);
        if query.is_failures_only && !is_failure {
            return None;
        }
        let key = workspace.case_name(case.run, case.case_idx.into())?;
        Some(CaseAt { run: case.run, key, at: idx as u64 })
    };
    let after = at.map_or(0, |at| at + 1);
    Neighbours {
        at: at.map(|at| at as u64),
        n_matching: order.len() as u64,
        previous: at.and_then(|at| (0..at).rev().find_map(wanted)),
        next: (after..order.n_known()).find_map(wanted),
    }
}
