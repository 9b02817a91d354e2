//! What the reader of the page wants to have sealed.

use serde_json::Value;

/// What goes into a sealed report, and what it lets its readers do.
#[derive(Debug, Clone, PartialEq, Eq)]
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

impl SealWishes {
    /// What the form of the dialog says: a JSON object of its fields by name. What it does not say is as by
    /// default; `None` when it is no object.
    pub fn from_form(json: &str) -> Option<Self> {
        let form: Value = serde_json::from_str(json).ok()?;
        let form = form.as_object()?;
        let usual = Self::default();
        let flag =
            |name: &str, usual: bool| form.get(name).and_then(Value::as_bool).unwrap_or(usual);
        let text =
            |name: &str| form.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(Self {
            is_view: flag("view", usual.is_view),
            details: flag("details", usual.details),
            transcripts: flag("transcripts", usual.transcripts),
            raw: flag("raw", usual.raw),
            is_open: flag("open", usual.is_open),
            fields: text("fields"),
            patterns: text("patterns"),
            masks_secrets: flag("secrets", usual.masks_secrets),
            n_page: form.get("page").and_then(Value::as_u64).unwrap_or(0),
            made: text("made"),
            before: text("before"),
        })
    }
}
