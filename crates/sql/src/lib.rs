//! SQL over Evalglass datasets (`docs/dataset.md`), with DataFusion.
//!
//! ```text
//! dataset ──> part_table (small tables, cases, checks) ──> views ──> query ──> csv, or rows of the page
//!                └─ read_ahead (files of a server)                     └─ turns (where nobody may wait)
//! ```
//!
//! `main.rs` is the program behind `report --sql` (`memory`: how much it may take); `page/` that of the SQL page, where files are read by ranges.

pub mod bars;
pub mod completion;
pub mod csv;
pub mod dataset;
pub mod file_store;
#[cfg(not(target_arch = "wasm32"))]
pub mod memory;
pub mod part_table;
pub mod place;
pub mod queries;
pub mod query;
pub mod read_ahead;
pub mod turns;
pub mod views;
