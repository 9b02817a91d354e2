//! What the host has to say on the start page, ready to be drawn: its gallery, or why a link cannot be opened.

use super::gallery::{Gallery, GalleryItem};
use super::place::{Resolve, WebAddress, link_to};
use super::refusal::{RefusalKind, Refused};
use serde::{Deserialize, Serialize};

/// Refusals that are listed one by one.
const MAX_LISTED: usize = 20;

/// What is drawn. A program that is started anew is given it again, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum HostingPage {
    /// Groups of links.
    Gallery {
        /// Its title; may be empty.
        title: String,
        /// The groups.
        sections: Vec<LinkSection>,
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
pub struct LinkSection {
    /// Its title; may be empty.
    pub title: String,
    /// The links.
    pub entries: Vec<ResultLink>,
}

/// A link to results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultLink {
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

impl HostingPage {
    /// A gallery that lies at `at`, as links into the page at `base`.
    pub fn gallery(
        gallery: &Gallery,
        at: &WebAddress,
        base: &WebAddress,
        resolve: Resolve<'_>,
    ) -> Self {
        let page = file_name(base);
        let entry = |GalleryItem { title, date, src }: &GalleryItem| {
            let sources: Vec<WebAddress> =
                src.iter().filter_map(|path| resolve(path, &at.href)).collect();
            let words: String = date.chars().take(16).collect();
            ResultLink {
                title: title.clone(),
                href: link_to(&sources, base, page),
                datetime: date.clone(),
                date: words.replacen('T', " ", 1),
            }
        };
        let section = |group: &super::GalleryGroup| LinkSection {
            title: group.title.clone(),
            entries: group.items.iter().map(entry).collect(),
        };
        let sections = gallery.groups.iter().map(section).collect();
        Self::Gallery { title: gallery.title.clone(), sections }
    }

    /// Why the page at `here` opens nothing; `base` is the same without what it asks for.
    pub fn refused(
        refused: &Refused,
        here: &WebAddress,
        base: &WebAddress,
        resolve: Resolve<'_>,
    ) -> Self {
        let Refused { refusals, others } = refused;
        let is_stopped = refusals.iter().all(|one| one.kind == RefusalKind::Stopped);
        let read = |text: &String| resolve(text, &base.href);
        let elsewhere: Vec<WebAddress> = refusals
            .iter()
            .filter(|one| one.kind == RefusalKind::Elsewhere)
            .filter_map(|one| read(&one.address))
            .collect();
        let others: Vec<WebAddress> = others.iter().filter_map(read).collect();
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
            let all: Vec<WebAddress> = elsewhere.iter().chain(&others).cloned().collect();
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
fn file_name(base: &WebAddress) -> &str {
    base.pathname.rsplit('/').next().unwrap_or_default()
}
