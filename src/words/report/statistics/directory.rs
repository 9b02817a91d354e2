//! Words: what Statistics says of a slop-code run directory.

pub use crate::words::terms::PROBLEM;

use crate::format::counted;

// The section.

/// Title of the section about the run directory `label`.
pub fn title(label: &str) -> String {
    format!("Run directory {label}")
}
/// What the section shows where checkpoints are there.
pub const COMPUTED: &str = "Recomputed from the checkpoint rows by slop-code's own rules. Audit compares it with result.json.";
/// What the section shows where only lines about checkpoints are there.
pub const FROM_LINES: &str = "Computed from checkpoint_results.jsonl by slop-code's own rules. The checkpoints are not among the files, so these lines cannot be checked.";
/// What the section shows where only the totals are there.
pub const DECLARED: &str = "Declared in result.json. Neither checkpoint lines nor checkpoints are among the files, so nothing here can be checked.";
/// Why a value of the summary is not there.
pub const NOT_IN_SUMMARY: &str = "not in the summary";

// What is solved.

/// Caption of the table.
pub const SOLVED: &str = "Solved";
/// Column: what is counted.
pub const WHAT: &str = "What";
/// Column: how many are solved.
pub const NUMBER: &str = "Number";
/// Column: of how many.
pub const WHOLE: &str = "Of";
/// Column: the share of them.
pub const SHARE: &str = "Share";
/// Hint of that column.
pub const SHARE_HINT: &str = "As slop-code computes it";
/// Row: checkpoints without any failed test.
pub const CHECKPOINTS_SOLVED: &str = "Checkpoints: every test passed";
/// Row: checkpoints without any failed test of their own.
pub const CHECKPOINTS_ISO_SOLVED: &str = "Checkpoints: every non-regression test passed";
/// Row: checkpoints without any failed Core test.
pub const CHECKPOINTS_CORE_SOLVED: &str = "Checkpoints: every Core test passed";
/// Row: problems solved as a whole.
pub const PROBLEMS_SOLVED: &str = "Problems: every checkpoint solved";
/// Row: problems solved in part.
pub const PROBLEMS_PARTIAL: &str = "Problems: some checkpoint solved";

// Pass rates.

/// Caption of the table.
pub const RATES: &str = "Mean pass rates";
/// Column: the kind of tests.
pub const TESTS: &str = "Tests";
/// Column: the mean over checkpoints.
pub const OVER_CHECKPOINTS: &str = "Over checkpoints";
/// Hint of that column.
pub const OVER_CHECKPOINTS_HINT: &str = "Mean of the checkpoints' rates";
/// Column: the mean over problems.
pub const OVER_PROBLEMS: &str = "Over problems";
/// Hint of that column.
pub const OVER_PROBLEMS_HINT: &str = "Mean of the per-problem means";

// Spread of the figures of the summary.

/// Caption of the table.
pub const SPREAD: &str = "Spread";
/// Column: the median.
pub const MEDIAN: &str = "Median";
/// Column: the number of values.
pub const N: &str = "n";
/// Said below the table where figures have no value.
pub fn left_out(n: u64) -> String {
    let figures = counted(n, "figure without a value is", "figures without a value are");
    format!("{figures} left out: nothing was recorded.")
}
/// A figure of each `part`: cost of each checkpoint.
pub fn per(figure: &str, part: &str) -> String {
    format!("{figure} per {part}")
}
/// A figure divided by the lines of code.
pub fn per_line(figure: &str) -> String {
    format!("{figure} per line")
}
/// A figure of the code's cyclomatic complexity.
pub fn complexity(of: &str) -> String {
    format!("Complexity: {of}")
}
/// How a figure changes from checkpoint to checkpoint.
pub fn change(figure: &str) -> String {
    format!("{figure}: change, %")
}

// Figures of the code's quality.

/// What the rubric finds fault with.
pub const RUBRIC: &str = "Rubric flags";
/// The same without what it found in the checkpoint before.
pub const RUBRIC_NEW: &str = "New rubric flags";
/// What the linter finds.
pub const LINT: &str = "Lint errors";
/// What matches patterns of bad code.
pub const PATTERNS: &str = "Pattern violations";
/// Share of code that breaks a rule.
pub const VIOLATIONS: &str = "Violations";
/// Functions that are too complex.
pub const COMPLEX: &str = "Complex functions";
/// Comparisons.
pub const COMPARISONS: &str = "Comparisons";
/// How wordy the code is.
pub const VERBOSITY: &str = "Verbosity";
/// How far the code decays.
pub const EROSION: &str = "Erosion";

// From checkpoint to checkpoint.

/// Caption of the table.
pub const DELTAS: &str = "From checkpoint to checkpoint";
/// Column: from which checkpoint to which.
pub const STEP: &str = "Step";
/// Column: change of the pass rate.
pub const PASS_RATE: &str = "Pass rate, points";
/// Hint of that column.
pub const PASS_RATE_HINT: &str = "Change of the share of all tests that pass, in points";
/// Column: change of the pass rate of Core tests.
pub const CORE: &str = "Core, points";
/// Hint of that column.
pub const CORE_HINT: &str = "Change of the share of Core tests that pass, in points";
/// Hint of the column of the cost.
pub const COST_HINT: &str = "Change in dollars";
/// Hint of the column of steps.
pub const STEPS_HINT: &str = "Change of the agent's steps";
/// Column: change of the agent's time.
pub const TIME: &str = "Time, s";
/// Hint of that column.
pub const TIME_HINT: &str = "Change of the agent's seconds";
/// Column: change of the lines of code.
pub const LINES: &str = "Lines, %";
/// Hint of that column.
pub const LINES_HINT: &str = "Change of the lines of code, in percent of those before";
/// Column: change of the lint errors.
pub const LINT_CHANGE: &str = "Lint, %";
/// Hint of that column.
pub const LINT_CHANGE_HINT: &str = "Change of the lint errors, in percent of those before";
/// Column: how much of the code is replaced.
pub const CHURN: &str = "Churn";
/// Hint of that column.
pub const CHURN_HINT: &str = "Lines added and removed over lines before, as recorded";
/// Said below the table: what a change from nothing is.
pub const CHANGE_FROM_0: &str = "Change in percent from 0 is 0 when nothing was added, otherwise infinite, as slop-code reports it.";
/// Why a change is not there.
pub const NOT_FOR_BOTH: &str = "not recorded for both";
/// Rows of which a long table shows the first only.
pub const CUT_STEPS: &str = "steps";
