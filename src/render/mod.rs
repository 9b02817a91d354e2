//! What `report` says, as markup: exported pages, charts, cases in parts, and the pages that components do not
//! draw yet (agent). What cells and outcomes look like is said here for both.
//!
//! It can be tested without a browser.

mod agent;
pub mod case;
mod case_cell;
mod cell;
mod figure;
mod form;
mod look;
mod sections;
mod table;
mod tree;

pub use agent::{AgentRunPage, AgentRunShown, AgentShown, DocumentShown, agent_page};
pub use case_cell::{CaseCell, case_cell, case_words, outcome_sign};
pub use cell::{cell, outcome_mark, outcome_word};
pub use figure::{
    NOTHING, PICTURES, chart_file, choices, figure, figures, file_stem, picture, title_id,
};
pub use form::{DECLARED, Form, form, hint_of, outcome_shape, percent};
pub use look::{Drawing, Look, View};
pub use sections::{sections, sections_page};
pub use table::{align_class, caption_id, cell_class, table, table_class};
pub use tree::tree;
