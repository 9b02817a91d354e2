//! Sums by which a summary and its rows recognise each other.

use crate::readers::letta_evals::row::LettaRow;
use serde::{Deserialize, Serialize};

/// What the rows of a file add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    /// Rows.
    pub n_rows: u64,
    /// Rows without a grade of their own: what a summary takes for their score is not in them (guide).
    pub n_without_grade: u64,
    /// Attempted ones.
    pub n_attempted: u64,
    /// Sum of the primary scores.
    pub score: f64,
    /// Prompt tokens.
    pub prompt_tokens: f64,
    /// Sum of the rows' seconds.
    pub secs: f64,
    /// Rows that state seconds.
    pub n_secs: u64,
}

impl Sums {
    /// Adds a row, whose primary score is `score`.
    pub fn add(&mut self, row: &LettaRow<'_>, is_attempted: bool, score: Option<f64>) {
        self.n_without_grade += u64::from(row.grade.is_none());
        self.add_known(is_attempted, score, row.tokens.prompt, row.secs.total);
    }

    /// Adds a row, of which it is not said whether it has a grade.
    pub fn add_known(
        &mut self,
        is_attempted: bool,
        score: Option<f64>,
        prompt_tokens: Option<f64>,
        secs: Option<f64>,
    ) {
        self.n_rows += 1;
        self.n_attempted += u64::from(is_attempted);
        self.score += score.unwrap_or(0.0);
        self.prompt_tokens += prompt_tokens.unwrap_or(0.0);
        if let Some(secs) = secs {
            self.secs += secs;
            self.n_secs += 1;
        }
    }
}
