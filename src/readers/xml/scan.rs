//! Tokens of XML: tags, texts, and what stands between them.

use memchr::{memchr, memmem};
use std::borrow::Cow;
use std::ops::Range;

/// What a token is; ranges are places in the bytes that were looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum XmlToken {
    /// Text with entities.
    Text(Range<usize>),
    /// Text without.
    Plain(Range<usize>),
    /// A tag that begins an element: name and attributes.
    Open(Range<usize>),
    /// A tag that is an element by itself.
    Empty(Range<usize>),
    /// A tag that ends an element: its name.
    Close(Range<usize>),
    /// A comment, an instruction, a document type.
    Other,
}

/// Why there is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum XmlFault {
    /// It goes on behind the bytes; how a file would be broken that ends there.
    Unfinished(&'static str),
    /// It is no XML.
    Broken(&'static str),
}

const NO_END_OF_TAG: &str = "it ends inside a tag";

/// The token that `bytes` start with, and how long it is. `is_end`: nothing follows the bytes.
pub(super) fn token(bytes: &[u8], is_end: bool) -> Result<(usize, XmlToken), XmlFault> {
    if bytes.first() != Some(&b'<') {
        return match memchr(b'<', bytes) {
            Some(end) => Ok((end, XmlToken::Text(0..end))),
            None if is_end => Ok((bytes.len(), XmlToken::Text(0..bytes.len()))),
            None => Err(XmlFault::Unfinished("it ends inside a text")),
        };
    }
    const CDATA: &[u8] = b"<![CDATA[";
    let between = |start: usize, end: &[u8], what: &'static str| {
        let rest = bytes.get(start..).unwrap_or_default();
        let at = memmem::find(rest, end).ok_or(XmlFault::Unfinished(what))?;
        Ok((start + at + end.len(), start..start + at))
    };
    if bytes.starts_with(b"<!--") {
        return Ok((between(4, b"-->", "it ends inside a comment")?.0, XmlToken::Other));
    }
    if bytes.starts_with(CDATA) {
        let (len, text) = between(CDATA.len(), b"]]>", "it ends inside a CDATA section")?;
        return Ok((len, XmlToken::Plain(text)));
    }
    if !is_end && (CDATA.starts_with(bytes) || b"<!--".starts_with(bytes)) {
        return Err(XmlFault::Unfinished(NO_END_OF_TAG));
    }
    match bytes.get(1) {
        Some(b'?') => Ok((between(2, b"?>", "it ends inside an instruction")?.0, XmlToken::Other)),
        Some(b'!') => Ok((declaration(bytes)?, XmlToken::Other)),
        Some(b'/') => {
            let (len, name) = between(2, b">", NO_END_OF_TAG)?;
            let inside = bytes.get(name.clone()).unwrap_or_default();
            let n_space = inside.len() - inside.trim_ascii_end().len();
            Ok((len, XmlToken::Close(name.start..name.end - n_space)))
        }
        Some(first) if !is_name_start(*first) => Err(XmlFault::Broken("a tag has no name")),
        _ => {
            let end = end_of_tag(bytes)?;
            let is_empty = end > 1 && bytes.get(end - 1) == Some(&b'/');
            let inside = 1..end - usize::from(is_empty);
            Ok((end + 1, if is_empty { XmlToken::Empty(inside) } else { XmlToken::Open(inside) }))
        }
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || !byte.is_ascii()
}

/// Where the tag that `bytes` start with has its `>`.
fn end_of_tag(bytes: &[u8]) -> Result<usize, XmlFault> {
    let mut quote = None;
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        match (quote, *byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'>') => return Ok(at),
            (None, b'<') => return Err(XmlFault::Broken("a tag is not closed")),
            (None, _) => {}
        }
    }
    Err(XmlFault::Unfinished(NO_END_OF_TAG))
}

/// How long the `<!…>` is that `bytes` start with, with the brackets in it.
fn declaration(bytes: &[u8]) -> Result<usize, XmlFault> {
    let (mut quote, mut n_open) = (None, 0_usize);
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        match (quote, *byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'[') => n_open += 1,
            (None, b']') => n_open = n_open.saturating_sub(1),
            (None, b'>') if n_open == 0 => return Ok(at + 1),
            (None, _) => {}
        }
    }
    Err(XmlFault::Unfinished("it ends inside a document type"))
}

/// The name of a tag, without its namespace.
pub(super) fn name_of(inside: &[u8]) -> String {
    let end = inside.iter().position(u8::is_ascii_whitespace).unwrap_or(inside.len());
    let name = String::from_utf8_lossy(inside.get(..end).unwrap_or_default());
    name.rsplit(':').next().unwrap_or_default().to_owned()
}

