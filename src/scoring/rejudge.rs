//! Cases judged by the user's rules instead of their producer's.

use super::aggregate::{Judged, aggregate_attempts, aggregate_by_all};
use super::rules::Rules;
use crate::model::{CaseJudgement, Outcome, Run, Strategy, Verdict};

/// `run` under the strategy and the pass rule of `rules`; `None` when they change no case's rule.
///
/// A strategy concerns cases that have attempts with verdicts (REBEL); a pass rule every case that
/// was judged and has a score.
pub fn rejudge(run: &Run, rules: &Rules) -> Option<Run> {
    match (rules.strategy, rules.pass) {
        (None, None) => None,
        (None, Some(rule)) => Some(run.judged_by_score(|score| rule.op.holds(score, rule.value))),
        (Some(_), _) => Some(run.rejudged(|idx, recorded| judge(run, idx, rules, recorded))),
    }
}

/// What the four strategies say of case `idx`; empty when it has no attempts with verdicts.
pub fn by_strategy(run: &Run, idx: usize) -> Vec<(Strategy, Judged)> {
    let attempts = judged_attempts(run, idx);
    if attempts.is_empty() {
        return Vec::new();
    }
    aggregate_by_all(&attempts).collect()
}

/// The attempts of case `idx` that have a score and a verdict, each with its row in the check table.
pub fn attempts(run: &Run, idx: usize) -> Vec<(usize, Judged)> {
    if run.cases.n_attempts.get(idx).is_none() {
        return Vec::new();
    }
    let judged = |at| {
        let (score, verdict) = (run.checks.score.get(at)?, run.checks.verdict_of(at)?);
        Some((at, Judged { score, verdict }))
    };
    run.checks_of(idx).filter_map(judged).collect()
}

fn judged_attempts(run: &Run, idx: usize) -> Vec<Judged> {
    attempts(run, idx).into_iter().map(|(_, judged)| judged).collect()
}

/// Case `idx`, which its producer judged as `found` says.
fn judge(run: &Run, idx: usize, rules: &Rules, mut found: CaseJudgement) -> CaseJudgement {
    if let Some(strategy) = rules.strategy {
        let attempts = judged_attempts(run, idx);
        if !attempts.is_empty() {
            let judged = aggregate_attempts(&attempts, strategy);
            found = CaseJudgement {
                outcome: match judged.verdict {
                    Verdict::Passed => Outcome::Passed,
                    Verdict::Failed => Outcome::Failed,
                    Verdict::Error => Outcome::Error,
                },
                score: Some(judged.score),
                passed: Some(judged.verdict == Verdict::Passed),
                strategy: Some(strategy),
            };
        }
    }
    if let (Some(rule), Some(score)) = (rules.pass, found.score)
        && !matches!(found.outcome, Outcome::Error | Outcome::Skipped)
    {
        let is_passed = rule.op.holds(score, rule.value);
        found.outcome = Outcome::of(is_passed);
        found.passed = Some(is_passed);
    }
    found
}
