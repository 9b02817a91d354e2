//! Nested objects as columns with dots in their names: `scores.accuracy`.

use super::sheet::SheetColumns;
use serde_json::{Map, Value};

/// How many objects in each other become columns; deeper ones stay what they are.
const MAX_LEVELS: usize = 8;

/// Puts the members of a record into `cells`, at the places of their columns.
pub(super) fn into_cells(
    record: Map<String, Value>,
    columns: &mut SheetColumns,
    cells: &mut Vec<Value>,
) {
    cells.clear();
    each_leaf(record, &mut |name, value| {
        let Some(at) = columns.place(&name) else { return };
        if cells.len() <= at {
            cells.resize(at + 1, Value::Null);
        }
        if let Some(cell) = cells.get_mut(at) {
            *cell = value;
        }
    });
}

/// The members of a record with the names of their columns, in order.
pub(super) fn leaves(record: Map<String, Value>) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    each_leaf(record, &mut |name, value| found.push((name, value)));
    found
}

fn each_leaf(record: Map<String, Value>, take: &mut dyn FnMut(String, Value)) {
    for (key, value) in record {
        leaf(key, value, 1, take);
    }
}

fn leaf(name: String, value: Value, level: usize, take: &mut dyn FnMut(String, Value)) {
    match value {
        Value::Object(members) if !members.is_empty() && level < MAX_LEVELS => {
            for (key, value) in members {
                leaf(format!("{name}.{key}"), value, level + 1, take);
            }
        }
        other => take(name, other),
    }
}
