//! The field that holds the filter: completed while it is written, and never sent on when it cannot be
//! read.

use super::{GRID_ID, SEARCH_ID};
use crate::browser;
use crate::ui::state::{effect, handler, live, use_store};
use crate::worker::protocol::{Answer, FilterHelp, Question};
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html::{Div, Ul};
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Id of the list of completions.
const OPTIONS_ID: &str = "case-options";

/// So long the reader must pause before what is written is looked at.
const PAUSE: Duration = Duration::from_millis(60);

/// The field, what is wrong with it, and the list of completions.
#[component]
pub fn FilterField() -> impl IntoView {
    let store = use_store();
    let help = RwSignal::new(Arc::new(FilterHelp::default()));
    let is_open = RwSignal::new(false);
    let marked = RwSignal::new(None::<u32>);
    let n_written = StoredValue::new(0_u64);
    let written = RwSignal::new(store.route.with_untracked(|route| route.text.clone()));
    let (list, error) = (NodeRef::<Ul>::new(), NodeRef::<Div>::new());
    // Another filter may come from a link; one that is being written stays as it is.
    effect(move || {
        let text = store.route.with(|route| route.text.clone());
        if written.get_untracked() != text {
            written.set(text);
            help.set(Arc::new(FilterHelp::default()));
            is_open.set(false);
        }
    });
    effect(move || {
        help.track();
        let help = help.get();
        if let Some(list) = list.get() {
            browser::set_markup(&list, help.options.as_str());
        }
        if let Some(error) = error.get() {
            browser::set_markup(&error, help.error.as_str());
        }
    });
    let look = move |opens: bool| {
        let (text, at) = (written.get_untracked(), browser::cursor(SEARCH_ID));
        let target = store.route.with_untracked(|route| route.target);
        let number = n_written.get_value();
        store.ask(Question::Suggest { target, text: text.clone(), at }, move |answer| {
            if n_written.try_get_value() != Some(number) {
                return;
            }
            if let Ok(Answer::Suggestions(found)) = answer {
                if found.is_valid {
                    store.adjust(|route| route.text = text);
                }
                marked.set(None);
                is_open.set(opens && found.n_options > 0);
                help.set(Arc::new(*found));
            }
        });
    };
    let write = move |text: String| {
        written.set(text);
        n_written.update_value(|n| *n += 1);
        let number = n_written.get_value();
        set_timeout(
            move || {
                if n_written.try_get_value() == Some(number) {
                    // A field that was emptied wants no list.
                    look(written.with_untracked(|text| !text.trim().is_empty()));
                }
            },
            PAUSE,
        );
    };
    let take = move |nth: Option<u32>| {
        let Some((text, at)) = browser::pick_option(OPTIONS_ID, nth) else { return };
        browser::write_field(SEARCH_ID, &text, at);
        write(text);
    };
    let mark = move |nth: u32| {
        marked.set(Some(nth));
        browser::pick_option(OPTIONS_ID, Some(nth));
    };
    let on_key = move |event: KeyboardEvent| {
        let n_options = help.with_untracked(|help| help.n_options);
        let at = marked.get_untracked();
        match (event.key().as_str(), is_open.get_untracked()) {
            ("ArrowDown", true) => mark(at.map_or(0, |at| (at + 1) % n_options.max(1))),
            ("ArrowUp", true) => {
                mark(at.unwrap_or(0).checked_sub(1).unwrap_or(n_options.saturating_sub(1)));
            }
            ("Enter", true) if at.is_some() => take(at),
            ("Escape", true) => is_open.set(false),
            ("ArrowDown", false) if event.alt_key() => look(true),
            ("Tab", _) => return is_open.set(false),
            ("Escape", false) => {
                written.set(String::new());
                store.adjust(|route| route.text.clear());
                browser::focus(GRID_ID);
            }
            ("Enter" | "ArrowDown", _) => {
                is_open.set(false);
                browser::focus(GRID_ID);
            }
            _ => return,
        }
        event.prevent_default();
    };
    let on_option = move |event: MouseEvent| {
        // The field keeps the focus.
        event.prevent_default();
        let option = browser::hit(&event, "[role=option]");
        let nth = option.and_then(|option| option.id().rsplit('-').next()?.parse().ok());
        if nth.is_some() {
            take(nth);
        }
    };
    view! {
        <div class="filter">
            <input
                class="search"
                id=SEARCH_ID
                type="search"
                role="combobox"
                aria-autocomplete="list"
                aria-controls=OPTIONS_ID
                aria-expanded=live(move || if is_open.get() { "true" } else { "false" })
                aria-activedescendant=live(move || marked.get().map(|nth| format!("case-option-{nth}")))
                aria-describedby="case-filter-error"
                aria-invalid=live(move || help.with(|help| (!help.error.is_empty()).then_some("true")))
                placeholder="Filter: outcome:failed score<0.5 timeout"
                aria-label="Filter the cases"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                dir="auto"
                prop:value=live(move || written.get())
                on:input:target=move |event| write(event.target().value())
                on:keydown=handler(on_key)
                on:blur=handler(move |_| is_open.set(false))
            />
            <ul
                class="options" id=OPTIONS_ID role="listbox" aria-label="Completions" node_ref=list
                hidden=live(move || !is_open.get())
                on:mousedown=handler(on_option)
            ></ul>
            <div class="filter__error" id="case-filter-error" aria-live="polite" node_ref=error></div>
        </div>
    }
}
