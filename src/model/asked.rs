//! What a case was asked, as far as it takes to tell whether two cases are asked the same.

use super::column::{ColumnBuilder, U64};
use super::table::{CaseRow, CaseTable};

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
        let (mut inputs, mut answers) =
            (ColumnBuilder::<U64>::default(), ColumnBuilder::<U64>::default());
        for idx in 0..self.len() {
            let Asked { input, expected } = all.get(idx).copied().unwrap_or_default();
            inputs.push(input);
            answers.push(expected);
        }
        let mut cases = self.clone();
        (cases.input_hash, cases.expected_hash) = (inputs.finish(), answers.finish());
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
