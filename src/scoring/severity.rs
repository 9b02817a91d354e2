//! How much the difference of a declared figure from the computed one matters.

use serde::{Deserialize, Serialize};

/// How much a comparison matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// Numbers that differ by at most 1e-12 relative to the larger, equal words and verdicts.
    Agrees,
    /// A difference that a known cause explains: another definition, an excerpt, another clock,
    /// rounding, something lost in reading.
    Expected,
    /// Numbers that differ by at most 1e-9 relative to the larger, as another order of summing does.
    Minor,
    /// Any other difference: a count, a mean, a verdict is another.
    Major,
}

impl Severity {
    /// The severity that `word` names as [`Severity::as_str`] does.
    pub fn from_text(word: &str) -> Option<Self> {
        let all = [Self::Agrees, Self::Expected, Self::Minor, Self::Major];
        all.into_iter().find(|severity| severity.as_str() == word)
    }

    /// The word that page and export show.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Expected => "expected",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}
