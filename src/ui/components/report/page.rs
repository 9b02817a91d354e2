//! A whole page.

use super::board::{board, crumbs};
use super::contents::{contents, section_id, title_id};
use super::figure::figures;
use super::headlines::headlines;
use super::table::table;
use super::verdict::verdict;
use super::{HeadingLevel, ReportContext};
use crate::address::{Page, Route};
use crate::browser;
use crate::report::{Badge, Section, SectionChoice, Sections, Switch};
use crate::ui::components::inserted_markup::{kept_height, release, steady};
use crate::ui::state::use_store;
use crate::words::ui::report as words;
use crate::worker::protocol::PageShown;
use leptos::prelude::*;
use std::sync::Arc;

/// Id of the heading, which gets its focus back when the page is drawn anew.
const TITLE_ID: &str = "page-title";

/// The page, as panels draw it.
pub fn report_page(shown: Arc<PageShown>) -> AnyView {
    browser::begin_page();
    let store = use_store();
    let look = store.look.get_untracked();
    let cx = ReportContext { shown: Arc::clone(&shown), look, store };
    let (page, height) = (&shown.page, kept_height());
    let empty = page.empty.clone();
    let sections = page.sections.iter().enumerate().map(|(at, one)| section(at, one, &cx));
    let contents = contents(page);
    let class = if contents.is_some() { "sections sections--listed" } else { "sections" };
    let whole = view! {
        <div class=class>
            {head(page, &cx)}
            {top(page, &cx)}
            {empty.map(|reason| view! { <p class="panel panel--empty">{reason}</p> }.into_any())}
            {page.switch.as_ref().map(|one| switch(one, &cx))}
            {choices(&page.choices, &cx)}
            {contents}
            <div class="sections__parts">{sections.collect_view()}</div>
        </div>
    }
    .into_any();
    // After all that it has asked to be drawn.
    browser::when_drawn(move || release(height));
    steady(height, whole)
}

/// What comes before the parts: all of it on an overview, a part on other pages.
fn top(page: &Sections, cx: &ReportContext) -> AnyView {
    if let Some(own) = &page.board {
        return board(page, own, ways(page, cx), cx);
    }
    view! {
        {page.verdict.as_ref().map(|view| verdict(view, cx))}
        {ways(page, cx)}
        {headlines(&page.headlines, None, cx)}
        {page.badge.as_ref().map(|one| badge(one, cx))}
    }
    .into_any()
}

/// The sections of a page alone, where something else stands above them.
pub fn report_sections(shown: Arc<PageShown>) -> AnyView {
    browser::begin_page();
    let store = use_store();
    let height = kept_height();
    let cx = ReportContext { shown: Arc::clone(&shown), look: store.look.get_untracked(), store };
    let sections = shown.page.sections.iter().enumerate();
    let sections = sections.map(|(at, one)| section(at, one, &cx)).collect_view();
    browser::when_drawn(move || release(height));
    steady(height, sections.into_any())
}

fn head(page: &Sections, cx: &ReportContext) -> Option<AnyView> {
    let facts = page.facts.iter().map(|fact| view! { <li>{fact.clone()}</li> }.into_any());
    let lead = page.lead.clone();
    let lead = lead.map(|words| view! { <p class="page-head__lead">{words}</p> }.into_any());
    (!page.title.is_empty()).then(|| {
        view! {
            <header class="page-head">
                <div class="page-head__about">
                    {page.board.as_ref().and_then(|board| crumbs(board, cx))}
                    <h1 class="page-head__title" id=TITLE_ID tabindex="-1">{page.title.clone()}</h1>
                    <ul class="page-head__facts">{facts.collect_view()}</ul>
                    {lead}
                </div>
            </header>
        }
        .into_any()
    })
}

/// Ways to what stands on other pages.
fn ways(page: &Sections, cx: &ReportContext) -> Option<AnyView> {
    let ways = page.ways.iter().map(|(words, link)| {
        let address = cx.shown.address(link).to_owned();
        view! { <a class="link ways-on__way" href=address>{words.clone()}</a>" " }.into_any()
    });
    let ways = ways.collect_view();
    (!page.ways.is_empty()).then(|| view! { <p class="ways-on">{ways}</p> }.into_any())
}

/// How declared and computed figures compare, which the audit says in full.
fn badge(badge: &Badge, cx: &ReportContext) -> AnyView {
    let class = if badge.differs { "badge badge--differs" } else { "badge" };
    let address = audit(cx, false);
    view! { <a class=class href=address>{badge.words.clone()}</a> }.into_any()
}

/// Only the audit has one.
fn switch(switch: &Switch, cx: &ReportContext) -> AnyView {
    let is_on = if switch.is_on { "true" } else { "false" };
    let address = audit(cx, !switch.is_on);
    view! {
        <a class="switch" role="switch" aria-checked=is_on id="switch" href=address>{switch.label.clone()}</a>
    }
    .into_any()
}

fn audit(cx: &ReportContext, shows_agreeing: bool) -> String {
    let route = Route { page: Page::Audit, shows_agreeing, ..Route::default() };
    cx.store.tree.with_untracked(|tree| route.to_hash(tree))
}

/// What can be shown in the place of what is, as a row of links.
fn choices(choices: &[SectionChoice], cx: &ReportContext) -> Option<AnyView> {
    let items = choices.iter().map(|choice| {
        let address = cx.shown.address(&choice.link).to_owned();
        let current = choice.is_on.then_some("true");
        view! {
            <a class="choices__item" href=address aria-current=current>{choice.label.clone()}</a>
        }
        .into_any()
    });
    let items = items.collect_view();
    (!choices.is_empty())
        .then(|| view! { <nav class="choices" aria-label=words::MEASURE>{items}</nav> }.into_any())
}

fn section(at: usize, section: &Section, cx: &ReportContext) -> AnyView {
    let is_named = !section.title.is_empty();
    let level = if is_named { HeadingLevel::Three } else { HeadingLevel::Two };
    let title = section.title.clone();
    let title = is_named.then(|| {
        view! { <h2 class="section__title" id=title_id(at) tabindex="-1">{title}</h2> }.into_any()
    });
    let lead = section.lead.clone();
    let lead = lead.map(|words| view! { <p class="section__lead">{words}</p> }.into_any());
    let tables = section.tables.iter().map(|one| table(one, level, cx));
    view! {
        <section class="section" id=section_id(at)>
            {title}
            {lead}
            {headlines(&section.headlines, None, cx)}
            <div class="panels">
                {figures(&section.figures, section.tables.is_empty(), level, cx)}
                {tables.collect_view()}
            </div>
        </section>
    }
    .into_any()
}
