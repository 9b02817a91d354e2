//! What must be known of a filter: why it cannot be read, what was probably meant, files that are not
//! searched yet.

use crate::address::Page;
use crate::report::Target;
use crate::report::filter::FilterError;
use crate::ui::state::{Store, handler, use_store};
use crate::words::ui::cases as words;
use crate::worker::protocol::{Failure, Task};
use leptos::prelude::*;
use std::sync::Arc;

/// What takes a text: a filter that was probably meant, or what files are to be searched for.
pub type TakeText = Arc<dyn Fn(String) + Send + Sync>;

/// A filter in force, and what is known of it.
pub struct InForce<'a> {
    /// The filter.
    pub text: &'a str,
    /// Why it is not applied.
    pub error: Option<&'a FilterError>,
    /// It, as it was probably meant.
    pub by_value: Option<&'a String>,
    /// What it looks for in files that have not been searched for it.
    pub unsearched: &'a [String],
}

/// Why `text` is no filter, where, and what was probably meant.
pub fn broken(error: &FilterError, text: &str, take: TakeText) -> AnyView {
    let [before, wrong, after] = error.split(text).map(str::to_owned);
    let wrong = if wrong.is_empty() { "…".to_owned() } else { wrong };
    let mended = error.instead.clone().zip(error.mended(text));
    let compare = error.needs_sides.then(|| of_pairs(text.to_owned()));
    view! {
        <p class="filter-error">
            <code class="filter-error__text" dir="auto">{before}<mark>{wrong}</mark>{after}</code>" "
            {mended.map(|(instead, text)| meant(instead, text, take))}
            <span>{error.message.clone()}</span>" "
            {compare}
        </p>
    }
    .into_any()
}

/// Leads to the comparison, with the filter that cases cannot have.
fn of_pairs(text: String) -> AnyView {
    let store = use_store();
    let go = move |_| {
        store.go(|route| {
            route.page = Page::Compare;
            route.leave();
            route.text.clear();
            route.compare.filter.clone_from(&text);
        });
    };
    view! { <button type="button" class="link" on:mousedown=handler(hold) on:click=handler(go)>{words::FILTER_PAIRS}</button> }
        .into_any()
}

/// The field keeps the focus until a button beside it is pressed.
fn hold(event: leptos::ev::MouseEvent) {
    event.prevent_default();
}

/// A filter that was probably meant, to be taken with one click.
fn meant(words: String, text: String, take: TakeText) -> AnyView {
    view! {
        <span class="filter-error__meant">{words::DID_YOU_MEAN}" "<button
            type="button" class="link" on:mousedown=handler(hold) on:click=handler(move |_| take(text.clone()))
        ><code dir="auto">{words}</code></button>"? "</span>
    }
    .into_any()
}

/// What must be known of the filter in force. `take` puts another one in force, `search` has the files
/// searched.
pub fn filter_notes(filter: &InForce<'_>, take: TakeText, search: &TakeText) -> AnyView {
    let text = filter.text;
    let error = filter.error.map(|error| {
        view! {
            <div class="case-notice">
                <p>{words::FILTER_BROKEN}</p>
                {broken(error, text, take.clone())}
            </div>
        }
        .into_any()
    });
    let by_value = filter.by_value.map(|meant_text| {
        let about = words::as_text(text);
        view! { <p class="case-hint">{about}{meant(meant_text.clone(), meant_text.clone(), take)}</p> }
            .into_any()
    });
    let unsearched = filter.unsearched.iter().cloned().map(|needle| {
        let about = words::not_searched(&needle);
        let search = Arc::clone(search);
        let search = move |_| search(needle.clone());
        view! {
            <div class="case-notice">
                <p>{about}</p>
                <button type="button" class="button button--small" on:click=handler(search)>{words::SEARCH_FILES}</button>
            </div>
        }
        .into_any()
    });
    view! { {error}{by_value}{unsearched.collect_view()} }.into_any()
}

/// Has the files of `target` searched for `needle`; `then` is done when they are, or when it was stopped.
pub fn search(
    store: Store,
    target: Target,
    needle: String,
    is_searching: RwSignal<bool>,
    then: impl Fn(bool) + 'static,
) {
    if is_searching.get_untracked() {
        return;
    }
    is_searching.set(true);
    store.ask(Task::Search { target, needle }, move |answer| {
        is_searching.try_set(false);
        let is_done = answer.is_ok();
        match answer {
            Ok(_) => {}
            Err(Failure::Cancelled) => store.say(words::SEARCH_STOPPED),
            Err(failure) => store.say(failure.to_string()),
        }
        then(is_done);
    });
}
