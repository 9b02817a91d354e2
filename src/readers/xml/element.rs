//! Elements in memory.

use super::scan::{XmlFault, XmlToken, attributes_of, decoded, name_of, token};
use crate::input::json::MAX_DEPTH;
use crate::input::{Error, ErrorKind};
use std::borrow::Cow;

/// An element with all that is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::readers) struct Element {
    /// Name, without its namespace.
    pub name: String,
    /// Attributes, in order.
    pub attributes: Vec<(String, String)>,
    /// What is in it, in order.
    pub nodes: Vec<Node>,
}

/// A part of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::readers) enum Node {
    /// Text, without entities.
    Text(String),
    /// An element.
    Element(Element),
}

impl From<Element> for Node {
    fn from(element: Element) -> Self {
        Self::Element(element)
    }
}

impl Element {
    /// The value of the attribute called `name`.
    pub(in crate::readers) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The elements in it.
    pub(in crate::readers) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The first element in it that is called `name`.
    pub(in crate::readers) fn element(&self, name: &str) -> Option<&Self> {
        self.elements().find(|element| element.name == name)
    }

    /// Its own texts, joined.
    pub(in crate::readers) fn text(&self) -> String {
        let texts = self.nodes.iter().filter_map(|node| match node {
            Node::Text(text) => Some(text.as_str()),
            Node::Element(_) => None,
        });
        texts.collect()
    }
}

/// Puts elements together out of tokens.
#[derive(Default)]
pub(super) struct Builder {
    open: Vec<Element>,
}

impl Builder {
    /// Whether an element is being built.
    pub(super) fn is_inside(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes a token, whose ranges are places in `bytes`; an element that is whole now.
    ///
    /// # Errors
    /// Why the token cannot stand here.
    pub(super) fn take(
        &mut self,
        token: &XmlToken,
        bytes: &[u8],
    ) -> Result<Option<Element>, &'static str> {
        let part = |range: &std::ops::Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        let begun = |inside: &[u8]| Element {
            name: name_of(inside),
            attributes: attributes_of(inside),
            nodes: Vec::new(),
        };
        match token {
            XmlToken::Open(inside) => {
                if self.open.len() >= MAX_DEPTH {
                    return Err("it is nested too deeply");
                }
                self.open.push(begun(part(inside)));
                Ok(None)
            }
            XmlToken::Empty(inside) => Ok(self.whole(begun(part(inside)))),
            XmlToken::Close(name) => {
                let name = name_of(part(name));
                match self.open.pop() {
                    Some(element) if element.name == name => Ok(self.whole(element)),
                    _ => Err("an end tag does not fit its start tag"),
                }
            }
            XmlToken::Text(range) => {
                self.text(decoded(part(range)));
                Ok(None)
            }
            XmlToken::Plain(range) => {
                self.text(String::from_utf8_lossy(part(range)));
                Ok(None)
            }
            XmlToken::Other => Ok(None),
        }
    }

    fn text(&mut self, text: Cow<'_, str>) {
        let Some(element) = self.open.last_mut() else { return };
        match element.nodes.last_mut() {
            Some(Node::Text(before)) => before.push_str(&text),
            _ => element.nodes.push(Node::Text(text.into_owned())),
        }
    }

    fn whole(&mut self, element: Element) -> Option<Element> {
        match self.open.last_mut() {
            Some(outer) => {
                outer.nodes.push(Node::Element(element));
                None
            }
            None => Some(element),
        }
    }
}

/// The elements that `bytes` hold one after the other.
///
/// # Errors
/// When they are no XML, or the last element does not end.
pub(in crate::readers) fn tree(bytes: &[u8]) -> Result<Vec<Element>, Error> {
    let mut builder = Builder::default();
    let mut found = Vec::new();
    let mut at = 0;
    let broken = |reason, at: usize| Error::new(ErrorKind::Format(reason), at as u64);
    while at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let (len, token) = token(rest, true).map_err(|fault| match fault {
            XmlFault::Unfinished(reason) => broken(reason, bytes.len()),
            XmlFault::Broken(reason) => broken(reason, at),
        })?;
        found.extend(builder.take(&token, rest).map_err(|reason| broken(reason, at))?);
        at += len.max(1);
    }
    if builder.is_inside() {
        return Err(broken("it ends inside an element", bytes.len()));
    }
    Ok(found)
}

/// Whether `is_it` holds for some text or attribute value in `bytes`. What is no XML ends it.
pub(in crate::readers) fn any_text(
    bytes: &[u8],
    mut is_it: impl FnMut(Cow<'_, str>) -> bool,
) -> bool {
    let mut rest = bytes;
    while let Ok((len, token)) = token(rest, true) {
        let part = |range: std::ops::Range<usize>| rest.get(range).unwrap_or_default();
        let is_found = match token {
            XmlToken::Text(range) => is_it(decoded(part(range))),
            XmlToken::Plain(range) => is_it(String::from_utf8_lossy(part(range))),
            XmlToken::Open(inside) | XmlToken::Empty(inside) => {
                attributes_of(part(inside)).into_iter().any(|(_, value)| is_it(Cow::Owned(value)))
            }
            XmlToken::Close(_) | XmlToken::Other => false,
        };
        if is_found {
            return true;
        }
        match rest.get(len..) {
            Some(after) if !after.is_empty() && len > 0 => rest = after,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_hold_texts_and_elements() {
        let found = tree(b" <a x='1'>t&amp;<b/>u<![CDATA[<]]><b>v</b></a><c/>").unwrap();
        let [a, c] = found.as_slice() else { panic!("two elements") };
        assert_eq!(
            (a.text().as_str(), a.attribute("x"), c.name.as_str()),
            ("t&u<", Some("1"), "c")
        );
        assert_eq!(a.elements().count(), 2);
    }

    #[test]
    fn what_is_no_xml_is_named() {
        let reason = |text: &str| tree(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(reason("<a><b></a>"), "an end tag does not fit its start tag");
        assert_eq!(reason("<a>"), "it ends inside an element");
        assert_eq!(reason("<a"), "it ends inside a tag");
        let deep = "<a>".repeat(100_000);
        assert_eq!(reason(&deep), "it is nested too deeply");
    }

    #[test]
    fn texts_and_values_are_searched() {
        let bytes = b"<a x='one &lt;'>two<b/>three</a>";
        for text in ["one <", "two", "three"] {
            assert!(any_text(bytes, |own| own == text), "{text}");
        }
        assert!(!any_text(bytes, |own| own == "a"));
        assert!(!any_text(b"<a x='", |_| true));
    }
}
