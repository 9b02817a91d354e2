//! What files declare and nothing can be compared with, and why.

use super::AuditValue;
use super::compare::value_of;
use crate::model::Declared;
use crate::report::{Cell, Column, Table, TableShape};
use crate::words::report::audit as words;
use crate::workspace::Entry;
use std::collections::HashMap;

/// Fields of a group that the page names.
const FIELDS_NAMED: usize = 6;

/// Figures of files of one name that cannot be checked for the same reason.
#[derive(Debug, Clone, PartialEq)]
pub struct UncheckedGroup {
    /// Name of the evaluation.
    pub evaluation: String,
    /// Id of the evaluation in exports.
    pub evaluation_id: String,
    /// The first file, relative to what was dropped.
    pub file: String,
    /// Why; lower case, no full stop.
    pub why: String,
    /// How many figures.
    pub count: u64,
    /// The distinct fields among them, in the order of the files.
    pub fields: Vec<UncheckedField>,
}

/// A field of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct UncheckedField {
    /// Path within its file; `[]` stands for any place in a list.
    pub field: String,
    /// How often it is there: places in a list, lines, files of the same name.
    pub count: u64,
    /// What the first of them says.
    pub value: AuditValue,
}

/// The groups of an evaluation: what its reader listed, then declared figures without a ground.
pub(super) fn unchecked_groups(
    entry: &Entry,
    refused: &[(&Declared, String)],
) -> Vec<UncheckedGroup> {
    let mut groups: Vec<UncheckedGroup> = Vec::new();
    // Places of groups by file name and reason, of fields by group and path.
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    let mut fields: HashMap<(usize, String), usize> = HashMap::new();
    let mut add = |file: &str, why: &str, field: UncheckedField| {
        let name = file.rsplit('/').next().unwrap_or_default().to_owned();
        let at = *places.entry((name, why.to_owned())).or_insert_with(|| {
            groups.push(UncheckedGroup {
                evaluation: entry.evaluation.label.clone(),
                evaluation_id: entry.key.clone(),
                file: file.to_owned(),
                why: why.to_owned(),
                count: 0,
                fields: Vec::new(),
            });
            groups.len() - 1
        });
        let Some(group) = groups.get_mut(at) else { return };
        group.count += field.count;
        let place = fields.entry((at, field.field.clone())).or_insert(group.fields.len());
        match group.fields.get_mut(*place) {
            Some(known) => known.count += field.count,
            None => group.fields.push(field),
        }
    };
    for one in &entry.evaluation.unchecked {
        let (field, count, value) = (one.field.clone(), one.count, value_of(&one.value));
        add(&one.file, &one.why, UncheckedField { field, count, value });
    }
    for (declared, why) in refused {
        let (field, value) = (declared.field.clone(), value_of(&declared.value));
        add(&declared.file, why, UncheckedField { field, count: 1, value });
    }
    groups
}

/// The groups as a table; `is_several`: of more than one evaluation.
pub(super) fn unchecked_table(groups: &[UncheckedGroup], is_several: bool) -> Table {
    let mut columns = vec![Column::words(words::FIGURES), Column::words(words::FILE)];
    if is_several {
        columns.push(Column::words(words::EVALUATION));
    }
    columns.push(Column::numbers(words::COUNT, words::COUNT_HINT));
    columns.push(Column::words(words::REASON));
    let mut table = Table::new("unchecked", words::UNCHECKED, columns);
    for group in groups {
        let mut cells = vec![Cell::Text(names(group)), Cell::Text(group.file.clone())];
        if is_several {
            cells.push(Cell::Text(group.evaluation.clone()));
        }
        cells.push(Cell::Count(group.count));
        cells.push(Cell::Text(group.why.clone()));
        table.row(cells);
    }
    table.shape = TableShape::Entries;
    table.empty = Some(words::ALL_COMPARED.to_owned());
    table
}

/// The first fields of a group, and how many more there are.
fn names(group: &UncheckedGroup) -> String {
    let named: Vec<&str> =
        group.fields.iter().take(FIELDS_NAMED).map(|field| field.field.as_str()).collect();
    let named = named.join(", ");
    match group.fields.len().saturating_sub(FIELDS_NAMED) {
        0 => named,
        n_more => words::names_and_more(&named, n_more as u64),
    }
}
