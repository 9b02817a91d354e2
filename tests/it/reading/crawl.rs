//! A reader who opens everything: every fold, every part, every row, every choice.

use super::seen::Seen;
use crate::markup::assert_well_formed;
use evalglass::markup::Markup;
use evalglass::reading::{PartName, PartShown, Piece, Reading, Way};
use std::collections::{BTreeMap, BTreeSet};

/// What was found.
#[derive(Default)]
pub struct Crawl {
    /// Names of the parts that were asked for.
    pub parts: BTreeSet<String>,
    /// Rendered Markdown.
    pub drawn: Vec<Markup>,
    /// Ids of messages and places.
    pub ids: BTreeSet<String>,
    /// Ids of values, texts and differences.
    pub inner_ids: BTreeSet<String>,
    /// Addresses of messages.
    pub addresses: Vec<String>,
    /// What is said as plain words.
    pub said: String,
    /// Rows of each view: name without range, number.
    pub views: BTreeMap<String, u64>,
    /// Names of what can be searched.
    pub searches: BTreeSet<String>,
    /// Ways, with the parts on them.
    pub ways: Vec<Way>,
    /// Parts behind choices that were not followed further than some.
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
        let seen = Seen::of_part(shown);
        let mut found = Vec::new();
        for name in seen.parts() {
            if !self.parts.contains(name) {
                found.push(self.ask(reading, name));
            }
        }
        for name in &seen.choices {
            self.n_choices += 1;
            // Every choice leads to all others: some of them are enough.
            if !self.parts.contains(name) && self.n_choices <= 100 {
                let part = self.ask(reading, name);
                let PartShown::Pieces(pieces) = &part else { panic!("{name} is no piece") };
                assert_eq!(pieces.len(), 1, "{name} brings what it replaces");
                found.push(part);
            }
        }
        for view in &seen.views {
            if self.views.insert(view.rows.clone(), view.n_rows).is_none() {
                for first in (0..view.n_rows).step_by(100).take(30) {
                    let name = format!("{}:{first}:{}", view.rows, (first + 100).min(view.n_rows));
                    found.push(self.ask(reading, &name));
                }
            }
        }
        for name in &seen.copies {
            let parsed = PartName::parse(name).expect("a name of ours");
            assert!(reading.text_of(&parsed).is_some(), "{name} copies nothing");
        }
        for id in &seen.ids {
            assert!(self.ids.insert(id.clone()), "the id {id} is given twice");
        }
        self.inner_ids.extend(seen.inner_ids);
        self.searches.extend(seen.searches);
        self.addresses.extend(seen.addresses);
        self.said.push_str(&seen.said);
        self.ways.extend(seen.ways);
        for markup in seen.drawn {
            assert_well_formed(&markup);
            self.drawn.push(markup);
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
}
