//! YAML documents of settings, by `serde-saphyr`: it bounds nesting, aliases and anchors, and never
//! panics on hostile text.

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy};
use std::fmt;

/// Why a text is no YAML that can be read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    /// The reason; lower case, no full stop, one line.
    pub reason: String,
    /// Line, 1-based; 0 where none is known.
    pub line: u64,
    /// Column, 1-based; 0 where none is known.
    pub column: u64,
    /// Byte offset of the line's start in the text.
    pub byte: u64,
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not valid YAML: {}", self.reason)?;
        if self.column > 0 {
            write!(f, " (column {})", self.column)?;
        }
        Ok(())
    }
}

/// The document in `text` as a tree. Scalars are typed by YAML 1.2's core schema; of repeated keys the
/// last one counts; non-finite numbers are the words `NaN`, `Infinity`, `-Infinity`, as everywhere
/// here. An empty document is null.
///
/// # Errors
/// When the text is not YAML, holds several documents, or breaks a limit of the library.
pub fn parse(text: &str) -> Result<Value, YamlError> {
    let options = serde_saphyr::options! {
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        strict_booleans: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_saphyr::from_str_with_options::<YamlValue>(text, options).map(|tree| tree.0).map_err(
        |err| {
            let line = err.location().map_or(0, |place| place.line());
            let column = err.location().map_or(0, |place| place.column());
            let reason = err.without_snippet().to_string();
            YamlError { reason: one_line(&reason), line, column, byte: start_of(text, line) }
        },
    )
}

/// Keys of the outermost mapping, in order, also of a text that is cut off or no valid YAML further
/// down: what a file is recognised by.
pub fn top_keys(text: &str) -> Vec<&str> {
    text.lines().filter_map(top_key).collect()
}

fn top_key(line: &str) -> Option<&str> {
    if line.starts_with([' ', '#', '-', '\t']) {
        return None;
    }
    let key = line
        .split_once(": ")
        .map_or_else(|| line.trim_end().strip_suffix(':'), |(key, _)| Some(key))?;
    let key = key.trim().trim_matches(['\'', '"']);
    (!key.is_empty() && !key.contains(['{', '[', '\t'])).then_some(key)
}

/// The message without the library's own place, which stands beside it.
fn one_line(message: &str) -> String {
    let first = message.lines().next().unwrap_or_default().trim();
    let words = first
        .split_once(": ")
        .filter(|(place, _)| place.contains("line"))
        .map_or(first, |(_, words)| words);
    let words = words.split_once(" at line ").map_or(words, |(words, _)| words);
    words.trim_end_matches('.').to_owned()
}

fn start_of(text: &str, line: u64) -> u64 {
    let before = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
    text.split_inclusive('\n').take(before).map(|line| line.len() as u64).sum()
}

/// A value of any type.
struct YamlValue(Value);

impl<'de> Deserialize<'de> for YamlValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Build).map(Self)
    }
}

struct Build;

impl<'de> Visitor<'de> for Build {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a number past 64 bits is a float everywhere here"
    )]
    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok((value as f64).into())
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a number past 64 bits is a float everywhere here"
    )]
    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok((value as f64).into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        let word = match value {
            _ if value.is_nan() => "NaN",
            f64::INFINITY => "Infinity",
            f64::NEG_INFINITY => "-Infinity",
            _ => return Ok(value.into()),
        };
        Ok(word.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        inner.deserialize_any(Self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(YamlValue(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((YamlValue(key), YamlValue(value))) = members.next_entry()? {
            let key = match key {
                Value::String(key) => key,
                other => other.to_string(),
            };
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn yaml_of_pythons_safe_dump_is_read() {
        let text = "agent:\n  type: codex\n  version: 0.74.0\npass_policy: core-cases\nproblems:\n- a\n- b\n\
            summary:\n  started: '2025-12-18T09:05:07'\n  error_message: 'two\n    lines: of it'\n  \
            passed: false\n  usage: &id001\n    cost: 2.5\n  net: *id001\nquoted: \"a\\tb\"\ntext: |-\n  x: 1\n\n    y\n";
        assert_eq!(
            parse(text),
            Ok(
                json!({"agent": {"type": "codex", "version": "0.74.0"}, "pass_policy": "core-cases",
                "problems": ["a", "b"],
                "summary": {"started": "2025-12-18T09:05:07", "error_message": "two lines: of it",
                    "passed": false, "usage": {"cost": 2.5}, "net": {"cost": 2.5}},
                "quoted": "a\tb", "text": "x: 1\n\n  y"})
            )
        );
        assert_eq!(
            top_keys(text),
            ["agent", "pass_policy", "problems", "summary", "quoted", "text"]
        );
    }

    #[test]
    fn yaml_written_by_hand_is_read() {
        let text = "# comment\ngroups:\n  - name: a  # first\n    weight: 2.0\n  - {name: b, weight: .5}\nempty:\nyes_word: yes\nnan: .nan\n1: one\nsame: 1\nsame: 2\n";
        assert_eq!(
            parse(text),
            Ok(json!({"groups": [{"name": "a", "weight": 2.0}, {"name": "b", "weight": 0.5}],
                "empty": null, "yes_word": "yes", "nan": "NaN", "1": "one", "same": 2}))
        );
        assert_eq!(parse(""), Ok(Value::Null));
    }

    #[test]
    fn what_is_broken_is_named_by_line_and_column() {
        let err = parse("a: 1\nb: [1, 2\nc: {x\n").expect_err("it is not closed");
        assert!(err.line >= 2 && err.byte >= 5, "{err:?}");
        assert!(!err.reason.contains('\n') && !err.reason.is_empty(), "{err:?}");
        let bomb: String =
            std::iter::once("a0: &a0 [x]\n".to_owned())
                .chain((1..40).map(|n| {
                    format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 9].join(", "))
                }))
                .collect();
        assert!(parse(&bomb).is_err(), "aliases must not multiply without bound");
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
