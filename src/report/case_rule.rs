//! The rule by which a case passed or failed, in words: a score alone does not tell it.

use super::Outcome;
use super::Settings;
use super::workspace::Workspace;
use crate::format::counted;
use crate::model::{Evaluation, Run, Strategy, Verdict};
use crate::policy::gate_text;
use crate::scoring::attempts as attempts_of;

/// What decides case `idx` of `run`; `None`: nothing was decided, or no rule is known.
pub(super) fn case_rule(
    workspace: &Workspace,
    evaluation: &Evaluation,
    run: &Run,
    idx: usize,
) -> Option<String> {
    if !matches!(run.cases.outcome_of(idx), Outcome::Passed | Outcome::Failed) {
        return None;
    }
    by_threshold(&workspace.settings)
        .or_else(|| by_attempts(run, idx))
        .or_else(|| by_gate(evaluation))
        .or_else(|| evaluation.config.has_policies.then(|| by_attributes(run, idx)).flatten())
        .or_else(|| {
            (run.is_infrastructure_failure.is_some()).then(|| "pytest's own outcome".to_owned())
        })
}

fn by_threshold(settings: &Settings) -> Option<String> {
    let rule = settings.rules.pass?;
    Some(format!("your threshold: score {} {}", rule.op.sign(), rule.value))
}

/// REBEL: verdicts of attempts decide, whatever their scores are.
fn by_attempts(run: &Run, idx: usize) -> Option<String> {
    let strategy = run.cases.strategy_of(idx)?;
    let attempts = attempts_of(run, idx);
    let n_of = |verdict: Verdict| {
        attempts.iter().filter(|(_, judged)| judged.verdict == verdict).count() as u64
    };
    let (n_passed, n_failed) = (n_of(Verdict::Passed), n_of(Verdict::Failed));
    let rule = match strategy {
        Strategy::Min => "every attempt must pass",
        Strategy::Max => "one attempt must pass",
        Strategy::Mean | Strategy::Median => "more attempts must pass than fail",
    };
    let of = counted(n_passed + n_failed, "attempt", "attempts");
    Some(format!(
        "strategy {strategy}: {rule}, {n_passed} of {of} passed; the score decides nothing"
    ))
}

/// letta-evals: by the threshold of the gate, or by its parts.
fn by_gate(evaluation: &Evaluation) -> Option<String> {
    let config = &evaluation.config;
    if config.has_policies {
        return None;
    }
    if let Some(rule) = config.pass_rule {
        let whose =
            if rule.is_declared { "" } else { " (the gate's threshold, read for each case)" };
        return Some(format!("score {} {}{whose}", rule.op.sign(), rule.value));
    }
    let gate = config.gate.as_ref()?;
    Some(format!("the case's own scores must meet the gate {}", gate_text(&gate.rule)))
}

/// slop-code: every verified attribute decides, also one without weight.
fn by_attributes(run: &Run, idx: usize) -> Option<String> {
    let checks = &run.checks;
    let verified: Vec<(bool, f64)> = run
        .checks_of(idx)
        .filter_map(|at| Some((checks.is_correct.get(at)?, checks.weight.get(at).unwrap_or(0.0))))
        .collect();
    if run.checks_of(idx).next().is_none() {
        let is_recorded =
            run.cases.score.get(idx).is_some() && run.is_infrastructure_failure.is_none();
        return is_recorded.then(|| "the recorded score must be 1".to_owned());
    }
    if verified.is_empty() {
        return Some("every verified attribute must be correct; none was verified".to_owned());
    }
    let n_wrong = verified.iter().filter(|(is_correct, _)| !is_correct).count();
    let n_correct = verified.len() - n_wrong;
    let mut words = format!(
        "every verified attribute must be correct; {n_correct} of {} correct",
        counted(verified.len() as u64, "is", "are")
    );
    let is_weightless = verified.iter().all(|(is_correct, weight)| *is_correct || *weight == 0.0);
    if n_wrong > 0 && is_weightless {
        words.push_str("; what is wrong weighs 0, so the score does not show it");
    }
    Some(words)
}
