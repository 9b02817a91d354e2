//! What must be known of the answer: what there is to say of the filter, that there is no row.

use super::filter_notes::{InForce, TakeText, filter_notes, search};
use super::rows::CaseRows;
use crate::browser;
use crate::render::case_words;
use crate::ui::pages::GRID_ID;
use crate::ui::state::{Store, handler, live, use_store};
use crate::words::ui::cases as words;
use crate::worker::protocol::GridFrame;
use leptos::prelude::*;
use std::sync::Arc;

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
            view! { <p class="panel panel--empty">{words::not_read(&reason)}</p> }.into_any()
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
    let take: TakeText = Arc::new(move |text| store.go(|route| route.text = text));
    let look: TakeText = Arc::new(move |needle| {
        let target = store.route.with_untracked(|route| route.target);
        search(store, target, needle, is_searching, move |is_done| {
            if is_done {
                rows.again.try_update(|again| *again += 1);
            }
            browser::focus(GRID_ID);
        });
    });
    let text = rows.query.with_untracked(|query| query.filter.clone());
    let in_force = InForce {
        text: &text,
        error: frame.error.as_ref(),
        by_value: frame.by_value.as_ref(),
        unsearched: &frame.unsearched,
    };
    let says = filter_notes(&in_force, take, &look);
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
    view! { {says}{nothing} }.into_any()
}

/// How many cases there are, and what they have in common.
pub fn counted(frame: &GridFrame) -> String {
    let is_heat = frame.heat.is_some();
    match frame.n_rows == frame.n_total {
        true => words::found(frame.n_total, is_heat),
        false => words::found_of(frame.n_rows, frame.n_total, is_heat),
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
        let said = frame.constants.iter().filter(|key| !shown.contains(key)).filter_map(|key| {
            Some(format!("{} {}", key.heading(&frame.metrics), case_words(sample, *key, look)?))
        });
        let said = said.collect::<Vec<_>>().join(" · ");
        (!said.is_empty()).then(|| {
            view! { <p class="cases__constants" title=said.clone()>{words::SAME_IN_ALL}" "{said.clone()}</p> }
                .into_any()
        })
    })
}
