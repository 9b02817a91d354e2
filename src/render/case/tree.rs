//! A JSON text as a tree: what is small is drawn at once, the rest when it is opened.

use super::form::Form;
use super::ids::dom_id;
use super::part::Part;
use super::ranges::{parts_of, parts_to};
use super::reading::Reading;
use super::text_id::{MAX_INNER, TextId};
use super::{excerpt, find};
use crate::format;
use crate::markup::Markup;
use crate::report::ValueKind;
use crate::report::json_doc::{JsonDoc, JsonNode};
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

/// Draws the tree of text `id`.
pub(super) fn tree(reading: &Reading, out: &mut Markup, id: &TextId) {
    let (Some(doc), Some(text)) = (reading.doc(id), reading.text(id)) else { return };
    if doc.len() >= MIN_SEARCHED {
        let stem = reading.stem(Part::Tree { text: id.clone(), node: 0, children: 0..0 });
        let stem = stem.strip_suffix(":0").unwrap_or(&stem);
        find::field(out, stem, &dom_id(reading, "f", id), &reading.label(id));
    }
    let tree = Tree { reading, id, doc: &doc, text: &text, n_drawn: Cell::new(0) };
    out.open("div")
        .class("json")
        .attr("role", "group")
        .attr("aria-label", &reading.label(id))
        .body(|out| tree.value(out, 0));
}

/// Values `range` directly inside of value `node`.
pub(super) fn children(
    reading: &Reading,
    id: &TextId,
    node: usize,
    range: Range<usize>,
) -> Option<Markup> {
    let (doc, text) = (reading.doc(id)?, reading.text(id)?);
    let n_children = doc.node(node)?.n_children;
    let mut out = Markup::new();
    let tree = Tree { reading, id, doc: &doc, text: &text, n_drawn: Cell::new(0) };
    tree.children(&mut out, node, range.start.min(n_children)..range.end.min(n_children));
    Some(out)
}

/// The parts that have to be open before value `node` is to be seen, outermost first, and the id of
/// its element. Parts that were drawn with what they stand in have names too, which lead nowhere.
pub(super) fn way_to(
    reading: &Reading,
    id: &TextId,
    doc: &JsonDoc,
    node: usize,
) -> (Vec<String>, String) {
    let name = |node: usize, children: Range<usize>| {
        reading.name(Part::Tree { text: id.clone(), node, children })
    };
    let mut way = Vec::new();
    let ancestors = doc.ancestors(node);
    for (idx, ancestor) in ancestors.iter().enumerate() {
        let n_children = doc.node(*ancestor).map_or(0, |node| node.n_children);
        let inner = ancestors.get(idx + 1).copied().unwrap_or(node);
        let place = doc.node(inner).map_or(0, |node| node.place);
        way.push(name(*ancestor, 0..n_children));
        let parts = parts_to(0..n_children, MAX_CHILDREN, place);
        way.extend(parts.into_iter().map(|part| name(*ancestor, part)));
    }
    (way, node_id(reading, id, node))
}

fn node_id(reading: &Reading, id: &TextId, node: usize) -> String {
    format!("{}-{node}", dom_id(reading, "n", id))
}

struct Tree<'a> {
    reading: &'a Reading,
    id: &'a TextId,
    doc: &'a JsonDoc,
    text: &'a str,
    /// Values that have been drawn.
    n_drawn: Cell<usize>,
}

