//! A JSON text as a tree: what is small is here at once, the rest when it is opened.

use crate::format;
use crate::reading::form::TextForm;
use crate::reading::ids::dom_id;
use crate::reading::part::PartRequest;
use crate::reading::piece::Way;
use crate::reading::ranges::{parts_of, parts_to};
use crate::reading::read::Reading;
use crate::reading::texts::plain_text::MatchShown;
use crate::reading::texts::text_id::{MAX_INNER, TextId};
use crate::reading::trees::plain_tree::{
    GroupShown, KeyShown, NodeShown, NodesShown, TreeShown, ValueShown,
};
use crate::reading::{texts::excerpt, texts::find};
use crate::report::ValueKind;
use crate::report::json_doc::{JsonDoc, JsonNode};
use crate::words::reading as words;
use std::cell::Cell;
use std::ops::Range;

/// Values directly inside of one that are drawn at once.
const MAX_CHILDREN: usize = 100;

/// Values that are drawn with what they stand in, when they are not more than this.
const MAX_INLINE: usize = 60;

/// Values that are drawn at once, about.
const MAX_DRAWN: usize = 300;

/// Trees of so few values are open altogether.
const MAX_OPEN: usize = 40;

/// Texts longer than this are opened to be read.
const MAX_TEXT: usize = 200;

/// From this many values on there is a field to search them.
const MIN_SEARCHED: usize = 30;

/// The tree of text `id`; `None` when it is no JSON.
pub(in crate::reading) fn tree(reading: &Reading, id: &TextId) -> Option<TreeShown> {
    let (doc, text) = (reading.doc(id)?, reading.text(id)?);
    let label = reading.label(id);
    let find = (doc.len() >= MIN_SEARCHED).then(|| {
        let stem = reading.stem(PartRequest::Tree { text: id.clone(), node: 0, children: 0..0 });
        let stem = stem.strip_suffix(":0").map(str::to_owned).unwrap_or(stem);
        find::field(stem, dom_id(reading, "f", id), &label)
    });
    let tree = TreeView { reading, id, doc: &doc, text: &text, n_given: Cell::new(0) };
    let root = tree.node(0)?;
    Some(TreeShown { label, find, root })
}

/// Values `range` directly inside of value `node`.
pub(in crate::reading) fn children(
    reading: &Reading,
    id: &TextId,
    node: usize,
    range: Range<usize>,
) -> Option<NodesShown> {
    let (doc, text) = (reading.doc(id)?, reading.text(id)?);
    let n_children = doc.node(node)?.n_children;
    let tree = TreeView { reading, id, doc: &doc, text: &text, n_given: Cell::new(0) };
    Some(tree.children(node, range.start.min(n_children)..range.end.min(n_children)))
}

/// The way to value `node`. Parts that are here with what they stand in have names too, by which they open.
fn way_to(reading: &Reading, id: &TextId, doc: &JsonDoc, node: usize) -> Way {
    let name = |node: usize, children: Range<usize>| {
        reading.name(PartRequest::Tree { text: id.clone(), node, children })
    };
    let mut through = Vec::new();
    let ancestors = doc.ancestors(node);
    for (idx, ancestor) in ancestors.iter().enumerate() {
        let n_children = doc.node(*ancestor).map_or(0, |node| node.n_children);
        let inner = ancestors.get(idx + 1).copied().unwrap_or(node);
        let place = doc.node(inner).map_or(0, |node| node.place);
        through.push(name(*ancestor, 0..n_children));
        let parts = parts_to(0..n_children, MAX_CHILDREN, place);
        through.extend(parts.into_iter().map(|part| name(*ancestor, part)));
    }
    Way { id: node_id(reading, id, node), through, ..Way::default() }
}

fn node_id(reading: &Reading, id: &TextId, node: usize) -> String {
    format!("{}-{node}", dom_id(reading, "n", id))
}

struct TreeView<'a> {
    reading: &'a Reading,
    id: &'a TextId,
    doc: &'a JsonDoc,
    text: &'a str,
    /// Values that have been given.
    n_given: Cell<usize>,
}

