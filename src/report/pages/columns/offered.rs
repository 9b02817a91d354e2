//! Tables that nobody claims: each can be opened by saying what its columns are.

use crate::model::{ColumnRole, MappingFile, NoteKind};
use crate::readers::TableSheet;
use crate::words::report::cases as words;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// Tables that are offered, at the most.
const MAX_OFFERED: usize = 20;

/// Names of columns that are listed, at the most.
const MAX_NAMES: usize = 12;

/// A table that can be opened by saying what its columns are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedTable {
    /// Its file; with the table in it, where it holds several.
    pub path: String,
    /// Its columns, listed.
    pub columns: String,
    /// Table, names and roles that are guessed.
    pub file: OfferedRoles,
}

/// The roles of a mapping file in parts that can be sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedRoles {
    /// The table of the file.
    pub table: Option<String>,
    /// Columns with their roles and units.
    pub columns: Vec<(String, super::Role, Option<super::TimeUnit>)>,
}

impl OfferedTable {
    /// The mapping file that says what is guessed, as a draft.
    pub fn draft(&self) -> MappingFile {
        let columns = self.file.columns.iter().map(|(name, role, unit)| ColumnRole {
            name: name.clone(),
            role: *role,
            unit: *unit,
            less_is_better: false,
        });
        MappingFile {
            evalglass_mapping: 1,
            table: self.file.table.clone(),
            confirmed: false,
            columns: columns.collect(),
        }
    }
}

/// The tables that are noted as nobody's, since no column looks like a result.
pub(in crate::report) fn offered(workspace: &Workspace) -> Vec<OfferedTable> {
    let is_noted = |path: &str| {
        let mut notes = workspace.open_notes.iter();
        notes.any(|note| note.kind == NoteKind::Unrecognised && note.file == path)
    };
    let tables = workspace.unclaimed.iter().filter_map(|one| Some((one, one.table.as_ref()?)));
    let noted = tables.filter(|(one, table)| !table.has_result() && is_noted(&one.file.path));
    let sheets = noted.flat_map(|(one, table)| table.sheets.iter().map(move |sheet| (one, sheet)));
    sheets.take(MAX_OFFERED).map(|(one, sheet)| offer(&one.file.path, sheet)).collect()
}

fn offer(path: &str, sheet: &TableSheet) -> OfferedTable {
    let columns = sheet.columns.iter().zip(&sheet.roles);
    let columns = columns.map(|(name, (role, unit))| (name.clone(), *role, *unit)).collect();
    let names: Vec<&str> = sheet.columns.iter().map(String::as_str).take(MAX_NAMES).collect();
    let more = if sheet.columns.len() > MAX_NAMES { ", …" } else { "" };
    OfferedTable {
        path: match &sheet.table {
            Some(table) => words::table_of(path, table),
            None => path.to_owned(),
        },
        columns: format!("{}{more}", names.join(", ")),
        file: OfferedRoles { table: sheet.table.clone(), columns },
    }
}
