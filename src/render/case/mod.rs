//! The page of one case: a body that is drawn at once, and parts that are drawn when they are needed.
//!
//! Nothing in a case is shortened. What is short stands in the body; everything longer has a name
//! (`part`), by which the page asks for it: when a fold is opened, when it comes near, row by row.
//! What the page does with names is written in `ids`.

mod api;
mod attempts;
mod block;
mod changes;
mod checks;
mod compared;
mod diff;
mod diff_row;
mod excerpt;
mod find;
mod ids;
mod json_text;
mod lines;
mod markdown;
mod marks;
mod page;
mod part;
mod pytest;
mod ranges;
mod reading;
mod text_id;
mod transcript;
mod tree;

pub use page::no_case;
pub use part::PartName;
pub use reading::Reading;

use crate::markup::Markup;
use serde::{Deserialize, Serialize};

/// A case as its page shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseShown {
    /// Its key in its run; empty when there is no such case.
    pub key: String,
    /// The page below its navigation.
    pub body: Markup,
}
