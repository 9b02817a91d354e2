//! Figures that files state of totals whose cases are not among them.
//!
//! ```text
//! Evaluation::declared ── take ──┐
//! recorded rows, result.json ── directory ──┴─> sheet ─┬─> tables, page: overview
//!                                                      ├─> measure: trends, models beside each other
//!                                                      └─> exports
//! ```
//!
//! They stand beside what cases give and are never summed with it. Each place that shows one says
//! "declared"; what is made of several of them (a mean over declared runs) is said to be so.

mod directory;
mod measure;
mod page;
mod part_table;
mod sheet;
mod spread;
mod tables;
mod take;

pub(super) use measure::{measured, score_of};
pub(super) use page::{n_runs, page};
pub use sheet::{DeclaredMetric, DeclaredPart, DeclaredSheet};
pub use spread::DeclaredSpread;
pub(super) use tables::{beside_rows, evaluation_cells, models_of_all, spreads};

use crate::workspace::Entry;
use std::rc::Rc;

impl Entry {
    /// What its files state of totals whose cases are not among them.
    pub fn declared(&self) -> Rc<DeclaredSheet> {
        self.derived.get_or(|| DeclaredSheet::new(&self.evaluation))
    }

    /// Whether declared figures are all that it holds.
    pub fn is_declared_only(&self) -> bool {
        let has_cases = self.evaluation.runs.iter().any(|run| !run.cases.is_empty());
        !has_cases && self.evaluation.runs.is_empty() && !self.declared().is_empty()
    }
}
