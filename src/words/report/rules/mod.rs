//! Words: what Policies & gates and changes of rules say.

pub use crate::words::terms::{CASES, METRIC, REASON};

pub mod cases;
pub mod changes;
pub mod controls;
pub mod gate;
pub mod tables;

// Said in several places.

/// What holds while no rule is set: an option of a rule, and a way of combining attempts.
pub const AS_DECLARED: &str = "as declared";
/// Column of numbers of scores, and caption of the table of scores that moved.
pub const SCORES: &str = "Scores";
/// Why a cell has no score.
pub const NO_SCORE: &str = "no score";
