//! Words: how runs ended, and what a verdict has to be taken with.

use crate::words::terms;
pub use crate::words::terms::{CHECKPOINT, DIFFERENCE, FIGURE, MESSAGE, PROBLEM};

use crate::format::{count, counted};

// What the files declare of policies.

/// The policies that the files declare, each with its verdict.
pub fn declared_policies(list: &str) -> String {
    format!("Declared in the files: policy {list}.")
}
/// A declared policy that passed.
pub fn policy_passed(policy: &str) -> String {
    format!("{policy}: passed")
}
/// A declared policy that did not.
pub fn policy_not_passed(policy: &str) -> String {
    format!("{policy}: not passed")
}
/// A declared policy of which no verdict is recorded.
pub fn policy_without_verdict(policy: &str) -> String {
    format!("{policy}, without a verdict")
}
/// The only policy, with the number of problems that declare it.
pub fn in_each_problem(policy: &str, n: u64) -> String {
    format!("{policy}, in each of {} problems", count(n))
}
/// One of several policies, with the number of problems that declare it.
pub fn in_problems(policy: &str, n: u64) -> String {
    format!("{policy} in {}", counted(n, "problem", "problems"))
}

// The states of problems.

/// Caption of the table of states.
pub const STATES: &str = "Run state";
/// Column of its state, and row of the state of a run.
pub const STATE: &str = "State";
/// Column of the checkpoints that ran.
pub const RAN: &str = "Ran";
/// What they are.
pub const RAN_HINT: &str = "Checkpoints that ran, of those that were planned";
/// Column of the policy that the files name.
pub const DECLARED_POLICY: &str = "Declared policy";
/// Column of the verdict that the files record.
pub const DECLARED_VERDICT: &str = "Declared verdict";
/// Column of the type of an error.
pub const ERROR: &str = "Error";
/// Column of its traceback.
pub const TRACEBACK: &str = "Traceback";
/// A recorded verdict that is good.
pub const PASSED: &str = "passed";
/// A recorded verdict that is not.
pub const NOT_PASSED: &str = "not passed";
/// Why there is no state.
pub const NO_STATE: &str = "no run_info.yaml gives the state";
/// Why there is no policy.
pub const NO_POLICY: &str = "the files name no policy";
/// Why there is no recorded verdict.
pub const NO_VERDICT: &str = "the files record no verdict";
/// Why there is no error to show.
pub const NO_ERROR: &str = "no error";

// The state of one run.

/// Caption of the table of one run.
pub const STATE_OF_RUN: &str = "State of this run";
/// Its columns.
pub const STATE_OF_RUN_COLUMNS: [&str; 2] = ["What", "Value"];
/// Row of the run that it evaluates again.
pub const EVALUATES_AGAIN: &str = "Re-evaluates";
/// Row of the tools that the agent used.
pub const TOOLS: &str = "Tools used";
/// State of a run whose agent ended in an error.
pub const ENDED_IN_ERROR: &str = "the agent ended in an error";
/// State of a run that was planned only.
pub const DID_NOT_RUN: &str = terms::NOT_RUN;

// Outcomes of runs in lists, where a score says nothing.

/// A run that was planned only.
pub const NOT_RUN: &str = "not run";
/// A run that ended in an error.
pub const ENDED_ERROR: &str = "error";
/// A run that the machinery around it broke.
pub const INFRASTRUCTURE: &str = "infrastructure failure";

// Checkpoints before and after a skill.

/// Caption of the table of checkpoints that were evaluated again.
pub const SKILL: &str = "Before and after the skill";
/// Column of its value before.
pub const BEFORE: &str = "Before";
/// What that value is.
pub const BEFORE_HINT: &str = "Of the checkpoint itself";
/// Column of its value after.
pub const AFTER: &str = "After";
/// What that value is.
pub const AFTER_HINT: &str = "Of the evaluation after the skill; its cost is the skill's own";
/// What that difference is.
pub const DIFFERENCE_HINT: &str = "After minus before";
/// Why a value is not there.
pub const NOT_SAID: &str = "the files do not say";
/// Why there is no problem to name.
pub const NO_PROBLEM: &str = "no file names the problem";
/// The score, before and after.
pub const SCORE_FIGURE: &str = terms::SCORE;
/// The number of cases that pass, before and after.
pub const PASSED_FIGURE: &str = terms::PASSED;
/// The cost, before and after.
pub const COST_FIGURE: &str = terms::COST;
/// The steps, before and after.
pub const STEPS_FIGURE: &str = terms::STEPS;
/// The tokens, before and after.
pub const TOKENS_FIGURE: &str = terms::TOKENS;

// What a verdict has to be taken with.

/// In how many repeats a gate passes, where it is neither none nor all.
pub fn in_repeats(n: u64, all: u64) -> String {
    format!("in {} of {} repeats", count(n), count(all))
}
/// How many runs are incomplete, with what is said of the first.
pub fn incomplete_runs(n: usize, first: &str) -> String {
    format!("{n} runs are incomplete; {first}")
}
/// The first note of a run, with how many more there are.
pub fn and_more_notes(first: &str, n: usize) -> String {
    format!("{first} (and {n} more in the notes)")
}
