//! Words of verdicts: policies, gates, rules in force.

pub use crate::words::terms::{NO_CASE, NO_RESULTS, NOT_RUN};

use crate::format::count;
use std::fmt::Display;

// What a verdict is about, and how many pass.

/// Cases of every kind, in a reason.
pub const CASES: &str = "cases";
/// Checkpoints, in a reason.
pub const CHECKPOINTS: &str = "checkpoints";

/// Cases of one kind, in a reason.
pub fn cases_of_kind(kind: impl Display) -> String {
    format!("{kind} cases")
}

/// Cases of every other kind, in a reason.
pub fn cases_outside(kinds: &[&str]) -> String {
    let word = if kinds.len() == 1 { "kind" } else { "kinds" };
    format!("cases outside {word} {}", kinds.join(" and "))
}

/// Reason: so many of `what` pass.
pub fn some_pass(n_passed: impl Display, n_counted: impl Display, what: &str) -> String {
    format!("{n_passed} of {n_counted} {what} pass")
}

/// Reason beside a verdict that failed: so many of `what` fail.
pub fn some_fail(n_failed: impl Display, n_counted: impl Display, what: &str) -> String {
    format!("{n_failed} of {n_counted} {what} fail")
}

/// Reason, when all cases that do not pass were judged.
pub fn cases_failed(n_failed: impl Display, n_counted: impl Display) -> String {
    format!("{n_failed} of {n_counted} cases failed")
}

/// Reason, when some of the cases that do not pass ended in an error or did not run.
pub fn cases_not_passed(n_failed: impl Display, n_counted: impl Display) -> String {
    format!("{n_failed} of {n_counted} cases did not pass")
}

/// Reason of a policy that finds no case to look at.
pub fn none_of(what: &str) -> String {
    format!("there are no {what}")
}

// A verdict in one line.

/// The verdict that the files record, where nothing can be judged.
pub fn declared_line(declared: &str, reason: &str) -> String {
    format!("Declared: {declared}; cannot be checked here: {reason}")
}

/// Where there is no verdict.
pub fn no_verdict(reason: &str) -> String {
    format!("No verdict: {reason}")
}

/// The verdict that the files record, with the repeats that pass by them.
pub fn declared_in_repeats(
    declared: &str,
    n_passed: impl Display,
    n_repeats: impl Display,
) -> String {
    format!("{declared} in {n_passed} of {n_repeats} repeats")
}

// Names of rules.

/// Rule: every case has to pass.
pub const EVERY_CASE: &str = "every case must pass";
/// Rule: every case has to pass, where the tool lets cases be skipped.
pub const EVERY_CASE_NOT_SKIPPED: &str = "every case that is not skipped must pass";
/// What decides checkpoints when each run has its own policy.
pub const POLICY_OF_RUN: &str = "the policy that its run declares";

/// Rule: a gate; also what was changed when the gate is the user's.
pub fn gate(text: &str) -> String {
    format!("gate {text}")
}

/// The text of a gate that the user set.
pub fn own_gate(text: &str) -> String {
    format!("{text} (yours)")
}

/// Rule: a gate that has to pass in one repeat at least.
pub fn gate_in_any_repeat(text: &str) -> String {
    format!("gate {text}, in any repeat")
}

/// Rule: a gate of all subjects together, when one subject is judged by it.
pub fn gate_of_subject(text: &str) -> String {
    format!("gate {text}, applied to this subject alone")
}

/// Rule: a policy; also what was changed when it is not the usual one.
pub fn policy(name: &str) -> String {
    format!("policy {name}")
}

/// Rule: the policy that the files of the run name.
pub fn policy_as_declared(name: &str) -> String {
    format!("policy {name}, as declared")
}

/// Rule: every checkpoint has to pass by `rule`.
pub fn every_checkpoint(rule: &str) -> String {
    format!("every checkpoint by {rule}")
}

// Reasons of the verdict over an evaluation.

/// Why there is no verdict without a gate.
pub const NO_GATE: &str = "the files hold no gate";

/// Checkpoints that did not run, after those that pass.
pub fn did_not_run(n: u64, n_planned: u64) -> String {
    format!("{} of {} planned did not run", count(n), count(n_planned))
}

/// Checkpoints that ended in an error, after those that pass.
pub fn in_error(n: u64) -> String {
    format!("{} ended in an error", count(n))
}

