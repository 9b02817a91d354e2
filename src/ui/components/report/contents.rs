//! The sections of a long page: a list that stays in view and marks the one that is read.

use crate::browser;
use crate::report::Sections;
use crate::ui::follow::current;
use crate::ui::state::{handler, live};
use crate::words::ui::report as words;
use leptos::prelude::*;

/// A list of fewer says nothing that a glance does not.
const MIN_SECTIONS: usize = 2;

/// Id of the section `at`.
pub fn section_id(at: usize) -> String {
    format!("part-{at}")
}

/// Id of its title.
pub fn title_id(at: usize) -> String {
    format!("part-title-{at}")
}

/// The list; `None` where a page has no need of it.
pub fn contents(page: &Sections) -> Option<AnyView> {
    let is_named = |(_, title): &(usize, String)| !title.is_empty();
    let titles = page.sections.iter().map(|section| section.title.clone());
    let titles: Vec<(usize, String)> = titles.enumerate().filter(is_named).collect();
    if !page.has_contents || titles.len() < MIN_SECTIONS {
        return None;
    }
    let (marked, chosen) = (RwSignal::new(0), RwSignal::new(None));
    let ids: Vec<String> = titles.iter().map(|(at, _)| section_id(*at)).collect();
    let in_one_column = vec![true; ids.len()];
    let following = StoredValue::new_local(None);
    let changed = move |seen: &[bool]| {
        if let (Some(was), Some(chosen)) = (marked.try_get_untracked(), chosen.try_get_untracked())
        {
            marked.set(current(seen, &in_one_column, chosen, was));
        }
    };
    // The sections come into the document after the list.
    browser::frame(move || {
        if !following.is_disposed() {
            following.try_set_value(browser::follow(&ids, changed));
        }
    });
    let item = |(nth, (at, title)): (usize, (usize, String))| {
        let go = move |_| {
            chosen.set(Some(nth));
            marked.set(nth);
            browser::into_sight(&section_id(at));
            browser::focus(&title_id(at));
        };
        let is_marked = live(move || (marked.get() == nth).then_some("true"));
        view! {
            <li><button type="button" class="contents__item" aria-current=is_marked on:click=handler(go)>{title}</button></li>
        }
        .into_any()
    };
    let items = titles.into_iter().enumerate().map(item).collect_view();
    Some(
        view! { <nav class="contents" aria-label=words::SECTIONS><ul>{items}</ul></nav> }
            .into_any(),
    )
}
