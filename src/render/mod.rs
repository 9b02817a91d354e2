//! What `report` says, as markup: exported pages and charts. What cells and outcomes look like is said here for
//! them and for components.
//!
//! It can be tested without a browser.

mod case_cell;
mod cell;
pub mod compare;
mod figure;
mod form;
mod look;
mod name;
mod sections;
mod table;
mod tree;

pub use case_cell::{CaseCell, case_about, case_cell, case_words, outcome_sign};
pub use cell::{cell, outcome_mark, outcome_word};
pub use figure::{NOTHING, PICTURES, chart_file, figure, file_stem, picture, title_id};
pub use form::{CellForm, DECLARED, form, hint_of, outcome_shape, percent};
pub use look::{Look, View};
pub use name::told_apart;
pub use sections::sections_page;
pub use table::{align_class, caption_id, cell_class, table_class};
pub use tree::tree;
