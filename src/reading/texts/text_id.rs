//! Names of a case's texts: `check-3-expected`, and `raw-0@17` for a text inside a JSON text.

use std::fmt;

/// A text of the case. Numbers are places in the lists of its record.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::reading) enum TextId {
    Input(usize),
    Expected(usize),
    Actual(usize),
    Failure(usize),
    Raw(usize),
    Fact(usize),
    Check(usize, CheckText),
    Attempt(usize, usize),
    Message(usize),
    Grade(usize, usize, CheckText),
    /// A text inside a JSON text, by the number of its value.
    Inner(Box<TextId>, usize),
}

/// Texts of a check or of a turn's grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::reading) enum CheckText {
    Expected,
    Actual,
    Diff,
    Metadata,
    Reason,
}

/// An expected text and an actual one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::reading) struct TextPair {
    pub old: TextId,
    pub new: TextId,
}

impl fmt::Display for TextId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(at) => write!(f, "input-{at}"),
            Self::Expected(at) => write!(f, "expected-{at}"),
            Self::Actual(at) => write!(f, "actual-{at}"),
            Self::Failure(at) => write!(f, "failure-{at}"),
            Self::Raw(at) => write!(f, "raw-{at}"),
            Self::Fact(at) => write!(f, "fact-{at}"),
            Self::Check(at, field) => write!(f, "check-{at}-{}", field.word()),
            Self::Attempt(at, content) => write!(f, "attempt-{at}-{content}"),
            Self::Message(at) => write!(f, "message-{at}"),
            Self::Grade(turn, at, field) => write!(f, "grade-{turn}-{at}-{}", field.word()),
            Self::Inner(of, node) => write!(f, "{of}@{node}"),
        }
    }
}

impl TextId {
    pub(in crate::reading) fn parse(text: &str) -> Option<Self> {
        if let Some((of, node)) = text.rsplit_once('@') {
            // Each step reads a text out of another: a name of ten thousand steps is no name of ours.
            let is_deep = of.bytes().filter(|byte| *byte == b'@').count() >= MAX_INNER;
            let of = Box::new(Self::parse(of).filter(|_| !is_deep)?);
            return Some(Self::Inner(of, node.parse().ok()?));
        }
        let words: Vec<&str> = text.split('-').collect();
        Some(match words.as_slice() {
            ["input", at] => Self::Input(at.parse().ok()?),
            ["expected", at] => Self::Expected(at.parse().ok()?),
            ["actual", at] => Self::Actual(at.parse().ok()?),
            ["failure", at] => Self::Failure(at.parse().ok()?),
            ["raw", at] => Self::Raw(at.parse().ok()?),
            ["fact", at] => Self::Fact(at.parse().ok()?),
            ["message", at] => Self::Message(at.parse().ok()?),
            ["check", at, field] => Self::Check(at.parse().ok()?, CheckText::parse(field)?),
            ["attempt", at, content] => Self::Attempt(at.parse().ok()?, content.parse().ok()?),
            ["grade", turn, at, field] => {
                Self::Grade(turn.parse().ok()?, at.parse().ok()?, CheckText::parse(field)?)
            }
            _ => return None,
        })
    }

    /// The text that lies inside of no other one.
    pub(in crate::reading) fn outermost(&self) -> &Self {
        match self {
            Self::Inner(of, _) => of.outermost(),
            own => own,
        }
    }

    /// How many JSON texts it lies inside of.
    pub(in crate::reading) fn depth(&self) -> usize {
        match self {
            Self::Inner(of, _) => of.depth() + 1,
            _ => 0,
        }
    }
}

/// JSON texts inside JSON texts are opened so many times.
pub(in crate::reading) const MAX_INNER: usize = 8;

impl CheckText {
    const ALL: [Self; 5] = [Self::Expected, Self::Actual, Self::Diff, Self::Metadata, Self::Reason];

    fn word(self) -> &'static str {
        match self {
            Self::Expected => "expected",
            Self::Actual => "actual",
            Self::Diff => "diff",
            Self::Metadata => "metadata",
            Self::Reason => "reason",
        }
    }

    pub(in crate::reading) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.word() == word)
    }
}

impl fmt::Display for TextPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}~{}", self.old, self.new)
    }
}

impl TextPair {
    pub(in crate::reading) fn parse(text: &str) -> Option<Self> {
        let (old, new) = text.split_once('~')?;
        Some(Self { old: TextId::parse(old)?, new: TextId::parse(new)? })
    }
}
