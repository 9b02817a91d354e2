//! A JSON text as a tree of places in it, so that values are shown as they are written: numbers with
//! their digits, Python's `NaN`, keys in order, repeated keys too.

pub use crate::input::json::indented;

use crate::input::json::{Cursor, unescape};
use crate::input::{Error, ErrorKind, ValueKind};
use std::borrow::Cow;
use std::ops::Range;

/// The most values that a tree holds; a larger text is shown as text.
const MAX_NODES: usize = 2_000_000;

/// The tree. It does not hold its text: the caller gives the same one again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonDoc {
    nodes: Vec<JsonNode>,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonNode {
    /// What it is.
    pub kind: ValueKind,
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// Its key, when it stands in an object.
    pub key: Option<Box<str>>,
    /// Its place in the array or object that it stands in, 0-based.
    pub place: usize,
    /// The array or object that it stands in.
    pub parent: Option<usize>,
    /// Values directly in it.
    pub n_children: usize,
    /// The first value that stands behind it and not in it.
    end: usize,
}

impl JsonDoc {
    /// Reads `text`; `None` when it is not one JSON value and nothing else, or too large a one.
    pub fn parse(text: &str) -> Option<Self> {
        let mut doc = Self { nodes: Vec::new() };
        let mut cursor = Cursor::new(text.as_bytes());
        doc.read(&mut cursor, None, None, 0).ok()?;
        cursor.end().ok()?;
        Some(doc)
    }

    /// Reads `text` when it is an object or an array, which is what a tree is worth drawing for.
    pub fn parse_container(text: &str) -> Option<Self> {
        let is_candidate = text.trim_start().starts_with(['{', '[']);
        let doc = is_candidate.then(|| Self::parse(text)).flatten()?;
        doc.node(0)?.is_container().then_some(doc)
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none, which no text gives.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Value `idx`, counted in the order of the text; the whole is 0.
    pub fn node(&self, idx: usize) -> Option<&JsonNode> {
        self.nodes.get(idx)
    }

    /// The values directly in value `idx`.
    pub fn children(&self, idx: usize) -> impl Iterator<Item = usize> {
        let n_children = self.node(idx).map_or(0, |node| node.n_children);
        let mut next = idx + 1;
        (0..n_children).map(move |_| {
            let child = next;
            next = self.node(child).map_or(child + 1, |node| node.end);
            child
        })
    }

    /// The values that value `idx` stands in, outermost first.
    pub fn ancestors(&self, idx: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = self.node(idx).and_then(|node| node.parent);
        while let Some(idx) = at {
            found.push(idx);
            at = self.node(idx).and_then(|node| node.parent);
        }
        found.reverse();
        found
    }

    /// Where value `idx` stands: `$.items[2]["two words"]`.
    pub fn path(&self, idx: usize) -> String {
        let mut path = "$".to_owned();
        for idx in self.ancestors(idx).into_iter().skip(1).chain((idx > 0).then_some(idx)) {
            if let Some(node) = self.node(idx) {
                push_step(&mut path, node.key.as_deref(), node.place);
            }
        }
        path
    }

    fn read(
        &mut self,
        cursor: &mut Cursor<'_>,
        key: Option<&str>,
        parent: Option<usize>,
        place: usize,
    ) -> Result<(), Error> {
        let kind = cursor.kind()?;
        let idx = self.nodes.len();
        if idx == MAX_NODES {
            let kind = ErrorKind::TooLarge { found: idx as u64 + 1, limit: MAX_NODES as u64 };
            return Err(Error::new(kind, cursor.at() as u64));
        }
        let start = cursor.at();
        self.nodes.push(JsonNode {
            kind,
            span: start..start,
            key: key.map(Box::from),
            place,
            parent,
            n_children: 0,
            end: idx + 1,
        });
        let mut n_children = 0;
        match kind {
            ValueKind::Object => {
                cursor.each_field(|key, cursor| {
                    n_children += 1;
                    self.read(cursor, Some(key), Some(idx), n_children - 1)
                })?;
            }
            ValueKind::Array => {
                cursor.each_item(|cursor| {
                    n_children += 1;
                    self.read(cursor, None, Some(idx), n_children - 1)
                })?;
            }
            _ => {
                cursor.skip()?;
            }
        }
        let end = self.nodes.len();
        if let Some(node) = self.nodes.get_mut(idx) {
            node.span.end = cursor.at();
            node.n_children = n_children;
            node.end = end;
        }
        Ok(())
    }
}

impl JsonNode {
    /// Values in it, itself and those inside of others counted; `idx` is its own number.
    pub fn size(&self, idx: usize) -> usize {
        self.end.saturating_sub(idx)
    }

