//! Requests and responses of HTTP, where a text or a list of labelled texts has that form.

use crate::reading::piece::{Piece, RequestShown};
use crate::reading::read::Reading;
use crate::reading::texts::block;
use crate::reading::texts::text_id::TextId;
use crate::report::json_doc::{JsonDoc, JsonNode};
use crate::report::{Content, ValueKind};
use crate::words::reading as words;

/// Labels of a request's parts that are drawn with it.
const PARTS: [&str; 5] = ["method", "path", "query", "headers", "body"];

/// The request that `contents` are the parts of, as slop-code writes its API cases, and the places of its
/// parts.
pub(in crate::reading) fn request(
    reading: &Reading,
    contents: &[Content],
    id: fn(usize) -> TextId,
) -> Option<(RequestShown, Vec<usize>)> {
    let part = |label: &str| {
        let found = contents.iter().position(|content| content.label == label)?;
        let body = contents.get(found)?.body.as_str();
        (!matches!(body, "" | "null")).then_some((found, body))
    };
    let ((_, method), (_, path)) = (part("method")?, part("path")?);
    let mut shown = line(method, path);
    for label in ["query", "headers"] {
        if let Some((at, body)) = part(label) {
            match JsonDoc::parse_container(body) {
                Some(doc) if is_flat(&doc) => {
                    shown.pairs.push((label.to_owned(), pairs(&doc, body)));
                }
                _ => shown.pieces.extend(block::block(reading, &id(at))),
            }
        }
    }
    if let Some((at, _)) = part("body") {
        shown.pieces.extend(block::block(reading, &id(at)));
    }
    let is_drawn = |content: &Content| PARTS.contains(&content.label.as_str());
    let places = contents.iter().enumerate().filter(|(_, content)| is_drawn(content));
    Some((shown, places.map(|(at, _)| at).collect()))
}

/// What a JSON text says in the words of HTTP, when it is a request or a response.
pub(in crate::reading) fn summary(reading: &Reading, id: &TextId) -> Option<Piece> {
    let (doc, text) = (reading.doc(id)?, reading.text(id)?);
    let member = |key: &str| {
        doc.children(0)
            .filter_map(|child| doc.node(child))
            .find(|node| node.key.as_deref() == Some(key))
            .filter(|node| !node.is_container() && node.kind != ValueKind::Null)
            .map(|node| node.said(&text).into_owned())
    };
    let has = |key: &str| {
        let mut children = doc.children(0);
        children.any(|child| doc.node(child).is_some_and(|node| node.key.as_deref() == Some(key)))
    };
    if let (Some(method), Some(path)) = (member("method"), member("path").or_else(|| member("url")))
    {
        return Some(Piece::Request(line(&method, &path)));
    }
    let status = member("status_code").or_else(|| member("status"))?;
    (has("headers") || has("body")).then(|| Piece::Request(line(words::RESPONSE, &status)))
}

fn line(method: &str, path: &str) -> RequestShown {
    let (method, path) = (method.to_owned(), path.to_owned());
    RequestShown { method, path, ..RequestShown::default() }
}

fn is_flat(doc: &JsonDoc) -> bool {
    let is_object = doc.node(0).is_some_and(|node| node.kind == ValueKind::Object);
    is_object
        && doc.len() <= 60
        && doc.children(0).all(|child| doc.node(child).is_some_and(|node| !node.is_container()))
}

fn pairs(doc: &JsonDoc, text: &str) -> Vec<(String, String)> {
    let nodes = doc.children(0).filter_map(|child| doc.node(child));
    let pair = |node: &JsonNode| {
        (node.key.as_deref().unwrap_or_default().to_owned(), node.said(text).into_owned())
    };
    nodes.map(pair).collect()
}
