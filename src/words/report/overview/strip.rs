//! Words: the cases by kind, and the checkpoints, repeats or evaluations side by side.

use crate::words::terms;
pub use crate::words::terms::{CHECKPOINTS, INTERVAL, KIND, MODELS, REPEATS};

use crate::format::{count, counted};

// Cases by kind.

/// Heading of the cases by kind.
pub const BY_KIND: &str = "Cases by kind";
/// Whose interval it is.
pub const INTERVAL_HINT: &str = terms::WILSON_HINT;
/// Column of the declared counts.
pub const DECLARED: &str = "Declared";
/// Where the declared counts stand.
pub const DECLARED_HINT: &str = "pass_counts and total_counts of evaluation.json";
/// Why a declared count is missing.
pub const NOT_DECLARED: &str = "the files declare no such count";
/// Row of the sum of all kinds.
pub const ALL_KINDS: &str = "All kinds";
/// Below the table, when the file declares another number of cases than its groups hold.
pub fn other_total(passed: f64, total: f64, held: u64) -> String {
    format!(
        "The file declares {passed} of {total}, its groups hold {}.",
        counted(held, "case", "cases")
    )
}
/// Instead of the table, when no case has a kind.
pub const NO_KIND: &str = "No case of this run has a kind.";

// Headings of the strips.

/// Heading of the evaluations side by side.
pub const EVALUATIONS: &str = "Evaluations";
/// How these evaluations are judged.
pub const EVALUATIONS_NOTE: &str = "each by its own rule";
/// What is shown of each checkpoint.
pub const CHECKPOINTS_NOTE: &str = "score, cases passed, change from the checkpoint before";
/// Heading of the tasks side by side.
pub const TASKS: &str = "Tasks";
/// What is shown of each task, repeat or model.
pub const RUNS_NOTE: &str = "score and cases passed of each";

// What a strip leaves out.

/// Said when `n` cells are left out.
pub fn more_below(n: u64) -> String {
    format!("{} more in the table below", count(n))
}
/// Said when `n` rows of problems are left out.
pub fn more_problems(n: u64) -> String {
    format!("{} more problems in the table below", count(n))
}
/// Said when `n` rows of models are left out.
pub fn more_models(n: u64) -> String {
    format!("{} more models in the table below", count(n))
}

// Rows and cells.

/// Said of a verdict about a part of what was planned.
pub const SO_FAR: &str = "so far";
/// Name of the row of a problem that has none.
pub const UNNAMED_PROBLEM: &str = "unnamed problem";
/// How many of the runs of a row pass.
pub fn some_pass(n_passed: u64, n_judged: u64) -> String {
    format!("{} of {} pass", count(n_passed), count(n_judged))
}
/// Name of a repeat.
pub fn repeat_name(nth: u32) -> String {
    format!("Run {nth}")
}
/// Name of a repeat of a task.
pub fn task_repeat_name(task: &str, nth: u32) -> String {
    format!("{task}, run {nth}")
}
/// Name of a checkpoint by its number.
pub fn checkpoint_name(number: &str) -> String {
    format!("checkpoint {number}")
}
/// How many of the core cases pass.
pub fn core_passed(n_passed: u64, n_all: u64) -> String {
    format!("core {} / {}", count(n_passed), count(n_all))
}
