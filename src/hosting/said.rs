//! What the host has to say on the start page, ready to be drawn: its gallery, or why a link cannot be opened.

use super::gallery::{Gallery, Item};
use super::place::{Place, Resolve, link_to};
use super::refusal::{Kind, Refused};
use serde::{Deserialize, Serialize};

/// Refusals that are listed one by one.
const MAX_LISTED: usize = 20;

/// What is drawn. A program that is started anew is given it again, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Said {
    /// Groups of links.
    Gallery {
        /// Its title; may be empty.
        title: String,
        /// The groups.
        sections: Vec<Section>,
    },
    /// What is wrong with each address, and what can be done.
    Refused {
        /// Whether it was stopped rather than refused.
        is_stopped: bool,
        /// Addresses and reasons.
        reasons: Vec<(String, String)>,
        /// How many more there are.
        n_more: usize,
        /// Whether some of them lie on other hosts.
        is_elsewhere: bool,
        /// What can be done.
        actions: Vec<Action>,
    },
    /// The results of a sealed report cannot be unpacked.
    Damaged,
}

/// Links that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Its title; may be empty.
    pub title: String,
    /// The links.
    pub entries: Vec<Entry>,
}

/// A link to results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its words.
    pub title: String,
    /// Where it leads to.
    pub href: String,
    /// The date as the host gave it; may be empty.
    pub datetime: String,
    /// The date in words.
    pub date: String,
}

/// A link that does something about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// Its words.
    pub words: String,
    /// Where it leads to.
    pub href: String,
}

impl Said {
    /// A gallery that lies at `at`, as links into the page at `base`.
    pub fn gallery(gallery: &Gallery, at: &Place, base: &Place, resolve: Resolve<'_>) -> Self {
        let page = file_name(base);
        let entry = |Item { title, date, src }: &Item| {
            let sources: Vec<Place> =
                src.iter().filter_map(|path| resolve(path, &at.href)).collect();
            let words: String = date.chars().take(16).collect();
            Entry {
                title: title.clone(),
                href: link_to(&sources, base, page),
                datetime: date.clone(),
                date: words.replacen('T', " ", 1),
            }
        };
        let section = |group: &super::Group| Section {
            title: group.title.clone(),
            entries: group.items.iter().map(entry).collect(),
        };
        let sections = gallery.groups.iter().map(section).collect();
        Self::Gallery { title: gallery.title.clone(), sections }
    }

    /// Why the page at `here` opens nothing; `base` is the same without what it asks for.
    pub fn refused(refused: &Refused, here: &Place, base: &Place, resolve: Resolve<'_>) -> Self {
        let Refused { refusals, others } = refused;
        let is_stopped = refusals.iter().all(|one| one.kind == Kind::Stopped);
        let read = |text: &String| resolve(text, &base.href);
        let elsewhere: Vec<Place> = refusals
            .iter()
            .filter(|one| one.kind == Kind::Elsewhere)
            .filter_map(|one| read(&one.address))
            .collect();
        let others: Vec<Place> = others.iter().filter_map(read).collect();
        let mut actions = Vec::new();
        let mut action = |words: String, href: String| actions.push(Action { words, href });
        match others.len() {
            0 => {}
            1 => action("Open the other file".to_owned(), link_to(&others, base, file_name(base))),
            n => {
                action(format!("Open the other {n} files"), link_to(&others, base, file_name(base)))
            }
        }
        if is_stopped {
            action("Try again".to_owned(), here.href.clone());
        }
        if let Some(first) = elsewhere.first() {
            let all: Vec<Place> = elsewhere.iter().chain(&others).cloned().collect();
            action(format!("Fetch from {}", first.host), link_to(&all, base, "remote.html"));
        }
        if !here.search.is_empty() {
            action("Go to the start page".to_owned(), here.pathname.clone());
        }
        let reason = |one: &super::Refusal| (one.address.clone(), one.message.clone());
        Self::Refused {
            is_stopped,
            reasons: refusals.iter().take(MAX_LISTED).map(reason).collect(),
            n_more: refusals.len().saturating_sub(MAX_LISTED),
            is_elsewhere: !elsewhere.is_empty(),
            actions,
        }
    }
}

/// The name of the page's file; empty where the folder stands for it.
fn file_name(base: &Place) -> &str {
    base.pathname.rsplit('/').next().unwrap_or_default()
}
