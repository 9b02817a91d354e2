//! Words of the page of cases.

use crate::words::terms;
pub use crate::words::terms::{FAILED, PASSED};

use crate::format::{count, counted, number};
use std::fmt::Display;

/// Heading of the page, and the name of its table.
pub const TITLE: &str = terms::CASES;
/// Name of what stands above the table.
pub const TOOLS: &str = "Filter and view";
/// In the place of the number of cases until it is known.
pub const COUNT_COMING: &str = "…";

/// Behind the number of cases: how many are selected.
pub fn selected(found: &str, n: u64) -> String {
    format!("{found}, {} selected", count(n))
}

/// Stands in the field when it is empty.
pub const FILTER_EXAMPLE: &str = "Filter: outcome:failed score<0.5 timeout";
/// Name of the field.
pub const FILTER_NAME: &str = "Filter the cases";
/// Above the rows while the filter cannot be read.
pub const FILTER_BROKEN: &str = "The filter cannot be read and is not applied.";
/// Before the filter that was probably meant.
pub const DID_YOU_MEAN: &str = "Did you mean";
/// Leads to the comparison, where what was asked can be.
pub const FILTER_PAIRS: &str = "Filter the pairs of a comparison";
/// No case is left.
pub const NO_MATCH: &str = "No case matches the filter.";
/// There is no case at all.
pub const NO_CASES: &str = "There are no cases here.";
/// Takes the filter away.
pub const SHOW_ALL: &str = "Show all cases";
/// Has the files searched.
pub const SEARCH_FILES: &str = "Search the files";
/// The search was stopped.
pub const SEARCH_STOPPED: &str = "Stopped. Not all files were searched.";
/// Names the presets as a group.
pub const PRESETS: &str = "Presets";
/// Opens and closes the facets.
pub const FACETS: &str = "Facets";
/// Opens and closes the preview.
pub const PREVIEW: &str = "Preview";
/// Shows the heat map.
pub const HEAT_MAP: &str = "Heat map";
/// Makes rows lower.
pub const DENSE: &str = "Dense";
/// Opens the choice of columns.
pub const COLUMNS: &str = "Columns";
/// Stands in a cell until its text has been read.
pub const TEXT_COMING: &str = "…";
/// Copies rows.
pub const COPY: &str = "Copy";
/// What is copied.
pub const COPY_HINT: &str = "Copies the selected rows, or all rows, as tab-separated text";
/// Before columns that say the same of every case.
pub const SAME_IN_ALL: &str = "Same in all:";
/// Where a cell of the heat map is empty.
pub const NOT_IN_RUN: &str = "not in this run";
/// The heat map over runs.
pub const ACROSS_RUNS: &str = "Across runs";
/// The heat map over attempts.
pub const ACROSS_ATTEMPTS: &str = "Across attempts";
/// What the column of instability says.
pub const INSTABILITY: &str = "Instability is the variance of the verdicts in one table row, with passed as 1 and failed as 0: 0 when all agree, at most 0.25, empty for a single verdict.";
/// Goes to the row before.
pub const PREVIOUS: &str = "Previous case";
/// Goes to the row after.
pub const NEXT: &str = "Next case";
/// Closes the preview.
pub const CLOSE_PREVIEW: &str = "Close the preview";
/// Opens the case.
pub const OPEN_CASE: &str = "Open case";
/// Heading of the checks.
pub const CHECKS: &str = "Checks";
/// Heading of where a case belongs.
pub const METADATA: &str = "Metadata";

// How many there are.

/// So many cases, or rows of the heat map.
pub fn found(n: u64, is_heat: bool) -> String {
    let [one, many] = if is_heat { ["row", "rows"] } else { ["case", "cases"] };
    counted(n, one, many)
}

/// The same of those that a filter keeps.
pub fn found_of(n: u64, n_total: u64, is_heat: bool) -> String {
    format!("{} of {}", count(n), found(n_total, is_heat))
}

