//! What was dropped or picked here before, to be opened again. Only where the browser gives out handles that can be
//! kept; elsewhere there is nothing.

use super::outcome_word;
use crate::browser;
use crate::ui::state::{RecentItem, Store, effect, handler, live, use_store};
use crate::words::ui::memory as words;
use leptos::prelude::*;

/// Id of the heading, which gets the focus when the list has gone.
const TITLE: &str = "recent-title";

/// The list.
#[component]
pub fn RecentFiles() -> impl IntoView {
    let store = use_store();
    effect(move || store.show_recent());
    let drawn = move || store.kept.recent.get().map(|items| list(store, items));
    view! { <div id="recent" class="recent">{live(drawn)}</div> }
}

fn list(store: Store, items: Vec<RecentItem>) -> AnyView {
    let pickers = browser::has_pickers().then(|| {
        view! {
            <button type="button" class="button button--quiet" on:click=handler(move |_| store.pick(false))>{words::PICK_FILES}</button>
            <button type="button" class="button button--quiet" on:click=handler(move |_| store.pick(true))>{words::PICK_FOLDER}</button>
        }
        .into_any()
    });
    let forget_all = (!items.is_empty()).then(|| {
        let forget = move |_| store.forget_recent(None, || browser::focus(TITLE));
        view! { <button type="button" class="button button--quiet" on:click=handler(forget)>{words::FORGET_ALL}</button> }
            .into_any()
    });
    let content = match items.is_empty() {
        true => view! { <p class="recent__hint">{words::RECENT_HINT}</p> }.into_any(),
        false => {
            let items = items.into_iter().enumerate().map(|(at, one)| item(store, at, one));
            view! { <ul class="recent__list">{items.collect_view()}</ul> }.into_any()
        }
    };
    view! {
        <section class="recent__section" aria-labelledby=TITLE>
            <div class="recent__head">
                <h2 class="start__heading" id=TITLE tabindex="-1">{words::RECENT}</h2>
                {pickers}
                {forget_all}
            </div>
            {content}
        </section>
    }
    .into_any()
}

fn item(store: Store, at: usize, item: RecentItem) -> AnyView {
    let RecentItem { title, kind, outcome, verdict, opened: (opened, machine), why } = item;
    let words = (!verdict.is_empty()).then(|| view! { <span>{verdict}</span> }.into_any());
    let verdict = view! { {outcome.map(outcome_word)}{words} }.into_any();
    let id = format!("recent-remove-{at}");
    let next = id.clone();
    let remove = move |_| {
        let next = next.clone();
        store.forget_recent(Some(at), move || browser::refocus(&next, TITLE));
    };
    view! {
        <li class="recent__item">
            <span class="recent__name">{title.clone()}</span>
            <span class="recent__facts">
                {verdict}
                <span>{kind}</span>
                <time datetime=machine>{opened}</time>
            </span>
            <span class="recent__actions">
                <button
                    type="button" class="button" aria-label=words::open_again(&title)
                    on:click=handler(move |_| store.open_recent(at))
                >{words::OPEN}</button>
                <button
                    type="button" class="button button--quiet" id=id aria-label=words::remove_from_list(&title)
                    on:click=handler(remove)
                >{words::REMOVE}</button>
            </span>
            <p class="recent__why" role="alert">{why}</p>
        </li>
    }
    .into_any()
}
