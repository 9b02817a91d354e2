//! Changes of values, with where they lie.

use crate::words::report::shared as words;

/// How a value differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// Another value of the same type.
    Changed,
    /// A value of another type.
    Type,
    /// Expected, and not there.
    Missing,
    /// There, and not expected.
    Extra,
    /// The same, at another place or another number of times.
    Moved,
}

impl ChangeKind {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Changed => words::CHANGED,
            Self::Type => words::OTHER_TYPE,
            Self::Missing => words::MISSING,
            Self::Extra => words::EXTRA,
            Self::Moved => words::MOVED,
        }
    }
}

/// One value that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueChange {
    /// Where: `$.items[2].price`.
    pub path: String,
    /// How.
    pub kind: ChangeKind,
    /// What was expected, as JSON.
    pub old: Option<String>,
    /// What came, as JSON.
    pub new: Option<String>,
}

/// Values that differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueChanges {
    /// The first of them.
    pub rows: Vec<ValueChange>,
    /// How many there are in all.
    pub n_total: usize,
}

/// The most changes that are kept; more than anybody reads.
const MAX_ROWS: usize = 1_000;

impl ValueChanges {
    /// Adds a change, which is only made when it is kept.
    pub(super) fn add(&mut self, change: impl FnOnce() -> ValueChange) {
        self.n_total += 1;
        if self.rows.len() < MAX_ROWS {
            self.rows.push(change());
        }
    }
}
