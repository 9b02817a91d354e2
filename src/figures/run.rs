//! Figures of one run: totals, kinds, groups, policies, verdict.

use super::verdict::unjudged;
use super::{FigureBasis, GateInForce, RunFigures, declared_gate};
use super::{Judgement, PolicyRule, Reason};
use crate::model::{Ended, Kind, Outcome, Run, Scope};
use crate::policy::{Policy, PolicyVerdict, judge_gate, judge_policies};
use crate::scoring::{
    Counts, KindCount, group_scores, kind_counts, mean_of_groups, totals, weighted_mean,
};
use crate::words::figures as words;
use std::collections::BTreeMap;

impl FigureBasis<'_> {
    pub(super) fn run_figures(&self, idx: usize, run: &Run) -> RunFigures {
        let (config, rules) = (&self.evaluation.config, &self.settings.rules);
        let known = self.known(&[run], |base| Some(&base.runs.get(idx)?.totals));
        let mut totals = totals(&[run], config, rules, known);
        let groups = group_scores(run, &self.settings.group_weights, rules);
        // Where neither the tool nor the user weighs groups, they are no more than names.
        if config.has_policies || !self.settings.group_weights.is_empty() {
            totals.score.mean_of_groups = mean_of_groups(&groups);
            totals.score.weighted = weighted_mean(&groups);
        }
        let by_kind = match run.declared_counts() {
            Some(declared) => declared_kinds(declared, &mut totals.counts),
            None => kind_counts(run, rules),
        };
        let was_judged = run.state.is_none()
            || !run.cases.is_empty()
            || !by_kind.is_empty()
            || run.is_infrastructure_failure == Some(true);
        let policies = match config.has_policies && was_judged && !run.lacks_groups() {
            true => policies(run, &by_kind),
            false => Vec::new(),
        };
        let verdict = self.run_verdict(idx, run, &by_kind, &policies);
        RunFigures { totals, by_kind, groups, policies, verdict }
    }

    /// By the user's gate, else the policy in force, else the files' gate.
    fn run_verdict(
        &self,
        idx: usize,
        run: &Run,
        by_kind: &BTreeMap<Kind, KindCount>,
        policies: &[PolicyVerdict],
    ) -> Option<Judgement> {
        let config = &self.evaluation.config;
        let policy = self.settings.policy.of(config, run.key.suite.as_deref());
        if config.has_policies
            && let Some((outcome, why)) = nothing_ran(run, by_kind)
        {
            return Some(Judgement {
                outcome,
                rule: self.worded(self.policy_words(policy)),
                reason: Reason::Words(why),
                declared: None,
            });
        }
        let is_by_policy = matches!(self.gate, None | Some(GateInForce { is_declared: true, .. }));
        if config.has_policies && is_by_policy && run.lacks_groups() {
            let (rule, why) = (self.worded(self.policy_words(policy)), words::NO_KINDS.to_owned());
            return Some(unjudged(false, rule, why, None));
        }
        let by_policy = policies.iter().find(|verdict| verdict.policy == policy);
        if let Some(found) = by_policy.filter(|_| is_by_policy) {
            return Some(Judgement {
                outcome: Outcome::of(found.is_passed),
                rule: self.worded(self.policy_words(policy)),
                reason: Reason::Words(match run.declared_counts() {
                    Some(_) => words::as_row_declares(&found.reason),
                    None => found.reason.clone(),
                }),
                declared: None,
            });
        }
        let same = self.with_same_gate().and_then(|base| base.runs.get(idx));
        if let Some(same) = same.filter(|_| by_policy.is_none()) {
            return same.verdict.clone();
        }
        // The gate itself looks at all subjects of a repeat together.
        let is_shared = !config.has_policies
            && self.evaluation.runs.iter().any(|other| {
                other.key.repeat == run.key.repeat && other.key.subject != run.key.subject
            });
        let recorded = || {
            let scope = Scope::Repeat(run.key.repeat);
            declared_gate(self.evaluation, &scope).filter(|_| !is_shared)
        };
        let is_scored = run.cases.score.iter().any(|score| score.is_some());
        let Some(gate) = self.gate.as_ref() else {
            let why = self.no_gate()?;
            return Some(unjudged(is_scored, String::new(), why, recorded()));
        };
        let found = judge_gate(gate.rule, &[run], config, &self.settings.rules, None);
        let rule = self.worded(if is_shared {
            words::gate_of_subject(&gate.text)
        } else {
            words::gate(&gate.text)
        });
        let Some(is_passed) = found.is_passed else {
            let recorded = recorded().filter(|_| gate.is_declared);
            return Some(unjudged(is_scored, rule, found.reason, recorded));
        };
        Some(Judgement {
            outcome: Outcome::of(is_passed),
            rule,
            reason: Reason::Words(found.reason),
            declared: None,
        })
    }

    fn policy_words(&self, policy: Policy) -> String {
        match self.settings.policy {
            PolicyRule::Named(_) => words::policy(policy.as_str()),
            PolicyRule::AsDeclared => words::policy_as_declared(policy.as_str()),
        }
    }
}

