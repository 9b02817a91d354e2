//! Markdown (CommonMark with tables, strikethrough and task lists) as markup that can do nothing.
//!
//! HTML in it is shown as the text that it is. Nothing is fetched: an image is its description with
//! its address. A link shows where it leads, and leads there only over http or https.

use crate::markup::Markup;
use crate::words::reading as words;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Deeper parts are drawn flat: hostile text nests without end.
const MAX_DEPTH: usize = 24;

/// `text` as markup.
pub(super) fn markdown(text: &str) -> Markup {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut reader = MarkdownParser { events: Parser::new_ext(text, options), depth: 0 };
    let mut out = Markup::new();
    reader.until_end(&mut out);
    out
}

struct MarkdownParser<'a> {
    events: Parser<'a>,
    depth: usize,
}

impl<'a> MarkdownParser<'a> {
    /// Draws everything up to the end of the part that is open.
    fn until_end(&mut self, out: &mut Markup) {
        while let Some(event) = self.events.next() {
            match event {
                Event::End(_) => return,
                Event::Start(tag) => self.part(out, tag),
                other => leaf(out, &other),
            }
        }
    }

    /// Draws one part and all that is in it.
    fn part(&mut self, out: &mut Markup, tag: Tag<'a>) {
        if self.depth >= MAX_DEPTH {
            return self.flat(out, tag.to_end());
        }
        self.depth += 1;
        match tag {
            Tag::Paragraph => self.element(out, "p", ""),
            Tag::Heading { level, .. } => self.element(out, "p", heading_class(level)),
            Tag::BlockQuote(_) => self.element(out, "blockquote", ""),
            Tag::CodeBlock(kind) => self.code(out, &kind),
            Tag::List(Some(first)) => {
                let first = first.to_string();
                let start = (first != "1").then_some(first.as_str());
                out.open("ol").attr_if("start", start).body(|out| self.until_end(out));
            }
            Tag::List(None) => self.element(out, "ul", ""),
            Tag::Item => self.element(out, "li", ""),
            Tag::Emphasis => self.element(out, "em", ""),
            Tag::Strong => self.element(out, "strong", ""),
            Tag::Strikethrough => self.element(out, "del", ""),
            Tag::Link { dest_url, .. } => self.link(out, &dest_url),
            Tag::Image { dest_url, .. } => self.image(out, &dest_url),
            Tag::Table(alignments) => self.table(out, &alignments),
            // HTML, and whatever is not enabled.
            _ => self.until_end(out),
        }
        self.depth -= 1;
    }

    fn element(&mut self, out: &mut Markup, name: &'static str, class: &str) {
        let tag = out.open(name);
        let tag = if class.is_empty() { tag } else { tag.class(class) };
        tag.body(|out| self.until_end(out));
    }

    /// Draws text alone, up to the end `end` of the part that is open.
    fn flat(&mut self, out: &mut Markup, end: TagEnd) {
        let mut n_open = 1_usize;
        for event in self.events.by_ref() {
            match event {
                Event::Start(_) => n_open += 1,
                Event::End(found) => {
                    n_open -= 1;
                    if n_open == 0 {
                        debug_assert_eq!(found, end);
                        return;
                    }
                    out.text(" ");
                }
                other => leaf(out, &other),
            }
        }
    }

    fn code(&mut self, out: &mut Markup, kind: &CodeBlockKind<'a>) {
        let language = match kind {
            CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or_default(),
            CodeBlockKind::Indented => "",
        };
        let label =
            if language.is_empty() { words::CODE.to_owned() } else { words::code_in(language) };
        out.open("pre")
            .class("text")
            .attr("role", "group")
            .attr("aria-label", &label)
            .attr("tabindex", "0")
            .body(|out| {
                out.open("code").body(|out| self.until_end(out));
            });
    }

    /// A link with its target beside it, unless its words are the target.
    fn link(&mut self, out: &mut Markup, target: &str) {
        let mut inner = Markup::new();
        self.until_end(&mut inner);
        if is_web(target) {
            out.open("a").class("link").href(target).body(|out| {
                out.append(&inner);
            });
        } else {
            out.append(&inner);
        }
        let mut said = Markup::new();
        said.text(target);
        if inner != said && !target.is_empty() {
            out.text(" ");
            out.span("markdown__target", &format!("({target})"));
        }
    }