/// The attributes of a tag, in order: names as written, values without entities.
pub(super) fn attributes_of(inside: &[u8]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let start = inside.iter().position(u8::is_ascii_whitespace).unwrap_or(inside.len());
    let mut rest = inside.get(start..).unwrap_or_default().trim_ascii_start();
    while let Some(at) = memchr(b'=', rest) {
        let name = rest.get(..at).unwrap_or_default().trim_ascii();
        rest = rest.get(at + 1..).unwrap_or_default().trim_ascii_start();
        let (value, after) = match rest.first() {
            Some(quote @ (b'"' | b'\'')) => {
                let inner = rest.get(1..).unwrap_or_default();
                let end = memchr(*quote, inner).unwrap_or(inner.len());
                (inner.get(..end), inner.get(end + 1..))
            }
            _ => {
                let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                (rest.get(..end), rest.get(end..))
            }
        };
        let value = decoded(value.unwrap_or_default()).into_owned();
        found.push((String::from_utf8_lossy(name).into_owned(), value));
        rest = after.unwrap_or_default().trim_ascii_start();
    }
    found
}

/// A text without entities. Bytes that are no UTF-8 become U+FFFD.
pub(super) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if memchr(b'&', bytes).is_none() && memchr(b'\r', bytes).is_none() {
        return text;
    }
    let text = text.replace("\r\n", "\n");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let entity = after.split_once(';').and_then(|(name, after)| Some((meant(name)?, after)));
        rest = match entity {
            Some((letter, after)) => {
                out.push(letter);
                after
            }
            None => {
                out.push('&');
                after
            }
        };
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The letter that an entity stands for.
fn meant(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)?
        }
    })
}

/// The name of the first element of a file that starts with `head`, and its attributes; `None` when something
/// else stands before it.
pub(in crate::readers) fn root_name(head: &[u8]) -> Option<(String, Vec<(String, String)>)> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut rest = head.trim_ascii_start();
    while rest.first() == Some(&b'<') {
        let (len, token) = token(rest, false).ok()?;
        match token {
            XmlToken::Open(inside) | XmlToken::Empty(inside) => {
                let inside = rest.get(inside)?;
                return Some((name_of(inside), attributes_of(inside)));
            }
            XmlToken::Other => rest = rest.get(len..)?.trim_ascii_start(),
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_taken_apart() {
        let tag = |text: &str| token(text.as_bytes(), true);
        assert_eq!(tag("<a b='>' c=\"x\"/>"), Ok((16, XmlToken::Empty(1..14))));
        assert_eq!(tag("</a >x"), Ok((5, XmlToken::Close(2..3))));
        assert_eq!(tag("x<a>"), Ok((1, XmlToken::Text(0..1))));
        assert_eq!(tag("<![CDATA[<&]]>"), Ok((14, XmlToken::Plain(9..11))));
        assert_eq!(tag("<!DOCTYPE a [<!ENTITY x \"]>\">]>y"), Ok((31, XmlToken::Other)));
        assert_eq!(tag("<a b='"), Err(XmlFault::Unfinished(NO_END_OF_TAG)));
        assert_eq!(tag("<a <b>"), Err(XmlFault::Broken("a tag is not closed")));
        assert_eq!(tag("< a>"), Err(XmlFault::Broken("a tag has no name")));
        assert_eq!(token(b"<!", false), Err(XmlFault::Unfinished(NO_END_OF_TAG)));
    }

    #[test]
    fn attributes_and_entities_are_decoded_and_wrong_ones_stay() {
        let found = attributes_of(b"t a = 'x&#10;&lt;&no;&amp;lt;' b=\"it's\" c=1");
        let words: Vec<(&str, &str)> =
            found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(words, [("a", "x\n<&no;&lt;"), ("b", "it's"), ("c", "1")]);
        assert_eq!(name_of(b"x:name a='1'"), "name");
        assert_eq!(decoded(b"a\r\nb&#x1F600;&#xD800;&"), "a\nb\u{1F600}&#xD800;&");
    }

    #[test]
    fn the_root_is_found_behind_comments() {
        let root = |text: &str| root_name(text.as_bytes()).map(|(name, _)| name);
        assert_eq!(root("\u{feff}<?xml version='1.0'?>\n<!-- <a> --><b c='d'>"), Some("b".into()));
        assert_eq!(root("text <b>"), None);
        assert_eq!(root("</b>"), None);
    }
}
