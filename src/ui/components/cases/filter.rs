//! The field that holds the filter: completed while it is written, and never sent on when it cannot be
//! read.

use super::filter_notes::{TakeText, broken};
use super::rows::CaseRows;
use crate::browser;
use crate::ui::pages::{GRID_ID, SEARCH_ID};
use crate::ui::state::{Store, effect, handler, live, memo, use_store};
use crate::words::ui::cases as words;
use crate::words::ui::shell::COMPLETIONS;
use crate::worker::protocol::{Answer, FilterHelp, FilterOption, Question};
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html::Input;
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Id of the list of completions.
const OPTIONS_ID: &str = "case-options";

/// So long one must pause before what is written is looked at.
const PAUSE: Duration = Duration::from_millis(60);

/// What asks how a filter could go on at a place, in units of UTF-16.
type SuggestHelp = Arc<dyn Fn(String, u32) -> Question + Send + Sync>;

/// What a field filters.
#[derive(Clone)]
pub struct Filtered {
    /// The filter in force.
    pub text: Memo<String>,
    /// Puts another one in force.
    pub put: TakeText,
    /// Asks how one could go on.
    pub help: SuggestHelp,
    /// Whether what is being written cannot be read: what is shown is by the filter before.
    pub is_stale: RwSignal<bool>,
    /// Id of what has the focus after the field.
    pub rows_id: &'static str,
    /// Stands in the field when it is empty.
    pub example: &'static str,
    /// Name of the field.
    pub name: &'static str,
}

impl Filtered {
    /// The table of cases.
    pub fn cases(store: Store, rows: CaseRows) -> Self {
        Self {
            text: memo(move || store.route.with(|route| route.text.clone())),
            put: Arc::new(move |text| store.adjust(|route| route.text = text)),
            help: Arc::new(move |text, at| {
                let target = store.route.with_untracked(|route| route.target);
                Question::Suggest { target, text, at }
            }),
            is_stale: rows.is_stale,
            rows_id: GRID_ID,
            example: words::FILTER_EXAMPLE,
            name: words::FILTER_NAME,
        }
    }
}

/// The field, what is wrong with it, and the list of completions.
#[component]
pub fn FilterField(
    /// What it filters.
    filtered: Filtered,
) -> impl IntoView {
    let store = use_store();
    let Filtered { text: in_force, put, help: question, is_stale, rows_id, example, name } =
        filtered;
    let (put, question) = (StoredValue::new(put), StoredValue::new(question));
    let help = RwSignal::new(Arc::new(FilterHelp::default()));
    let is_open = RwSignal::new(false);
    let marked = RwSignal::new(None::<usize>);
    let field = NodeRef::<Input>::new();
    let n_written = StoredValue::new(0_u64);
    let written = RwSignal::new(in_force.get_untracked());
    // Another filter may come from a link; one that is being written stays as it is.
    effect(move || {
        let text = in_force.get();
        if written.get_untracked() != text {
            written.set(text);
            help.set(Arc::new(FilterHelp::default()));
            is_open.set(false);
        }
    });
    effect(move || {
        is_stale.set(help.with(|help| help.error.is_some()));
        if let Some(at) = marked.get() {
            browser::show(&option_id(at));
        }
    });
    on_cleanup(move || {
        is_stale.try_set(false);
    });
    let look = move |opens: bool| {
        let text = written.get_untracked();
        let cursor = field.get_untracked().and_then(|field| field.selection_start().ok().flatten());
        let at = cursor.unwrap_or(u32::MAX);
        let number = n_written.get_value();
        let question = question.with_value(|question| question(text.clone(), at));
        store.ask(question, move |answer| {
            if n_written.try_get_value() != Some(number) {
                return;
            }
            if let Ok(Answer::Suggestions(found)) = answer {
                if found.error.is_none() {
                    put.with_value(|put| put(text));
                }
                marked.set(None);
                is_open.set(opens && !found.options.is_empty());
                help.set(Arc::new(found));
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
    let take = move |option: &FilterOption| {
        if let Some(field) = field.get_untracked() {
            field.set_value(&option.text);
            // Fails for inputs that hold no text.
            let _ = field.set_selection_range(option.at, option.at);
        }
        write(option.text.clone());
    };
    let take_nth = move |nth: usize| {
        let help = help.get_untracked();
        if let Some(option) = help.options.get(nth) {
            take(option);
        }
    };
    let mend = Arc::new(move |text: String| {
        write(text);
        browser::focus(SEARCH_ID);
    });
    let on_key = move |event: KeyboardEvent| {
        let n_options = help.with_untracked(|help| help.options.len());
        let at = marked.get_untracked();
        match (event.key().as_str(), is_open.get_untracked()) {
            ("ArrowDown", true) => marked.set(Some(at.map_or(0, |at| (at + 1) % n_options.max(1)))),
            ("ArrowUp", true) => {
                let last = n_options.saturating_sub(1);
                marked.set(Some(at.unwrap_or(0).checked_sub(1).unwrap_or(last)));
            }
            ("Enter", true) if at.is_some() => take_nth(at.unwrap_or_default()),
            ("Escape", true) => is_open.set(false),
            ("ArrowDown", false) if event.alt_key() => look(true),
            ("Tab", _) => return is_open.set(false),
            ("Escape", false) => {
                written.set(String::new());
                put.with_value(|put| put(String::new()));
                browser::focus(rows_id);
            }
            ("Enter" | "ArrowDown", _) => {
                is_open.set(false);
                browser::focus(rows_id);
            }
            _ => return,
        }
        event.prevent_default();
    };
    let options = move || {
        let help = help.get();
        let options = help.options.iter().enumerate().map(|(nth, option)| {
            let is_marked = move || if marked.get() == Some(nth) { "true" } else { "false" };
            let press = move |event: MouseEvent| {
                // The field keeps the focus.
                event.prevent_default();
                take_nth(nth);
            };
            view! {
                <li class="options__item" role="option" id=option_id(nth) aria-selected=live(is_marked) on:mousedown=handler(press)>
                    <span class="options__label" dir="auto">{option.label.clone()}</span>" "
                    <span class="options__note">{option.note.clone()}</span>
                </li>
            }
            .into_any()
        });
        options.collect_view()
    };
    let error = move || {
        let help = help.get();
        let error = help.error.as_ref()?;
        Some(broken(error, &written.get_untracked(), mend.clone()))
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
                aria-activedescendant=live(move || marked.get().map(option_id))
                aria-describedby="case-filter-error"
                aria-invalid=live(move || help.with(|help| help.error.is_some().then_some("true")))
                placeholder=example
                aria-label=name
                node_ref=field
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                dir="auto"
                prop:value=live(move || written.get())
                on:input:target=move |event| write(event.target().value())
                on:keydown=handler(on_key)
                on:blur=handler(move |_| is_open.set(false))
            />
            <div class="filter__error" id="case-filter-error" aria-live="polite">{live(error)}</div>
            <ul
                class="options" id=OPTIONS_ID role="listbox" aria-label=COMPLETIONS
                hidden=live(move || !is_open.get())
            >{live(options)}</ul>
        </div>
    }
}

fn option_id(nth: usize) -> String {
    format!("case-option-{nth}")
}
