//! Pages that the worker draws whole: overview, failures, statistics, audit, notes, how a score was
//! made.

use crate::report::Topic;
use crate::ui::components::{PanelView, draw};
use crate::ui::state::{ask_markup, handler, use_store};
use crate::worker::protocol::Request;
use leptos::prelude::*;

/// The page about `topic`.
#[component]
pub fn SectionsPage(
    /// What it is about.
    topic: Signal<Topic>,
) -> impl IntoView {
    let store = use_store();
    let panel = ask_markup(store, move || Request::Sections {
        topic: topic.get(),
        whole: store.whole.get(),
    });
    view! { <PanelView panel what="the figures" draw=draw/> }
}

/// How a score was made, and the way back.
#[component]
pub fn HowPage(
    /// Which score.
    topic: Signal<Topic>,
) -> impl IntoView {
    let store = use_store();
    view! {
        <div class="how">
            <button type="button" class="button button--quiet" on:click=handler(move |_| store.go(|route| route.how = None))>
                "← Back"
            </button>
            <SectionsPage topic/>
        </div>
    }
}