/// Outcome and reason of a run in which nothing was judged; `None` when something was.
fn nothing_ran(run: &Run, by_kind: &BTreeMap<Kind, KindCount>) -> Option<(Outcome, String)> {
    let message = run.state.as_ref().and_then(|state| state.message.as_deref());
    let with = |what: &str| match message {
        Some(message) => format!("{what}: {message}"),
        None => what.to_owned(),
    };
    if run.is_infrastructure_failure == Some(true) {
        return Some((Outcome::Error, with(words::NO_POLICY_PASSES)));
    }
    if !run.cases.is_empty() || by_kind.values().any(|count| count.total > 0) {
        return None;
    }
    Some(match run.ended() {
        Ended::Error => (Outcome::Error, with(words::AGENT_IN_ERROR)),
        Ended::NotRun => (Outcome::Skipped, with(words::NOT_RUN)),
        Ended::Complete => (
            Outcome::Unscored,
            message.map_or_else(|| words::NOTHING_RAN.to_owned(), words::nothing_judged),
        ),
    })
}

/// Counts by kind as the files declare them; they are added to `counts`, those of the whole.
pub(super) fn declared_kinds(
    declared: &[(Kind, u64, u64)],
    counts: &mut Counts,
) -> BTreeMap<Kind, KindCount> {
    let mut by_kind = BTreeMap::new();
    for &(kind, passed, total) in declared {
        by_kind.insert(kind, KindCount { passed, total, first_failed: None });
        counts.total += total;
        counts.attempted += total;
        *counts.passed.get_or_insert(0) += passed;
        *counts.failed.get_or_insert(0) += total - passed;
    }
    by_kind
}

/// All seven policies; those that fail name the first case that fails them. None holds after an
/// infrastructure failure, as in the producer's own `passes_policy`.
fn policies(run: &Run, by_kind: &BTreeMap<Kind, KindCount>) -> Vec<PolicyVerdict> {
    let mut policies = judge_policies(by_kind);
    if run.is_infrastructure_failure == Some(true) {
        for verdict in &mut policies {
            verdict.is_passed = false;
            words::INFRASTRUCTURE_FAILURE.clone_into(&mut verdict.reason);
        }
        return policies;
    }
    for verdict in policies.iter_mut().filter(|verdict| !verdict.is_passed) {
        let kinds = verdict.policy.kinds().iter();
        let first = kinds.filter_map(|kind| by_kind.get(kind)?.first_failed).min();
        let Some(idx) = first.map(|idx| idx as usize) else { continue };
        let id = run.cases.id.get(idx).unwrap_or_default();
        let word = run.cases.outcome_of(idx);
        verdict.reason = words::failed_by_case(&verdict.reason, id, came_out(word));
    }
    policies
}

/// `failed`, `ended in an error`.
fn came_out(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => words::PASSED,
        Outcome::Failed => words::FAILED,
        Outcome::Error => words::ENDED_IN_ERROR,
        Outcome::Skipped => words::WAS_SKIPPED,
        Outcome::Scored => words::WITHOUT_PASS_RULE,
        Outcome::Unscored => words::WITHOUT_VERDICT,
    }
}
