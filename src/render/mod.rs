//! What `report` says, as markup that the page puts into the document as it is.
//!
//! The worker draws: the page stays small, and what is drawn can be tested without a browser.

mod cases;
mod cell;
mod look;

pub use cases::{CaseGrid, FilterHelp, GridColumn, GridFrame, case_grid, facets, filter_help};
pub use cell::{cell, outcome_mark, outcome_word};
pub use look::{Look, View};