impl Tree<'_> {
    fn value(&self, out: &mut Markup, idx: usize) {
        let Some(node) = self.doc.node(idx) else { return };
        self.n_drawn.set(self.n_drawn.get() + 1);
        if node.is_container() && node.n_children > 0 {
            self.container(out, idx, node);
        } else if node.kind == ValueKind::Text && node.span.len() > MAX_TEXT {
            self.long_text(out, idx, node);
        } else {
            out.open("div")
                .class("json__leaf")
                .attr("id", &node_id(self.reading, self.id, idx))
                .attr("tabindex", "-1")
                .body(|out| {
                    key(out, node);
                    self.scalar(out, node);
                });
        }
    }

    fn container(&self, out: &mut Markup, idx: usize, node: &JsonNode) {
        let n_values = node.size(idx);
        let has_room = n_values <= MAX_INLINE && self.n_drawn.get() + n_values <= MAX_DRAWN;
        let is_inline = idx == 0 || has_room;
        let is_open = idx == 0 || self.doc.len() <= MAX_OPEN;
        let part = Part::Tree { text: self.id.clone(), node: idx, children: 0..node.n_children };
        let name = self.reading.name(part);
        out.open("details")
            .class("json__node")
            .attr("id", &node_id(self.reading, self.id, idx))
            .attr_if("open", is_open.then_some(""))
            .attr_if("data-part", (!is_inline).then_some(name.as_str()))
            .body(|out| {
                out.open("summary").body(|out| {
                    key(out, node);
                    out.span("json__kind", &contents(node));
                    out.text(" ");
                    let short = excerpt::preview(node.written(self.text), 60);
                    out.open("bdi").class("json__preview").attr("aria-hidden", "true").text(&short);
                });
                if is_inline {
                    self.children(out, idx, 0..node.n_children);
                }
            });
    }

    fn children(&self, out: &mut Markup, idx: usize, range: Range<usize>) {
        out.open("div").class("json__children").body(|out| {
            let parts = parts_of(range.clone(), MAX_CHILDREN);
            if parts.is_empty() {
                for child in self.doc.children(idx).skip(range.start).take(range.len()) {
                    self.value(out, child);
                }
            }
            for part in parts {
                let words = format!(
                    "{} – {}",
                    format::count(part.start as u64),
                    format::count(part.end.saturating_sub(1) as u64)
                );
                let part = Part::Tree { text: self.id.clone(), node: idx, children: part };
                out.open("details")
                    .class("json__node")
                    .attr("data-part", &self.reading.name(part))
                    .body(|out| out.open("summary").class("json__range").text(&words));
            }
        });
    }

    /// A text that is opened to be read whole; JSON in it is a tree again.
    fn long_text(&self, out: &mut Markup, idx: usize, node: &JsonNode) {
        let said = node.said(self.text);
        let inner = TextId::Inner(Box::new(self.id.clone()), idx);
        let name = self.reading.name(Part::Block(inner.clone(), Form::Best));
        let summary = |out: &mut Markup| {
            key(out, node);
            let short = format!("\"{}\"", excerpt::preview(&said, 120));
            out.open("bdi").class("json__text").text(&short);
            out.text(" ");
            out.span("json__kind", &format::bytes(said.len() as u64));
        };
        let node_id = node_id(self.reading, self.id, idx);
        if inner.depth() > MAX_INNER {
            out.open("div").class("json__leaf").attr("id", &node_id).body(summary);
            return;
        }
        out.open("details").class("json__node").attr("id", &node_id).attr("data-part", &name).body(
            |out| {
                out.open("summary").body(summary);
            },
        );
    }

    fn scalar(&self, out: &mut Markup, node: &JsonNode) {
        let written = node.written(self.text);
        match node.kind {
            ValueKind::Text => {
                let said = serde_json::Value::from(node.said(self.text).as_ref()).to_string();
                out.open("bdi").class("json__text").text(&said);
            }
            ValueKind::Object | ValueKind::Array => {
                out.span("json__kind", &contents(node));
            }
            _ => {
                out.span("json__word", written);
            }
        }
    }
}

fn key(out: &mut Markup, node: &JsonNode) {
    match &node.key {
        Some(key) => out.open("bdi").class("json__key").text(key),
        None if node.parent.is_some() => {
            out.span("json__index", &format::count(node.place as u64));
        }
        None => return,
    }
    out.span("json__colon", ": ");
}

fn contents(node: &JsonNode) -> String {
    let n_children = node.n_children as u64;
    match node.kind {
        ValueKind::Object if n_children == 0 => "{}".to_owned(),
        ValueKind::Object => format!("{{}} {}", format::counted(n_children, "key", "keys")),
        _ if n_children == 0 => "[]".to_owned(),
        _ => format!("[] {}", format::counted(n_children, "item", "items")),
    }
}

/// A key or a value that contains what is looked for.
pub(super) struct TreeMatch {
    /// Its path.
    pub path: String,
    /// What it says there.
    pub words: String,
    /// The parts on the way.
    pub through: Vec<String>,
    /// Its element.
    pub id: String,
}

/// Keys and values in which `is_match` finds something: the first `limit`, and how many in all.
pub(super) fn matches(
    reading: &Reading,
    id: &TextId,
    limit: usize,
    is_match: impl Fn(&str) -> bool,
) -> Option<(Vec<TreeMatch>, usize)> {
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
            let (through, element) = way_to(reading, id, &doc, idx);
            let words = match node.is_container() {
                true => contents(node),
                false => node.said(&text).into_owned(),
            };
            found.push(TreeMatch { path: doc.path(idx), words, through, id: element });
        }
    }
    Some((found, n_found))
}
