//! Words: the rule by which a case passed or failed, and filters that most users want first.

pub use crate::words::terms::{ERRORS, FAILED};

use crate::format::{count, counted};

// Filters, one click away.

/// No filter.
pub const ALL: &str = "All";
/// Cases that come out differently from repeat to repeat.
pub const FLAKY: &str = "Flaky";

// A score or reward decides.

/// Names a score in what was compared.
pub const SCORE: &str = "score";
/// Names a reward in what was compared.
pub const REWARD: &str = "reward";
/// The rule where only a score was recorded.
pub const RECORDED_SCORE_RULE: &str = "the recorded score must be 1";

/// The rule where the user set a threshold.
pub fn your_threshold(sign: &str, value: f64) -> String {
    format!("your threshold: score {sign} {value}")
}

/// The rule where a score or a reward must meet what the files ask for.
pub fn must_be(what: &str, sign: &str, value: f64) -> String {
    format!("{what} {sign} {value}")
}

/// The rule where the threshold of the gate is applied to the score of each case.
pub fn must_be_by_gate(sign: &str, value: f64) -> String {
    format!("score {sign} {value} (the gate's threshold, applied to each case)")
}

/// The reason where a case has no score.
pub fn score_needed(sign: &str, value: f64) -> String {
    format!("there is no score, and {sign} {value} is needed")
}

/// The reason: how the score or reward compares.
pub fn compares(what: &str, shown: &str, sign: &str, value: f64) -> String {
    format!("{what} {shown} {sign} {value}")
}

/// The reason where no sign says how the score or reward compares.
pub fn compares_not(what: &str, shown: &str, sign: &str, value: f64) -> String {
    format!("{what} {shown} is not {sign} {value}")
}

// The gate decides.

/// The rule where the scores of the case must meet the gate.
pub fn must_meet_gate(gate: &str) -> String {
    format!("the case's own scores must meet the gate {gate}")
}

/// The reason: they do.
pub fn meets_gate(gate: &str) -> String {
    format!("its own scores meet the gate {gate}")
}

/// The reason: they do not.
pub fn misses_gate(gate: &str) -> String {
    format!("its own scores do not meet the gate {gate}")
}

// Attempts decide.

/// What the strategy `min` asks for.
pub const EVERY_ATTEMPT: &str = "every attempt must pass";
/// What the strategy `max` asks for.
pub const ONE_ATTEMPT: &str = "one attempt must pass";
/// What the strategies `mean` and `median` ask for.
pub const MORE_ATTEMPTS: &str = "more attempts must pass than fail";

/// The rule of a strategy, of which `asks` says what it asks for.
pub fn strategy_rule(strategy: &str, asks: &str, n_passed: u64, n: u64) -> String {
    let of = counted(n, "attempt", "attempts");
    format!("strategy {strategy}: {asks}, {n_passed} of {of} passed; the score is not used")
}

/// The reason where a strategy decides.
pub fn attempts_passed(n_passed: u64, n: u64, asks: &str) -> String {
    format!("{n_passed} of {} passed, {asks}", counted(n, "attempt", "attempts"))
}

// The tool decides.

/// The rule of pytest.
pub const PYTEST_RULE: &str = "pytest's own outcome";
/// The reason where pytest let a case pass.
pub const PYTEST_PASS: &str = "pytest reports a pass";
/// The reason where pytest did not.
pub const PYTEST_FAILURE: &str = "pytest reports a failure";

/// The reason where one check failed in several attempts.
pub fn failed_in_attempts(n_failed: usize, n: usize) -> String {
    format!("in {n_failed} of {n} attempts")
}

/// The reason: checks that failed.
pub fn not_met(names: &str) -> String {
    format!("not met: {names}")
}

/// The reason: checks that failed, of which some are not named.
pub fn not_met_and_more(names: &str, n_more: usize) -> String {
    format!("not met: {names} and {n_more} more")
}

// Verified attributes decide.

/// The rule where no attribute was verified.
pub const NONE_VERIFIED: &str = "every verified attribute must be correct; none was verified";
/// The reason where no attribute was verified.
pub const NO_CHECK_VERIFIED: &str = "no check was verified";
/// The reason where the only check passes.
pub const ONE_CHECK_PASSES: &str = "its one verified check passes";

/// The rule of verified attributes.
pub fn attributes_rule(n_correct: usize, n: u64) -> String {
    let of = counted(n, "is", "are");
    format!("every verified attribute must be correct; {n_correct} of {of} correct")
}

/// The rule of verified attributes where those that failed have no weight.
pub fn attributes_rule_weightless(n_correct: usize, n: u64) -> String {
    let rule = attributes_rule(n_correct, n);
    format!("{rule}; the failed attributes have weight 0, so they do not affect the score")
}

/// The reason where every check passes.
pub fn checks_pass(n: u64) -> String {
    format!("all {} verified checks pass", count(n))
}

/// The reason: checks that failed.
pub fn checks_fail(n_failed: u64, n: u64, names: &str) -> String {
    let fail = if n_failed == 1 { "fails" } else { "fail" };
    format!("{} of {} {fail}: {names}", count(n_failed), counted(n, "check", "checks"))
}

/// Names of which some are left out.
pub fn names_and_more(names: &str, n_more: u64) -> String {
    format!("{names} and {} more", count(n_more))
}
