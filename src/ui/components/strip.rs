//! The strip that says on every page that rules were changed.

use crate::address::Page;
use crate::report::ChangedRules;
use crate::ui::state::{handler, live, memo, use_store};
use crate::words::ui::rules as words;
use leptos::prelude::*;

/// What was changed, what comes of it, and the way back; nothing while the declared rules hold.
#[component]
pub fn RulesStrip() -> impl IntoView {
    let store = use_store();
    let rules = memo(move || store.tree.with(|tree| tree.rules.clone()));
    let is_rules =
        memo(move || store.route.with(|route| route.page == Page::Rules && route.how.is_none()));
    let body = move || {
        let ChangedRules { changes, complaints, n_verdicts, n_groups, n_cases } = rules.get();
        if changes.is_empty() && complaints.is_empty() {
            return None;
        }
        let effect = words::effect(n_verdicts, n_groups, n_cases);
        let changed = (!changes.is_empty()).then(|| {
            view! {
                <p class="strip__words"><strong>{words::CHANGED}</strong>{changes.join("; ")}". " <span class="strip__effect">{effect}</span></p>
            }
            .into_any()
        });
        let complaints = (!complaints.is_empty()).then(|| {
            view! { <p class="strip__words strip__complaint">{words::NOT_UNDERSTOOD}{complaints.join("; ")}</p> }
                .into_any()
        });
        // Where the rules are set both stand beside what changes.
        if is_rules.get() {
            return Some(
                view! { <div class="strip__text" aria-live="polite">{changed}{complaints}</div> }
                    .into_any(),
            );
        }
        let show = move |_| {
            store.go(|route| {
                route.page = Page::Rules;
                route.leave();
            });
        };
        Some(
            view! {
                <div class="strip__text" aria-live="polite">{changed}{complaints}</div>
                <button type="button" class="button button--small" on:click=handler(show)>{words::CHANGES}</button>
                <button type="button" class="button button--small" on:click=handler(move |_| store.go(|route| route.rules.clear()))>
                    {words::BACK}
                </button>
            }
            .into_any(),
        )
    };
    view! { <div class="strip">{live(body)}</div> }
}
