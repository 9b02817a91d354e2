//! What a case was asked, as far as it takes to tell whether two cases are asked the same.

use super::column::ValueColumn;
use super::table::{CaseRow, CaseTable};
use arrow_array::UInt64Array;

/// Hashes of the texts that a case was asked; `None`: no file says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// Of the input.
    pub input: Option<u64>,
    /// Of the expected answer.
    pub expected: Option<u64>,
}

impl CaseRow<'_> {
    /// Sets what the case was asked.
    pub fn with_asked(mut self, asked: Asked) -> Self {
        (self.input_hash, self.expected_hash) = (asked.input, asked.expected);
        self
    }
}

impl CaseTable {
    /// The same cases, each with what it was asked. Every other column is shared with this table.
    pub fn with_asked(&self, all: &[Asked]) -> Self {
        let column = |hash: fn(&Asked) -> Option<u64>| {
            let hashes = (0..self.len()).map(|idx| all.get(idx).and_then(hash));
            ValueColumn::of(hashes.collect::<UInt64Array>())
        };
        let mut cases = self.clone();
        cases.input_hash = column(|one| one.input);
        cases.expected_hash = column(|one| one.expected);
        cases
    }

    /// Whether of any case it is known what it was asked.
    pub fn has_asked(&self) -> bool {
        self.input_hash.array().is_some() || self.expected_hash.array().is_some()
    }

    /// What case `idx` was asked.
    pub fn asked_of(&self, idx: usize) -> Asked {
        Asked { input: self.input_hash.get(idx), expected: self.expected_hash.get(idx) }
    }
}
