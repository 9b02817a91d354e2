//! What `report` says, as markup that the page puts into the document as it is.
//!
//! The worker draws: the page stays small, and what is drawn can be tested without a browser.

pub mod case;
mod cell;
mod look;

pub use cell::{cell, outcome_mark, outcome_word};
pub use look::{Look, View};
