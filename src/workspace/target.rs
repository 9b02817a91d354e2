//! What pages and questions are about.

use serde::{Deserialize, Serialize};

/// A run in the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunRef {
    /// Evaluation; a number never used twice in a session.
    pub evaluation: u32,
    /// Run, 0-based within the evaluation.
    pub run: u32,
}

/// What a page is about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
pub enum Target {
    /// Everything that is loaded.
    #[default]
    All,
    /// One evaluation.
    Evaluation(u32),
    /// One run.
    Run(RunRef),
}
