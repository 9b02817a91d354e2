//! Taking out of a report what is not to leave the page: fields by name, patterns, secrets.
//!
//! ```text
//! report's bytes ──> Redactor::push ──> the same bytes, other texts
//!                        └──> Findings: what was replaced, how often, with samples
//! ```
//!
//! The document stays the same except for its texts: numbers, names of members and the words of the format
//! itself are never touched (`walk.rs` says which), so that the same reader reads it. The same text always becomes
//! the same text.

mod walk;

use crate::secrets::{self, Sort, plain_name};
use regex_lite::Regex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What stands in the place of a field.
pub const REMOVED: &str = "[removed]";
/// What stands in the place of what a pattern matches.
pub const REDACTED: &str = "[redacted]";

/// Most samples that are kept of one rule.
pub const MAX_SAMPLES: usize = 3;
/// Characters on each side of what stands in the place of something, in a sample.
const AROUND: usize = 32;

/// What is to be taken out.
#[derive(Debug, Clone, Default)]
pub struct Redaction {
    /// Names as they were written, and as they are compared.
    fields: Vec<(String, String)>,
    patterns: Vec<Regex>,
    masks_secrets: bool,
}

/// A pattern that is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complaint {
    /// Its line, 1-based.
    pub line: usize,
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Redaction {
    /// From the lines of a form: names of fields (also with commas between them), and patterns, each a regular
    /// expression.
    ///
    /// # Errors
    /// Every pattern that is none.
    pub fn new(fields: &str, patterns: &str, masks_secrets: bool) -> Result<Self, Vec<Complaint>> {
        let names = fields.split(['\n', ',']).map(str::trim).filter(|name| !name.is_empty());
        let fields = names.map(|name| (name.to_owned(), plain_name(name))).collect();
        let (mut known, mut complaints) = (Vec::new(), Vec::new());
        for (line, pattern) in (1..).zip(patterns.lines()) {
            if pattern.trim().is_empty() {
                continue;
            }
            match Regex::new(pattern) {
                Ok(regex) => known.push(regex),
                Err(err) => complaints.push(Complaint {
                    line,
                    pattern: pattern.to_owned(),
                    reason: err.to_string(),
                }),
            }
        }
        if complaints.is_empty() {
            Ok(Self { fields, patterns: known, masks_secrets })
        } else {
            Err(complaints)
        }
    }

    /// Whether it leaves everything as it is.
    pub fn is_nothing(&self) -> bool {
        self.fields.is_empty() && self.patterns.is_empty() && !self.masks_secrets
    }

    /// What `rule` is called.
    pub fn words(&self, rule: RedactRule) -> String {
        match rule {
            RedactRule::Field(nth) => {
                format!("field {}", self.fields.get(nth).map_or("", |(name, _)| name))
            }
            RedactRule::Pattern(nth) => {
                format!("pattern {}", self.patterns.get(nth).map_or("", Regex::as_str))
            }
            RedactRule::Secret(sort) => sort.words().to_owned(),
        }
    }

    /// The rule for the field `name`.
    fn field(&self, name: &str) -> Option<RedactRule> {
        if self.fields.is_empty() {
            return None;
        }
        let name = plain_name(name);
        self.fields.iter().position(|(_, known)| *known == name).map(RedactRule::Field)
    }
}

/// Why something was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RedactRule {
    /// The name of its field: the nth one.
    Field(usize),
    /// A pattern: the nth one.
    Pattern(usize),
    /// It looks like a secret.
    Secret(Sort),
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Where: `case tide-4: transcript[2].text`.
    pub place: String,
    /// What stood there, masked.
    pub before: String,
    /// What stands there now, with what is around it.
    pub after: String,
}

/// What was replaced by one rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finding {
    /// How often.
    pub n: u64,
    /// The first ones.
    pub samples: Vec<Replacement>,
}

/// What was replaced.
pub type Findings = BTreeMap<RedactRule, Finding>;

/// Rewrites one document, which comes in pieces.
#[derive(Debug, Default)]
pub struct Redactor {
    redaction: Redaction,
    findings: Findings,
    walk: walk::RedactWalk,
}

impl Redactor {
    /// One that does what `redaction` says.
    pub fn new(redaction: Redaction) -> Self {
        Self { redaction, ..Self::default() }
    }

    /// Appends the next `bytes` of the document to `out`, rewritten. What cannot be told yet comes with
    /// the next piece.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.redaction.is_nothing() {
            out.extend(bytes);
            return;
        }
        let mut cx = walk::RedactContext { rules: &self.redaction, findings: &mut self.findings };
        self.walk.push(&mut cx, bytes, out);
    }

    /// Appends what is left, and says what was replaced.
    pub fn finish(self, out: &mut Vec<u8>) -> (Redaction, Findings) {
        self.walk.finish(out);
        (self.redaction, self.findings)
    }
}

/// What a sample says was there: never the thing itself.
fn before(text: &str) -> String {
    let n = text.chars().count();
    format!("{} ({n} {})", secrets::masked(text), if n == 1 { "character" } else { "characters" })
}

/// `mark` in `text`, with a little of what is around it.
fn after(text: &str, mark: &str) -> String {
    let at = text.find(mark).unwrap_or(0);
    let (head, tail) = text.split_at(at);
    let tail_chars = mark.chars().count() + AROUND;
    let skipped = head.chars().count().saturating_sub(AROUND);
    let start = if skipped > 0 { "… " } else { "" };
    let end = if tail.chars().count() > tail_chars { " …" } else { "" };
    let shown = head.chars().skip(skipped).chain(tail.chars().take(tail_chars));
    let shown: String =
        shown.map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    format!("{start}{shown}{end}")
}

#[cfg(test)]
mod tests;
