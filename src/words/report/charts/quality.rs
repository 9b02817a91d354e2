//! Words of the charts of code quality of a run directory.

pub use crate::words::terms::COST;

/// Heading of the section.
pub const SECTION: &str = "Code quality and agent steps by checkpoint";
/// Lead of the section.
pub const SECTION_LEAD: &str = "As recorded in the run directory's rows. The code is not among the files, so nothing here can be recomputed.";

/// Hint of the column of a figure: the fields of the row that it is taken from.
pub fn of_row(fields: &[&str]) -> String {
    format!("{} of its row", fields.join(" or "))
}

// Names that stand in several places.

/// Lines of code, as an axis, a column and a row.
pub const LINES: &str = "Lines";
/// Errors of a linter, as a title, a column, an axis and a row.
pub const LINT_ERRORS: &str = "Lint errors";
/// Flags of a rubric, as a title and a row.
pub const RUBRIC_FLAGS: &str = "Rubric flags";
/// Functions, as a title and an axis.
const FUNCTION_COUNT: &str = "Functions";
/// Axis of complexities.
const CYCLOMATIC: &str = "Cyclomatic complexity";
/// Axis of masses.
const MASS_AXIS: &str = "Mass";

// Figures of rows: title of the chart, axis.

/// Lines of source.
pub const SOURCE: [&str; 2] = ["Source lines", LINES];
/// Lines of any kind.
pub const ALL_LINES: [&str; 2] = ["All lines", LINES];
/// Lines that change, for each line.
pub const CHURN: [&str; 2] = ["Churn", "Changed lines per line"];
/// Lines that are new.
pub const ADDED: [&str; 2] = ["Lines added", LINES];
/// Lines that are gone.
pub const REMOVED: [&str; 2] = ["Lines removed", LINES];
/// Functions.
pub const FUNCTIONS: [&str; 2] = [FUNCTION_COUNT, FUNCTION_COUNT];
/// Length of functions.
pub const FUNCTION_LINES: [&str; 2] = ["Mean lines per function", LINES];
/// Errors of a linter.
pub const LINT: [&str; 2] = [LINT_ERRORS, "Errors"];
/// Errors of a linter, for each line.
pub const LINT_RATE: [&str; 2] = ["Lint errors per line", "Errors per line"];
/// Violations of patterns.
pub const PATTERNS: [&str; 2] = ["Pattern violations (ast-grep)", "Violations"];
/// Violations of patterns, for each line.
pub const PATTERN_RATE: [&str; 2] = ["Pattern violations per line", "Violations per line"];
/// Functions that are complex.
pub const COMPLEX: [&str; 2] = ["Functions with high complexity", FUNCTION_COUNT];
/// The most complex function.
pub const COMPLEXITY: [&str; 2] = ["Highest function complexity", CYCLOMATIC];
/// Complexity over all functions.
pub const MEAN_COMPLEXITY: [&str; 2] = ["Mean function complexity", CYCLOMATIC];
/// How much of the complexity lies in few functions.
pub const CONCENTRATION: [&str; 2] = ["Concentration of complexity", "Share"];
/// Complexity with its size.
pub const MASS: [&str; 2] = ["Mass of complexity", MASS_AXIS];
/// How deep blocks lie in one another.
pub const NESTING: [&str; 2] = ["Deepest nesting", "Levels"];
/// Lines that are copies.
pub const CLONES: [&str; 2] = ["Cloned lines", LINES];
/// Flags of a rubric.
pub const RUBRIC: [&str; 2] = [RUBRIC_FLAGS, "Flags"];
/// Flags of a rubric, for each line.
pub const RUBRIC_RATE: [&str; 2] = ["Rubric flags per line", "Flags per line"];
/// Verbosity.
pub const VERBOSITY: [&str; 2] = ["Verbosity", "Verbosity"];
/// Erosion.
pub const EROSION: [&str; 2] = ["Erosion", "Erosion"];
/// Dependencies that go in circles.
pub const CYCLES: [&str; 2] = ["Cyclic dependency mass", MASS_AXIS];
/// How far a change reaches.
pub const PROPAGATION: [&str; 2] = ["Propagation cost", COST];
/// Disorder of dependencies.
pub const ENTROPY: [&str; 2] = ["Dependency entropy", "Entropy"];
/// Steps of the agent.
pub const STEPS: [&str; 2] = ["Agent steps", "Steps"];

// Changes from one checkpoint to the next.

/// Title of the chart of changes.
pub const CHANGES: &str = "Change from one checkpoint to the next";
/// Lead of the chart of changes.
pub const CHANGES_LEAD: &str = "Each mark is the change in percent from one checkpoint to the next; changes from 0 are left out. Line: mean. Band: its 95 % t interval.";
/// Axis of changes.
pub const CHANGE: &str = "Change";
/// Row of violations of patterns.
pub const PATTERN_VIOLATIONS: &str = "Pattern violations";
/// Row of complex functions.
pub const COMPLEX_FUNCTIONS: &str = "Complex functions";

// Lint errors against lines.

/// Title of the chart.
pub const LINT_AGAINST_LINES: &str = "Lint errors against lines";
/// Lead of the chart.
pub const LINT_AGAINST_LINES_LEAD: &str = "Each mark is one checkpoint.";
