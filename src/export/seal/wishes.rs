//! What the user wants to have sealed.

use serde::{Deserialize, Serialize};

/// What goes into a sealed report, and what it lets its readers do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealWishes {
    /// Only what is selected; with a filter, its cases alone carry details.
    pub is_view: bool,
    /// With the details of the cases.
    pub details: bool,
    /// With the conversations.
    pub transcripts: bool,
    /// With the records as the files write them; they hold details and conversations, so only with both.
    pub raw: bool,
    /// Whether the sealed page takes further files.
    pub is_open: bool,
    /// Names of fields to be taken out, one to a line or with commas between them.
    pub fields: String,
    /// Patterns to be taken out, one to a line.
    pub patterns: String,
    /// Whether what looks like a secret is masked.
    pub masks_secrets: bool,
    /// Bytes of the page that it goes into; 0: not known.
    pub n_page: u64,
    /// When, as it is to be shown.
    pub made: String,
    /// What the report that it is made from lacks, when that was sealed itself.
    pub before: String,
}

impl Default for SealWishes {
    /// Everything, read-only, without secrets.
    fn default() -> Self {
        Self {
            is_view: false,
            details: true,
            transcripts: true,
            raw: true,
            is_open: false,
            fields: String::new(),
            patterns: String::new(),
            masks_secrets: true,
            n_page: 0,
            made: String::new(),
            before: String::new(),
        }
    }
}
