//! The first page about a run, an evaluation or everything.

use crate::report::{Cell, Headline, Overview, VerdictView};
use crate::ui::components::{CellView, DataTable, OutcomeMark, PanelView};
use crate::ui::format;
use crate::ui::route::Page;
use crate::ui::state::{ask, handler, memo, use_store};
use crate::worker::protocol::{Answer, Request};
use leptos::prelude::*;
use std::sync::Arc;

/// Verdict, headline numbers, tables.
#[component]
pub fn OverviewPage() -> impl IntoView {
    let store = use_store();
    let target = memo(move || store.route.with(|route| route.target));
    let panel = ask(
        store,
        move || Request::Overview(target.get()),
        |answer| match answer {
            Answer::Overview(overview) => Ok(*overview),
            _ => Err("The worker gave another answer.".to_owned()),
        },
    );
    view! { <PanelView panel what="the overview" draw=draw/> }
}

fn draw(overview: Arc<Overview>) -> AnyView {
    let store = use_store();
    let facts = overview
        .facts
        .iter()
        .map(|fact| view! { <li>{fact.clone()}</li> }.into_any())
        .collect_view();
    let headlines = overview.headlines.iter().cloned().map(headline).collect_view();
    let tables = overview
        .tables
        .iter()
        .cloned()
        .map(|table| view! { <DataTable table/> }.into_any())
        .collect_view();
    let open_audit = move |_| store.go(|route| route.page = Page::Audit);
    let badge = audit_words(overview.n_agreeing, overview.n_differing).map(|words| {
        let class = if overview.n_differing > 0 { "badge badge--differs" } else { "badge" };
        view! { <button type="button" class=class on:click=handler(open_audit)>{words}</button> }
            .into_any()
    });
    view! {
        <article class="overview">
            <header class="page-head">
                <h1 class="page-head__title">{overview.title.clone()}</h1>
                <ul class="page-head__facts">{facts}</ul>
            </header>
            {overview.verdict.clone().map(verdict)}
            {overview.empty.clone().map(|reason| view! { <p class="panel panel--empty">{reason}</p> }.into_any())}
            <dl class="headlines">{headlines}</dl>
            {badge}
            <div class="overview__tables">{tables}</div>
        </article>
    }
    .into_any()
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

/// How declared and computed figures compare, in words; `None` when nothing is declared.
fn audit_words(n_agreeing: u64, n_differing: u64) -> Option<String> {
    match (n_agreeing, n_differing) {
        (0, 0) => None,
        (1, 0) => Some("= The declared figure agrees with the computed one".to_owned()),
        (n, 0) => Some(format!(
            "= All {} declared figures agree with the computed ones",
            format::count(n)
        )),
        (_, 1) => Some("≠ 1 declared figure differs from the computed one".to_owned()),
        (_, n) => {
            Some(format!("≠ {} declared figures differ from the computed ones", format::count(n)))
        }
    }
}
