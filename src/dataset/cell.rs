//! A cell of a small table: as it is computed, as a record keeps it in JSON, as a Parquet file takes it.

use crate::export::{ColumnField, ExportType, Value};
use crate::model::Num;
use serde_json::{Map, Value as Json, json};

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RecordCell {
    /// Words.
    Text(String),
    /// A number, which need not be finite.
    Number(f64),
    /// A number of things, or a place in a list.
    Count(u64),
    /// Yes or no.
    Flag(bool),
}

/// A column of what is known of an `R`.
pub(super) struct RecordColumn<R> {
    /// What a file says of it.
    pub field: ColumnField,
    /// Its cell; `None`: unknown or undefined.
    pub get: fn(&R) -> Option<RecordCell>,
}

/// One row: each column with its cell.
pub(super) type RecordRow = Vec<(ColumnField, Option<RecordCell>)>;

/// A column of `kind` that may lack values.
pub(super) const fn column<R>(
    name: &'static str,
    kind: ExportType,
    get: fn(&R) -> Option<RecordCell>,
) -> RecordColumn<R> {
    RecordColumn { field: ColumnField { name, kind, is_required: false }, get }
}

/// A column of `kind` in which every row has a value.
pub(super) const fn required<R>(
    name: &'static str,
    kind: ExportType,
    get: fn(&R) -> Option<RecordCell>,
) -> RecordColumn<R> {
    RecordColumn { field: ColumnField { name, kind, is_required: true }, get }
}

/// The columns alone.
pub(super) fn fields<R>(figures: &[RecordColumn<R>]) -> impl Iterator<Item = ColumnField> {
    figures.iter().map(|figure| figure.field)
}

/// The cells of `of`.
pub(super) fn cells<R>(figures: &[RecordColumn<R>], of: &R) -> RecordRow {
    figures.iter().map(|figure| (figure.field, (figure.get)(of))).collect()
}

/// The same where nothing is known.
pub(super) fn no_cells<R>(figures: &[RecordColumn<R>]) -> RecordRow {
    fields(figures).map(|field| (field, None)).collect()
}

/// Words, where there are some.
pub(super) fn text(found: Option<&str>) -> Option<RecordCell> {
    found.map(|found| RecordCell::Text(found.to_owned()))
}

/// A number, where it is known.
pub(super) fn num(found: Option<Num>) -> Option<RecordCell> {
    found.map(|found| RecordCell::Number(found.0))
}

/// The same.
pub(super) fn number(found: Option<f64>) -> Option<RecordCell> {
    found.map(RecordCell::Number)
}

/// A number of things.
pub(super) fn count(n: u64) -> Option<RecordCell> {
    Some(RecordCell::Count(n))
}

/// Yes or no.
pub(super) fn flag(is: bool) -> Option<RecordCell> {
    Some(RecordCell::Flag(is))
}

impl RecordCell {
    /// As a record keeps it.
    fn to_json(&self) -> Json {
        match self {
            Self::Text(text) => json!(text),
            Self::Number(number) => json!(Num(*number)),
            Self::Count(n) => json!(n),
            Self::Flag(is) => json!(is),
        }
    }

    /// The cell of a column of `kind` that `json` is; `None`: it is none.
    fn from_json(kind: ExportType, json: &Json) -> Option<Self> {
        match kind {
            ExportType::Text => json.as_str().map(|text| Self::Text(text.to_owned())),
            ExportType::Number => {
                serde_json::from_value(json.clone()).ok().map(|Num(number)| Self::Number(number))
            }
            ExportType::Count => json.as_u64().map(Self::Count),
            ExportType::Flag => json.as_bool().map(Self::Flag),
        }
    }

    /// As a file takes it.
    pub(super) fn value(&self) -> Value<'_> {
        match self {
            Self::Text(text) => Value::Text(text),
            Self::Number(number) => Value::Number(*number),
            Self::Count(n) => Value::Count(*n),
            Self::Flag(is) => Value::Flag(*is),
        }
    }
}

/// `row` as a record keeps it: what is not known is left out.
pub(super) fn row_json(row: &RecordRow) -> Json {
    let known = row.iter().filter_map(|(field, cell)| Some((field.name, cell.as_ref()?)));
    let members = known.map(|(name, cell)| (name.to_owned(), cell.to_json()));
    Json::Object(members.collect::<Map<_, _>>())
}

/// The cells of the columns `fields` that a record keeps in `json`; `None` when one is missing that every row
/// has.
pub(super) fn row_of_json(fields: &[ColumnField], json: &Json) -> Option<Vec<Option<RecordCell>>> {
    let cell = |field: &ColumnField| {
        let found = json.get(field.name).and_then(|json| RecordCell::from_json(field.kind, json));
        (found.is_some() || !field.is_required).then_some(found)
    };
    fields.iter().map(cell).collect()
}
