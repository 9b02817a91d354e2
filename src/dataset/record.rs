//! What a dataset keeps of one evaluation beside its parts: its rows in the small tables, and which parts it has.

use super::SCHEMA;
use super::tables::small_tables;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::fs;
use std::io;
use std::path::Path;

/// A record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct DatasetRecord {
    /// Name and version of the schema.
    pub schema: String,
    /// Id of the evaluation.
    pub evaluation: String,
    /// A hash of the rows: by it the parts of one writing know each other.
    pub writing: String,
    /// The parts.
    pub parts: Vec<RowFile>,
    /// By small table, the rows.
    pub tables: Map<String, Json>,
}

/// A file of rows of cases or checks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct RowFile {
    /// `cases` or `checks`.
    pub table: String,
    /// Where it lies in the dataset.
    pub path: String,
    /// Its name while it is being placed.
    pub staged: String,
    /// Rows.
    pub rows: u64,
    /// Bytes.
    pub bytes: u64,
}

impl DatasetRecord {
    /// The record in the file `path`.
    ///
    /// # Errors
    /// When it cannot be read, is none, or is of another version.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let record: Self = serde_json::from_slice(&bytes).map_err(io::Error::other)?;
        let leaves = |part: &RowFile| {
            let is_step = |step: &str| !step.is_empty() && step != "." && step != "..";
            let is_inside = part.path.split('/').all(is_step) && !part.path.contains('\\');
            let is_below = ["cases/", "checks/"].iter().any(|start| part.path.starts_with(start));
            !is_inside || !is_below || part.staged.contains(['/', '\\']) || part.staged == ".."
        };
        if record.schema != SCHEMA {
            return Err(io::Error::other(format!("it is of {}, not {SCHEMA}", record.schema)));
        }
        if record.parts.iter().any(leaves) {
            return Err(io::Error::other("it names a part outside of the dataset"));
        }
        Ok(record)
    }

    /// The rows that it has of the table `name`.
    pub(super) fn rows(&self, name: &str) -> &[Json] {
        self.tables.get(name).and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    /// The record as bytes.
    ///
    /// # Errors
    /// Never, as far as is known.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(io::Error::other)
    }

    /// Whether every row has what every row must have.
    pub(super) fn is_whole(&self) -> bool {
        small_tables().iter().all(|table| {
            let is_whole = |row: &Json| super::cell::row_of_json(&table.fields, row).is_some();
            self.rows(table.name).iter().all(is_whole)
        })
    }
}