    fn image(&mut self, out: &mut Markup, target: &str) {
        let mut inner = Markup::new();
        self.until_end(&mut inner);
        out.open("span").class("markdown__image").body(|out| {
            out.text(words::IMAGE);
            out.append(&inner);
            out.text(" ");
            if is_web(target) {
                out.open("a").class("link").href(target).text(target);
            } else {
                out.text(target);
            }
            out.text("]");
        });
    }

    fn table(&mut self, out: &mut Markup, alignments: &[Alignment]) {
        out.open("div")
            .class("markdown__table")
            .attr("role", "group")
            .attr("aria-label", words::TABLE)
            .attr("tabindex", "0")
            .body(|out| {
                out.open("table").body(|out| {
                    out.open("tbody").body(|out| self.rows(out, alignments));
                });
            });
    }

    fn rows(&mut self, out: &mut Markup, alignments: &[Alignment]) {
        while let Some(event) = self.events.next() {
            match event {
                Event::End(_) => return,
                Event::Start(Tag::TableHead) => {
                    out.open("tr").body(|out| self.cells(out, "th", alignments));
                }
                Event::Start(Tag::TableRow) => {
                    out.open("tr").body(|out| self.cells(out, "td", alignments));
                }
                Event::Start(tag) => self.part(out, tag),
                other => leaf(out, &other),
            }
        }
    }

    fn cells(&mut self, out: &mut Markup, name: &'static str, alignments: &[Alignment]) {
        let mut alignments = alignments.iter();
        while let Some(event) = self.events.next() {
            match event {
                Event::End(_) => return,
                Event::Start(Tag::TableCell) => {
                    let is_end = alignments.next() == Some(&Alignment::Right);
                    self.element(out, name, if is_end { "is-end" } else { "is-start" });
                }
                Event::Start(tag) => self.part(out, tag),
                other => leaf(out, &other),
            }
        }
    }
}

/// What has no inside.
fn leaf(out: &mut Markup, event: &Event<'_>) {
    match event {
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
            out.text(text);
        }
        Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
            out.open("code").text(text);
        }
        // A line break in a message was meant, although CommonMark takes it for a blank.
        Event::SoftBreak | Event::HardBreak => out.open("br").end(),
        Event::Rule => out.open("hr").end(),
        Event::TaskListMarker(is_done) => {
            out.text(if *is_done { "☑ " } else { "☐ " });
        }
        Event::FootnoteReference(name) => {
            out.text(&format!("[^{name}]"));
        }
        Event::Start(_) | Event::End(_) => {}
    }
}

fn heading_class(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 => "markdown__heading markdown__heading--large",
        _ => "markdown__heading",
    }
}

