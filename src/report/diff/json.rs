//! Two JSON values compared by structure: what is missing, extra, changed, of another type.
//!
//! Numbers are equal when their values are (`1`, `1.0`, `10e-1`), texts when what they say is, objects
//! whatever the order of their keys; of a repeated key the last value counts. Arrays are aligned, so
//! that an element put in at the front is one extra element and not a change of all that follow.

use super::lines::compare;
use super::values::{ChangeKind, ValueChange, ValueChanges};
use crate::input::ValueKind;
use crate::order::ordered;
use crate::report::json_doc::{JsonDoc, push_step};
use similar::DiffOp;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// After this long the elements of an array are aligned roughly.
const TIME: Duration = Duration::from_millis(300);

/// The changes that make `actual` of `expected`; `None` unless both are an object or an array.
pub fn json_changes(expected: &str, actual: &str) -> Option<ValueChanges> {
    let old = JsonDoc::parse_container(expected)?;
    let new = JsonDoc::parse_container(actual)?;
    let mut classes = ValueClasses::default();
    let old = JsonSide { classes: classes.of_all(&old, expected), doc: old, text: expected };
    let new = JsonSide { classes: classes.of_all(&new, actual), doc: new, text: actual };
    let mut walk = JsonWalk { old: &old, new: &new, changes: ValueChanges::default() };
    walk.values(0, 0, &mut "$".to_owned());
    Some(walk.changes)
}

/// One of the two values.
struct JsonSide<'a> {
    doc: JsonDoc,
    text: &'a str,
    /// Class of each value; equal values are of the same class, whichever side they are on.
    classes: Vec<u32>,
}

impl JsonSide<'_> {
    fn kind(&self, idx: usize) -> Option<ValueKind> {
        self.doc.node(idx).map(|node| node.kind)
    }

    fn written(&self, idx: usize) -> Option<String> {
        self.doc.node(idx).map(|node| node.written(self.text).to_owned())
    }

    fn class(&self, idx: usize) -> Option<u32> {
        self.classes.get(idx).copied()
    }

    fn members(&self, idx: usize) -> Vec<(&str, usize)> {
        let mut members: Vec<(&str, usize)> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for child in self.doc.children(idx) {
            let key = self.doc.node(child).and_then(|node| node.key.as_deref()).unwrap_or_default();
            match known.get(key).and_then(|at| members.get_mut(*at)) {
                Some(member) => member.1 = child,
                None => {
                    known.insert(key, members.len());
                    members.push((key, child));
                }
            }
        }
        members
    }
}

/// What makes values equal.
#[derive(PartialEq, Eq, Hash)]
enum ValueShape {
    Word(String),
    Number(Decimal),
    Text(String),
    Array(Vec<u32>),
    Object(BTreeMap<String, u32>),
}

/// Numbers for values, from the innermost outwards.
#[derive(Default)]
struct ValueClasses {
    known: HashMap<ValueShape, u32>,
}

impl ValueClasses {
    fn of_all(&mut self, doc: &JsonDoc, text: &str) -> Vec<u32> {
        let mut classes = vec![0; doc.len()];
        // A value stands before what is in it, so backwards everything inside is known already.
        for idx in (0..doc.len()).rev() {
            let Some(node) = doc.node(idx) else { continue };
            let class_of = |child: usize| classes.get(child).copied().unwrap_or_default();
            let shape = match node.kind {
                ValueKind::Array => ValueShape::Array(doc.children(idx).map(class_of).collect()),
                ValueKind::Object => ValueShape::Object(ordered(doc.children(idx).map(|child| {
                    let key = doc.node(child).and_then(|node| node.key.as_deref());
                    (key.unwrap_or_default().to_owned(), class_of(child))
                }))),
                ValueKind::Text => ValueShape::Text(node.said(text).into_owned()),
                _ => match Decimal::parse(node.written(text)) {
                    Some(number) => ValueShape::Number(number),
                    None => ValueShape::Word(node.written(text).to_owned()),
                },
            };
            let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
            let class = *self.known.entry(shape).or_insert(next);
            if let Some(cell) = classes.get_mut(idx) {
                *cell = class;
            }
        }
        classes
    }
}

