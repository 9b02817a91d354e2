//! Words: what Trends says.

// The page.

/// Title of the page.
pub const TITLE: &str = "Trends";
/// Said in place of the page of a run.
pub const SINGLE_RUN: &str =
    "A single run has no trend. Select its evaluation or Everything in the tree.";
/// Way to the comparison of the newest evaluations.
pub const COMPARE_NEWEST: &str = "Compare the two newest";
/// Way to the comparison with the evaluation before.
pub const COMPARE_PREVIOUS: &str = "Compare with previous";
/// What a measure is where less of it is better.
pub fn lower_is_better(definition: &str) -> String {
    format!("{definition} Lower is better.")
}

// Sections.

/// Section: runs by the time of their start.
pub const OVER_TIME: &str = "Over time";
/// Section: declared totals by folder.
pub const BY_FOLDER: &str = "By folder, as declared";
/// What that section is about.
pub const BY_FOLDER_LEAD: &str = "Evaluations with declared totals only.";
/// Section: repeats in order.
pub const OVER_REPEATS: &str = "Over repeats";
/// Section: checkpoints in order.
pub const OVER_CHECKPOINTS: &str = "Over checkpoints";
/// What that section is about.
pub const OVER_CHECKPOINTS_LEAD: &str = "Checkpoints of each run directory in order.";
