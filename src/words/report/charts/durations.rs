//! Words of the charts of durations and of the run timeline.

pub use crate::words::terms::DURATION;

use crate::format::counted;

// Durations.

/// Title of the chart of durations.
pub const DURATIONS: &str = "Durations of the cases";
/// Why cases are left out that have no usable duration.
pub const NO_DURATION: &str = "no duration of 0 s or more is recorded";
/// Why cases are left out of a log scale.
pub const ZERO_ON_LOG: &str = "0 s cannot be drawn on a log scale";

// Timeline.

/// Title of the timeline.
pub const TIMELINE: &str = "Run timeline";
/// Axis of the timeline.
pub const TIME: &str = "Time, UTC";
/// Column of durations of runs.
pub const TOOK: &str = "Took";
/// Hint of the column of durations of runs.
pub const TOOK_HINT: &str = "Wall-clock time, if recorded";
/// What stands for the duration of a run that no file states.
pub const DURATION_NOT_RECORDED: &str = "no duration recorded";
/// Why runs are left out of the timeline.
pub const NO_START: &str = "no start time is recorded";

/// End of the lead, when there are more runs than are drawn.
pub fn first_runs(drawn: usize) -> String {
    format!(" The first {drawn} are drawn; the table has all.")
}

/// Lead of the timeline; `more` is what is said after it, with a space before.
pub fn timeline_lead(n_runs: u64, more: &str) -> String {
    format!(
        "{}, ordered by start; times without a zone are read as UTC.{more}",
        counted(n_runs, "run", "runs")
    )
}