/// A number by its value: sign, digits without zeros at either end, power of ten of the last digit.
#[derive(PartialEq, Eq, Hash)]
struct Decimal {
    is_negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn parse(word: &str) -> Option<Self> {
        let (is_negative, rest) = match word.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (rest, 0),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{part}");
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let digits = all.trim_end_matches('0');
        let n_zeros = i64::try_from(all.len() - digits.len()).ok()?;
        let exponent =
            exponent.checked_sub(i64::try_from(part.len()).ok()?)?.checked_add(n_zeros)?;
        let digits = digits.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            return Some(Self { is_negative: false, digits, exponent: 0 });
        }
        Some(Self { is_negative, digits, exponent })
    }
}

struct JsonWalk<'a> {
    old: &'a JsonSide<'a>,
    new: &'a JsonSide<'a>,
    changes: ValueChanges,
}

impl JsonWalk<'_> {
    fn values(&mut self, old: usize, new: usize, path: &mut String) {
        if self.old.class(old) == self.new.class(new) {
            return;
        }
        match (self.old.kind(old), self.new.kind(new)) {
            (Some(ValueKind::Object), Some(ValueKind::Object)) => self.objects(old, new, path),
            (Some(ValueKind::Array), Some(ValueKind::Array)) => self.arrays(old, new, path),
            (left, right) => {
                let kind = if left == right { ChangeKind::Changed } else { ChangeKind::Type };
                self.add(path, kind, Some(old), Some(new));
            }
        }
    }

    fn objects(&mut self, old: usize, new: usize, path: &mut String) {
        let (sides, length) = ((self.old, self.new), path.len());
        let (left, right) = (sides.0.members(old), sides.1.members(new));
        let others: HashMap<&str, usize> = right.iter().copied().collect();
        let known: HashMap<&str, usize> = left.iter().copied().collect();
        for (key, old) in &left {
            push_step(path, Some(key), 0);
            match others.get(key) {
                Some(new) => self.values(*old, *new, path),
                None => self.add(path, ChangeKind::Missing, Some(*old), None),
            }
            path.truncate(length);
        }
        for (key, new) in right.iter().filter(|(key, _)| !known.contains_key(key)) {
            push_step(path, Some(key), 0);
            self.add(path, ChangeKind::Extra, None, Some(*new));
            path.truncate(length);
        }
    }

    /// Elements in between equal ones are compared one with one, from the first on. Places are those
    /// of the actual array, except for what is missing in it.
    fn arrays(&mut self, old: usize, new: usize, path: &mut String) {
        let length = path.len();
        let olds: Vec<usize> = self.old.doc.children(old).collect();
        let news: Vec<usize> = self.new.doc.children(new).collect();
        let classes = |side: &JsonSide<'_>, items: &[usize]| -> Vec<u32> {
            items.iter().filter_map(|idx| side.class(*idx)).collect()
        };
        let (left, right) = (classes(self.old, &olds), classes(self.new, &news));
        for op in compare(&left, &right, Some(TIME)) {
            if matches!(op, DiffOp::Equal { .. }) {
                continue;
            }
            let (old_range, new_range) = (op.old_range(), op.new_range());
            let (n_old, n_new) = (old_range.len(), new_range.len());
            for step in 0..n_old.max(n_new) {
                let old = olds.get(old_range.start + step).copied().filter(|_| step < n_old);
                let new = news.get(new_range.start + step).copied().filter(|_| step < n_new);
                let place = if new.is_some() { new_range.start } else { old_range.start } + step;
                push_step(path, None, place);
                match (old, new) {
                    (Some(old), Some(new)) => self.values(old, new, path),
                    (Some(_), None) => self.add(path, ChangeKind::Missing, old, None),
                    _ => self.add(path, ChangeKind::Extra, None, new),
                }
                path.truncate(length);
            }
        }
    }

    fn add(&mut self, path: &str, kind: ChangeKind, old: Option<usize>, new: Option<usize>) {
        let (left, right) = (self.old, self.new);
        self.changes.add(|| ValueChange {
            path: path.to_owned(),
            kind,
            old: old.and_then(|idx| left.written(idx)),
            new: new.and_then(|idx| right.written(idx)),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(old: &str, new: &str) -> Vec<String> {
        let changes = json_changes(old, new).unwrap();
        assert_eq!(changes.n_total, changes.rows.len());
        let row = |change: ValueChange| {
            let side = |value: Option<String>| value.unwrap_or("–".to_owned());
            let (old, new) = (side(change.old), side(change.new));
            format!("{} {}: {old} → {new}", change.path, change.kind.as_str())
        };
        changes.rows.into_iter().map(row).collect()
    }

    #[test]
    fn each_change_has_its_place_and_kind() {
        let old = r#"{"a": 1, "b": [1, {"c": "x"}, 3], "gone": null, "t": 1}"#;
        let new = r#"{"t": "1", "b": [0, 1, {"c": "y"}, 3], "a": 1.0, "new key": []}"#;
        assert_eq!(
            found(old, new),
            [
                "$.b[0] extra: – → 0",
                "$.b[2].c changed: \"x\" → \"y\"",
                "$.gone missing: null → –",
                "$.t other type: 1 → \"1\"",
                "$[\"new key\"] extra: – → []",
            ]
        );
    }

    #[test]
    fn what_only_looks_different_is_equal() {
        let pairs = [
            (r#"{"a":1,"b":2}"#, r#"{ "b": 2.0, "a": 10e-1 }"#),
            (r#"["\u0041", -0, 1e400]"#, r#"["A", 0.0, 10e399]"#),
            (r#"{"a": 1, "a": 2}"#, r#"{"a": 2}"#),
            ("[NaN]", "[NaN]"),
        ];
        for (old, new) in pairs {
            assert_eq!(found(old, new), [""; 0], "{old} {new}");
        }
        assert_eq!(found("[9007199254740993]", "[9007199254740992]").len(), 1, "beyond doubles");
        assert_eq!(found("[1, 2]", "[2, 1]").len(), 2, "order counts in arrays");
    }

    #[test]
    fn only_objects_and_arrays_are_compared() {
        assert_eq!(json_changes("1", "2"), None);
        assert_eq!(json_changes("{}", "{"), None);
        assert_eq!(found("{}", "[]"), ["$ other type: {} → []"]);
    }

    #[test]
    fn the_deepest_value_that_is_read_is_compared() {
        let nested = |inner: &str| format!("{}{inner}{}", "[".repeat(511), "]".repeat(511));
        let rows = json_changes(&nested("1"), &nested("2")).unwrap().rows;
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].path, format!("${}", "[0]".repeat(511)));
    }

    #[test]
    fn of_very_many_changes_the_first_are_kept() {
        let list = |from: usize| format!("{:?}", (from..from + 5_000).collect::<Vec<_>>());
        let changes = json_changes(&list(0), &list(10_000)).unwrap();
        assert_eq!((changes.rows.len(), changes.n_total), (1_000, 5_000));
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(serde_json::Value::from),
            (0_i32..3).prop_map(serde_json::Value::from),
            "[ab]{0,1}".prop_map(serde_json::Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
                prop::collection::btree_map("[ab]{1,2}", inner, 0..4)
                    .prop_map(|map| map.into_iter().collect::<serde_json::Value>()),
            ]
        })
    }

    proptest! {
        #[test]
        fn nothing_changes_exactly_when_the_values_are_equal(old in json(), new in json()) {
            let (old, new) = (serde_json::json!([old]), serde_json::json!([new]));
            let changes = json_changes(&old.to_string(), &new.to_string()).unwrap();
            prop_assert_eq!(changes.n_total == 0, old == new);
        }
    }
}
