//! The page about columns: how a table is read, and what follows from it.

mod follows;
mod offered;
mod remarks;

pub(in crate::report) use offered::offered;
pub use offered::{OfferedRoles, OfferedTable};

use crate::model::{MappedColumn, Mapping, PAGE_MAPPINGS};
use crate::report::{MappingFile, Role, Target, TimeUnit};
use crate::words::report::cases as words;
use crate::workspace::{Entry, Workspace};
use serde::{Deserialize, Serialize};

/// Evaluations that a line or a list names, at the most.
const MAX_OTHERS: usize = 20;

/// Who says how the columns of a table are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColumnsState {
    /// Nobody: it is guessed.
    #[default]
    Guessed,
    /// The page, and it is not confirmed yet.
    Draft,
    /// The page.
    Chosen,
    /// The mapping file with this path.
    File(String),
}

/// How a table is read, as a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ColumnsView {
    /// The evaluation that was read from the table.
    pub evaluation: u32,
    /// Its name.
    pub label: String,
    /// The file; with the table in it, where it holds several.
    pub file: String,
    /// What the table is made of, and how large it is: one phrase each.
    pub facts: Vec<String>,
    /// Who says how it is read.
    pub state: ColumnsState,
    /// Whether it can be read otherwise: its file is open.
    pub can_change: bool,
    /// Its columns, in the order of the file.
    pub columns: Vec<ColumnView>,
    /// How many of its first rows are shown.
    pub n_shown: usize,
    /// What there is to say of the roles together: no column is the id.
    pub remarks: Vec<String>,
    /// What follows from it, as sentences.
    pub follows: Vec<String>,
    /// Names of other evaluations whose tables have the same columns: they are read alike.
    pub alike: Vec<String>,
    /// Other evaluations read from tables, with their names.
    pub others: Vec<(u32, String)>,
}

/// A column, as the page shows it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ColumnView {
    /// Its name.
    pub name: String,
    /// What its cells are: `number`.
    pub kind: String,
    /// What it is read as.
    pub role: Role,
    /// Unit of a duration.
    pub unit: Option<TimeUnit>,
    /// Whether less of it is better.
    pub less_is_better: bool,
    /// Why it was given this role; empty: somebody has chosen it.
    pub why: String,
    /// What becomes of it beside the others, where that is not what its role says; empty: nothing.
    pub remark: String,
    /// Its cells in the first rows.
    pub cells: Vec<String>,
}

impl ColumnsView {
    /// The mapping file that says what the page shows.
    pub fn file(&self, table: Option<String>) -> MappingFile {
        let columns = self.columns.iter().map(|column| crate::report::ColumnRole {
            name: column.name.clone(),
            role: column.role,
            unit: column.unit,
            less_is_better: column.less_is_better,
        });
        MappingFile { evalglass_mapping: 1, table, confirmed: true, columns: columns.collect() }
    }
}

/// How the table of the evaluation that `target` names is read, or that of the first that was read from
/// one. `None`: there is none. `score` writes a score 0–1.
pub fn columns_view(
    workspace: &Workspace,
    target: Target,
    score: &dyn Fn(f64) -> String,
) -> Option<ColumnsView> {
    let (entry, mapping) = workspace.entries_of(target).find_map(mapped)?;
    let tables =
        || workspace.entries.iter().filter_map(mapped).filter(|(one, _)| one.id != entry.id);
    let key = MappingFile::of(mapping).key();
    let name = |(entry, _): (&Entry, &Mapping)| entry.evaluation.label.clone();
    let alike = tables().filter(|(_, other)| MappingFile::of(other).key() == key);
    let others = tables().map(|own| (own.0.id, name(own)));
    let can_change = entry.origin().0.id() == "table";
    let columns = mapping.columns.iter().enumerate().map(|(nth, column)| ColumnView {
        name: column.name.clone(),
        kind: column.kind.clone(),
        role: column.role,
        unit: unit_of(column),
        less_is_better: column.less_is_better,
        why: column.why.clone(),
        remark: remarks::of_column(&mapping.columns, nth),
        cells: mapping
            .first_rows
            .iter()
            .map(|row| row.get(nth).cloned().unwrap_or_default())
            .collect(),
    });
    Some(ColumnsView {
        evaluation: entry.id,
        label: entry.evaluation.label.clone(),
        file: file_words(entry, mapping),
        facts: vec![
            mapping.form.clone(),
            words::rows(mapping.n_rows),
            words::columns(mapping.columns.len() as u64),
        ],
        state: columns_state(entry, mapping),
        can_change,
        n_shown: mapping.first_rows.len(),
        remarks: remarks::of_table(&mapping.columns),
        follows: follows::sentences(entry, score),
        alike: alike.map(name).take(MAX_OTHERS).collect(),
        others: others.take(MAX_OTHERS).collect(),
        columns: columns.collect(),
    })
}

/// An evaluation that was read from a table, with how it was.
fn mapped(entry: &Entry) -> Option<(&Entry, &Mapping)> {
    Some((entry, entry.evaluation.config.mapping.as_ref()?))
}

/// The unit of a duration: it has one, even where none is written.
fn unit_of(column: &MappedColumn) -> Option<TimeUnit> {
    (column.role == Role::Duration).then(|| column.unit.unwrap_or_default())
}

/// Who says how the table of `entry` is read; `mapping` is how.
pub(in crate::report) fn columns_state(entry: &Entry, mapping: &Mapping) -> ColumnsState {
    let by_page = || {
        let mut files = entry.bundle.files.iter().map(|claimed| claimed.file.path.as_str());
        files.any(is_of_page)
    };
    match &mapping.file {
        Some(path) if mapping.is_confirmed && !is_of_page(path) => ColumnsState::File(path.clone()),
        _ if mapping.is_confirmed => ColumnsState::Chosen,
        _ if by_page() => ColumnsState::Draft,
        _ => ColumnsState::Guessed,
    }
}

/// Whether a file with this path comes from the page.
fn is_of_page(path: &str) -> bool {
    path.strip_prefix(PAGE_MAPPINGS).is_some_and(|rest| rest.starts_with('/'))
}

fn file_words(entry: &Entry, mapping: &Mapping) -> String {
    let path = &entry.evaluation.path;
    match &mapping.table {
        Some(table) => words::table_of(path, table),
        None => path.clone(),
    }
}
