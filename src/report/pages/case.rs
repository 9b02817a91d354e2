//! One case, whole.

use crate::model::Run;
use crate::readers;
use crate::report::case_rule::case_rule;
use crate::report::pages::cases::{CaseRef, line};
use crate::report::same_case::{Elsewhere, elsewhere};
use crate::report::{CaseDetail, CaseLine, DocumentDetail, Outcome, RunRef};
use crate::words::report::cases as words;
use crate::workspace::Workspace;

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
    /// Outcome and what decided it, in one line: `Failed: score 0.950 < 1`.
    pub verdict: String,
    /// The same case elsewhere.
    pub elsewhere: Vec<Elsewhere>,
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
    let view = workspace.case_page(run, case.case_idx).map(|detail| {
        let line = line(entry.id, entry.evaluation.suite.as_deref(), table, case);
        let score_reason = score_reason(table, idx);
        let decided = case_rule(workspace, &entry.evaluation, table, idx);
        let reason = decided.as_ref().map(|decided| decided.reason.as_str());
        CaseView {
            verdict: verdict(&line, reason, score_reason.as_deref()),
            elsewhere: elsewhere(workspace, run, idx),
            evaluation_label: entry.evaluation.label.clone(),
            score_reason,
            rule: decided.map(|decided| decided.rule),
            line,
            detail,
        }
    });
    Some(view)
}

/// The outcome of a case and what decided it, in one line.
fn verdict(line: &CaseLine, reason: Option<&str>, no_score: Option<&str>) -> String {
    let reason = match line.outcome {
        Outcome::Passed => reason.unwrap_or_default(),
        // Where the rule says no more than that it failed, its message does.
        Outcome::Failed => {
            let told = reason.filter(|reason| !reason.is_empty());
            told.or(line.error.as_deref()).unwrap_or_default()
        }
        Outcome::Error => line.error.as_deref().unwrap_or_default(),
        Outcome::Scored => words::NO_PASS_RULE,
        Outcome::Unscored | Outcome::Skipped => no_score.unwrap_or_default(),
    };
    let word = capitalised(line.outcome.as_str());
    if reason.is_empty() { word } else { format!("{word}: {reason}") }
}

/// Why a case has no score.
pub(in crate::report) fn score_reason(run: &Run, idx: usize) -> Option<String> {
    if run.cases.score.get(idx).is_some() {
        return None;
    }
    let mut checks = run.checks_of(idx);
    let has_weights = checks.clone().any(|at| run.checks.weight.get(at).is_some());
    let reason = if run.cases.outcome_of(idx) == Outcome::Error {
        words::NO_SCORE_OF_ERROR
    } else if !has_weights {
        words::NO_SCORE_GIVEN
    } else if checks.all(|at| run.checks.is_correct.get(at).is_none()) {
        words::NOTHING_VERIFIED
    } else {
        words::NO_WEIGHT
    };
    Some(reason.to_owned())
}

/// `word` with a capital at its beginning.
fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