/// Checkpoints without cases, after those that pass.
pub fn without_cases(n: u64) -> String {
    format!("{} without cases", count(n))
}

/// Checkpoints whose cases no policy could judge, after those that pass.
pub fn without_verdict(n: u64) -> String {
    format!("{} without a verdict", count(n))
}

/// Checkpoints that were evaluated again after a skill, after those that pass.
pub fn after_skill(n_passed: u64, n_again: u64) -> String {
    format!("after the skill {} of {} pass", count(n_passed), count(n_again))
}

/// In how many repeats the gate passes.
pub fn gate_passes_in(n_passed: usize, n_repeats: usize) -> String {
    format!("the gate passes in {n_passed} of {n_repeats} repeats")
}

/// In how many repeats the gate passes, when some cannot be judged.
pub fn gate_passes_in_some_open(n_passed: usize, n_repeats: usize, n_open: usize) -> String {
    format!("{}; in {n_open} it cannot be evaluated", gate_passes_in(n_passed, n_repeats))
}

// Reasons of the verdict about a run.

/// Why no policy holds, in the list of policies.
pub const INFRASTRUCTURE_FAILURE: &str = "infrastructure failure: nothing was judged";
/// Why a run with an infrastructure failure has an error.
pub const NO_POLICY_PASSES: &str = "infrastructure failure, so no policy passes";
/// Why a run has an error, when its agent ended in one.
pub const AGENT_IN_ERROR: &str = "the agent ended in an error and nothing was judged";
/// Why a run that ended without cases has no verdict.
pub const NOTHING_RAN: &str = "nothing ran: there is no case";

/// Why a run that ended without cases has no verdict, when its files say more.
pub fn nothing_judged(message: &str) -> String {
    format!("nothing was judged: {message}")
}

/// Why no policy judges a run.
pub const NO_KINDS: &str = "the kinds of its cases are unknown, so no policy can be checked";

/// The reason of a policy, when the counts are declared.
pub fn as_row_declares(reason: &str) -> String {
    format!("{reason}, as its row declares")
}

/// The reason of a policy that fails, with the first case that fails it.
pub fn failed_by_case(reason: &str, id: impl Display, came_out: &str) -> String {
    format!("{reason}: case {id} {came_out}")
}

// How a case or a policy came out.

/// It passed.
pub const PASSED: &str = "passed";
/// It failed.
pub const FAILED: &str = "failed";
/// A case could not be judged.
pub const ENDED_IN_ERROR: &str = "ended in an error";
/// A case did not run.
pub const WAS_SKIPPED: &str = "was skipped";
/// A case has a score alone.
pub const WITHOUT_PASS_RULE: &str = "has a score but no pass rule";
/// A case has nothing that judges it.
pub const WITHOUT_VERDICT: &str = "has no verdict";

// What the code of slop-code says otherwise than its guide.

/// Why slop-code's second function differs after an infrastructure failure.
pub const FAILURE_FAILS_IT: &str = "an infrastructure failure fails it";
/// Why slop-code's second function differs without such cases.
pub const NEEDS_ONE_CASE: &str = "it asks for at least one such case";

/// A policy that slop-code's first function passes always.
pub fn differs_by_check(policy: &str, by_guide: &str, by_check: &str) -> String {
    format!(
        "{policy}: {by_guide} by the guide, {by_check} by slop-code's PassPolicy.check, which passes this policy without looking at the cases"
    )
}

/// A policy that slop-code's second function sees otherwise.
pub fn differs_by_passes_policy(
    policy: &str,
    by_guide: &str,
    by_function: &str,
    why: &str,
) -> String {
    format!("{policy}: {by_guide} by the guide, {by_function} by slop-code's passes_policy: {why}")
}

// Parts of a gate.

/// A condition, in the choice of shapes.
pub const CONDITION: &str = "condition";
/// A weighted mean, in the choice of shapes.
pub const WEIGHTED_MEAN: &str = "weighted mean";
/// A gate of which every part has to hold.
pub const ALL_OF: &str = "all of";
/// A gate of which one part has to hold.
pub const ANY_OF: &str = "any of";
/// The shapes of a part, in the order of the choice.
pub const GATE_SHAPES: [&str; 4] = [CONDITION, WEIGHTED_MEAN, ALL_OF, ANY_OF];
/// The text of a gate that is not understood in part.
pub const NOT_UNDERSTOOD: &str = "? a part of it could not be understood";
/// The cases' own score, in the place of a metric.
pub const OWN_SCORE: &str = "score";
/// Accuracy by the rule that passes cases.
pub const ACCURACY_PASSED: &str = "accuracy (percent passed)";
/// A part of a gate that has no answer.
pub const NO_ANSWER: &str = "a rule that cannot be evaluated";

