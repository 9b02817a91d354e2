//! One row as JSON, put together from its leaf columns.
//!
//! Levels are undone as "Nested Encoding" of parquet-format lays them down: a missing part of the
//! path takes one entry in each leaf below it, an element of a list at least one.

use super::damaged;
use super::kind::Kind;
use super::leaf::Leaf;
use crate::input::json::value_from_f64;
use crate::readers::Error;
use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit};
use parquet::schema::types::Type;
use serde_json::{Map, Value};

/// The row that each of `leaves`, which are all those of `schema`, has read.
///
/// # Errors
/// When they do not fit together.
pub(super) fn assemble(schema: &Type, leaves: &[Leaf]) -> Result<Map<String, Value>, Error> {
    let mut cursors: Vec<_> = leaves.iter().map(Cursor::new).collect();
    let record = members(schema, &mut cursors, Levels::default())?;
    if cursors.iter().any(|cursor| cursor.definition().is_some()) {
        return Err(misfit());
    }
    Ok(record)
}

fn misfit() -> Error {
    damaged("the columns of a row do not fit together")
}

/// The levels of an entry that has everything above a node, but not the node.
#[derive(Clone, Copy, Default)]
struct Levels {
    repetition: u32,
    definition: u32,
}

/// Where a leaf is being read.
struct Cursor<'a> {
    leaf: &'a Leaf,
    n_entries: usize,
    n_values: usize,
}

/// The fields of a group that is there; `leaves` are those below it.
fn members(
    group: &Type,
    mut leaves: &mut [Cursor<'_>],
    above: Levels,
) -> Result<Map<String, Value>, Error> {
    let mut members = Map::new();
    for node in group.get_fields() {
        let (own, rest) = leaves.split_at_mut_checked(n_leaves(node)).ok_or_else(misfit)?;
        members.insert(node.name().to_owned(), field(node, own, above)?);
        leaves = rest;
    }
    Ok(members)
}

/// A field that may be missing.
fn field(node: &Type, leaves: &mut [Cursor<'_>], above: Levels) -> Result<Value, Error> {
    let info = node.get_basic_info();
    match info.has_repetition().then(|| info.repetition()) {
        Some(Repetition::REPEATED) => list(node, None, leaves, above),
        Some(Repetition::OPTIONAL) => {
            let below = Levels { definition: above.definition + 1, ..above };
            if pass_missing(leaves, below)? {
                Ok(Value::Null)
            } else {
                present(node, leaves, below)
            }
        }
        _ => present(node, leaves, above),
    }
}

/// The items of a repeated node; each is `element` below it, or else the node itself.
fn list(
    repeated: &Type,
    element: Option<&Type>,
    leaves: &mut [Cursor<'_>],
    above: Levels,
) -> Result<Value, Error> {
    let below = Levels { repetition: above.repetition + 1, definition: above.definition + 1 };
    let mut items = Vec::new();
    let mut is_more = !pass_missing(leaves, below)?;
    while is_more {
        items.push(match element {
            Some(element) => field(element, leaves, below)?,
            None => present(repeated, leaves, below)?,
        });
        is_more = leaves.first().and_then(Cursor::repetition) == Some(below.repetition);
    }
    Ok(Value::Array(items))
}

/// Takes the entries of a node that is not there, if it is not.
fn pass_missing(leaves: &mut [Cursor<'_>], below: Levels) -> Result<bool, Error> {
    let definition = leaves.first().and_then(Cursor::definition).ok_or_else(misfit)?;
    let is_missing = definition < below.definition;
    if is_missing {
        leaves.iter_mut().for_each(|cursor| cursor.n_entries += 1);
    }
    Ok(is_missing)
}

/// A node that is there.
fn present(node: &Type, leaves: &mut [Cursor<'_>], levels: Levels) -> Result<Value, Error> {
    if node.is_primitive() {
        return leaves.first_mut().and_then(Cursor::take).ok_or_else(misfit);
    }
    match repeated_of_list(node) {
        Some(repeated) => list(repeated, element_of(repeated, node), leaves, levels),
        None => members(node, leaves, levels).map(Value::Object),
    }
}

fn n_leaves(node: &Type) -> usize {
    if node.is_primitive() { 1 } else { node.get_fields().iter().map(|node| n_leaves(node)).sum() }
}

/// The one field of a list, which repeats.
fn repeated_of_list(node: &Type) -> Option<&Type> {
    let info = node.get_basic_info();
    let is_list = info.logical_type_ref() == Some(&LogicalType::List)
        || info.converted_type() == ConvertedType::LIST;
    let [repeated] = node.get_fields() else { return None };
    let inner = repeated.get_basic_info();
    let repeats = inner.has_repetition() && inner.repetition() == Repetition::REPEATED;
    (is_list && repeats).then_some(repeated)
}

/// The element below the repeated node of a list, unless the node is the element itself: the rules
/// for older files in `LogicalTypes.md` of parquet-format.
fn element_of<'a>(repeated: &'a Type, list: &Type) -> Option<&'a Type> {
    if repeated.is_primitive() {
        return None;
    }
    let [element] = repeated.get_fields() else { return None };
    let name = repeated.name();
    let is_itself = name == "array" || name.strip_suffix("_tuple") == Some(list.name());
    (!is_itself).then_some(element)
}

impl<'a> Cursor<'a> {
    fn new(leaf: &'a Leaf) -> Self {
        Self { leaf, n_entries: 0, n_values: 0 }
    }

    /// Definition level of the next entry; `None` when there is none.
    fn definition(&self) -> Option<u32> {
        if self.leaf.column().max_def_level() > 0 {
            return self.leaf.entries().definition.get(self.n_entries).copied();
        }
        // Without levels each value is an entry.
        (self.n_entries < self.leaf.entries().values.places().len()).then_some(0)
    }

    /// Repetition level of the next entry; `None` when there is none.
    fn repetition(&self) -> Option<u32> {
        self.leaf.entries().repetition.get(self.n_entries).copied()
    }

    /// Takes the value of the next entry.
    fn take(&mut self) -> Option<Value> {
        let column = self.leaf.column();
        let is_there = self.definition()? == u32::from(column.max_def_level().unsigned_abs());
        self.n_entries += 1;
        if !is_there {
            return Some(Value::Null);
        }
        let values = &self.leaf.entries().values;
        let place = *values.places().get(self.n_values)?;
        self.n_values += 1;
        Some(match values.kind() {
            Kind::Text | Kind::Bytes => Value::from(values.text(place)?),
            Kind::Float => value_from_f64(values.float(place)?),
            Kind::Whole => Value::from(values.whole(place)?),
            Kind::Flag => Value::from(values.flag(place)?),
            Kind::Time(unit) => time(values.whole(place)?, unit),
            Kind::Null => Value::Null,
            Kind::Other(ConvertedType::NONE, physical) => Value::from(format!("({physical})")),
            Kind::Other(converted, _) => Value::from(format!("({converted})")),
        })
    }
}

/// A time, as other writers store it.
fn time(count: i64, unit: TimeUnit) -> Value {
    let timestamp = match unit {
        TimeUnit::MILLIS => jiff::Timestamp::from_millisecond(count),
        TimeUnit::MICROS => jiff::Timestamp::from_microsecond(count),
        TimeUnit::NANOS => jiff::Timestamp::from_nanosecond(i128::from(count)),
    };
    timestamp.map_or(Value::Null, |time| Value::from(time.to_string()))
}
