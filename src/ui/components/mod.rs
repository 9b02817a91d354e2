//! Parts that several pages are made of: one file and one style sheet each.

mod block;
mod control;
mod dialog;
mod diff;
mod drawn;
mod drop_area;
mod ends;
mod fold;
mod menu;
mod outcome;
mod panel;
mod progress;
mod strip;
mod toast;
mod transcript;
mod tree;

pub use block::{ContentBlock, LongText};
pub use control::RuleField;
pub use dialog::{KEYS_DIALOG, KeysDialog};
pub use diff::DiffView;
pub use drawn::{draw, drawn};
pub use drop_area::{DropOverlay, OpenButtons};
pub use ends::Ends;
pub use fold::Fold;
pub use menu::ExportMenu;
pub use outcome::{OutcomeMark, OutcomeWord};
pub use panel::PanelView;
pub use progress::ProgressView;
pub use strip::RulesStrip;
pub use toast::Toast;
pub use transcript::Transcript;
pub use tree::WorkspaceTree;
