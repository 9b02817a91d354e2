//! Words of the charts of run directories: checkpoints in order, problem by problem.

use crate::words::terms;
pub use crate::words::terms::{PASSED, PASSED_HINT};

use crate::format::counted;

// Lines behind their median.

/// Name of a point of the median line.
pub fn median_at(place: &str) -> String {
    format!("median › {place}")
}

/// Note of a point of the median line.
pub fn median_of(n: usize) -> String {
    format!("of {n}")
}

/// End of the lead, when all lines are drawn behind their median.
pub const MEDIAN_LINE: &str = " The bold line is the median of all.";

/// End of the lead, when there are more lines than are drawn.
pub fn median_line_of(drawn: usize, all: usize) -> String {
    format!(" The first {drawn} of {all} are drawn; the bold line is the median of all.")
}

// Pass rates.

/// Title of the chart of pass rates.
pub const PASS_RATES: &str = "Pass rate from checkpoint to checkpoint";
/// Hint of the column of intervals.
pub const INTERVAL_HINT: &str = terms::WILSON_HINT;

/// Lead of the chart of pass rates; `more` is what is said after it, with a space before.
pub fn pass_rates_lead(n_problems: u64, more: &str) -> String {
    format!(
        "Share of a checkpoint's cases that pass, with Wilson's 95 % interval; {}.{more}",
        counted(n_problems, "problem", "problems")
    )
}

// Maps of problems against checkpoints.

/// Title of the map of a run directory.
pub fn map(directory: &str) -> String {
    format!("Checkpoints of {directory}")
}

/// Lead of a map; `more` is what is said after it, with a space before.
pub fn map_lead(more: &str) -> String {
    format!("Share of each checkpoint's cases that pass.{more}")
}

/// End of the lead, when the map does not have all.
pub fn more_than_drawn(n_problems: usize, n_checkpoints: usize) -> String {
    format!(
        " {n_problems} problems and {n_checkpoints} checkpoints in all; the table has every one."
    )
}

/// What a tick in a map says, when a gate is set.
pub const PASSES_BY_GATE: &str = "passes by the rule in force";

/// What a tick in a map says, by the name of the pass rule.
pub fn passes_by(rule: &str) -> String {
    format!("passes by {rule}")
}

// The map of run directories against problems.

/// Title of the map.
pub const DIRECTORIES: &str = "Run directories against problems";
/// Column of run directories.
pub const DIRECTORY: &str = "Run directory";
/// Column and axis of shares of checkpoints.
pub const PASSING: &str = "Checkpoints that pass";
/// Hint of the column of shares.
pub const PASSING_HINT: &str = "Of all in the files";
/// What a tick says.
pub const ALL_PASS: &str = "every checkpoint passes";
/// End of the lead, when the map does not have all.
pub const TABLE_HAS_ALL: &str = " The table has every one.";

/// Note of a field of the map.
pub fn passing_of(passed: usize, all: usize) -> String {
    format!("{passed} of {all} checkpoints")
}

/// Lead of the map; `more` is what is said after it, with a space before.
pub fn directories_lead(n_directories: u64, n_problems: u64, more: &str) -> String {
    format!(
        "Share of each problem's checkpoints that pass by the rule in force: {}, {}.{more}",
        counted(n_directories, "run directory", "run directories"),
        counted(n_problems, "problem", "problems")
    )
}
