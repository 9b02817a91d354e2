//! Words: tables of repeats, runs, metrics and spread. What they share with others stands in `tables`.

use crate::words::terms;
pub use crate::words::terms::{
    ERRORS_HINT, GATE, MEAN_ATTEMPTED, MEAN_ATTEMPTED_HINT, MEAN_TOTAL, MEAN_TOTAL_HINT, METRIC,
    REPEAT, REPEATS, REWARD, STD_HINT, SUBJECT,
};

// Means, their uncertainty and errors: in the tables of repeats and of runs.

/// How the interval of the mean is found.
pub const MEAN_INTERVAL_HINT: &str = "Student's t interval of the mean over attempted cases";
/// What the number of scores is.
pub const SCORES_HINT: &str = "Number of scores in that mean";
/// What the reward is.
pub const REWARD_HINT: &str = terms::REWARD_COLUMN_HINT;
/// Where no case has a reward.
pub const NO_REWARD: &str = "no case has a reward";

// The table of repeats.

/// Column: the value that the gate compares.
pub const GATE_VALUE: &str = "Gate value";
/// What that value is.
pub const GATE_VALUE_HINT: &str = "What the gate compares; percent for accuracy";
/// Where the gate has no value of its own.
pub const SEVERAL_VALUES: &str = "the gate compares several values";

/// The name of a repeat in its row.
pub fn repeat(n: u32) -> String {
    format!("Run {n}")
}

// The table of runs.

/// Column: the task.
pub const TASK: &str = "Task";
/// What the cost of a run is.
pub const COST_HINT: &str = "Sum over the cases that record it";
/// Where no file has the name of the subject.
pub const NO_SUBJECT: &str = "no file names the subject";

// The table of metrics.

/// Heading of the table of metrics.
pub const METRICS: &str = "Metrics";
/// Heading of the table of metrics, when there are several repeats.
pub const METRICS_OF_REPEATS: &str = "Metrics, mean over repeats";
/// Column: how many scores there are.
pub const GRADED: &str = "Graded";
/// What the number of scores is.
pub const GRADED_HINT: &str = "Number of scores";
/// Which cases pass by a metric.
pub const METRIC_PASSED_HINT: &str = "Attempted cases that pass by this metric";

// The table of the spread.

/// Heading of the table of the spread.
pub fn spread_over(n_repeats: u64) -> String {
    format!("Spread over {n_repeats} repeats")
}

/// Columns of the table of the spread.
pub const SPREAD_COLUMNS: [&str; 7] =
    ["Figure", "Mean", "Std", "Min", "Max", "95 % normal", "95 % t"];
/// What the mean of the spread is.
pub const SPREAD_MEAN_HINT: &str = "Exact mean of the repeats";
/// How the normal interval is found.
pub const NORMAL_HINT: &str =
    "Mean ± 1.96·s/√n, as the guide of letta-evals has it; too narrow for few repeats";
/// How the t interval is found.
pub const T_HINT: &str = terms::T_INTERVAL_HINT;
/// Where there are too few repeats for a figure.
pub const TOO_FEW_REPEATS: &str = "too few repeats";

/// The row of a metric.
pub fn metric(name: &str) -> String {
    format!("Metric {name}")
}
