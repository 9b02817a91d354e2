//! Markup in stretches of so many elements, so that a browser can put a long piece into the document
//! one stretch at a time.
//!
//! ```text
//!  <ul><li>a</li><li>b</li></ul><p>c</p>      at most two elements at a time
//!  <ul><li>a</li>                             into the place itself
//!      <li>b</li>                             into the <ul> that is there
//!  <p>c</p>                                   into the place itself
//! ```

use super::{Markup, VOID};
use std::ops::Range;

/// A stretch of markup. It belongs at the end of what was put in before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkupStretch {
    /// Names of the elements that it goes into, outermost first: each is the last one in the one
    /// before it. None where it goes into the place of the whole.
    pub within: Vec<String>,
    /// What goes there. What is left open at its end ends there; later stretches go on in it.
    pub markup: Range<usize>,
    /// Elements that begin in it.
    pub n_elements: usize,
}

/// `markup` in stretches. A new one begins wherever `limit` elements have begun since the last one
/// did, or where an element ends that an earlier one began.
pub fn stretches(markup: &Markup, limit: usize) -> Vec<MarkupStretch> {
    let text = markup.as_str();
    let mut cut = Cut { limit: limit.max(1), ..Cut::default() };
    // Text and attributes are escaped: every `<` begins a tag, every `>` ends one.
    while let Some(tag) = next_tag(text, cut.at) {
        cut.take(text, tag);
    }
    cut.end(text.len());
    cut.done
}

#[derive(Default)]
struct Cut<'a> {
    limit: usize,
    /// Where the next tag is looked for.
    at: usize,
    /// Where the present stretch begins.
    from: usize,
    /// Elements that were open there, of those that are open now.
    n_before: usize,
    open: Vec<&'a str>,
    /// Elements that have begun in the present stretch, and since the last one was full.
    n_elements: usize,
    n_since: usize,
    done: Vec<MarkupStretch>,
}

impl<'a> Cut<'a> {
    fn take(&mut self, text: &'a str, tag: Range<usize>) {
        let inner = text.get(tag.start + 1..tag.end - 1).unwrap_or_default();
        let name = inner.split_once(' ').map_or(inner, |(name, _)| name);
        self.at = tag.end;
        if name.starts_with('/') {
            if self.open.len() == self.n_before {
                // It ends what another stretch has begun.
                self.end(tag.start);
                self.open.pop();
                self.begin(tag.end);
            } else {
                self.open.pop();
            }
            return;
        }
        if self.n_since >= self.limit {
            self.end(tag.start);
            self.begin(tag.start);
            self.n_since = 0;
        }
        self.n_elements += 1;
        self.n_since += 1;
        if !VOID.contains(&name) {
            self.open.push(name);
        }
    }

    fn begin(&mut self, at: usize) {
        (self.from, self.n_before, self.n_elements) = (at, self.open.len(), 0);
    }

    fn end(&mut self, at: usize) {
        if self.from < at {
            let within = self.open.iter().take(self.n_before).map(|name| (*name).to_owned());
            self.done.push(MarkupStretch {
                within: within.collect(),
                markup: self.from..at,
                n_elements: self.n_elements,
            });
        }
    }
}

/// The next tag from `at` on, with its brackets.
fn next_tag(text: &str, at: usize) -> Option<Range<usize>> {
    let start = at + text.get(at..)?.find('<')?;
    let end = start + text.get(start..)?.find('>')? + 1;
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A document as a browser would make it.
    #[derive(Debug, Default, PartialEq, Eq)]
    struct Node {
        name: String,
        text: String,
        children: Vec<Node>,
    }

    /// Puts `markup` at the end of `place`, as a parser of fragments does: what is open ends with it.
    fn put(place: &mut Node, markup: &str) {
        let mut rest = markup;
        let mut open: Vec<Node> = Vec::new();
        while !rest.is_empty() {
            let last = |open: &mut Vec<Node>, node: Node, place: &mut Node| match open.last_mut() {
                Some(parent) => parent.children.push(node),
                None => place.children.push(node),
            };
            let Some(tag) = next_tag(rest, 0) else { break };
            let text = &rest[..tag.start];
            if !text.is_empty() {
                let node = Node { text: text.to_owned(), ..Node::default() };
                last(&mut open, node, place);
            }
            let inner = &rest[tag.start + 1..tag.end - 1];
            rest = &rest[tag.end..];
            if inner.starts_with('/') {
                let node = open.pop().expect("it ends what it began");
                last(&mut open, node, place);
            } else {
                let name = inner.split(' ').next().unwrap_or_default();
                let node = Node { name: name.to_owned(), ..Node::default() };
                match VOID.contains(&name) {
                    true => last(&mut open, node, place),
                    false => open.push(node),
                }
            }
        }
        if !rest.is_empty() {
            let node = Node { text: rest.to_owned(), ..Node::default() };
            open.last_mut().unwrap_or(place).children.push(node);
        }
        while let Some(node) = open.pop() {
            open.last_mut().unwrap_or(place).children.push(node);
        }
    }

    /// The document that stretches of `limit` elements make.
    fn made(markup: &Markup, limit: usize) -> Node {
        let mut whole = Node::default();
        for stretch in stretches(markup, limit) {
            let mut place = &mut whole;
            for name in &stretch.within {
                place = place.children.last_mut().expect("it is there");
                assert_eq!(&place.name, name);
            }
            put(place, &markup.as_str()[stretch.markup]);
        }
        whole
    }

    fn write(out: &mut Markup, tree: &[u8]) {
        let Some((first, rest)) = tree.split_first() else { return };
        let (inner, after) = rest.split_at(rest.len().min(usize::from(first / 4)));
        match first % 4 {
            0 => {
                out.open("br").end();
            }
            1 => {
                out.text("a < b");
            }
            n => {
                let name = if n == 2 { "ul" } else { "li" };
                out.open(name).attr("title", "1 > 0").body(|out| write(out, inner));
            }
        }
        if first % 4 < 2 {
            write(out, inner);
        }
        write(out, after);
    }

    #[test]
    fn a_list_goes_on_in_its_element() {
        let mut out = Markup::new();
        out.open("ul").body(|out| {
            for text in ["a", "b"] {
                out.open("li").text(text);
            }
        });
        out.open("p").text("c");
        let found: Vec<(Vec<String>, &str)> = stretches(&out, 2)
            .into_iter()
            .map(|stretch| (stretch.within, &out.as_str()[stretch.markup]))
            .collect();
        let within = vec!["ul".to_owned()];
        let expected =
            [(Vec::new(), "<ul><li>a</li>"), (within, "<li>b</li>"), (Vec::new(), "<p>c</p>")];
        assert_eq!(found, expected);
        assert_eq!(stretches(&Markup::new(), 5), []);
    }

    proptest! {
        #[test]
        fn stretches_make_the_same_document(tree in prop::collection::vec(any::<u8>(), 0..60), limit in 1_usize..9) {
            let mut out = Markup::new();
            write(&mut out, &tree);
            prop_assert_eq!(made(&out, limit), made(&out, usize::MAX));
            let found = stretches(&out, limit);
            let n_elements: usize = found.iter().map(|stretch| stretch.n_elements).sum();
            prop_assert_eq!(n_elements, out.n_elements());
            prop_assert!(found.iter().all(|stretch| stretch.n_elements <= limit));
        }
    }
}
