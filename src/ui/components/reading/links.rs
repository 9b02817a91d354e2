//! Links to the sections of a case, which stay in view and say which one is read.

use crate::browser;
use crate::format;
use crate::reading::{ColumnSide, SectionShown};
use crate::ui::follow::current;
use crate::ui::state::{effect, handler, live, use_store};
use crate::words::ui::case as words;
use leptos::prelude::*;

/// What the bar above a case shows of it. Copies are the same.
#[derive(Clone, Copy)]
pub struct CaseBar {
    links: RwSignal<Vec<SectionLink>>,
    marked: RwSignal<usize>,
    chosen: RwSignal<Option<usize>>,
    following: StoredValue<Option<browser::WatchedElements>, LocalStorage>,
    /// Whether what is drawn next is what the reader has opened, not the same drawn anew.
    pub is_opened: StoredValue<bool>,
}

#[derive(Clone, PartialEq)]
struct SectionLink {
    id: String,
    word: String,
    title: String,
    n: Option<u64>,
    is_main: bool,
}

impl CaseBar {
    /// Puts one into the context, empty.
    pub fn provide() -> Self {
        let bar = Self {
            links: RwSignal::default(),
            marked: RwSignal::new(0),
            chosen: RwSignal::new(None),
            following: StoredValue::new_local(None),
            is_opened: StoredValue::new(true),
        };
        provide_context(bar);
        bar
    }

    /// These sections are drawn now.
    pub fn show(self, sections: &[SectionShown]) {
        let link = |section: &SectionShown| SectionLink {
            id: section.id(),
            word: section.word.clone(),
            title: section.title.clone(),
            n: section.n,
            is_main: section.side == ColumnSide::Main,
        };
        let links: Vec<SectionLink> = sections.iter().map(link).collect();
        self.following.set_value(None);
        self.links.set(links);
    }

    /// They are in the document: begins to follow the scroll.
    pub fn follow(self) {
        let Some((ids, main)) = self.links.try_with_untracked(|links| {
            let ids: Vec<String> =
                links.iter().map(|link| format!("{}-section", link.id)).collect();
            (ids, links.iter().map(|link| link.is_main).collect::<Vec<_>>())
        }) else {
            return;
        };
        let changed = move |seen: &[bool]| {
            let (Some(chosen), Some(marked)) =
                (self.chosen.try_get_untracked(), self.marked.try_get_untracked())
            else {
                return;
            };
            self.marked.set(current(seen, &main, chosen, marked));
        };
        self.following.try_set_value(browser::follow(&ids, changed));
    }
}

/// The links.
#[component]
pub fn SectionLinks(
    /// What they lead to.
    bar: CaseBar,
) -> impl IntoView {
    let store = use_store();
    // On a narrow screen they are a strip that scrolls.
    effect(move || {
        bar.marked.track();
        browser::behind_frame(|| browser::reveal(".case__link[aria-current]"));
    });
    let link = move |(at, link): (usize, SectionLink)| {
        let SectionLink { id, word, title, n, .. } = link;
        let go = move |_| {
            bar.chosen.set(Some(at));
            bar.marked.set(at);
            let word = word.clone();
            store.adjust(|route| match &mut route.case {
                Some(case) => case.spot = word,
                None => route.spot = word,
            });
            browser::into_sight(&id);
            browser::focus(&id);
        };
        let n = n.map(|n| view! { " "<span class="case__n">{format::count(n)}</span> }.into_any());
        let is_marked = live(move || (bar.marked.get() == at).then_some("true"));
        view! {
            <button type="button" class="case__link" aria-current=is_marked on:click=handler(go)>{title}{n}</button>
        }
        .into_any()
    };
    view! {
        <nav class="case__links" aria-label=words::SECTIONS>
            {live(move || bar.links.get().into_iter().enumerate().map(link).collect_view())}
        </nav>
    }
}
