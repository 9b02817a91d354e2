//! Tables that JSON holds by columns, as pandas writes them. They have no records, so they are read whole.
//!
//! | form | looks like |
//! |---|---|
//! | columns | `{"id": {"0": "a", "1": "b"}, "score": {…}}` |
//! | index | `{"0": {"id": "a", "score": 1}, "1": {…}}` |
//! | split | `{"columns": ["id", …], "index": [0, …], "data": [["a", 1], …]}` |
//! | lists | `{"id": ["a", "b"], "score": [1, 0]}` |
//! | values | `[["id", "score"], ["a", 1], …]` |

use super::sheet::{Sheet, SheetColumns, SheetRow, TakeSheetRow, WholeRow};
use super::words::is_role_name;
use super::{flatten, header};
use crate::input::json::Cursor;
use crate::input::{self, Form, InputFile, Limits, LocalFuture, Shape, ValueKind};
use crate::model::{Locator, RawRecord};
use crate::readers::{Context, Error, ErrorKind};
use serde_json::{Map, Value};

/// Such a document as a table.
pub(super) struct JsonWhole {
    file: InputFile,
    form: &'static str,
    rows: Vec<Map<String, Value>>,
}

impl JsonWhole {
    /// The table that `file` is; `None` when it is none of these forms.
    ///
    /// # Errors
    /// When it cannot be read, or is too large to be held.
    pub(super) fn open(file: &InputFile, shape: &Shape) -> Result<Option<Self>, Error> {
        let limit = Limits::default().max_record_bytes;
        if shape.form != Form::Document || shape.outline.cut.is_some() || !may_be(file, shape) {
            return Ok(None);
        }
        if file.len() > limit {
            let found = file.len();
            let err = input::Error::new(input::ErrorKind::TooLarge { found, limit }, 0);
            return Err(Error::from(err).in_file(&file.path));
        }
        let bytes = file.all_bytes().map_err(|err| Error::from(err).in_file(&file.path))?;
        let tree =
            Cursor::new(&bytes).tree().map_err(|err| Error::from(err).in_file(&file.path))?;
        let found = rows_of(tree).filter(|(_, rows)| !rows.is_empty());
        Ok(found.map(|(form, rows)| Self { file: file.clone(), form, rows }))
    }
}

/// Whether the outermost level could be one of the forms, so that only such documents are read whole.
fn may_be(file: &InputFile, shape: &Shape) -> bool {
    let outline = &shape.outline;
    if outline.kind == Some(ValueKind::Array) {
        let head = file.bytes(0..file.len().min(64)).unwrap_or_default();
        let mut inner = head.iter().filter(|byte| !byte.is_ascii_whitespace()).skip(1);
        return inner.next() == Some(&b'[');
    }
    let all = |kind| outline.members.iter().all(|member| member.kind == kind);
    let is_split =
        outline.has("columns", ValueKind::Array) && outline.has("data", ValueKind::Array);
    !outline.members.is_empty() && (is_split || all(ValueKind::Object) || all(ValueKind::Array))
}

fn rows_of(tree: Value) -> Option<(&'static str, Vec<Map<String, Value>>)> {
    match tree {
        Value::Array(lists) => by_values(lists).map(|rows| ("JSON, a list of lists", rows)),
        Value::Object(mut members) => {
            if let (Some(Value::Array(columns)), Some(Value::Array(_))) =
                (members.get("columns"), members.get("data"))
            {
                let columns = header::unique(columns.iter().map(name_of));
                let index = members.remove("index");
                let Some(Value::Array(data)) = members.remove("data") else { return None };
                let rows = data.into_iter().map(|row| zipped(&columns, row));
                let rows = labelled(index, rows.collect::<Option<_>>()?);
                return Some(("JSON, columns and data apart", rows));
            }
            if members.values().all(Value::is_array) {
                return by_lists(members).map(|rows| ("JSON, a list for each column", rows));
            }
            if !is_even(&members) {
                return None;
            }
            let is_whole = |key: &String| key.parse::<u64>().is_ok();
            let outer_whole = members.keys().all(is_whole);
            let inner = members.values().find_map(Value::as_object)?;
            let inner_whole = inner.keys().all(is_whole);
            let is_known = |keys: &Map<String, Value>| keys.keys().any(|key| is_role_name(key));
            if !outer_whole && (inner_whole || (is_known(&members) && !is_known(inner))) {
                return Some(("JSON, an object for each column", by_columns(members)));
            }
            let rows = (outer_whole || is_known(inner)).then(|| by_index(members))??;
            Some(("JSON, an object for each row", rows))
        }
        _ => None,
    }
}

/// Whether there are several objects of which nine in ten have the keys of the first.
fn is_even(members: &Map<String, Value>) -> bool {
    let mut objects = members.values().map(Value::as_object);
    let Some(Some(first)) = objects.next() else { return false };
    let is_alike = |other: &Option<&Map<String, Value>>| {
        other.is_some_and(|other| {
            other.len() == first.len() && first.keys().all(|key| other.contains_key(key))
        })
    };
    let n_alike = 1 + objects.filter(is_alike).count();
    members.len() > 1 && n_alike * 10 >= members.len() * 9
}

