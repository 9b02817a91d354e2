//! Words that several kinds of charts share.

pub use crate::words::terms::{
    CASES, CHECKPOINT, INTERVAL, MODEL, PASS_RATE, PROBLEM, RUN, SCORE, VERDICT,
};

use crate::format::{count, counted};

// Column titles and axes.

/// What a row is about.
pub const OF: &str = "Of";
/// Column of start times.
pub const BEGAN: &str = "Began";

// Names of what is drawn.

/// What bars of cases count: one, several.
pub const CASE_NAMES: [&str; 2] = ["case", "cases"];
/// Name of a line at the median.
pub const MEDIAN: &str = "median";
/// Name of runs that name no model.
pub const NO_MODEL: &str = "runs";
/// Name of a problem without one.
pub const UNNAMED_PROBLEM: &str = "unnamed problem";

/// Name of something of which only totals are declared.
pub fn declared(name: &str) -> String {
    format!("{name} (declared)")
}

// Reasons and leads.

/// What stands for a number that no file states.
pub const NOT_RECORDED: &str = "not recorded";
/// What stands for a score that there is not; also the name of the cases without one.
pub const NO_SCORE: &str = "no score";
/// What a table has too many of, when it is cut.
pub const ROWS: &str = "rows";

/// End of a lead, when one thing is left out.
pub fn one_left_out(why: &str) -> String {
    format!(" 1 is left out: {why}.")
}

/// End of a lead, when several things are left out.
pub fn left_out(n: u64, why: &str) -> String {
    format!(" {} are left out: {why}.", count(n))
}

/// Lead of a chart of cases; `more` is what is said after it, with a space before.
pub fn of_cases(n: u64, more: &str) -> String {
    format!("{}.{more}", counted(n, "case", "cases"))
}
