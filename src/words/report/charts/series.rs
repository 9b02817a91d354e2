//! Words of the charts of a measure over time, over checkpoints, over repeats.

pub use crate::words::terms::REPEAT;

use crate::format::counted;

// Over time.

/// Title of the chart over time.
pub fn over_time(measure: &str, suite: &str) -> String {
    format!("{measure} over time: {suite}")
}

/// Lead of the chart over time; `more` is what is said after it, with a space before.
pub fn over_time_lead(n_runs: u64, more: &str) -> String {
    format!("{}, ordered by start.{more}", counted(n_runs, "run", "runs"))
}

/// Axis of start times.
pub const BEGAN_UTC: &str = "Began, UTC";
/// Why runs are left out of the drawing.
pub const TOO_MANY: &str = "too many to draw; the table has all";
/// Why there is no chart over time, when no file states a time.
pub const NO_START_TIMES: &str = "No start times are recorded.";

/// Why there is no chart over time, when no suite has two runs with one.
pub fn no_trend(n_runs: u64, n_timed: u64, n_measured: u64) -> String {
    format!(
        "A trend needs two runs of the same suite with a start time. Here, {n_timed} of {} have a start time, and {n_measured} of those have this figure. Open more results of the same suite.",
        counted(n_runs, "run", "runs")
    )
}

// Over checkpoints.

/// Title of the chart over checkpoints.
pub fn over_checkpoints(measure: &str) -> String {
    format!("{measure} from checkpoint to checkpoint")
}

// Over repeats.

/// Title of the chart over repeats.
pub fn over_repeats(measure: &str, evaluation: &str) -> String {
    format!("{measure} from repeat to repeat: {evaluation}")
}

/// Lead of the chart over repeats; `more` is what is said after it, with a space before.
pub fn over_repeats_lead(n_runs: u64, more: &str) -> String {
    format!("{}.{more}", counted(n_runs, "run", "runs"))
}

/// Name of a point of a repeat.
pub fn repeat(number: &str) -> String {
    format!("repeat {number}")
}