/// The cases did not come.
pub fn not_read(reason: &str) -> String {
    format!("The cases could not be read: {reason}")
}

// The filter.

/// A filter that may have been meant otherwise.
pub fn as_text(text: &str) -> String {
    format!("“{text}” is looked for as text. ")
}

/// A part of the filter that asks for texts of the files.
pub fn not_searched(needle: &str) -> String {
    format!(
        "The files have not been searched for “{needle}” yet, so that part of the filter is not applied."
    )
}

// Facets.

/// Name of the fields for ranges.
pub const RANGES: &str = "Ranges";
/// A value that is empty.
pub const NONE: &str = "none";
/// Before a value that is excluded, for who does not see its mark.
pub const NOT: &str = "not ";
/// Where a range begins.
pub const FROM: &str = "from";
/// Where it ends.
pub const TO: &str = "to";
/// Name of the bars of scores.
pub const SCORES: &str = "Scores";

/// So many more are unfolded here.
pub fn more(n: u64) -> String {
    format!("{} more", count(n))
}

/// Values of `field` that are not listed.
pub fn not_listed(n: u64, field: &str) -> String {
    format!("{} more are not listed: write {field}:name.", count(n))
}

/// Name of the field for an `end` of a range.
pub fn end_of(range: &str, end: &str) -> String {
    format!("{range} {end}")
}

/// The same with an example of what can be typed.
pub fn end_example(range: &str, end: &str, example: &str) -> String {
    format!("{range} {end}: {example}")
}

/// Tooltip of a bar of scores.
pub fn score_bin(low: impl Display, high: impl Display, n: u64) -> String {
    format!("Score {low} to {high}: {}", counted(n, "case", "cases"))
}

// Columns.

/// Moves a column forward.
pub const EARLIER: &str = "earlier";
/// Moves it back.
pub const LATER: &str = "later";
/// Takes the columns that are usual.
pub const RESET_COLUMNS: &str = "Reset";
/// Columns of the heat map before its cells.
pub const HEAT_COLUMNS: [&str; 4] = ["Case", "Group", "Instability", "Mean score"];

/// Name of the button that moves `column`.
pub fn move_column(column: &str, way: &str) -> String {
    format!("{column} {way}")
}

// The heat map.

/// Tooltip of a cell: the run or attempt, and how the case came out.
pub fn heat_cell(name: &str, outcome: impl Display) -> String {
    format!("{name}: {outcome}")
}

/// The same with the score.
pub fn heat_cell_scored(name: &str, outcome: impl Display, score: &str) -> String {
    format!("{name}: {outcome}, score {score}")
}

/// Columns that are left out.
pub fn hidden_columns(n: u64) -> String {
    format!("{} more columns are not shown: choose fewer runs in the workspace.", count(n))
}

// The preview.

/// Behind its keys: what Enter does, and what the two others do.
pub const PREVIEW_KEYS: [&str; 2] = [" opens, ", " next, previous"];
/// The case ended in an error.
pub const ERROR: &str = "Error";
/// The case was skipped.
pub const SKIPPED: &str = "Skipped";
/// The case has a score and no rule.
pub const SCORED: &str = "Scored";
/// The case has neither.
pub const UNSCORED: &str = "Unscored";

/// Behind how a case came out: its score.
pub fn score(score: &str) -> String {
    format!("score {score}")
}

/// Behind how a case came out: why.
pub fn reason(reason: &str) -> String {
    format!(": {reason}")
}

/// Beside the heading of the checks.
pub fn checks_passed(n_right: u64, n_checks: u64) -> String {
    format!("{} of {} passed", count(n_right), count(n_checks))
}

/// The attempt that a check belongs to.
pub fn attempt(nth: u32) -> String {
    format!("attempt {nth}")
}

/// How much a check counts.
pub fn weight(weight: f64) -> String {
    format!("weight {}", number(weight, 3))
}
