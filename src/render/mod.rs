//! What `report` says, as markup: exported pages, charts, cases in parts, and the pages that components do not
//! draw yet (cases, rules, agent, sealing). What cells and outcomes look like is said here for both.
//!
//! It can be tested without a browser.

mod agent;
pub mod case;
mod cases;
mod cell;
mod figure;
mod form;
mod gate;
mod look;
mod rules;
mod seal;
mod sections;
mod table;
mod tree;

pub use agent::agent_page;
pub use cases::{CaseGrid, FilterHelp, GridColumn, GridFrame, case_grid, facets, filter_help};
pub use cell::{cell, outcome_mark, outcome_word};
pub use figure::{
    NOTHING, PICTURES, chart_file, choices, figure, figures, file_stem, picture, title_id,
};
pub use form::{DECLARED, Form, form, hint_of, outcome_shape};
pub use look::{Drawing, Look, View};
pub use rules::rules_page;
pub use seal::{SealForm, SealRule, SealSummary, seal_complaints, seal_form, seal_summary};
pub use sections::{sections, sections_page};
pub use table::{align_class, cell_class, table};
pub use tree::tree;