impl TreeView<'_> {
    fn node(&self, idx: usize) -> Option<NodeShown> {
        let node = self.doc.node(idx)?;
        self.n_given.set(self.n_given.get() + 1);
        let value = match node.kind {
            ValueKind::Object | ValueKind::Array if node.n_children == 0 => {
                ValueShown::Empty(contents(node))
            }
            ValueKind::Object | ValueKind::Array => self.group(idx, node),
            ValueKind::Text if node.span.len() > MAX_TEXT => self.long_text(idx, node),
            ValueKind::Text => {
                let said = node.said(self.text);
                ValueShown::Text(serde_json::Value::from(said.as_ref()).to_string())
            }
            _ => ValueShown::Word(node.written(self.text).to_owned()),
        };
        Some(NodeShown { id: node_id(self.reading, self.id, idx), key: key(node), value })
    }

    fn group(&self, idx: usize, node: &JsonNode) -> ValueShown {
        let n_values = node.size(idx);
        let has_room = n_values <= MAX_INLINE && self.n_given.get() + n_values <= MAX_DRAWN;
        let all = 0..node.n_children;
        let part = PartRequest::Tree { text: self.id.clone(), node: idx, children: all.clone() };
        ValueShown::Group(Box::new(GroupShown {
            contents: contents(node),
            preview: excerpt::preview(node.written(self.text), 60),
            is_open: idx == 0 || self.doc.len() <= MAX_OPEN,
            part: self.reading.name(part),
            inside: (idx == 0 || has_room).then(|| self.children(idx, all)),
        }))
    }

    fn children(&self, idx: usize, range: Range<usize>) -> NodesShown {
        let parts = parts_of(range.clone(), MAX_CHILDREN);
        if parts.is_empty() {
            let children = self.doc.children(idx).skip(range.start).take(range.len());
            return NodesShown::Nodes(children.filter_map(|child| self.node(child)).collect());
        }
        let named = parts.into_iter().map(|part| {
            let (first, last) = (part.start as u64, part.end.saturating_sub(1) as u64);
            let words = format!("{} – {}", format::count(first), format::count(last));
            let part = PartRequest::Tree { text: self.id.clone(), node: idx, children: part };
            (words, self.reading.name(part))
        });
        NodesShown::Ranges(named.collect())
    }

    /// A text that is opened to be read whole; JSON in it is a tree again.
    fn long_text(&self, idx: usize, node: &JsonNode) -> ValueShown {
        let said = node.said(self.text);
        let inner = TextId::Inner(Box::new(self.id.clone()), idx);
        let is_deep = inner.depth() > MAX_INNER;
        ValueShown::Long {
            preview: format!("\"{}\"", excerpt::preview(&said, 120)),
            size: format::bytes(said.len() as u64),
            part: (!is_deep).then(|| self.reading.name(PartRequest::Block(inner, TextForm::Best))),
        }
    }
}

fn key(node: &JsonNode) -> Option<KeyShown> {
    match &node.key {
        Some(key) => Some(KeyShown::Name(key.to_string())),
        None if node.parent.is_some() => Some(KeyShown::Place(format::count(node.place as u64))),
        None => None,
    }
}

fn contents(node: &JsonNode) -> String {
    let n_children = node.n_children as u64;
    match node.kind {
        ValueKind::Object if n_children == 0 => "{}".to_owned(),
        ValueKind::Object => words::keys(n_children),
        _ if n_children == 0 => "[]".to_owned(),
        _ => words::items(n_children),
    }
}

/// Keys and values in which `is_match` finds something, with all that they say: the first `limit`, and how
/// many in all.
pub(in crate::reading) fn matches(
    reading: &Reading,
    id: &TextId,
    limit: usize,
    is_match: impl Fn(&str) -> bool,
) -> Option<(Vec<MatchShown>, usize)> {
    let (doc, text) = (reading.doc(id)?, reading.text(id)?);
    let (mut found, mut n_found) = (Vec::new(), 0);
    for idx in 0..doc.len() {
        let Some(node) = doc.node(idx) else { continue };
        let is_key = node.key.as_deref().is_some_and(&is_match);
        if !is_key && (node.is_container() || !is_match(&node.said(&text))) {
            continue;
        }
        n_found += 1;
        if found.len() < limit {
            let way = way_to(reading, id, &doc, idx);
            let words = match node.is_container() {
                true => contents(node),
                false => node.said(&text).into_owned(),
            };
            found.push(MatchShown { place: doc.path(idx), words, way });
        }
    }
    Some((found, n_found))
}
