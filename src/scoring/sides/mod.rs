//! Several sides that are compared: which cases they share, and what each case is worth on each.
//!
//! ```text
//! runs of a side ── SideCases ──> its cases, each with its trials        (once)
//! cases of all sides ── pair ──> Pairing: which of them are the same     (when the way of pairing changes)
//! Side, SideCases, Rules ── values ──> one number for each case          (when a rule changes)
//! ```
//!
//! Everything is columns by number; texts are only compared, never copied.

mod audit;
mod cases;
mod matcher;
mod pairing;
mod strip;
mod values;

use crate::model::{Config, Run};

pub(crate) use audit::Inputs;
pub use audit::{Audit, audit};
pub use cases::SideCases;
pub use pairing::{PairBy, Pairing, pair, pair_best};
pub use strip::StripPattern;
pub use values::{BetterDirection, Came, Valued, Values, came, metrics_of, values, way};
pub(crate) use values::{has_verdicts, row_values};

/// A run of a side.
#[derive(Debug, Clone, Copy)]
pub struct SideRun<'a> {
    /// The run, as the rules in force judge it.
    pub run: &'a Run,
    /// Rules of its evaluation.
    pub config: &'a Config,
}

impl SideRun<'_> {
    /// Number of its cases.
    fn n_rows(&self) -> usize {
        self.run.cases.len()
    }
}

/// What is compared: one run or several.
#[derive(Debug, Clone, Default)]
pub struct Side<'a> {
    /// Its runs.
    pub runs: Vec<SideRun<'a>>,
}
