//! A case beside the table: why it came out so, as far as the tables tell without its file.

use super::case_rule::case_rule;
use super::pages::cases::{CaseLine, CaseRef, is_right, line};
use super::{Num, Outcome, RunRef};
use crate::model::{Run, Verdict};
use crate::order::Order as _;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// Most checks that are listed.
const MAX_CHECKS: usize = 24;

/// Most letters of a message.
const MAX_LETTERS: usize = 1_200;

/// A case beside the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    /// Its row in the table.
    pub line: CaseLine,
    /// The rule that decided it; lower case, no full stop.
    pub rule: Option<String>,
    /// What the rule found: `score 0.950 < 1`.
    pub reason: Option<String>,
    /// What the files record of its error, maybe cut.
    pub message: Option<String>,
    /// Its checks, failed ones first.
    pub checks: Vec<PreviewCheck>,
    /// Checks that are not listed.
    pub n_more: u64,
}

/// A check of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PreviewCheck {
    /// Its name.
    pub name: String,
    /// The attempt that it judged, where a case may have several.
    pub attempt: Option<u32>,
    /// How it came out; `None`: nobody has judged it.
    pub outcome: Option<Outcome>,
    /// Its score.
    pub score: Option<Num>,
    /// Its weight, where weights differ.
    pub weight: Option<Num>,
}

/// Case `case_idx` of a run beside the table; `None` when it is not there.
pub fn preview(workspace: &Workspace, run: RunRef, case_idx: u64) -> Option<Preview> {
    let (entry, table) = workspace.run(run)?;
    let idx = usize::try_from(case_idx).ok().filter(|idx| *idx < table.cases.len())?;
    let case = CaseRef { run, case_idx: u32::try_from(case_idx).ok()? };
    let mut checks: Vec<PreviewCheck> = table.checks_of(idx).map(|at| check(table, at)).collect();
    let is_weighted = checks.windows(2).any(|pair| match pair {
        [left, right] => left.weight != right.weight,
        _ => false,
    });
    let has_attempts = checks.iter().any(|check| check.attempt.is_some_and(|nth| nth > 1));
    for check in &mut checks {
        check.weight = check.weight.filter(|_| is_weighted);
        check.attempt = check.attempt.filter(|_| has_attempts);
    }
    let rank = |check: &PreviewCheck| match check.outcome {
        Some(Outcome::Failed) => 0,
        Some(Outcome::Error) => 1,
        None => 3,
        Some(_) => 2,
    };
    checks.order_by_key(rank);
    let n_more = checks.len().saturating_sub(MAX_CHECKS) as u64;
    checks.truncate(MAX_CHECKS);
    let message = table.cases.error_message.get(idx).map(|text| {
        let mut cut: String = text.trim().chars().take(MAX_LETTERS).collect();
        if cut.len() < text.trim().len() {
            cut.push('…');
        }
        cut
    });
    let decided = case_rule(workspace, &entry.evaluation, table, idx);
    let (rule, reason) = decided.map(|decided| (decided.rule, decided.reason)).unzip();
    Some(Preview {
        line: line(entry.id, entry.evaluation.suite.as_deref(), table, case),
        rule,
        reason: reason.filter(|reason| !reason.is_empty()),
        message: message.filter(|text| !text.is_empty()),
        checks,
        n_more,
    })
}

fn check(run: &Run, at: usize) -> PreviewCheck {
    let checks = &run.checks;
    let outcome = match checks.verdict_of(at) {
        Some(Verdict::Error) => Some(Outcome::Error),
        _ => is_right(run, at).map(Outcome::of),
    };
    PreviewCheck {
        name: checks.name.get(at).unwrap_or_default().to_owned(),
        attempt: checks.attempt.get(at),
        outcome,
        score: checks.score.get(at).map(Num),
        weight: checks.weight.get(at).map(Num),
    }
}
