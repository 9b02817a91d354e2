//! One case, whole.

use super::case_rule::case_rule;
use super::cases::{CaseRef, line};
use super::workspace::Workspace;
use super::{CaseDetail, CaseLine, DocumentDetail, Outcome, RunRef};
use crate::model::Run;
use crate::readers;

/// A case as its page shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseView {
    /// The row of the table.
    pub line: CaseLine,
    /// Name of the evaluation.
    pub evaluation_label: String,
    /// Why the score is undefined, when it is.
    pub score_reason: Option<String>,
    /// The rule by which it passed or failed; lower case, no full stop.
    pub rule: Option<String>,
    /// Everything the files hold about it.
    pub detail: CaseDetail,
}

/// A document of a run, as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentView {
    /// Its run.
    pub run: RunRef,
    /// Its place among the documents of the run.
    pub place: u32,
    /// What it holds.
    pub detail: DocumentDetail,
}

/// Document `place` of `run`; `None` when it is not there.
pub fn document_view(
    workspace: &Workspace,
    run: RunRef,
    place: u32,
) -> Option<Result<DocumentView, readers::Error>> {
    let (_, table) = workspace.run(run)?;
    table.documents.get(place as usize)?;
    Some(workspace.document(run, place).map(|detail| DocumentView { run, place, detail }))
}

/// Case `case_idx` of `run`; `None` when it is not there.
pub fn case_view(
    workspace: &Workspace,
    run: RunRef,
    case_idx: u64,
) -> Option<Result<CaseView, readers::Error>> {
    let (entry, table) = workspace.run(run)?;
    let idx = usize::try_from(case_idx).ok().filter(|&idx| idx < table.cases.len())?;
    let case = CaseRef { run, case_idx: u32::try_from(idx).ok()? };
    let view = workspace.detail(run, case.case_idx).map(|detail| CaseView {
        line: line(entry.id, entry.evaluation.suite.as_deref(), table, case),
        evaluation_label: entry.evaluation.label.clone(),
        score_reason: score_reason(table, idx),
        rule: case_rule(workspace, &entry.evaluation, table, idx),
        detail,
    });
    Some(view)
}

/// Why a case has no score.
pub(super) fn score_reason(run: &Run, idx: usize) -> Option<String> {
    if run.cases.score.get(idx).is_some() {
        return None;
    }
    let mut checks = run.checks_of(idx);
    let reason = if run.cases.outcome_of(idx) == Outcome::Error {
        "the case ended in an error before it was scored"
    } else if checks.is_empty() {
        "the files give no score for this case"
    } else if checks.all(|at| run.checks.is_correct.get(at).is_none()) {
        "nothing was verified, so the score is 0 of 0: undefined"
    } else {
        "everything verified has weight 0, so the score is 0 of 0: undefined"
    };
    Some(reason.to_owned())
}
