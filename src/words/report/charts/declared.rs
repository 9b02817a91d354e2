//! Words of the charts of what is declared only.

pub use crate::words::terms::EVALUATION;

use crate::format::counted;

/// Title of the chart of a measure by folder.
pub fn by_folder(measure: &str, suite: &str) -> String {
    format!("{measure} by folder: {suite}")
}

/// Lead of that chart; `more` is what is said after it, with a space before.
pub fn by_folder_lead(n_evaluations: u64, more: &str) -> String {
    format!(
        "{} with declared totals only, in folder order: no start times are recorded.{more}",
        counted(n_evaluations, "evaluation", "evaluations")
    )
}

/// Axis of folders.
pub const FOLDER: &str = "Folder";
/// Name of totals that name no model.
pub const ALL_SAMPLES: &str = "all samples";
