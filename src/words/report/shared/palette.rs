//! Words: the command palette.

pub use crate::words::terms::CASES;

// Pages.

/// Overview.
pub const OVERVIEW: &str = "Overview";
/// Failures.
pub const FAILURES: &str = "Failures";
/// Compare.
pub const COMPARE: &str = "Compare";
/// Policies & gates.
pub const RULES: &str = "Policies & gates";
/// Statistics.
pub const STATISTICS: &str = "Statistics";
/// Trends.
pub const TRENDS: &str = "Trends";
/// Audit.
pub const AUDIT: &str = "Audit";
/// Notes.
pub const NOTES: &str = "Notes";
/// What an agent did.
pub const AGENT: &str = "Agent";
/// How the columns of tables are read.
pub const COLUMNS: &str = "Columns";
/// SQL.
pub const SQL: &str = "SQL";

// Actions.

/// Opens files.
pub const OPEN_FILES: &str = "Open files";
/// Opens a folder.
pub const OPEN_FOLDER: &str = "Open folder";
/// Takes back every change of rules.
pub const DECLARED_RULES: &str = "Back to declared rules";
/// Compares with the evaluation before.
pub const COMPARE_PREVIOUS: &str = "Compare with previous";
/// Asks what to compare with.
pub const COMPARE_WITH: &str = "Compare with …";
/// Gives another name.
pub const RENAME: &str = "Rename what is selected";
/// Removes from the page.
pub const REMOVE: &str = "Remove what is selected";
/// Takes back a removal.
pub const RESTORE: &str = "Undo the last removal";
/// Opens the settings.
pub const SETTINGS: &str = "Settings";
/// Turns to other colours.
pub const THEME: &str = "Light, dark or system colours";
/// Saves a sealed report.
pub const SEAL: &str = "Save as HTML (sealed report)";
/// Copies the address of what is shown.
pub const COPY_LINK: &str = "Copy the link to this view";
/// Lists the keys.
pub const KEYS: &str = "Keyboard shortcuts";

// What a command is, beside its name.

/// A page.
pub const PAGE: &str = "page";
/// An action.
pub const ACTION: &str = "action";
/// An evaluation.
pub const EVALUATION: &str = "evaluation";
/// A run.
pub fn run_of(evaluation: &str) -> String {
    format!("run of {evaluation}")
}
/// A case.
pub fn case_of(run: &str) -> String {
    format!("case of {run}")
}
