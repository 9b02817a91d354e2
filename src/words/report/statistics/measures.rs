//! Words: what trends show of each run, and when an interval is shown.

pub use crate::words::terms::{PASS_RATE, TIME, TOKENS};

use crate::format::{count, counted};

// Names; those that other sections have too stand in the module above.

// What each is, said above its charts.

/// What the score is.
pub const SCORE_DEFINITION: &str =
    "The score of each run, with Student's 95 % t interval where it is a mean over cases.";
/// What the pass rate is.
pub const PASS_RATE_DEFINITION: &str =
    "Share of counted cases that pass, with Wilson's 95 % interval.";
/// What the cost is.
pub const COST_DEFINITION: &str = "US dollars. Runs with an unknown price are left out.";
/// What tokens are.
pub const TOKENS_DEFINITION: &str = "Tokens read and written, where recorded.";
/// What the time is.
pub const TIME_DEFINITION: &str = "Working time of the agent; if not recorded, the duration of the run or the sum over its cases.";
/// What the agent's time is.
pub const AGENT_TIME_DEFINITION: &str = "Working time of the agent, where recorded.";
/// What the tests' time is.
pub const TEST_TIME_DEFINITION: &str =
    "Duration of the tests, where recorded apart from the agent's time.";
/// What errors are.
pub const ERRORS_DEFINITION: &str = "Cases that could not be judged.";

// Of how many a value is made, said at its point.

/// Of a score.
pub fn n_scores(n: u64) -> String {
    counted(n, "score", "scores")
}
/// Of a share of cases.
pub fn part_of_cases(part: u64, whole: u64) -> String {
    format!("{} of {}", count(part), counted(whole, "case", "cases"))
}

// Why there is no interval.

/// None is defined.
pub const NO_INTERVAL: &str = "no interval is defined";
/// There are too few values.
pub fn too_few(n: u64) -> String {
    format!("n = {n}: too few for an interval")
}
