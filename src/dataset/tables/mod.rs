//! The small tables: what each holds, and the rows that an evaluation gives to it.

mod declared;
mod evaluations;
mod lists;
mod repeats;
mod runs;
mod totals;

use super::cell::RecordRow as SmallRow;
use crate::export::ColumnField;
use crate::workspace::Entry;

/// Where the files of an evaluation lie.
pub(super) struct FileOrigin {
    /// The folder that its paths are relative to; relative to the dataset.
    pub folder: String,
}

/// One of the small tables.
pub struct SmallTable {
    /// Its name; the file is called `NAME.parquet`.
    pub name: &'static str,
    /// Its columns.
    pub fields: Vec<ColumnField>,
    rows: fn(&Entry, &FileOrigin) -> Vec<SmallRow>,
}

impl SmallTable {
    /// The rows that `entry` gives.
    pub(super) fn rows_of(&self, entry: &Entry, origin: &FileOrigin) -> Vec<SmallRow> {
        (self.rows)(entry, origin)
    }
}

/// Every small table that evaluations give rows to, in the order of the documentation.
pub fn small_tables() -> Vec<SmallTable> {
    vec![
        SmallTable {
            name: "evaluations",
            fields: evaluations::schema(),
            rows: |entry, origin| evaluations::rows(entry, origin),
        },
        SmallTable { name: "runs", fields: runs::schema(), rows: |entry, _| runs::rows(entry) },
        SmallTable {
            name: "repeats",
            fields: repeats::schema(),
            rows: |entry, _| repeats::rows(entry),
        },
        SmallTable {
            name: "groups",
            fields: lists::groups_schema(),
            rows: |entry, _| lists::groups(entry),
        },
        SmallTable {
            name: "metrics",
            fields: lists::metrics_schema(),
            rows: |entry, _| lists::metrics(entry),
        },
        SmallTable {
            name: "declared",
            fields: declared::schema(),
            rows: |entry, _| declared::rows(entry),
        },
    ]
}
