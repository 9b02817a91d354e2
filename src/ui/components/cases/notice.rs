//! What must be known of the answer: an error in the filter, what was probably meant, files that are not
//! searched, that there is no row.

use super::rows::CaseRows;
use crate::browser;
use crate::format;
use crate::render::case_words;
use crate::report::filter::FilterError;
use crate::ui::pages::GRID_ID;
use crate::ui::state::{Store, handler, live, use_store};
use crate::ui::words::cases as words;
use crate::worker::protocol::{Failure, GridFrame, Task};
use leptos::prelude::*;
use std::sync::Arc;

/// What takes a filter that was probably meant.
pub type Take = Arc<dyn Fn(String) + Send + Sync>;

/// Why `text` is no filter, where, and what was probably meant.
pub fn broken(error: &FilterError, text: &str, take: Take) -> AnyView {
    let [before, wrong, after] = error.split(text).map(str::to_owned);
    let wrong = if wrong.is_empty() { "…".to_owned() } else { wrong };
    let mended = error.instead.clone().zip(error.mended(text));
    view! {
        <p class="filter-error">
            <code class="filter-error__text" dir="auto">{before}<mark>{wrong}</mark>{after}</code>" "
            {mended.map(|(instead, text)| meant(instead, text, take))}
            <span>{error.message.clone()}</span>
        </p>
    }
    .into_any()
}

/// A filter that was probably meant, to be taken with one click.
fn meant(words: String, text: String, take: Take) -> AnyView {
    // The field keeps the focus until the filter is taken.
    let hold = move |event: leptos::ev::MouseEvent| event.prevent_default();
    view! {
        <span class="filter-error__meant">{words::DID_YOU_MEAN}" "<button
            type="button" class="link" on:mousedown=handler(hold) on:click=handler(move |_| take(text.clone()))
        ><code dir="auto">{words}</code></button>"? "</span>
    }
    .into_any()
}

/// The notices above the rows.
#[component]
pub fn Notice(
    /// The rows.
    rows: CaseRows,
    /// Whether files are being searched.
    is_searching: RwSignal<bool>,
) -> impl IntoView {
    let store = use_store();
    let failure = move || {
        rows.failure.get().map(|reason| {
            let words = format!("The cases could not be read: {reason}");
            view! { <p class="panel panel--empty">{words}</p> }.into_any()
        })
    };
    let notices = move || {
        let frame = rows.frame.get()?;
        Some(notices(store, rows, &frame, is_searching))
    };
    view! {
        {live(failure)}
        <div class="cases__notice">{live(notices)}</div>
    }
}

fn notices(
    store: Store,
    rows: CaseRows,
    frame: &GridFrame,
    is_searching: RwSignal<bool>,
) -> AnyView {
    let take: Take = Arc::new(move |text| store.go(|route| route.text = text));
    let text = rows.query.with_untracked(|query| query.filter.clone());
    let error = frame.error.as_ref().map(|error| {
        view! {
            <div class="case-notice">
                <p>{words::FILTER_BROKEN}</p>
                {broken(error, &text, take.clone())}
            </div>
        }
        .into_any()
    });
    let by_value = frame.by_value.clone().map(|meant_text| {
        let about = format!("“{text}” is looked for as text. ");
        view! { <p class="case-hint">{about}{meant(meant_text.clone(), meant_text, take)}</p> }
            .into_any()
    });
    let unsearched = frame.unsearched.iter().cloned().map(|needle| {
        let about = format!(
            "The files have not been searched for “{needle}” yet, so that part of the filter is not applied."
        );
        let search = move |_| search(store, rows, needle.clone(), is_searching);
        view! {
            <div class="case-notice">
                <p>{about}</p>
                <button type="button" class="button button--small" on:click=handler(search)>{words::SEARCH_FILES}</button>
            </div>
        }
        .into_any()
    });
    let nothing = (frame.n_rows == 0).then(|| {
        let is_filtered = frame.n_total > 0;
        let all = is_filtered.then(|| {
            let all = move |_| store.go(|route| route.text.clear());
            view! { <button type="button" class="link" on:click=handler(all)>{words::SHOW_ALL}</button> }
                .into_any()
        });
        let about = if is_filtered { words::NO_MATCH } else { words::NO_CASES };
        view! { <div class="case-notice"><p>{about}</p>{all}</div> }.into_any()
    });
    view! { {error}{by_value}{unsearched.collect_view()}{nothing} }.into_any()
}

fn search(store: Store, rows: CaseRows, needle: String, is_searching: RwSignal<bool>) {
    if is_searching.get_untracked() {
        return;
    }
    is_searching.set(true);
    let target = store.route.with_untracked(|route| route.target);
    store.ask(Task::Search { target, needle }, move |answer| {
        is_searching.try_set(false);
        match answer {
            Ok(_) => {
                rows.again.try_update(|again| *again += 1);
            }
            Err(Failure::Cancelled) => store.say(words::SEARCH_STOPPED),
            Err(failure) => store.say(failure.to_string()),
        }
        browser::focus(GRID_ID);
    });
}

/// How many cases there are, and what they have in common.
pub fn counted(frame: &GridFrame) -> String {
    let (one, many) = if frame.heat.is_some() { ("row", "rows") } else { ("case", "cases") };
    let total = format::counted(frame.n_total, one, many);
    match frame.n_rows == frame.n_total {
        true => total,
        false => format!("{} of {total}", format::count(frame.n_rows)),
    }
}

/// What columns that are folded away say of every case.
#[component]
pub fn Constants(
    /// The rows.
    rows: CaseRows,
) -> impl IntoView {
    let store = use_store();
    live(move || {
        let frame = rows.frame.get()?;
        let shown = rows.shown_columns();
        let (sample, look) = (frame.sample.as_ref()?, store.look.get());
        let said =
            frame.constants.iter().filter(|key| !shown.contains(key)).filter_map(|key| {
                Some(format!("{} {}", key.title(), case_words(sample, *key, look)?))
            });
        let said = said.collect::<Vec<_>>().join(" · ");
        (!said.is_empty()).then(|| {
            view! { <p class="cases__constants" title=said.clone()>{words::SAME_IN_ALL}" "{said.clone()}</p> }
                .into_any()
        })
    })
}
