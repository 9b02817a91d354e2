//! Looking for something in a long text, a tree or a conversation.

use super::leading::Leading;
use super::part::{failed, part_of};
use crate::reading::{FindShown, FoundShown, MatchShown, PartShown};
use crate::ui::components::report::paced;
use crate::ui::state::{Newest, handler, live, use_store};
use crate::words::ui::case as words;
use crate::worker::protocol::Question;
use leptos::ev::Event;
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// How long nothing more has been written before it is looked for.
const PAUSE: Duration = Duration::from_millis(150);

/// Matches that come into the document at once, and elements of one.
const MAX_AT_ONCE: usize = 50;
const ELEMENTS: usize = 4;

/// A field; below it what was found.
pub fn find(field: &FindShown) -> AnyView {
    let store = use_store();
    let found = RwSignal::new(Ok::<_, String>(Arc::new(FoundShown::default())));
    let newest = StoredValue::new(Newest::default());
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let stem = StoredValue::new(field.stem.clone());
    let look = move |needle: String| {
        let Some(asked) = newest.try_update_value(Newest::ask) else { return };
        let name = format!("{}:find:{needle}", stem.get_value());
        store.ask(Question::Part(name), move |answer| {
            // The view may be gone by now, and its signals with it.
            if newest.try_get_value().is_some_and(|newest| newest.wants(asked)) {
                found.try_set(part_of(answer).and_then(|part| match part {
                    PartShown::Found(found) => Ok(Arc::new(found)),
                    _ => Err(words::OTHER_ANSWER.to_owned()),
                }));
            }
        });
    };
    let wrote = move |event: Event| {
        let needle = event_target_value(&event);
        timer.get_value().iter().for_each(TimeoutHandle::clear);
        timer.set_value(set_timeout_with_handle(move || look(needle), PAUSE).ok());
    };
    let results = move || match found.get() {
        Ok(found) => matches(&found),
        Err(reason) => failed(&reason),
    };
    view! {
        <div class="find">
            <input
                class="search" type="search" id=field.id.clone() placeholder=words::SEARCH_IN_HERE
                aria-label=words::search_in(&field.what) autocomplete="off" spellcheck="false"
                on:input=handler(wrote)
            />
            <div class="find__found" role="status">{live(results)}</div>
        </div>
    }
    .into_any()
}

fn matches(found: &FoundShown) -> AnyView {
    if found.words.is_empty() {
        return ().into_any();
    }
    let chunks = found.matches.chunks(MAX_AT_ONCE).map(|chunk| {
        let chunk = chunk.to_vec();
        paced(chunk.len() * ELEMENTS, move || {
            chunk.into_iter().map(found_here).collect_view().into_any()
        })
    });
    let chunks = chunks.collect_view();
    let list = (!found.matches.is_empty())
        .then(|| view! { <ul class="find__list">{chunks}</ul> }.into_any());
    view! { <p class="find__count">{found.words.clone()}</p>{list} }.into_any()
}

fn found_here(found: MatchShown) -> AnyView {
    let (store, leading): (_, Leading) = (use_store(), expect_context());
    let MatchShown { place, words, way } = found;
    view! {
        <li>
            <button type="button" class="jump find__match" dir="auto" on:click=handler(move |_| leading.go(store, &way))>
                <bdi class="find__place">{place}</bdi>" "<bdi class="find__words">{words}</bdi>
            </button>
        </li>
    }
    .into_any()
}
