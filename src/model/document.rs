//! What the files of a run hold beyond its cases: what the agent did, what it changed, what it was told.
//!
//! A run names its documents; the texts stay in the files and are read when somebody looks at them.

use super::detail::CaseDetail;
use super::ids::Locator;
use serde::{Deserialize, Serialize};

/// A document of a run, by where it lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunDocument {
    /// What it is.
    pub kind: DocumentKind,
    /// What it is called among the documents of the run.
    pub title: String,
    /// Path of the file that it was first read from.
    pub file: String,
    /// Its bytes: a whole file, or its part of a report.
    pub at: Locator,
}

/// What a document is, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// Why the run ended in an error.
    Error,
    /// What an agent said and did, in order.
    Transcript,
    /// What the run changed in its files.
    Changes,
    /// What the agent was told.
    Prompt,
    /// Tools used, steps, tokens, cost.
    Usage,
    /// What an analysis of the code found.
    Findings,
    /// What a program wrote.
    Output,
}

/// A document as it is read: texts in the form of a case's record, files that changed, a table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentDetail {
    /// Its facts, texts and messages.
    pub record: CaseDetail,
    /// Files that changed. The difference of each is a text of `record.actual`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FileChange>,
    /// Its rows, when it is a list of records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<DocumentTable>,
}

/// A file that changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileChange {
    /// Path, as the document names it.
    pub path: String,
    /// `created`, `deleted`, `modified`, or the document's own word.
    pub change: String,
    /// Whether it is no text, so that there is no difference to show.
    pub is_binary: bool,
    /// Lines that were added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_added: Option<u64>,
    /// Lines that were removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_removed: Option<u64>,
    /// Bytes before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_size: Option<u64>,
    /// Bytes after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_size: Option<u64>,
    /// Its difference, by its place in `record.actual`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<usize>,
}

/// Records with the same members, as text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentTable {
    /// Names of the members.
    pub columns: Vec<String>,
    /// Records; a member that one does not have is empty.
    pub rows: Vec<Vec<String>>,
}

impl DocumentKind {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 7] = [
        Self::Error,
        Self::Transcript,
        Self::Changes,
        Self::Prompt,
        Self::Usage,
        Self::Findings,
        Self::Output,
    ];

    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Transcript => "transcript",
            Self::Changes => "changes",
            Self::Prompt => "prompt",
            Self::Usage => "usage",
            Self::Findings => "findings",
            Self::Output => "output",
        }
    }

    /// Inverse of [`as_str`](Self::as_str).
    pub fn from_text(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}
