//! The SQL page: a query, its result, and what it can name.
//!
//! ```text
//! editor   the text, completed while it is written; run, cancel, what is wrong and where
//! results  rows of the answer, or bars
//! aside    ready queries, what was asked before, tables with their columns
//! ```

mod aside;
mod editor;
mod results;

use crate::ui::state::{SqlStatus, Store, effect, handler, live, memo, use_store};
use crate::words::ui::sql as words;
use aside::SqlAside;
use editor::SqlEditor;
use leptos::prelude::*;
use results::SqlResults;

/// The page.
#[component]
pub fn SqlView() -> impl IntoView {
    let store = use_store();
    let text = RwSignal::new(first_text(store));
    // What is open may change while the page is.
    effect(move || {
        store.version.track();
        untrack(|| store.open_sql());
    });
    // A query of the address is asked at once: it can only read.
    let named = memo(move || store.route.with(|route| route.sql.clone()));
    effect(move || {
        let named = named.get();
        if !named.is_empty() && store.sql.with(|shown| shown.asked != named) {
            text.set(named.clone());
            store.ask_sql(&named, false);
        }
    });
    // Without a query of its own, the field begins with the first that is offered.
    effect(move || {
        store.sql.n_names.track();
        let first = store.sql.with(|shown| shown.names.queries.first().map(|one| one.text.clone()));
        if let Some(first) = first.filter(|_| text.with_untracked(String::is_empty)) {
            text.set(first);
        }
    });
    view! {
        <div class="sql">
            <div class="sql__main">
                <h1 class="sql__title" tabindex="-1">{words::TITLE}</h1>
                <p class="sql__lead">{words::LEAD}</p>
                <SqlEditor text/>
                <SqlState/>
                <SqlResults/>
            </div>
            <SqlAside text/>
        </div>
    }
}

/// What the field begins with: the query of the address, the one that was asked last, or nothing.
fn first_text(store: Store) -> String {
    let named = store.route.with_untracked(|route| route.sql.clone());
    if named.is_empty() { store.sql.with(|shown| shown.asked.clone()) } else { named }
}

/// What the engine is at, where it is not waiting.
#[component]
fn SqlState() -> impl IntoView {
    let store = use_store();
    let says = move || {
        let words = match store.sql.status() {
            SqlStatus::Starting => words::STARTING.to_owned(),
            SqlStatus::Opening => words::OPENING.to_owned(),
            SqlStatus::Asking => words::asking(store.sql.with(|shown| shown.fetched)),
            SqlStatus::Closed | SqlStatus::Ready | SqlStatus::Failed(_) => return None,
        };
        // Busy: what changes in it is not read out.
        Some(view! { <p class="sql__state" aria-busy="true">{words}</p> }.into_any())
    };
    let failed = move || match store.sql.status() {
        SqlStatus::Failed(why) => {
            let again = move |_| store.cancel_sql();
            let again = (why != words::NOT_HERE).then(|| {
                view! { <button type="button" class="button" on:click=handler(again)>{words::AGAIN}</button> }
                    .into_any()
            });
            Some(
                view! { <div class="panel panel--failed" role="alert"><p>{why}</p>{again}</div> }
                    .into_any(),
            )
        }
        _ => None,
    };
    view! { <div aria-live="polite">{live(says)}</div> {live(failed)} }
}
