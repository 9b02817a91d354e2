//! What a sealed report says of its sealing.

use serde::Deserialize;

/// The last member of the report: when it was sealed, with which version, and without what.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Signature {
    made: Option<String>,
    #[serde(default)]
    version: String,
    #[serde(default)]
    left_out: Vec<String>,
}

impl Signature {
    /// It is shorter than this, in bytes.
    pub const MAX_BYTES: u32 = 8192;

    /// Reads it off the end of a report: a long one is not parsed for that.
    pub fn of_end(end: &str) -> Option<Self> {
        const MEMBER: &str = "\"sealed\":";
        let at = end.rfind(&[MEMBER, "{"].concat())?;
        let text = end.get(at + MEMBER.len()..end.rfind('}')?)?;
        serde_json::from_str(text).ok()
    }

    /// What was left out or replaced.
    pub fn left_out(&self) -> String {
        self.left_out.join(", ")
    }

    /// In one line; `is_open`: whether the report opens further files.
    pub fn words(&self, is_open: bool) -> String {
        let mut words = vec!["Sealed report".to_owned()];
        if let Some(made) = self.made.as_deref().filter(|made| !made.is_empty()) {
            words.push(format!("made {made} with Evalglass {}", self.version));
        }
        if !is_open {
            words.push("read-only".to_owned());
        }
        if !self.left_out.is_empty() {
            words.push(format!("left out or replaced: {}", self.left_out()));
        }
        words.join(" · ")
    }
}
