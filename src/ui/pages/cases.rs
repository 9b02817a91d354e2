//! The cases: search, outcome filter, table; or the one that is open.

use super::case_rows::CaseRows;
use super::case_table::CaseTable;
use super::{CasePage, GRID_ID, SEARCH_ID};
use crate::browser;
use crate::format;
use crate::report::Outcome;
use crate::ui::components::OutcomeMark;
use crate::ui::state::{handler, live, memo, use_store};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// The table, or the open case over it. The table keeps its rows while a case is open.
#[component]
pub fn CasesPage() -> impl IntoView {
    let store = use_store();
    let rows = CaseRows::new(store);
    let is_open = memo(move || store.route.with(|route| route.case.is_some()));
    live(move || {
        if is_open.get() {
            view! { <CasePage/> }.into_any()
        } else {
            view! { <CaseList rows/> }.into_any()
        }
    })
}

/// Search, filter and table.
#[component]
fn CaseList(
    /// The rows.
    rows: CaseRows,
) -> impl IntoView {
    let store = use_store();
    let found = move || {
        rows.summary.with(|summary| match summary {
            None => "…".to_owned(),
            Some(page) if page.n_matching == page.n_total => {
                format::counted(page.n_total, "case", "cases")
            }
            Some(page) => {
                format!(
                    "{} of {} cases",
                    format::count(page.n_matching),
                    format::count(page.n_total)
                )
            }
        })
    };
    let on_key = move |event: KeyboardEvent| match event.key().as_str() {
        "Escape" => {
            store.adjust(|route| route.text.clear());
            browser::focus(GRID_ID);
        }
        "Enter" | "ArrowDown" => {
            event.prevent_default();
            browser::focus(GRID_ID);
        }
        _ => {}
    };
    view! {
        <div class="cases">
            <header class="page-head page-head--line">
                <h1 class="page-head__title">"Cases"</h1>
                <p class="page-head__count">{live(found)}</p>
            </header>
            <div class="cases__tools" role="group" aria-label="Filter">
                <input
                    class="search"
                    id=SEARCH_ID
                    type="search"
                    placeholder="Search id, group, run, message"
                    aria-label="Search the cases"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=live(move || store.route.with(|route| route.text.clone()))
                    on:input:target=move |event| {
                        let text = event.target().value();
                        store.adjust(|route| route.text = text);
                    }
                    on:keydown=handler(on_key)
                />
                <OutcomeChips rows/>
            </div>
            <CaseTable rows/>
        </div>
    }
}

/// One button for each outcome that occurs, with its count.
#[component]
fn OutcomeChips(
    /// The rows.
    rows: CaseRows,
) -> impl IntoView {
    let store = use_store();
    let counts = memo(move || {
        rows.summary
            .with(|summary| summary.as_ref().map(|page| page.by_outcome.clone()))
            .unwrap_or_default()
    });
    let chosen = memo(move || store.route.with(|route| route.outcomes.clone()));
    let toggle = move |outcome: Outcome| {
        store.go(|route| {
            if route.outcomes.contains(&outcome) {
                route.outcomes.retain(|chosen| *chosen != outcome);
            } else {
                route.outcomes.push(outcome);
            }
        });
    };
    let chips = move || {
        counts
            .get()
            .into_iter()
            .filter(|(outcome, n)| *n > 0 || chosen.with(|chosen| chosen.contains(outcome)))
            .map(|(outcome, n)| {
                let is_chosen = move || chosen.with(|chosen| chosen.contains(&outcome));
                view! {
                    <button
                        type="button"
                        class="chip"
                        aria-pressed=live(move || if is_chosen() { "true" } else { "false" })
                        on:click=handler(move |_| toggle(outcome))
                    >
                        <OutcomeMark outcome/>
                        {outcome.as_str()}
                        <span class="chip__count">{format::count(n)}</span>
                    </button>
                }
                .into_any()
            })
            .collect_view()
    };
    view! { <div class="chips" role="group" aria-label="Outcomes to show">{live(chips)}</div> }
}
