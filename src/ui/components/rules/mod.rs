//! The page about the rules: what can be set, what changes beside it, what each rule says.
//!
//! ```text
//! rules ─┬─ fields ── choice, typed, threshold
//!        ├─ gate ──── part ── choice, typed
//!        ├─ changes
//!        └─ sections of a report
//! ```
//!
//! Controls stay while answers come, so that focus and typed text stay too: each follows its own value.

mod changes;
mod field;
mod fields;
mod gate;
mod part;
mod threshold;

pub(super) use field::{ControlField, choice};

use super::report::report_sections;
use crate::browser;
use crate::report::RulesView;
use crate::ui::state::{Store, live, memo, use_store};
use crate::words::ui::rules as words;
use crate::worker::protocol::RulesShown;
use leptos::prelude::*;
use std::sync::Arc;

/// What every part of the page draws from.
#[derive(Clone, Copy)]
struct RulesContext {
    shown: Signal<Arc<RulesShown>>,
    store: Store,
    /// Whether a button of the gate was pressed, which may go by it.
    is_pressed: StoredValue<bool>,
}

impl RulesContext {
    /// What `read` finds in the rules, followed.
    fn of<T: PartialEq + Send + Sync + 'static>(
        self,
        read: impl Fn(&RulesView) -> T + Send + Sync + 'static,
    ) -> Memo<T> {
        memo(move || self.shown.with(|shown| read(&shown.rules)))
    }
}

/// The page, as panels draw it.
pub fn rules_page(shown: Signal<Arc<RulesShown>>) -> AnyView {
    let cx = RulesContext { shown, store: use_store(), is_pressed: StoredValue::new(false) };
    let title = memo(move || shown.with(|shown| shown.page.page.title.clone()));
    let facts = memo(move || shown.with(|shown| shown.page.page.facts.clone()));
    let facts = move || {
        let facts = facts.get().into_iter().map(|fact| view! { <li>{fact}</li> }.into_any());
        facts.collect_view()
    };
    let page = memo(move || Arc::new(shown.with(|shown| shown.page.clone())));
    let tables = move || {
        // A table that is drawn anew gets its focus back; controls never lose theirs.
        if let Some(id) = browser::focused_id().filter(|id| id.starts_with("rows-")) {
            browser::frame(move || {
                browser::when_drawn(move || browser::refocus(&id, "main"));
            });
        }
        report_sections(page.get())
    };
    view! {
        <div class="sections rules">
            <header class="page-head">
                <div class="page-head__about">
                    <h1 class="page-head__title">{live(move || title.get())}</h1>
                    <ul class="page-head__facts">{live(facts)}</ul>
                </div>
            </header>
            <div class="rules__desk">
                <div class="rules__controls">
                    {fields::rules(cx)}
                    {gate::gate(cx)}
                    {fields::weights(cx)}
                </div>
                {changes::changes(cx)}
            </div>
            {live(tables)}
        </div>
    }
    .into_any()
}

/// Why what stands in the field `id` is not understood, where it is not.
fn complaint(id: &str, error: Memo<String>) -> AnyView {
    let id = error_id(id);
    let words = move || {
        let error = error.get();
        (!error.is_empty()).then(|| view! { {words::NOT_UNDERSTOOD}{error} }.into_any())
    };
    view! { <p class="field__error" id=id aria-live="polite">{live(words)}</p> }.into_any()
}

/// Id of the complaint about the field `id`.
fn error_id(id: &str) -> String {
    format!("{id}-error")
}