    /// Whether it is an object or an array.
    pub fn is_container(&self) -> bool {
        matches!(self.kind, ValueKind::Object | ValueKind::Array)
    }

    /// The value as it is written in `text`, the one that the tree was read from.
    pub fn written<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.span.clone()).unwrap_or_default()
    }

    /// What a text says, without quotes and escapes; any other value as it is written.
    pub fn said<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let written = self.written(text);
        match written.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')) {
            Some(inner) if self.kind == ValueKind::Text => unescape(inner.as_bytes()),
            _ => Cow::Borrowed(written),
        }
    }
}

/// Adds a step to a path: `.key`, `["other key"]`, `[3]`.
pub(super) fn push_step(path: &mut String, key: Option<&str>, place: usize) {
    let is_name = |key: &str| {
        key.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && key.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    match key {
        Some(key) if is_name(key) => {
            path.push('.');
            path.push_str(key);
        }
        Some(key) => path.push_str(&format!("[{}]", serde_json::Value::from(key))),
        None => path.push_str(&format!("[{place}]")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#" {"a": [1.50, {"b c": "x\"\u0041"}, []], "a": NaN, "z": null} "#;

    fn doc() -> JsonDoc {
        JsonDoc::parse(TEXT).unwrap()
    }

    #[test]
    fn every_value_has_its_place_and_stays_as_written() {
        let doc = doc();
        let found: Vec<(String, &str)> =
            (0..doc.len()).map(|at| (doc.path(at), doc.node(at).unwrap().written(TEXT))).collect();
        let expected = [
            ("$", TEXT.trim()),
            ("$.a", r#"[1.50, {"b c": "x\"\u0041"}, []]"#),
            ("$.a[0]", "1.50"),
            ("$.a[1]", r#"{"b c": "x\"\u0041"}"#),
            ("$.a[1][\"b c\"]", r#""x\"\u0041""#),
            ("$.a[2]", "[]"),
            ("$.a", "NaN"),
            ("$.z", "null"),
        ];
        assert_eq!(found, expected.map(|(path, value)| (path.to_owned(), value)));
        assert_eq!(doc.node(4).unwrap().said(TEXT), "x\"A");
    }

    #[test]
    fn children_are_those_directly_inside() {
        let doc = doc();
        assert_eq!(doc.children(0).collect::<Vec<_>>(), [1, 6, 7]);
        assert_eq!(doc.children(1).collect::<Vec<_>>(), [2, 3, 5]);
        assert_eq!(doc.children(2).count(), 0);
        assert_eq!(doc.ancestors(4), [0, 1, 3]);
        assert_eq!([0, 1, 2].map(|at| doc.node(at).unwrap().size(at)), [8, 5, 1]);
    }

    #[test]
    fn what_is_not_one_value_is_no_tree() {
        for text in ["", "{", "{} {}", "[1,]", "{\"a\"}", "nul", &"[".repeat(100_000)] {
            assert_eq!(JsonDoc::parse(text), None, "{text:.20}");
        }
        assert!(JsonDoc::parse("1").is_some() && JsonDoc::parse_container("1").is_none());
        let deepest = format!("{}{}", "[".repeat(512), "]".repeat(512));
        assert!(JsonDoc::parse(&deepest).is_some());
    }
}
