//! The rule by which a case passed or failed, and what it found, in words: a score alone does not tell it.

use super::Outcome;
use crate::figures::Settings;
use crate::model::{Evaluation, Op, Run, Strategy, Verdict};
use crate::policy::gate_text;
use crate::scoring::attempts as attempts_of;
use crate::words::report::rules::cases as words;
use crate::workspace::Workspace;

/// What decided a case.
pub(super) struct CaseRule {
    /// The rule; lower case, no full stop.
    pub rule: String,
    /// What it found: `score 0.950 < 1`; empty where no more can be said than the rule does.
    pub reason: String,
}

/// Checks that are named.
const MAX_NAMED: usize = 3;

/// What decides case `idx` of `run`; `None`: nothing was decided, or no rule is known.
pub(super) fn case_rule(
    workspace: &Workspace,
    evaluation: &Evaluation,
    run: &Run,
    idx: usize,
) -> Option<CaseRule> {
    if !matches!(run.cases.outcome_of(idx), Outcome::Passed | Outcome::Failed) {
        return None;
    }
    by_threshold(&workspace.settings, run, idx)
        .or_else(|| by_attempts(run, idx))
        .or_else(|| by_gate(evaluation, run, idx))
        .or_else(|| by_tool(evaluation, run, idx))
        .or_else(|| evaluation.config.has_policies.then(|| by_attributes(run, idx)).flatten())
        .or_else(|| {
            let has_passed = run.cases.outcome_of(idx) == Outcome::Passed;
            let word = if has_passed { words::PYTEST_PASS } else { words::PYTEST_FAILURE };
            (run.is_infrastructure_failure.is_some())
                .then(|| CaseRule { rule: words::PYTEST_RULE.to_owned(), reason: word.to_owned() })
        })
}

fn by_threshold(settings: &Settings, run: &Run, idx: usize) -> Option<CaseRule> {
    let rule = settings.rules.pass?;
    Some(CaseRule {
        rule: words::your_threshold(rule.op.sign(), rule.value),
        reason: compared(run, idx, run.cases.score.get(idx), rule.op, rule.value),
    })
}

/// How `score`, the one that decides a case, compares with what is asked for; empty where that would not tell
/// its outcome.
fn compared(run: &Run, idx: usize, score: Option<f64>, op: Op, value: f64) -> String {
    let has_passed = run.cases.outcome_of(idx) == Outcome::Passed;
    let Some(score) = score else {
        return if has_passed { String::new() } else { words::score_needed(op.sign(), value) };
    };
    if op.holds(score, value) != has_passed {
        return String::new();
    }
    let what = if run.cases.reward.get(idx) == Some(score) { words::REWARD } else { words::SCORE };
    let shown = written_beside(score, value);
    match sign_between(op, has_passed, score, value) {
        Some(sign) => words::compares(what, &shown, sign, value),
        None => words::compares_not(what, &shown, op.sign(), value),
    }
}

/// The sign that is true between the two; `None` where there is none.
fn sign_between(op: Op, holds: bool, left: f64, right: f64) -> Option<&'static str> {
    if holds {
        return Some(op.sign());
    }
    Some(match op {
        Op::Eq => "≠",
        _ if left.is_nan() || right.is_nan() => return None,
        Op::Gt => "≤",
        Op::Gte => "<",
        Op::Lt => "≥",
        Op::Lte => ">",
    })
}

/// `score` with as many decimals as it takes for what is written to compare with `value` as it does itself.
fn written_beside(score: f64, value: f64) -> String {
    let texts = (3..17).map(|decimals| format!("{score:.decimals$}"));
    let compares = |text: &str| {
        text.parse::<f64>().is_ok_and(|read| read.partial_cmp(&value) == score.partial_cmp(&value))
    };
    texts.into_iter().find(|text| compares(text)).unwrap_or_else(|| score.to_string())
}

/// REBEL: verdicts of attempts decide, whatever their scores are.
fn by_attempts(run: &Run, idx: usize) -> Option<CaseRule> {
    let strategy = run.cases.strategy_of(idx)?;
    let attempts = attempts_of(run, idx);
    let n_of = |verdict: Verdict| {
        attempts.iter().filter(|(_, judged)| judged.verdict == verdict).count() as u64
    };
    let (n_passed, n_failed) = (n_of(Verdict::Passed), n_of(Verdict::Failed));
    let asks = match strategy {
        Strategy::Min => words::EVERY_ATTEMPT,
        Strategy::Max => words::ONE_ATTEMPT,
        Strategy::Mean | Strategy::Median => words::MORE_ATTEMPTS,
    };
    let n = n_passed + n_failed;
    Some(CaseRule {
        reason: words::attempts_passed(n_passed, n, asks),
        rule: words::strategy_rule(strategy.as_str(), asks, n_passed, n),
    })
}

