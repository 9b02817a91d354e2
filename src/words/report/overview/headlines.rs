//! Words: the numbers above the tables of Overview.

use crate::words::terms;
pub use crate::words::terms::{
    AGENT_TIME, ATTEMPTED, COMPLETION_TOKENS, COMPLETION_TOKENS_HINT, COST, DURATION, MEDIAN_CASE,
    NO_CASE, PASSED, PROMPT_TOKENS, PROMPT_TOKENS_HINT, SLOW_CASE, STEPS, TEST_TIME, TOKENS,
};

use crate::format::number;

// Cases.

/// What "passed" counts where no more is to be said of the rule.
pub const PASSED_OF_ALL: &str = terms::PASSED_HINT;
/// What "passed" counts when the user set a threshold.
pub const PASSED_BY_OWN_THRESHOLD: &str =
    "Cases that pass by the threshold in force; with the Wilson 95 % interval";
/// What "passed" counts when the gate is read as a rule for single cases.
pub fn passed_by_rule_of_ours(sign: &str, threshold: f64) -> String {
    format!(
        "Cases with score {sign} {threshold}. The files have no rule for single cases, so this is Evalglass's own; with the Wilson 95 % interval"
    )
}
/// The same of a gate that has no one threshold.
pub const PASSED_BY_GATE: &str = "Cases whose own scores meet the gate. The files have no rule for single cases, so this is Evalglass's own; with the Wilson 95 % interval";
/// What "passed" counts when the files say which cases pass.
pub const PASSED_BY_FILES: &str = "Share of all cases that pass, with its Wilson 95 % interval";
/// What "attempted" counts.
pub const ATTEMPTED_HINT: &str =
    "Cases that completed without error, by the producer's own definition";
/// Label of the cases that are left out.
pub const LEFT_OUT: &str = "Left out";
/// What "left out" counts.
pub const LEFT_OUT_HINT: &str = "Cases that the rules in force leave out of every rate";

// Time.

/// What the duration is.
pub const DURATION_HINT: &str = "Wall-clock time of the evaluation";
/// What the median is.
pub const MEDIAN_CASE_HINT: &str = "Upper middle value of the cases' durations";
/// What the 95th percentile is.
pub const SLOW_CASE_HINT: &str = "95 of 100 cases take no longer than this (rank ⌊0.95·n⌋)";
/// What the time of the agent sums.
pub const AGENT_TIME_HINT: &str = "Time of the agent, summed over the runs that record it";
/// What the time of the tests sums.
pub const TEST_TIME_HINT: &str = "Time of the tests, summed over the runs that record it";
/// Why a sum of times is missing.
pub const NO_SUM_OF_TIMES: &str = "a file states a time that is not a number, so there is no sum";

// Cost.

/// How many of the tokens were read and how many written.
pub fn tokens_hint(prompt: f64, completion: f64) -> String {
    format!("{} read by the model, {} written", number(prompt, 0), number(completion, 0))
}
/// What the cost sums.
pub const COST_HINT: &str = "Sum over the runs or cases that record it";
/// The same when some cases have no price.
pub const COST_IN_PART_HINT: &str = "Some cases have no price: the true cost is higher";
/// What the steps count.
pub const STEPS_HINT: &str = "Steps that the agent took";
