//! Cases and documents of runs as they are read: what is shown at once, and parts that are asked for when they are
//! needed; and the page about an agent, which is made of the same.
//!
//! Nothing in a case is shortened. What is short stands in the body; everything longer has a name
//! (`part`), by which the page asks for it: when a fold is opened, when it comes near, row by row.
//!
//! What is shown is plain data (`shown`, `piece`, `plain_text`, `plain_tree`, `plain_diff`), which components
//! draw; rendered Markdown alone is markup.

mod agent;
mod attempts;
mod checks;
mod diffs;
mod document;
mod fold;
mod form;
mod ids;
mod links;
mod markdown;
mod page;
mod part;
mod piece;
mod ranges;
mod read;
mod recent;
mod shown;
mod texts;
mod transcript;
mod trees;

pub use agent::{AgentRunPage, AgentRunShown, AgentShown, DocumentShown, agent_page};
pub use diffs::plain_diff::{
    ChangeShown, ChangedValue, DiffBody, DiffLayout, DiffLine, DiffPart, DiffRowShown, DiffShown,
    DiffSign, Ink, LetterRun,
};
pub use page::no_case;
pub use part::{PartName, RunItem};
pub use piece::{
    AttemptShown, Body, CheckShown, EntryBody, EntryItem, EntryShown, FileShown, Fold, GradeShown,
    Later, LineKind, OutlineLine, OutlineShown, Piece, RequestShown, ReservedRoom, SideShown,
    Speaker, TranscriptShown, TurnShown, Way,
};
pub use read::{PartShown, Reading};
pub use shown::{CasePage, CaseShown, ColumnSide, ElsewhereShown, FactShown, NoCase, SectionShown};
pub use texts::plain_text::{
    BlockShown, Choices, FindShown, FoundShown, LineMark, LineShown, LinesBody, LinesShown,
    MatchShown, PlaceShown, SaidBody, SaidShown, TextKind, TextShown, ViewChoice, ViewShown,
};
pub use trees::plain_tree::{GroupShown, KeyShown, NodeShown, NodesShown, TreeShown, ValueShown};

use crate::report::RunRef;

/// The name by which the page asks for all of document `place` of `run`.
fn whole_name(run: RunRef, place: u32) -> String {
    PartName { run, item: RunItem::Document(place), part: part::PartRequest::Whole }.to_string()
}

/// The way to message `message` of a document (`last`: its last step), or to `element` where it has no such
/// message.
fn way_to_spot(reading: &Reading, message: &str, element: &str) -> Way {
    document::way(reading, message, element)
}