/// Tools that record only whether a case passed.
fn by_tool(evaluation: &Evaluation, run: &Run, idx: usize) -> Option<CaseRule> {
    let rule = evaluation.config.case_rule.as_deref()?;
    if run.cases.outcome_of(idx) == Outcome::Passed {
        // What failed beside it (an earlier try, another metric) did not decide.
        return Some(CaseRule { rule: rule.to_owned(), reason: String::new() });
    }
    let failing: Vec<&str> = run
        .checks_of(idx)
        .filter(|at| {
            run.checks
                .verdict_of(*at)
                .map_or(run.checks.is_correct.get(*at) == Some(false), |verdict| {
                    verdict != Verdict::Passed
                })
        })
        .filter_map(|at| run.checks.name.get(at))
        .collect();
    if let [first, others @ ..] = failing.as_slice()
        && !others.is_empty()
        && others.iter().all(|other| other == first)
    {
        // One thing that was tried again, not several.
        let reason = words::failed_in_attempts(failing.len(), run.checks_of(idx).len());
        return Some(CaseRule { rule: rule.to_owned(), reason });
    }
    let named = failing.get(..MAX_NAMED).unwrap_or(&failing).join(", ");
    let more = failing.len().saturating_sub(MAX_NAMED);
    let reason = match (named.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => words::not_met(&named),
        (false, more) => words::not_met_and_more(&named, more),
    };
    Some(CaseRule { rule: rule.to_owned(), reason })
}

/// letta-evals: by the threshold of the gate, or by its parts.
fn by_gate(evaluation: &Evaluation, run: &Run, idx: usize) -> Option<CaseRule> {
    let config = &evaluation.config;
    if config.has_policies {
        return None;
    }
    if let Some(rule) = config.pass_rule {
        // Where there are rewards, they decide, whatever the score by the first grader is.
        let reward = run.cases.reward.get(idx);
        let (sign, value) = (rule.op.sign(), rule.value);
        let text = match reward {
            Some(_) => words::must_be(words::REWARD, sign, value),
            None if rule.is_declared => words::must_be(words::SCORE, sign, value),
            None => words::must_be_by_gate(sign, value),
        };
        let decides = reward.or(run.cases.score.get(idx));
        return Some(CaseRule { rule: text, reason: compared(run, idx, decides, rule.op, value) });
    }
    let gate = gate_text(&config.gate.as_ref()?.rule);
    let has_passed = run.cases.outcome_of(idx) == Outcome::Passed;
    Some(CaseRule {
        reason: if has_passed { words::meets_gate(&gate) } else { words::misses_gate(&gate) },
        rule: words::must_meet_gate(&gate),
    })
}

/// slop-code: every verified attribute decides, also one without weight.
fn by_attributes(run: &Run, idx: usize) -> Option<CaseRule> {
    let checks = &run.checks;
    let verified: Vec<(bool, f64, &str)> = run
        .checks_of(idx)
        .filter_map(|at| {
            let weight = checks.weight.get(at).unwrap_or(0.0);
            Some((checks.is_correct.get(at)?, weight, checks.name.get(at).unwrap_or_default()))
        })
        .collect();
    if run.checks_of(idx).next().is_none() {
        let is_recorded =
            run.cases.score.get(idx).is_some() && run.is_infrastructure_failure.is_none();
        return is_recorded.then(|| CaseRule {
            rule: words::RECORDED_SCORE_RULE.to_owned(),
            reason: compared(run, idx, run.cases.score.get(idx), Op::Eq, 1.0),
        });
    }
    let has_passed = run.cases.outcome_of(idx) == Outcome::Passed;
    if verified.is_empty() {
        return Some(CaseRule {
            rule: words::NONE_VERIFIED.to_owned(),
            reason: words::NO_CHECK_VERIFIED.to_owned(),
        });
    }
    let wrong: Vec<&str> = verified
        .iter()
        .filter(|(is_correct, _, _)| !is_correct)
        .map(|(_, _, name)| *name)
        .collect();
    let (n_correct, n_verified) = (verified.len() - wrong.len(), verified.len() as u64);
    let is_weightless =
        verified.iter().all(|(is_correct, weight, _)| *is_correct || *weight == 0.0);
    let rule = if !wrong.is_empty() && is_weightless {
        words::attributes_rule_weightless(n_correct, n_verified)
    } else {
        words::attributes_rule(n_correct, n_verified)
    };
    let reason = match (wrong.as_slice(), has_passed) {
        ([], true) if verified.len() == 1 => words::ONE_CHECK_PASSES.to_owned(),
        ([], true) => words::checks_pass(n_verified),
        ([], false) | ([_, ..], true) => String::new(),
        (wrong, false) => words::checks_fail(wrong.len() as u64, n_verified, &listed(wrong)),
    };
    Some(CaseRule { rule, reason })
}

/// The first of `names`, and how many more there are.
fn listed(names: &[&str]) -> String {
    let shown = names.get(..MAX_NAMED).unwrap_or(names).join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => shown,
        n_more => words::names_and_more(&shown, n_more as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_compares_as_what_was_compared() {
        for (score, value, text) in [
            (0.95, 1.0, "0.950"),
            (0.9999, 1.0, "0.9999"),
            (1.0, 1.0, "1.000"),
            (0.699_999_999, 0.7, "0.699999999"),
            (0.7, 0.7, "0.700"),
            (-0.34, 0.0, "-0.340"),
        ] {
            assert_eq!(written_beside(score, value), text);
        }
        let (score, value) = (0.1 + 0.2, 0.3);
        assert!(written_beside(score, value).parse::<f64>().is_ok_and(|read| read > value));
        assert_eq!(sign_between(Op::Gte, false, 0.5, 1.0), Some("<"));
        assert_eq!(sign_between(Op::Gte, false, f64::NAN, 1.0), None);
        assert_eq!(sign_between(Op::Eq, false, f64::NAN, 1.0), Some("≠"));
    }

    #[test]
    fn three_checks_are_named() {
        assert_eq!(listed(&["a", "b", "c"]), "a, b, c");
        assert_eq!(listed(&["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
    }
}
