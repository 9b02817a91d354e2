//! Evaluations as a folder of Parquet tables, `evalglass-dataset/1`, for SQL engines and for more than one tab holds.
//!
//! ```text
//! write: files ── one evaluation at a time ──> store: parts and a record ──> index: small tables, manifest
//! ```
//!
//! Cases and checks lie in one folder for each evaluation; figures in small tables, derived from the records.
//! `docs/dataset.md` says what each column holds. Only native programs write datasets to a disk; what is open in the page
//! becomes the same files in memory (`opened`), for the engine of the SQL page.

mod cell;
#[cfg(not(target_arch = "wasm32"))]
mod index;
mod opened;
mod place;
#[cfg(not(target_arch = "wasm32"))]
mod record;
#[cfg(not(target_arch = "wasm32"))]
mod store;
mod table_file;
mod tables;
#[cfg(not(target_arch = "wasm32"))]
mod write;

use crate::export::ColumnField;
use crate::input::Dropped;
#[cfg(not(target_arch = "wasm32"))]
pub use index::index;
pub use opened::opened_files;
use std::path::PathBuf;
pub use tables::small_tables;
#[cfg(not(target_arch = "wasm32"))]
pub use write::{WriteOutcome, write};

/// Name and version of the schema.
pub const SCHEMA: &str = "evalglass-dataset/1";

/// What is to be written.
#[derive(Default)]
pub struct WriteWish {
    /// Folder of the dataset.
    pub dataset: PathBuf,
    /// Files and folders with results.
    pub paths: Vec<PathBuf>,
    /// Names of folders that are read, although folders of that name are left out as a rule.
    pub included: Vec<String>,
    /// Mapping files for tables.
    pub mappings: Vec<Dropped>,
    /// Whether long texts are packed; else where they lie.
    pub with_details: bool,
}

/// The columns of the table of parts.
pub fn part_list_fields() -> &'static [ColumnField] {
    &table_file::PARTS
}
