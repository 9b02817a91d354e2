//! Words: what Statistics and Trends say of figures.

pub use crate::words::terms::{
    AGENT_TIME, CASE, COST, ERRORS, FIGURE, INTERVAL, MEAN, PASSED, RUN, RUNS, SCORE, STD_HINT,
    STEPS, T_INTERVAL_HINT, TEST_TIME,
};

pub mod directory;
pub mod measures;
pub mod repeats;
pub mod timing;
pub mod trends;
pub mod usage;

// The page Statistics.

/// Title of the page.
pub const TITLE: &str = "Statistics";
/// Said in place of the page where there is nothing to count or measure.
pub const NOTHING: &str = "No statistics: the files hold no repeats, no usage and no durations.";
/// Section: spreads that files declare.
pub const DECLARED_SPREADS: &str = "Spread over runs, as declared";
/// What that section is about.
pub const DECLARED_SPREADS_LEAD: &str = "Values as stated in the files, not computed from cases. Normal interval: mean ± 1.96 · std / √n, as in the letta-evals guide. Student's t is wider when there are few runs.";
/// Section: charts of scores against what they cost.
pub const TRADE_OFFS: &str = "Score against cost";

// Columns and names of figures that several sections have.

/// Column: the group of runs that a row is about.
pub const OF: &str = "Of";
/// The cost, as a plain number of dollars.
pub const COST_IN_USD: &str = "Cost, $";
/// Hint of a mean that is not rounded on the way.
pub const EXACT_MEAN: &str = "Exact mean";
/// Column: the standard deviation.
pub const STD: &str = "Std";
/// Column: the smallest value.
pub const MIN: &str = "Min";
/// Column: the largest value.
pub const MAX: &str = "Max";

/// Why a value is not there.
pub const NOT_RECORDED: &str = "not recorded";
/// Rows of which a long table shows the first only.
pub const CUT_RUNS: &str = "runs";
