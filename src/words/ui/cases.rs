//! Words of the page of cases.

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
/// Behind the number of columns that are left out.
pub const HIDDEN_COLUMNS: &str = "more columns are not shown: choose fewer runs in the workspace.";
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
