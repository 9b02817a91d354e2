//! Pages of sections: overview, failures, statistics, trends, audit, notes, how a score was made.

use crate::report::Topic;
use crate::ui::components::{OfferedTables, PanelView, report_page};
use crate::ui::state::{ask, handler, memo, shown, use_store};
use crate::words::ui::shell as words;
use crate::worker::protocol::{Answer, Question};
use leptos::prelude::*;

/// The page about `topic`.
#[component]
pub fn SectionsPage(
    /// What it is about.
    topic: Signal<Topic>,
) -> impl IntoView {
    let store = use_store();
    let panel = ask(
        store,
        move || Question::Sections { topic: topic.get(), whole: store.whole.get() },
        |answer| match answer {
            Answer::Page(page) => Ok(*page),
            _ => Err(words::OTHER_ANSWER.to_owned()),
        },
    );
    let is_notes = memo(move || topic.with(|topic| *topic == Topic::Notes));
    view! {
        {shown(move || is_notes.get(), || view! { <OfferedTables/> }.into_any())}
        <PanelView panel what=words::THE_FIGURES draw=report_page/>
    }
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
                {words::BACK}
            </button>
            <SectionsPage topic/>
        </div>
    }
}
