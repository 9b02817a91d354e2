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
mod document;
mod excerpt;
mod find;
mod fold;
mod form;
mod ids;
mod lines;
mod markdown;
mod marks;
mod page;
mod part;
mod pytest;
mod ranges;
mod reading;
mod recent;
mod text_id;
mod transcript;
mod tree;

pub use page::no_case;
pub use part::{Item, PartName};
pub use reading::Reading;

use crate::markup::Markup;
use crate::report::RunRef;
use serde::{Deserialize, Serialize};

/// The name by which the page asks for all of document `place` of `run`.
pub fn whole_name(run: RunRef, place: u32) -> String {
    PartName { run, item: Item::Document(place), part: part::Part::Whole }.to_string()
}

/// A button to the element `id`, whose word in the address is `spot`.
pub fn way_to_part(id: &str, spot: &str, words: &str, out: &mut Markup) {
    ids::Jump::to(id).spot(spot).button(out, "chip", words);
}

/// What the page presses to come to message `message` of a document (`last`: its last step), or to
/// `element` where it has no such message.
pub fn way_to_spot(reading: &Reading, message: &str, element: &str, out: &mut Markup) {
    document::way(reading, message, element).hidden(out, page::SPOT_ID);
}

/// A case as its page shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseShown {
    /// Its key in its run; empty when there is no such case.
    pub key: String,
    /// The page below its navigation.
    pub body: Markup,
}
