//! A reader who opens everything: every fold, every part, every row, every choice.

use super::seen::Seen;
use crate::markup::assert_well_formed;
use evalglass::markup::Markup;
use evalglass::render::case::{PartName, PartShown, Piece, Reading};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What was found.
#[derive(Default)]
pub struct Crawl {
    /// Names of the parts that were asked for.
    pub parts: BTreeSet<String>,
    /// What was drawn already.
    pub drawn: Vec<Markup>,
    /// Ids of messages and places.
    pub ids: BTreeSet<String>,
    /// Addresses of messages.
    pub addresses: Vec<String>,
    /// What is said as plain words.
    pub said: String,
    /// Rows of each view: name without range, number, block.
    pub views: BTreeMap<String, u64>,
    /// Names of texts to copy.
    pub copies: BTreeSet<String>,
    /// Names of what can be searched.
    pub searches: BTreeSet<String>,
    /// Jumps: where to, and the parts on the way.
    pub jumps: Vec<(String, Vec<String>)>,
    /// Parts behind buttons that were not followed further than `limit`.
    n_choices: usize,
}

/// The value of `name` in the start tag `tag`.
pub fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0)
}

/// The start tags of `markup`.
pub fn tags(markup: &Markup) -> impl Iterator<Item = &str> {
    let starts = markup.as_str().split('<').skip(1).filter(|tag| !tag.starts_with('/'));
    starts.filter_map(|tag| tag.split_once('>')).map(|(tag, _)| tag)
}

/// The text of `markup`, as a browser would have it.
pub fn text(markup: &str) -> String {
    let mut out = String::new();
    for (idx, part) in markup.split('<').enumerate() {
        let (tag, text) = if idx == 0 { ("", part) } else { part.split_once('>').unwrap() };
        // The line feed after <pre> is not part of its text.
        let text = if tag.starts_with("pre") { text.strip_prefix('\n').unwrap() } else { text };
        out.push_str(text);
    }
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#13;", "\r"),
        ("&amp;", "&"),
    ]
    .into_iter()
    .fold(out, |text, (escaped, letter)| text.replace(escaped, letter))
}

/// Reads the case and follows everything in it.
pub fn crawl(reading: &Reading) -> (Vec<Piece>, Crawl) {
    let body = super::made::body_of(reading);
    let mut crawl = Crawl::default();
    let mut open = vec![PartShown::Pieces(body.clone())];
    while let Some(shown) = open.pop() {
        open.extend(crawl.read(reading, &shown));
    }
    (body, crawl)
}

impl Crawl {
    /// Notes what `shown` leads to, and gives what was not known before.
    fn read(&mut self, reading: &Reading, shown: &PartShown) -> Vec<PartShown> {
        let seen = match shown {
            PartShown::Drawn(markup) => Seen { drawn: vec![markup.clone()], ..Seen::default() },
            PartShown::Pieces(pieces) => Seen::of(pieces),
        };
        let mut found = Vec::new();
        for name in seen.parts() {
            if !self.parts.contains(name) {
                found.push(self.ask(reading, name));
            }
        }
        for id in &seen.ids {
            assert!(self.ids.insert(id.clone()), "the id {id} is given twice");
        }
        self.addresses.extend(seen.addresses.iter().cloned());
        self.said.push_str(&seen.said);
        self.jumps.extend(seen.ways.into_iter().map(|way| (way.id, way.through)));
        for markup in seen.drawn {
            assert_well_formed(&markup);
            found.extend(self.note(reading, &markup));
            self.drawn.push(markup);
        }
        found
    }

    /// Notes what `markup` leads to, and gives what was not known before.
    fn note(&mut self, reading: &Reading, markup: &Markup) -> Vec<PartShown> {
        let mut found = Vec::new();
        let mut ids = HashMap::new();
        for tag in tags(markup) {
            if let Some(id) = attribute(tag, "id") {
                assert!(ids.insert(id.to_owned(), tag).is_none(), "the id {id} is given twice");
            }
            if let Some(name) = attribute(tag, "data-part") {
                let is_choice = tag.starts_with("button");
                self.n_choices += usize::from(is_choice);
                // Every choice leads to all others: some of them are enough.
                if self.parts.contains(name) || (is_choice && self.n_choices > 100) {
                    continue;
                }
                let part = self.ask(reading, name);
                if let Some(into) = attribute(tag, "data-into") {
                    let PartShown::Drawn(part) = &part else { panic!("{name} is drawn") };
                    let first = tags(part).next().unwrap_or_default();
                    assert_eq!(
                        attribute(first, "id"),
                        Some(into),
                        "{name} brings what it replaces"
                    );
                    let is_it = |tag: &&str| attribute(tag, "id") == Some(into);
                    let old = tags(markup).find(is_it).unwrap_or_default();
                    assert!(!old.starts_with("details"), "{name} would take the summary away");
                }
                found.push(part);
            }
            if let Some(stem) = attribute(tag, "data-lines") {
                let n_rows: u64 = attribute(tag, "data-n").unwrap().parse().unwrap();
                if self.views.insert(stem.to_owned(), n_rows).is_none() {
                    for first in (0..n_rows).step_by(100).take(30) {
                        let name = format!("{stem}:{first}:{}", (first + 100).min(n_rows));
                        found.push(self.ask(reading, &name));
                    }
                }
            }
            if let Some(name) = attribute(tag, "data-copy") {
                self.copies.insert(name.to_owned());
                let parsed = PartName::parse(name).expect("a name of ours");
                assert!(reading.text_of(&parsed).is_some(), "{name} copies nothing");
            }
            if let Some(stem) = attribute(tag, "data-find") {
                self.searches.insert(stem.to_owned());
            }
            if let Some(goal) = attribute(tag, "data-jump") {
                let way = attribute(tag, "data-through").unwrap_or_default();
                let way = way.split(' ').filter(|name| !name.is_empty()).map(str::to_owned);
                self.jumps.push((goal.to_owned(), way.collect()));
            }
        }
        found
    }

    /// Asks for a part, which must be there.
    fn ask(&mut self, reading: &Reading, name: &str) -> PartShown {
        let parsed = PartName::parse(name).unwrap_or_else(|| panic!("{name} is no name"));
        let part = reading.part(&parsed).unwrap_or_else(|| panic!("{name} is not there"));
        self.parts.insert(name.to_owned());
        part
    }

    /// All markup that was found.
    pub fn all(&self) -> impl Iterator<Item = &Markup> {
        self.drawn.iter()
    }
}