fn is_web(target: &str) -> bool {
    let is_scheme = |scheme: &str| {
        target.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    };
    is_scheme("https://") || is_scheme("http://")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn drawn(text: &str) -> String {
        markdown(text).as_str().to_owned()
    }

    #[test]
    fn what_is_written_often_is_drawn() {
        assert_eq!(
            drawn("# A\n\nb *c* **d** `e<`"),
            "<p class=\"markdown__heading markdown__heading--large\">A</p><p>b <em>c</em> <strong>d</strong> <code>e&lt;</code></p>"
        );
        assert_eq!(drawn("3. a\n4. b"), "<ol start=\"3\"><li>a</li><li>b</li></ol>");
        assert!(
            drawn("```rust\nx<y\n```").ends_with(
                "aria-label=\"Code, rust\" tabindex=\"0\">\n<code>x&lt;y\n</code></pre>"
            )
        );
        let table = drawn("|a|b|\n|-|-:|\n|1|2|");
        assert!(
            table.contains("<th class=\"is-start\">a</th><th class=\"is-end\">b</th>"),
            "{table}"
        );
        assert!(table.contains("<td class=\"is-end\">2</td>"), "{table}");
        assert_eq!(drawn("a\nb"), "<p>a<br>b</p>");
    }

    #[test]
    fn links_say_where_they_lead() {
        assert_eq!(
            drawn("[a](https://b.c/?d&e)"),
            "<p><a class=\"link\" href=\"https://b.c/?d&amp;e\" target=\"_blank\" rel=\"noopener noreferrer\">a</a> \
             <span class=\"markdown__target\">(https://b.c/?d&amp;e)</span></p>"
        );
        assert!(drawn("<https://b.c>").ends_with(">https://b.c</a></p>"), "said once");
        assert_eq!(
            drawn("![x](https://b.c/i.png)"),
            "<p><span class=\"markdown__image\">[image: x <a class=\"link\" href=\"https://b.c/i.png\" \
             target=\"_blank\" rel=\"noopener noreferrer\">https://b.c/i.png</a>]</span></p>"
        );
    }

    /// Texts that were used against renderers of Markdown.
    const HOSTILE: [&str; 22] = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onmouseover=alert(1)>b</b>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](&#106;avascript:alert(1))",
        "[a](java\tscript:alert(1))",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "[a](vbscript:x)",
        "[a](#/1/cases)",
        "[a](//evil.example)",
        "<javascript:alert(1)>",
        "![a](javascript:alert(1))",
        "![\"onerror=\"alert(1)](x)",
        "[a]: javascript:alert(1)\n\n[a]",
        "[a](https://x\" onclick=\"alert(1))",
        "```\"><script>alert(1)</script>\nx\n```",
        "<style>body{display:none}</style>",
        "<a href=\"javascript:alert(1)\">x</a>",
        "<svg/onload=alert(1)>",
        "<!-- --><iframe src=//x>",
        "| <script> |\n|---|\n| <img src=x> |",
    ];

    const OWN: [&str; 22] = [
        "div",
        "p",
        "blockquote",
        "ol",
        "ul",
        "li",
        "em",
        "strong",
        "del",
        "a",
        "span",
        "pre",
        "code",
        "br",
        "hr",
        "table",
        "tbody",
        "tr",
        "th",
        "td",
        "thead",
        "s",
    ];

    /// Fails when the markup has an element or an attribute that this module does not write.
    fn assert_harmless(markup: &str) {
        for tag in markup.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').unwrap();
            let name = tag.trim_start_matches('/').split(' ').next().unwrap();
            assert!(OWN.contains(&name), "<{tag}> in {markup}");
            for attribute in tag.split("=\"").collect::<Vec<_>>().iter().rev().skip(1) {
                let name = attribute.rsplit(' ').next().unwrap();
                let known = [
                    "class",
                    "dir",
                    "start",
                    "href",
                    "target",
                    "rel",
                    "role",
                    "aria-label",
                    "tabindex",
                ];
                assert!(known.contains(&name), "{name}= in {markup}");
            }
            if let Some((_, target)) = tag.split_once("href=\"") {
                assert!(
                    target.starts_with("http://") || target.starts_with("https://"),
                    "{markup}"
                );
            }
        }
    }

    #[test]
    fn nothing_hostile_becomes_more_than_text() {
        for text in HOSTILE {
            assert_harmless(&drawn(text));
        }
        assert!(drawn(HOSTILE[0]).contains("&lt;script&gt;alert(1)"));
    }

    #[test]
    fn nesting_ends_somewhere() {
        for text in
            [">".repeat(50_000), "- ".repeat(20_000), "[".repeat(20_000), "*a ".repeat(20_000)]
        {
            let found = drawn(&format!("{text}deepest"));
            assert!(found.contains("deepest"));
            assert!(found.matches("<blockquote>").count() <= MAX_DEPTH);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_harmless_and_balanced(text in r#"[-<>!\[\]()*_`#|~&"'\n a:/x.1]{0,120}"#) {
            let found = drawn(&text);
            assert_harmless(&found);
            let n_open = found.matches('<').count() - found.matches("</").count();
            let n_void = found.matches("<br>").count() + found.matches("<hr>").count();
            prop_assert_eq!(n_open - n_void, found.matches("</").count());
        }
    }
}
