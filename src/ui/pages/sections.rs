//! Pages that the worker lays out: overview, failures, statistics, audit, notes, how a score was made.

use crate::address::Page;
use crate::report::{Badge, Cell, Headline, Section, Sections, Switch, Topic, VerdictView};
use crate::ui::components::{CellView, DataTable, OutcomeMark, PanelView};
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
    view! { <PanelView panel=page(topic) what="the figures" draw=draw/> }
}

/// What was noted about files, without the head of a page.
#[component]
pub fn NotesTables() -> impl IntoView {
    let topic = Signal::derive(|| Topic::Notes);
    view! { <PanelView panel=page(topic) what="the notes" draw=|page| sections(&page.sections)/> }
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

fn page(topic: Signal<Topic>) -> ReadSignal<crate::ui::state::Panel<Sections>> {
    ask(
        use_store(),
        move || Request::Sections(topic.get()),
        |answer| match answer {
            Answer::Sections(page) => Ok(*page),
            _ => Err("The worker gave another answer.".to_owned()),
        },
    )
}

fn draw(page: Arc<Sections>) -> AnyView {
    let facts =
        page.facts.iter().map(|fact| view! { <li>{fact.clone()}</li> }.into_any()).collect_view();
    let headlines = page.headlines.iter().cloned().map(headline).collect_view();
    view! {
        <article class="sections">
            <header class="page-head">
                <h1 class="page-head__title">{page.title.clone()}</h1>
                <ul class="page-head__facts">{facts}</ul>
                {page.lead.clone().map(|lead| view! { <p class="page-head__lead">{lead}</p> }.into_any())}
            </header>
            {page.verdict.clone().map(verdict)}
            {page.empty.clone().map(|reason| view! { <p class="panel panel--empty">{reason}</p> }.into_any())}
            <dl class="headlines">{headlines}</dl>
            {page.badge.clone().map(badge)}
            {page.switch.clone().map(switch)}
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
        let title = section.title.clone();
        let title = (!title.is_empty())
            .then(|| view! { <h2 class="section__title">{title}</h2> }.into_any());
        view! {
            <section class="section">
                {title}
                {section.lead.clone().map(|lead| view! { <p class="section__lead">{lead}</p> }.into_any())}
                {tables}
            </section>
        }
        .into_any()
    };
    sections.iter().map(section).collect_view().into_any()
}

fn verdict(verdict: VerdictView) -> AnyView {
    let VerdictView { outcome, rule, reason, declared } = verdict;
    let class = format!("verdict verdict--{}", outcome.as_str());
    view! {
        <section class=class aria-label="Verdict">
            <OutcomeMark outcome/>
            <div>
                <p class="verdict__line">
                    <strong class="verdict__word">{outcome.as_str()}</strong>
                    <span class="verdict__rule">{rule}</span>
                </p>
                <p class="verdict__reason">{reason}</p>
                {declared.map(|declared| view! {
                    <p class="verdict__declared">"The file says otherwise: " {declared}</p>
                }.into_any())}
            </div>
        </section>
    }
    .into_any()
}

fn headline(headline: Headline) -> AnyView {
    let Headline { label, value, note, hint } = headline;
    view! {
        <div class="headlines__item" title=hint>
            <dt class="headlines__label">{label}</dt>
            <dd class="headlines__value"><CellView cell=value/></dd>
            {note.map(|cell| {
                let sort = matches!(cell, Cell::Interval { .. }).then_some("95 %: ");
                view! { <dd class="headlines__note">{sort}<CellView cell/></dd> }.into_any()
            })}
        </div>
    }
    .into_any()
}

fn badge(badge: Badge) -> AnyView {
    let store = use_store();
    let open_audit = move |_| store.go(|route| route.page = Page::Audit);
    let class = if badge.differs { "badge badge--differs" } else { "badge" };
    view! { <button type="button" class=class on:click=handler(open_audit)>{badge.words}</button> }
        .into_any()
}

fn switch(switch: Switch) -> AnyView {
    let store = use_store();
    let turn = move |_| store.go(|route| route.shows_agreeing = !route.shows_agreeing);
    view! {
        <label class="check-box">
            <input type="checkbox" id="switch" prop:checked=switch.is_on on:change=handler(turn)/>
            {switch.label}
        </label>
    }
    .into_any()
}
