//! The small tables and the manifest, derived from the records of a dataset.

use super::SCHEMA;
use super::cell::row_of_json;
use super::place::below;
use super::record::{DatasetRecord, RowFile};
use super::store::{DatasetStore, StoreLock};
use super::table_file::{PARTS, TableRow, part_row, table_bytes, table_file};
use super::tables::small_tables;
use crate::export::ColumnField;
use crate::input::{DiskSource, InputFile};
use crate::model::SourceId;
use crate::readers::writing_of;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::rc::Rc;

/// Name of the manifest.
const MANIFEST: &str = "manifest.json";

/// Derives the small tables and the manifest of the dataset in `root` anew; the faults that were found.
///
/// # Errors
/// When there is no dataset, or something cannot be written.
pub fn index(root: &Path) -> io::Result<Vec<String>> {
    if !root.is_dir() {
        return Err(io::Error::other(format!("{}: there is no such folder", root.display())));
    }
    derive(&DatasetStore::open(root)?)
}

/// The same of an open dataset.
pub(super) fn derive(store: &DatasetStore) -> io::Result<Vec<String>> {
    let turn = store.turn()?;
    store.mend(&turn)?;
    let (mut records, mut faults) = (Vec::new(), Vec::new());
    for path in store.record_paths()? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match DatasetRecord::read(&path) {
            Ok(record) if record.is_whole() => records.push(record),
            Ok(_) => faults.push(format!("records/{name}: figures are missing in it")),
            Err(err) => faults.push(format!("records/{name}: {err}")),
        }
    }
    records.sort_by(|one, other| one.evaluation.cmp(&other.evaluation));
    let mut parts = Vec::new();
    for record in &records {
        for part in &record.parts {
            match fault_of(store, part, &record.writing) {
                None => parts.push((record, part)),
                Some(why) => faults.push(format!("{}: {why}", part.path)),
            }
        }
    }
    let known: BTreeSet<&str> =
        records.iter().flat_map(|record| &record.parts).map(|part| part.path.as_str()).collect();
    for table in ["cases", "checks"] {
        let mut found = Vec::new();
        files_below(&store.root.join(table), table, &mut found)?;
        let foreign = found.iter().filter(|path| !known.contains(path.as_str()));
        faults.extend(foreign.map(|path| format!("{path}: no evaluation of the dataset has it")));
    }
    let mut tables = Vec::new();
    for table in small_tables() {
        let rows = records.iter().flat_map(|record| record.rows(table.name));
        let rows: Vec<TableRow> = rows.filter_map(|row| row_of_json(&table.fields, row)).collect();
        tables.push(put_table(store, &turn, table.name, &table.fields, &rows)?);
    }
    let rows: Vec<TableRow> = parts
        .iter()
        .map(|(record, part)| {
            part_row(&record.evaluation, &part.table, &part.path, [part.rows, part.bytes])
        })
        .collect();
    tables.push(put_table(store, &turn, "parts", &PARTS, &rows)?);
    let sum = |table: &str, of: fn(&RowFile) -> u64| -> u64 {
        let own = parts.iter().filter(|(_, part)| part.table == table);
        own.map(|(_, part)| of(part)).sum()
    };
    let manifest = json!({
        "schema": SCHEMA,
        "app": { "name": "evalglass", "version": env!("CARGO_PKG_VERSION") },
        "evaluations": records.len(),
        "cases": { "rows": sum("cases", |part| part.rows), "bytes": sum("cases", |part| part.bytes) },
        "checks": { "rows": sum("checks", |part| part.rows), "bytes": sum("checks", |part| part.bytes) },
        "tables": tables,
        "faults": faults,
    });
    let mut bytes = serde_json::to_vec_pretty(&manifest).map_err(io::Error::other)?;
    bytes.push(b'\n');
    store.put(&turn, MANIFEST, &bytes)?;
    Ok(faults)
}

/// What is wrong with `part`, which a writing called `writing` made.
fn fault_of(store: &DatasetStore, part: &RowFile, writing: &str) -> Option<String> {
    let path = below(&store.root, &part.path);
    let Ok(found) = fs::metadata(&path) else {
        return Some("missing: add its evaluation again".to_owned());
    };
    if found.len() != part.bytes {
        return Some(format!("damaged: it has {} bytes, not {}", found.len(), part.bytes));
    }
    // As the page reads it: what a footer claims is checked before a library believes it.
    let file = match DiskSource::new(&path) {
        Ok(source) => InputFile { id: SourceId(0), path: part.path.clone(), data: Rc::new(source) },
        Err(err) => return Some(format!("damaged: {err}")),
    };
    match writing_of(&file) {
        Err(err) => Some(err.kind().to_string()),
        Ok(found) => (found.as_deref() != Some(writing))
            .then(|| "it is of another writing: add its evaluation again".to_owned()),
    }
}

/// The Parquet files below `folder`, which lies at `shown` in the dataset.
fn files_below(folder: &Path, shown: &str, found: &mut Vec<String>) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = format!("{shown}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            files_below(&entry.path(), &path, found)?;
        } else if path.ends_with(".parquet") {
            found.push(path);
        }
    }
    Ok(())
}

/// Writes a small table; what the manifest says of it.
fn put_table(
    store: &DatasetStore,
    turn: &StoreLock,
    name: &str,
    fields: &[ColumnField],
    rows: &[TableRow],
) -> io::Result<serde_json::Value> {
    let out = table_bytes(fields, rows)?;
    let file = table_file(name);
    store.put(turn, &file, &out)?;
    Ok(json!({ "name": name, "file": file, "rows": rows.len(), "bytes": out.len() }))
}
