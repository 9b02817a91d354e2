//! HTML and SVG as a value that can be trusted: whatever goes in as text or as an attribute's value
//! comes out escaped, so that no result file can add an element, an attribute or a script.
//!
//! The worker draws with this, and the page puts the result into the document as it is. Names of
//! elements and attributes are literals of the program; event handlers, inline styles and frames are
//! refused, which also keeps the strict content security policy possible.

mod stretches;

pub use stretches::{MarkupStretch, stretches};

use serde::{Deserialize, Serialize};

/// Elements that have no end tag in HTML.
const VOID: [&str; 5] = ["br", "col", "hr", "input", "wbr"];

/// Elements that are never written: they fetch, run or style.
const REFUSED: [&str; 9] =
    ["script", "style", "iframe", "object", "embed", "link", "img", "base", "meta"];

/// A piece of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Markup(String);

/// An element whose start tag is being written. It ends with [`Tag::body`], [`Tag::text`] or
/// [`Tag::end`].
#[must_use = "the element is not complete before its body or its end"]
pub struct Tag<'a> {
    out: &'a mut Markup,
    name: &'static str,
}

impl Markup {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was written, for the document.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many elements it has.
    #[must_use]
    pub fn n_elements(&self) -> usize {
        self.0.matches('<').count() - self.0.matches("</").count()
    }

    /// Adds text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        escape(text, &mut self.0);
        self
    }

    /// Adds a piece that was written before.
    pub fn append(&mut self, other: &Self) -> &mut Self {
        self.0.push_str(&other.0);
        self
    }

    /// Begins an element.
    pub fn open(&mut self, name: &'static str) -> Tag<'_> {
        debug_assert!(!REFUSED.contains(&name), "<{name}> must not be written");
        let name = if REFUSED.contains(&name) { "span" } else { name };
        self.0.push('<');
        self.0.push_str(name);
        Tag { out: self, name }
    }

    /// An element with a class around text: the most frequent one.
    pub fn span(&mut self, class: &str, text: &str) -> &mut Self {
        self.open("span").class(class).text(text);
        self
    }
}

impl Tag<'_> {
    /// Adds an attribute. Addresses go through [`Tag::href`].
    pub fn attr(self, name: &'static str, value: &str) -> Self {
        let is_refused =
            name.starts_with("on") || matches!(name, "style" | "href" | "src" | "srcdoc");
        debug_assert!(!is_refused, "{name}= must not be written");
        if is_refused { self } else { self.write(name, value) }
    }

    /// Adds an attribute, when there is a value.
    pub fn attr_if(self, name: &'static str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.attr(name, value),
            None => self,
        }
    }

    /// Adds `class`.
    pub fn class(self, value: &str) -> Self {
        self.write("class", value)
    }

    /// Adds an address of this page (`#/…`), or one of the web, which is opened without telling it
    /// where it was opened from. Any other one is left out.
    pub fn href(self, address: &str) -> Self {
        if address.starts_with('#') {
            self.write("href", address)
        } else if ["https://", "http://"].iter().any(|scheme| starts_with(address, scheme)) {
            self.write("href", address)
                .write("target", "_blank")
                .write("rel", "noopener noreferrer")
        } else {
            self
        }
    }

    /// Writes what is inside, and the end tag.
    pub fn body(self, write: impl FnOnce(&mut Markup)) {
        self.out.0.push('>');
        if VOID.contains(&self.name) {
            return;
        }
        if self.name == "pre" {
            // A parser drops the line feed that a text block begins with.
            self.out.0.push('\n');
        }
        write(self.out);
        self.out.0.push_str("</");
        self.out.0.push_str(self.name);
        self.out.0.push('>');
    }

    /// Writes text, and the end tag.
    pub fn text(self, text: &str) {
        self.body(|out| {
            out.text(text);
        });
    }

    /// Ends the element without anything in it.
    pub fn end(self) {
        self.body(|_out| {});
    }

    fn write(self, name: &'static str, value: &str) -> Self {
        let out = &mut self.out.0;
        out.push(' ');
        out.push_str(name);
        out.push_str("=\"");
        escape(value, out);
        out.push('"');
        self
    }
}

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// Escapes for text and for quoted attribute values alike. A zero byte, which no parser of HTML
/// accepts, becomes U+FFFD, as a parser would have it.
fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'', '\0', '\r']) {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let mut letters = tail.chars();
        out.push_str(match letters.next() {
            Some('&') => "&amp;",
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            Some('"') => "&quot;",
            Some('\'') => "&#39;",
            // A bare one would be read as a line feed.
            Some('\r') => "&#13;",
            _ => "\u{FFFD}",
        });
        rest = letters.as_str();
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn elements_nest_and_text_is_escaped() {
        let mut out = Markup::new();
        out.open("p").class("a \"b\"").attr_if("title", None).body(|out| {
            out.text("1 < 2 & 'x'\r\n");
            out.open("br").end();
            out.span("c", "<script>");
        });
        assert_eq!(
            out.as_str(),
            "<p class=\"a &quot;b&quot;\">1 &lt; 2 &amp; &#39;x&#39;&#13;\n<br>\
             <span class=\"c\">&lt;script&gt;</span></p>"
        );
    }

    #[test]
    fn only_addresses_of_page_and_web_are_written() {
        let link = |address: &str| {
            let mut out = Markup::new();
            out.open("a").href(address).end();
            out.as_str().to_owned()
        };
        assert_eq!(link("#/1/cases"), "<a href=\"#/1/cases\"></a>");
        assert!(link("HTTPS://example.org/?a&b").contains("rel=\"noopener noreferrer\""));
        for foreign in ["javascript:alert(1)", "data:text/html,x", " https://x", "//x", "file:///x"]
        {
            assert_eq!(link(foreign), "<a></a>", "{foreign}");
        }
    }

    proptest! {
        #[test]
        fn no_text_adds_anything(text in any::<String>()) {
            let mut out = Markup::new();
            out.open("b").attr("title", &text).text(&text);
            let inner = out.as_str();
            prop_assert_eq!(inner.matches('<').count(), 2);
            prop_assert_eq!(inner.matches('>').count(), 2);
            prop_assert_eq!(inner.matches('"').count(), 2);
        }
    }
}
