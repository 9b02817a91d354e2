//! One page of rows of the case table.

use super::case_order::CaseRef;
use super::workspace::Workspace;
use super::{Kind, Num, Outcome, RunRef, Target};
use crate::model::{Run, Verdict};
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
    /// Part of the suite beyond the run's own: original checkpoint, metric position.
    pub variant: Option<String>,
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
    let order = workspace.case_order(query)?;
    let first = usize::try_from(query.offset).ok()?.min(order.cases.len());
    let n_rows = usize::try_from(query.limit.min(MAX_ROWS)).ok()?;
    let rows = order
        .cases
        .iter()
        .skip(first)
        .take(n_rows)
        .filter_map(|case| {
            let (entry, run) = workspace.run(case.run)?;
            Some(line(entry.id, run, *case))
        })
        .collect();
    Some(CasePage {
        rows,
        offset: first as u64,
        n_matching: order.cases.len() as u64,
        n_total: order.n_total,
        columns: order.columns.clone(),
        by_outcome: order.by_outcome.clone(),
    })
}

/// Most rows in one answer.
const MAX_ROWS: u64 = 1_000;

/// The row of a case.
pub(super) fn line(evaluation: u32, run: &Run, case: CaseRef) -> CaseLine {
    let (cases, idx) = (&run.cases, case.case_idx as usize);
    let (mut n_failed_checks, mut n_checks) = (0, 0);
    for at in run.checks_of(idx) {
        let is_right = is_right(run, at);
        n_checks += u64::from(is_right.is_some());
        n_failed_checks += u64::from(is_right == Some(false));
    }
    CaseLine {
        run: RunRef { evaluation, run: case.run.run },
        case_idx: u64::from(case.case_idx),
        run_label: run.label.clone(),
        id: cases.id.get(idx).unwrap_or_default().to_owned(),
        variant: cases.variant.get(idx).map(str::to_owned),
        group: cases.group.get(idx).map(str::to_owned),
        kind: cases.kind_of(idx),
        outcome: cases.outcome_of(idx),
        score: cases.score.get(idx).map(Num),
        n_failed_checks,
        n_checks,
        n_attempts: cases.n_attempts.get(idx),
        duration_secs: cases.duration_secs.get(idx).map(Num),
        tokens: tokens(run, idx).map(Num),
        cost_usd: cases.cost_usd.get(idx).map(Num),
        error: cases
            .error_message
            .get(idx)
            .and_then(|message| message.lines().find(|line| !line.trim().is_empty()))
            .or_else(|| cases.error_type.get(idx))
            .or_else(|| cases.error_category.get(idx))
            .map(str::to_owned),
    }
}

/// Whether check `at` is right; `None` when nobody has judged it.
pub(crate) fn is_right(run: &Run, at: usize) -> Option<bool> {
    let verdict = || run.checks.verdict_of(at).map(|verdict| verdict == Verdict::Passed);
    run.checks.is_correct.get(at).or_else(verdict)
}

/// Prompt and completion tokens of a case together.
pub(super) fn tokens(run: &Run, idx: usize) -> Option<f64> {
    let parts = [run.cases.prompt_tokens.get(idx), run.cases.completion_tokens.get(idx)];
    parts.iter().any(Option::is_some).then(|| parts.into_iter().flatten().sum())
}