/// Accuracy by a score that counts as right.
pub fn accuracy(threshold: f64) -> String {
    format!("accuracy (score ≥ {threshold}, percent)")
}

/// An aggregate of a metric.
pub fn aggregate_of(aggregate: &str, metric: &str) -> String {
    format!("{aggregate} of {metric}")
}

/// An aggregate of a metric in a weighted mean.
pub fn weighted_part(aggregate: &str, metric: &str, weight: f64) -> String {
    format!("{aggregate} of {metric}, weight {weight}")
}

/// The weighted mean of an aggregate of several metrics.
pub fn weighted_aggregate(aggregate: &str, metrics: &str) -> String {
    format!("weighted {aggregate} of {metrics}")
}

// Reasons of a gate.

/// Why a weighted mean has no value.
pub const NO_WEIGHTS: &str = "the weights sum to 0, so the mean is undefined";
/// Between the reasons of parts that all have to hold.
pub const AND: &str = " and ";
/// Between the reasons of parts of which one has to hold.
pub const OR: &str = " or ";

/// Why a gate over a metric without scores has no value.
pub fn no_score_for(metric: &str) -> String {
    format!("no case has a score for {metric}")
}

/// What a metric adds to a weighted mean.
pub fn gives(value: &str) -> String {
    format!("gives {value}")
}

/// How many parts of a gate hold.
pub fn some_hold(n: usize, n_parts: usize) -> String {
    format!("{n} of {n_parts} hold")
}

/// The reason of a part in its line: the value against the threshold.
pub fn comparison(found: &str, sign: &str, threshold: f64, is_passed: bool) -> String {
    format!("{found} {sign} {threshold} {}", holding(is_passed))
}

/// The reason of a gate: `what` is compared with the threshold.
pub fn compared(what: &str, found: &str, sign: &str, threshold: f64, is_passed: bool) -> String {
    format!("{what} is {found}, and {sign} {threshold} {}", holding(is_passed))
}

/// What is said of a comparison.
fn holding(is_passed: bool) -> &'static str {
    if is_passed { "holds" } else { "does not hold" }
}

/// The reason of a gate that is decided by what the files record.
pub fn equal_within_rounding(reason: &str) -> String {
    format!("{reason}; equal to the threshold within rounding, so the recorded verdict is used")
}

// What the user changed.

/// The policy is the one of each run.
pub const POLICY_OF_EACH_RUN: &str = "policy as each run declares";
/// Cases that ended in an error.
pub const ERRORS: &str = "errors";
/// Cases that did not run.
pub const SKIPPED_CASES: &str = "skipped cases";
/// Cases without a score.
pub const UNSCORED_CASES: &str = "unscored cases";

/// The weight of a group.
pub fn weight_of(group: &str, weight: f64) -> String {
    format!("weight of {group} {weight}")
}

/// How attempts at a case are brought together.
pub fn strategy(name: impl Display) -> String {
    format!("strategy {name}")
}

/// Which score passes a case.
pub fn passes_when(comparison: &str) -> String {
    format!("a case passes when its score is {comparison}")
}

/// `what` counts as a score of 0.
pub fn count_as_zero(what: &str) -> String {
    format!("{what} count as 0")
}

/// `what` does not count.
pub fn left_out(what: &str) -> String {
    format!("{what} left out")
}

// Complaints about rules that were asked for.

/// How errors, skipped and unscored cases count is none of these.
pub const EXPECTED_MISSING: &str = "expected as-declared, zero or left-out";
/// No policy has this name.
pub const NO_SUCH_POLICY: &str = "no such policy";
/// No strategy has this name.
pub const NO_SUCH_STRATEGY: &str = "no such strategy";
/// No rule has this name.
pub const NO_SUCH_RULE: &str = "no such rule";
/// The weight of a group is not a number, or below 0.
pub const EXPECTED_WEIGHT: &str = "expected a weight of 0 or more";
/// A pass rule is no comparison.
pub const EXPECTED_COMPARISON: &str = "expected a comparison like >= 0.8";
