//! Parts that several pages are made of: one file and one style sheet each.

mod dialog;
mod drawn;
mod drop_area;
mod ends;
mod freshness;
mod icon;
mod lost;
mod menu;
mod palette;
mod panel;
mod progress;
mod rename;
mod report;
mod seal;
mod settings;
mod strip;
mod toast;
mod tree;

pub use dialog::KeysDialog;
pub use drawn::drawn;
pub use drop_area::{DropOverlay, OpenButtons};
pub use ends::Ends;
pub use freshness::FreshnessTools;
pub use icon::{Icon, icon};
pub use lost::LostLink;
pub use menu::ExportMenu;
pub use palette::Palette;
pub use panel::PanelView;
pub use progress::ProgressView;
pub use rename::RenameDialog;
pub use report::{outcome_mark, report_page};
pub use seal::SealDialog;
pub use settings::SettingsDialog;
pub use strip::RulesStrip;
pub use toast::Toast;
pub use tree::WorkspaceTree;
