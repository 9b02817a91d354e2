//! Requests and responses of HTTP, where a text or a list of labelled texts has that form.

use super::block;
use super::reading::Reading;
use super::text_id::TextId;
use crate::markup::Markup;
use crate::report::json_doc::JsonDoc;
use crate::report::{Content, ValueKind};

/// Labels of a request's parts that are drawn with it.
const PARTS: [&str; 5] = ["method", "path", "query", "headers", "body"];

/// Draws the request that `contents` are the parts of, as slop-code writes its API cases. Gives the
/// places of those that were drawn.
pub(super) fn request(
    reading: &Reading,
    out: &mut Markup,
    contents: &[Content],
    id: fn(usize) -> TextId,
) -> Vec<usize> {
    let part = |label: &str| {
        let found = contents.iter().position(|content| content.label == label)?;
        let body = contents.get(found)?.body.as_str();
        (!matches!(body, "" | "null")).then_some((found, body))
    };
    let (Some((_, method)), Some((_, path))) = (part("method"), part("path")) else {
        return Vec::new();
    };
    out.open("div").class("request").body(|out| {
        line(out, method, path);
        for label in ["query", "headers"] {
            if let Some((at, body)) = part(label) {
                match JsonDoc::parse_container(body) {
                    Some(doc) if is_flat(&doc) => pairs(out, label, &doc, body),
                    _ => block::block(reading, out, &id(at)),
                }
            }
        }
        if let Some((at, _)) = part("body") {
            block::block(reading, out, &id(at));
        }
    });
    let is_drawn = |content: &Content| PARTS.contains(&content.label.as_str());
    contents.iter().enumerate().filter(|(_, content)| is_drawn(content)).map(|(at, _)| at).collect()
}

/// Draws above a JSON text what it says in the words of HTTP, when it is a request or a response.
pub(super) fn summary(reading: &Reading, out: &mut Markup, id: &TextId) {
    let (Some(doc), Some(text)) = (reading.doc(id), reading.text(id)) else { return };
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
        line(out, &method, &path);
    } else if let Some(status) = member("status_code").or_else(|| member("status"))
        && (has("headers") || has("body"))
    {
        out.open("p").class("request__line").body(|out| {
            out.span("request__method", "Response");
            out.text(" ");
            out.open("bdi").class("request__path").text(&status);
        });
    }
}

fn line(out: &mut Markup, method: &str, path: &str) {
    out.open("p").class("request__line").body(|out| {
        out.open("bdi").class("request__method").text(method);
        out.text(" ");
        out.open("bdi").class("request__path").text(path);
    });
}

fn is_flat(doc: &JsonDoc) -> bool {
    let is_object = doc.node(0).is_some_and(|node| node.kind == ValueKind::Object);
    is_object
        && doc.len() <= 60
        && doc.children(0).all(|child| doc.node(child).is_some_and(|node| !node.is_container()))
}

fn pairs(out: &mut Markup, label: &str, doc: &JsonDoc, text: &str) {
    out.open("p").class("request__label").text(label);
    out.open("dl").class("request__pairs").body(|out| {
        for node in doc.children(0).filter_map(|child| doc.node(child)) {
            out.open("dt").attr("dir", "auto").text(node.key.as_deref().unwrap_or_default());
            out.open("dd").attr("dir", "auto").text(&node.said(text));
        }
    });
}
