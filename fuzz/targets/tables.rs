//! Tables of anybody: CSV, SQLite, Arrow IPC, Parquet, and the files that say how they are read.

use super::files::{file, look_through};

/// CSV, or TSV.
pub fn csv(input: &[u8]) {
    look_through(vec![file("rows.csv", input)]);
}

/// A database of SQLite.
pub fn sqlite(input: &[u8]) {
    look_through(vec![file("rows.sqlite", input)]);
}

/// Arrow IPC: files and streams.
pub fn arrow(input: &[u8]) {
    look_through(vec![file("rows.arrow", input)]);
}

/// Parquet.
pub fn parquet(input: &[u8]) {
    look_through(vec![file("rows.parquet", input)]);
}

/// A mapping file beside a table.
pub fn mapping(input: &[u8]) {
    const ROWS: &str = "name,points,ok,when,secs,who\na,3,yes,2026-01-02,1500,m\nb,,no,,2,n\n";
    let rows = file("results/rows.csv", ROWS.as_bytes());
    look_through(vec![rows, file("results/evalglass-columns.json", input)]);
}
