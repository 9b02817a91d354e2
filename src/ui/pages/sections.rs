//! Pages that are made of tables alone: statistics, failures, how a score was made.

use crate::report::{Section, Sections, Topic};
use crate::ui::components::{DataTable, PanelView};
use crate::ui::state::{ask, handler, use_store};
use crate::worker::protocol::{Answer, Request};
use leptos::prelude::*;
use std::sync::Arc;

/// The page about `topic`.
#[component]
pub fn SectionsPage(
    /// What it is about.
    topic: Signal<Topic>,
) -> impl IntoView {
    let store = use_store();
    let panel = ask(
        store,
        move || Request::Sections(topic.get()),
        |answer| match answer {
            Answer::Sections(page) => Ok(page),
            _ => Err("The worker gave another answer.".to_owned()),
        },
    );
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

fn draw(page: Arc<Sections>) -> AnyView {
    let facts =
        page.facts.iter().map(|fact| view! { <li>{fact.clone()}</li> }.into_any()).collect_view();
    view! {
        <article class="sections">
            <header class="page-head">
                <h1 class="page-head__title">{page.title.clone()}</h1>
                <ul class="page-head__facts">{facts}</ul>
            </header>
            {page.empty.clone().map(|reason| view! { <p class="panel panel--empty">{reason}</p> }.into_any())}
            {sections(&page.sections)}
        </article>
    }
    .into_any()
}

/// Parts with their tables.
pub fn sections(sections: &[Section]) -> AnyView {
    let section = |section: &Section| {
        let tables = section.tables.iter().cloned();
        let tables = tables.map(|table| view! { <DataTable table/> }.into_any()).collect_view();
        view! {
            <section class="section">
                <h2 class="section__title">{section.title.clone()}</h2>
                {section.lead.clone().map(|lead| view! { <p class="section__lead">{lead}</p> }.into_any())}
                {tables}
            </section>
        }
        .into_any()
    };
    sections.iter().map(section).collect_view().into_any()
}
