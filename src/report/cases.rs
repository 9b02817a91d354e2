//! One page of rows of the case table.

use super::workspace::Workspace;
use super::{Kind, Num, Outcome, RunRef, Target};
use serde::{Deserialize, Serialize};

/// Which cases, in which order, and which of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseQuery {
    /// Of what.
    pub target: Target,
    /// Text that must occur in id, group, run or error message; case does not matter.
    pub text: String,
    /// Outcomes to keep; empty keeps all.
    pub outcomes: Vec<Outcome>,
    /// Order.
    pub sort: SortKey,
    /// Reverse order. Missing values stay last.
    pub is_descending: bool,
    /// First row wanted.
    pub offset: u64,
    /// Number of rows wanted.
    pub limit: u64,
}

/// What to sort by. Equal values keep file order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SortKey {
    /// The order of the files.
    #[default]
    File,
    /// Run.
    Run,
    /// Id; numbers by value.
    Id,
    /// Group.
    Group,
    /// Kind.
    Kind,
    /// Outcome: failed first, then error, skipped, unscored, passed.
    Outcome,
    /// Score.
    Score,
    /// Checks that failed.
    FailedChecks,
    /// Attempts.
    Attempts,
    /// Seconds.
    Duration,
    /// Cost.
    Cost,
    /// Tokens, prompt and completion together.
    Tokens,
    /// Error message.
    Error,
}

/// Rows `offset..` of the answer to a query.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CasePage {
    /// The rows.
    pub rows: Vec<CaseLine>,
    /// Index of the first row among the matching ones.
    pub offset: u64,
    /// Number of matching cases.
    pub n_matching: u64,
    /// Number of cases without text and outcome filter.
    pub n_total: u64,
    /// Columns that hold anything for this target, in display order; the page shows only these.
    pub columns: Vec<SortKey>,
    /// Matching cases by outcome, before the outcome filter: passed, failed, error, skipped, unscored.
    pub by_outcome: Vec<(Outcome, u64)>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseLine {
    /// Its run.
    pub run: RunRef,
    /// Row in the run.
    pub case_idx: u64,
    /// Name of the run.
    pub run_label: String,
    /// Id.
    pub id: String,
    /// Group.
    pub group: Option<String>,
    /// Kind.
    pub kind: Option<Kind>,
    /// Outcome.
    pub outcome: Outcome,
    /// Score; `None` undefined or unknown.
    pub score: Option<Num>,
    /// Checks that are wrong.
    pub n_failed_checks: u64,
    /// Checks that were verified.
    pub n_checks: u64,
    /// Attempts.
    pub n_attempts: Option<u32>,
    /// Seconds.
    pub duration_secs: Option<Num>,
    /// Tokens, prompt and completion together.
    pub tokens: Option<Num>,
    /// US dollars.
    pub cost_usd: Option<Num>,
    /// First line of the error message, or its category.
    pub error: Option<String>,
}

/// Answers `query`; `None` when its target is not there.
pub fn case_page(workspace: &Workspace, query: &CaseQuery) -> Option<CasePage> {
    let _ = (workspace, query);
    None
}