fn name_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // Names of several levels: `["scores", "accuracy"]`.
        Value::Array(parts) => parts.iter().map(name_of).collect::<Vec<_>>().join("."),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// A row of `columns`; `None` when `row` is no list.
fn zipped(columns: &[String], row: Value) -> Option<Map<String, Value>> {
    let Value::Array(cells) = row else { return None };
    Some(columns.iter().cloned().zip(cells).collect())
}

/// The rows, each with its label in a column `index` where labels say more than 0, 1, 2 ….
fn labelled(index: Option<Value>, mut rows: Vec<Map<String, Value>>) -> Vec<Map<String, Value>> {
    let Some(Value::Array(labels)) = index else { return rows };
    let is_count = labels.iter().zip(0_u64..).all(|(label, at)| label.as_u64() == Some(at));
    if !is_count {
        for (row, label) in rows.iter_mut().zip(labels) {
            row.entry("index").or_insert(label);
        }
    }
    rows
}

fn by_values(lists: Vec<Value>) -> Option<Vec<Map<String, Value>>> {
    let Some(Value::Array(first)) = lists.first() else { return None };
    let has_names = first.iter().all(Value::is_string) && lists.len() > 1;
    let names = first.iter().map(|cell| if has_names { name_of(cell) } else { String::new() });
    let columns = header::unique(names);
    lists.into_iter().skip(usize::from(has_names)).map(|row| zipped(&columns, row)).collect()
}

fn by_lists(members: Map<String, Value>) -> Option<Vec<Map<String, Value>>> {
    let n_rows = members.values().next()?.as_array()?.len();
    let mut rows = vec![Map::new(); n_rows];
    for (name, column) in members {
        let Value::Array(cells) = column else { return None };
        if cells.len() != n_rows {
            return None;
        }
        for (row, cell) in rows.iter_mut().zip(cells) {
            row.insert(name.clone(), cell);
        }
    }
    Some(rows)
}

fn by_columns(members: Map<String, Value>) -> Vec<Map<String, Value>> {
    let mut places: Map<String, Value> = Map::new();
    let mut labels: Vec<String> = Vec::new();
    for label in members.values().filter_map(Value::as_object).flat_map(Map::keys) {
        if !places.contains_key(label) {
            places.insert(label.clone(), Value::from(labels.len()));
            labels.push(label.clone());
        }
    }
    let mut rows = vec![Map::new(); labels.len()];
    for (name, column) in members {
        let Value::Object(cells) = column else { continue };
        for (label, cell) in cells {
            let at = places.get(&label).and_then(Value::as_u64).unwrap_or(u64::MAX);
            let row = usize::try_from(at).ok().and_then(|at| rows.get_mut(at));
            if let Some(row) = row {
                row.insert(name.clone(), cell);
            }
        }
    }
    let label = |text: &String| {
        text.parse::<u64>().map_or_else(|_| Value::from(text.as_str()), Value::from)
    };
    labelled(Some(labels.iter().map(label).collect()), rows)
}

fn by_index(members: Map<String, Value>) -> Option<Vec<Map<String, Value>>> {
    let label = |text: &str| text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from);
    let labels: Vec<Value> = members.keys().map(|key| label(key)).collect();
    let rows = members.into_iter().map(|(_, row)| match row {
        Value::Object(row) => Some(row),
        _ => None,
    });
    Some(labelled(Some(Value::Array(labels)), rows.collect::<Option<_>>()?))
}

impl JsonWhole {
    async fn read(
        &self,
        cx: &Context<'_>,
        columns: &mut SheetColumns,
        take: &mut TakeSheetRow<'_>,
    ) -> Result<(), Error> {
        let mut cells = Vec::new();
        for (number, row) in (0..).zip(&self.rows) {
            flatten::into_cells(row.clone(), columns, &mut cells);
            let at = Locator::Row { source: self.file.id, row: number };
            if !take(columns, SheetRow { number, at, cells: &cells }) {
                return Ok(());
            }
        }
        Ok(cx.pulse.advance(self.file.len()).await?)
    }
}

impl Sheet for JsonWhole {
    fn form(&self) -> String {
        self.form.to_owned()
    }

    fn each_row<'a>(
        &'a self,
        cx: &'a Context<'a>,
        columns: &'a mut SheetColumns,
        take: &'a mut TakeSheetRow<'a>,
    ) -> LocalFuture<'a, Result<(), Error>> {
        Box::pin(self.read(cx, columns, take))
    }

    fn row(&self, at: Locator) -> Result<WholeRow, Error> {
        let gone = || Error::new(ErrorKind::Gone);
        let Locator::Row { row, .. } = at else { return Err(gone()) };
        let own = usize::try_from(row).ok().and_then(|at| self.rows.get(at)).ok_or_else(gone)?;
        let raw = RawRecord {
            file: self.file.path.clone(),
            at: format!("row {row}"),
            json: Value::Object(own.clone()).to_string(),
            left_out: None,
        };
        Ok((flatten::leaves(own.clone()), raw))
    }
}
