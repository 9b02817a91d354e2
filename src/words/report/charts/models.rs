//! Words of the charts of models, agents or run directories beside each other.

use crate::format::counted;

// What stands beside each other, in titles.

/// Run directories only.
pub const DIRECTORIES: &str = "run directory";
/// Models and run directories.
pub const MODELS_AND_DIRECTORIES: &str = "model and run directory";
/// Models only.
pub const MODELS: &str = "model";

// Titles and leads.

/// Title of the chart of scores.
pub fn scores(by: &str) -> String {
    format!("Score by {by}")
}

/// Lead of the chart of scores.
pub const SCORES_LEAD: &str =
    "With Student's 95 % t interval, over the cases of a single run or over several runs.";

/// Lead of the chart of scores, where lower ones are better.
pub fn scores_lead_lower_better() -> String {
    format!("{SCORES_LEAD} Lower is better.")
}

/// Title of the chart of pass rates.
pub fn pass_rates(by: &str) -> String {
    format!("Pass rate by {by}")
}

/// Lead of the chart of pass rates.
pub const PASS_RATES_LEAD: &str = "Share of all cases that pass, with Wilson's 95 % interval. Each repeat of a case counts as a case.";

/// End of a lead, when there are more rows than are drawn.
pub fn first_of(drawn: usize, all: usize) -> String {
    format!(" The first {drawn} of {all}; the table has all.")
}

// Table and marks.

/// Column of what a value is made of.
pub const BASED_ON: &str = "Based on";
/// What stands for a value that there is not.
pub const NO_VALUE: &str = "no case has one";

/// Note of a value over the checkpoints of a run directory.
pub fn mean_of_checkpoints(n: u64) -> String {
    format!("mean of {}", counted(n, "checkpoint", "checkpoints"))
}

/// Note of a value over the runs of a model.
pub fn mean_of_runs(n: u64) -> String {
    format!("mean of {}", counted(n, "run", "runs"))
}
