//! What is open as the files of datasets, in memory: what the engine of the SQL page reads.
//!
//! Evaluations that were read make one dataset, by the rules in force. Evaluations that came out of a dataset stay what
//! they are: the files of that dataset, of which nothing is read here.

use super::cell::{row_json, row_of_json};
use super::place::folder;
use super::table_file::{PARTS, TableRow, part_row, table_bytes, table_file};
use super::tables::{FileOrigin, SmallTable, small_tables};
use crate::export::{ExportTable, PartWish};
use crate::input::{LocalFuture, Pulse, ReadAt};
use crate::readers::{Claimed, part_path};
use crate::worker::core::Core;
use crate::worker::protocol::Failure;
use crate::worker::sql::{SqlData, SqlFile, SqlFiles};
use crate::workspace::{Entry, Workspace};
use std::io;
use std::rc::Rc;

/// Folder of the evaluations that were read.
const READ: &str = "read";

/// The files of everything that is open, and in which folders the datasets lie.
///
/// # Errors
/// When `pulse` says stop, or a file cannot be written.
pub fn opened_files<'a>(
    core: &'a Core,
    pulse: &'a Pulse,
) -> LocalFuture<'a, Result<SqlFiles, Failure>> {
    Box::pin(async move {
        let mut files = core.with_workspace(stored);
        let read: Vec<u32> = core.with_workspace(|workspace| {
            let read = workspace.entries.iter().filter(|entry| !entry.is_stored());
            read.map(|entry| entry.id).collect()
        });
        if !read.is_empty() {
            files.roots.push(READ.to_owned());
            write(core, &read, pulse, &mut files).await?;
        }
        Ok(files)
    })
}

/// Appends the files of the evaluations numbered `read`.
async fn write(
    core: &Core,
    read: &[u32],
    pulse: &Pulse,
    files: &mut SqlFiles,
) -> Result<(), Failure> {
    let mut put = |path: String, bytes: Vec<u8>| {
        files.files.push(SqlFile { path: format!("{READ}/{path}"), data: SqlData::Bytes(bytes) });
    };
    let tables = small_tables();
    let mut rows: Vec<Vec<TableRow>> = tables.iter().map(|_| Vec::new()).collect();
    let mut parts = Vec::new();
    for (nth, id) in read.iter().enumerate() {
        let begun = core.with_workspace(|workspace| {
            let entry = workspace.entry(*id)?;
            for (table, rows) in tables.iter().zip(&mut rows) {
                rows.extend(rows_of(table, entry));
            }
            let evaluation = &entry.evaluation;
            let folder = folder(&evaluation.producer, evaluation.suite.as_deref(), &entry.key);
            let n_rows = [
                evaluation.runs.iter().map(|run| run.cases.len() as u64).sum::<u64>(),
                evaluation.runs.iter().map(|run| run.checks.len() as u64).sum::<u64>(),
            ];
            Some((entry.key.clone(), folder, n_rows))
        });
        // Somebody has closed it meanwhile.
        let Some((key, folder, n_rows)) = begun else { continue };
        for (table, name, n_rows) in
            [(ExportTable::Cases, "cases", n_rows[0]), (ExportTable::Checks, "checks", n_rows[1])]
        {
            let mut bytes = Vec::new();
            let wish = PartWish { table, evaluation: *id, with_details: false, writing: "" };
            let mut take = |piece: &[u8]| {
                bytes.extend_from_slice(piece);
                Ok(())
            };
            core.part_into(wish, &mut take).await?;
            let path = format!("{name}/{folder}/part-0.parquet");
            parts.push(part_row(&key, name, &path, [n_rows, bytes.len() as u64]));
            put(path, bytes);
        }
        let n_done = nth as u64 + 1;
        pulse.tell(n_done, read.len() as u64).await.map_err(|_cancelled| Failure::Cancelled)?;
    }
    let unwritten = |err: io::Error| Failure::Message(err.to_string());
    for (table, rows) in tables.iter().zip(&rows) {
        put(table_file(table.name), table_bytes(&table.fields, rows).map_err(unwritten)?);
    }
    put(table_file("parts"), table_bytes(&PARTS, &parts).map_err(unwritten)?);
    Ok(())
}

/// The rows that `entry` gives to `table`, in the order of its columns.
fn rows_of(table: &SmallTable, entry: &Entry) -> Vec<TableRow> {
    // Nobody looks for its files from here.
    let origin = FileOrigin { folder: String::new() };
    let rows = table.rows_of(entry, &origin);
    rows.iter().filter_map(|row| row_of_json(&table.fields, &row_json(row))).collect()
}

/// The files of the datasets that are open.
fn stored(workspace: &Workspace) -> SqlFiles {
    let (mut found, mut places) = (SqlFiles::default(), Vec::<&str>::new());
    for entry in &workspace.entries {
        let own = &entry.bundle;
        let is_manifest = |claimed: &&Rc<Claimed>| claimed.file.name().ends_with(".json");
        let (Some(stored), Some(manifest)) = (entry.stored(), own.files.iter().find(is_manifest))
        else {
            continue;
        };
        let known = places.iter().position(|place| *place == own.path);
        let root = format!("dataset-{}", known.unwrap_or(places.len()) + 1);
        let mut put = |path: &str, data: Rc<dyn ReadAt>| {
            found
                .files
                .push(SqlFile { path: format!("{root}/{path}"), data: SqlData::Source(data) });
        };
        if known.is_none() {
            places.push(&own.path);
            let is_table = |claimed: &&Rc<Claimed>| claimed.file.name().ends_with(".parquet");
            for table in own.files.iter().filter(is_table) {
                put(table.file.name(), Rc::clone(&table.file.data));
            }
        }
        for part in &stored.parts {
            let path = part_path(&manifest.file, &part.path);
            let dropped = workspace.claims.iter().find(|(_, claimed)| claimed.file.path == path);
            let data = match dropped {
                Some((_, claimed)) => Some(Rc::clone(&claimed.file.data)),
                None => manifest.file.data.beside(&part.path, part.bytes),
            };
            // One that is not there is named by the engine, once a query needs it.
            if let Some(data) = data {
                put(&part.path, data);
            }
        }
        if known.is_none() {
            found.roots.push(root);
        }
    }
    found
}
