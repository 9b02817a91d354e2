//! The output of DeepDiff (Python), which slop-code stores as the difference of an attribute.
//!
//! `{"values_changed": {"root['a'][2]": {"new_value": …, "old_value": …}}, …}`; the old value is the
//! expected one. Categories: DeepDiff's documentation, "Text View".

use super::values::{ChangeKind, ValueChange, ValueChanges};
use crate::input::json::Cursor;
use serde_json::Value;

/// DeepDiff's categories, and what they say.
const CATEGORIES: [(&str, ChangeKind); 13] = [
    ("values_changed", ChangeKind::Changed),
    ("type_changes", ChangeKind::Type),
    ("dictionary_item_added", ChangeKind::Extra),
    ("dictionary_item_removed", ChangeKind::Missing),
    ("iterable_item_added", ChangeKind::Extra),
    ("iterable_item_removed", ChangeKind::Missing),
    ("set_item_added", ChangeKind::Extra),
    ("set_item_removed", ChangeKind::Missing),
    ("attribute_added", ChangeKind::Extra),
    ("attribute_removed", ChangeKind::Missing),
    ("repetition_change", ChangeKind::Moved),
    ("iterable_item_moved", ChangeKind::Moved),
    ("unprocessed", ChangeKind::Changed),
];

/// The changes that `text` describes; `None` when it is no output of DeepDiff, or an empty one.
pub fn deep_diff(text: &str) -> Option<ValueChanges> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    let mut cursor = Cursor::new(text.as_bytes());
    let tree = cursor.tree().ok()?;
    cursor.end().ok()?;
    let categories = tree.as_object().filter(|categories| !categories.is_empty())?;
    let mut changes = ValueChanges::default();
    for (name, found) in categories {
        let (_, kind) = CATEGORIES.iter().find(|(known, _)| known == name)?;
        match found {
            Value::Object(places) => {
                for (path, change) in places {
                    changes.add(|| at_place(path, *kind, change));
                }
            }
            // Without values: the places alone.
            Value::Array(places) => {
                for path in places {
                    let path = path.as_str()?;
                    changes.add(|| ValueChange {
                        path: path.to_owned(),
                        kind: *kind,
                        old: None,
                        new: None,
                    });
                }
            }
            _ => return None,
        }
    }
    Some(changes)
}

fn at_place(path: &str, kind: ChangeKind, change: &Value) -> ValueChange {
    let member = |key: &str| change.get(key).map(Value::to_string);
    let (old, new) = match kind {
        ChangeKind::Extra => (None, Some(change.to_string())),
        ChangeKind::Missing => (Some(change.to_string()), None),
        ChangeKind::Changed | ChangeKind::Type if change.is_object() => {
            let typed = |value: Option<String>, word: &str| match (value, change.get(word)) {
                (Some(value), Some(Value::String(name))) => Some(format!("{value} ({name})")),
                (value, _) => value,
            };
            (typed(member("old_value"), "old_type"), typed(member("new_value"), "new_type"))
        }
        _ => (None, Some(change.to_string())),
    };
    ValueChange { path: path.to_owned(), kind, old, new }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_gives_its_rows() {
        let text = r#"{
            "values_changed": {"root['a']": {"new_value": 2, "old_value": 1}},
            "type_changes": {"root[0]": {"old_type": "int", "new_type": "str", "old_value": 1, "new_value": "1"}},
            "iterable_item_added": {"root['l'][3]": {"x": NaN}},
            "iterable_item_removed": {"root['l'][0]": 9},
            "dictionary_item_added": ["root['new']"]
        }"#;
        let changes = deep_diff(text).unwrap();
        let rows: Vec<_> = changes
            .rows
            .iter()
            .map(|row| (row.path.as_str(), row.kind, row.old.as_deref(), row.new.as_deref()))
            .collect();
        assert_eq!(
            rows,
            [
                ("root['a']", ChangeKind::Changed, Some("1"), Some("2")),
                ("root[0]", ChangeKind::Type, Some("1 (int)"), Some("\"1\" (str)")),
                ("root['l'][3]", ChangeKind::Extra, None, Some("{\"x\":\"NaN\"}")),
                ("root['l'][0]", ChangeKind::Missing, Some("9"), None),
                ("root['new']", ChangeKind::Extra, None, None),
            ]
        );
    }

    #[test]
    fn other_texts_are_no_deep_diff() {
        for text in [
            "",
            "null",
            "{}",
            "0 == 0 -> True",
            "[1]",
            r#"{"values_changed": 1}"#,
            r#"{"$.a": "message"}"#,
        ] {
            assert_eq!(deep_diff(text), None, "{text}");
        }
    }
}
