//! The text of a query, completed while it is written.

use crate::browser;
use crate::sql::{SqlCompletion, SqlError};
use crate::ui::state::{MAX_FETCHED, SqlStatus, effect, handler, live, use_store};
use crate::words::ui::shell::COMPLETIONS;
use crate::words::ui::sql as words;
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html::Textarea;
use leptos::prelude::*;

/// Id of the field.
pub const EDITOR_ID: &str = "sql-editor";
/// Id of the list of completions.
const OPTIONS_ID: &str = "sql-options";
/// Id of what is wrong.
const ERROR_ID: &str = "sql-error";

/// The field, its buttons, and what is wrong with the query.
#[component]
pub fn SqlEditor(
    /// The text.
    text: RwSignal<String>,
) -> impl IntoView {
    let store = use_store();
    let sql = store.sql;
    let field = NodeRef::<Textarea>::new();
    let marked = RwSignal::new(0_usize);
    let close = move || store.close_sql_completions();
    let n_options = move || sql.with(|shown| shown.completions.len());
    let is_open = move || {
        sql.n_completions.track();
        n_options() > 0
    };
    let look = move || {
        let field = field.get_untracked();
        let at = field.and_then(|field| field.selection_start().ok().flatten()).unwrap_or(u32::MAX);
        marked.set(0);
        text.with_untracked(|text| store.complete_sql(text, at));
    };
    let take = move |nth: usize| {
        let option = sql.with(|shown| shown.completions.get(nth).cloned());
        let Some(SqlCompletion { text: whole, at, .. }) = option else { return };
        close();
        if let Some(field) = field.get_untracked() {
            field.set_value(&whole);
            // Fails for fields that hold no text.
            let _ = field.set_selection_range(at, at);
            let _ = field.focus();
        }
        text.set(whole);
    };
    let run = move |is_unbounded: bool| {
        close();
        text.with_untracked(|text| store.ask_sql(text, is_unbounded));
    };
    effect(move || {
        let at = marked.get();
        if is_open() {
            browser::show(&option_id(at));
        }
    });
    let on_key = move |event: KeyboardEvent| {
        let n_options = n_options();
        let is_command = event.ctrl_key() || event.meta_key();
        match (event.key().as_str(), n_options > 0) {
            ("Enter", _) if is_command => run(false),
            (" ", _) if is_command => look(),
            ("ArrowDown", true) => marked.update(|at| *at = (*at + 1) % n_options),
            ("ArrowUp", true) => marked.update(|at| *at = (*at + n_options - 1) % n_options),
            ("Enter" | "Tab", true) => take(marked.get_untracked()),
            ("Escape", true) => close(),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let item = move |(nth, option): (usize, &SqlCompletion)| {
        let is_marked = move || if marked.get() == nth { "true" } else { "false" };
        let press = move |event: MouseEvent| {
            // The field keeps the focus.
            event.prevent_default();
            take(nth);
        };
        view! {
            <li class="options__item" role="option" id=option_id(nth) aria-selected=live(is_marked) on:mousedown=handler(press)>
                <span class="options__label">{option.label.clone()}</span>" "
                <span class="options__note">{option.note.clone()}</span>
            </li>
        }
        .into_any()
    };
    let list = move || {
        sql.n_completions.track();
        sql.with(|shown| shown.completions.iter().enumerate().map(item).collect_view())
    };
    let is_asking = move || sql.status() == SqlStatus::Asking;
    let buttons = move || {
        match is_asking() {
        true => view! { <button type="button" class="button" on:click=handler(move |_| store.cancel_sql())>{words::CANCEL}</button> }.into_any(),
        false => view! { <button type="button" class="button button--main" on:click=handler(move |_| run(false))>{words::RUN}</button> }.into_any(),
    }
    };
    let copy = move |_| {
        let mut route = store.route.get_untracked();
        route.sql = text.get_untracked();
        let hash = store.tree.with_untracked(|tree| route.to_hash(tree));
        store.copy_saying(browser::address(&hash), words::LINK_COPIED.to_owned());
    };
    let show = move |at: u32| {
        let Some(field) = field.get_untracked() else { return };
        let _ = field.focus();
        // A letter is seen where a place between two is not.
        let _ = field.set_selection_range(at, at + 1);
    };
    let is_wrong = move || {
        let _ = (sql.status(), sql.epoch.get());
        sql.with(|shown| shown.error.is_some())
    };
    let error = move || {
        let _ = (sql.status(), sql.epoch.get());
        let error = sql.with(|shown| shown.error.clone())?;
        Some(wrong(&error, show, move || run(true)))
    };
    view! {
        <div class="sql__editor">
            <textarea
                class="sql__text" id=EDITOR_ID node_ref=field rows="8" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off"
                aria-autocomplete="list" aria-haspopup="listbox" aria-controls=OPTIONS_ID
                aria-label=words::EDITOR
                aria-describedby=ERROR_ID
                aria-invalid=live(move || is_wrong().then_some("true"))
                aria-activedescendant=live(move || is_open().then(|| option_id(marked.get())))
                prop:value=live(move || text.get())
                on:input:target=move |event| {
                    text.set(event.target().value());
                    look();
                }
                on:keydown=handler(on_key)
                on:blur=handler(move |_| close())
            ></textarea>
            <ul class="options sql__options" id=OPTIONS_ID role="listbox" aria-label=COMPLETIONS hidden=live(move || !is_open())>{live(list)}</ul>
        </div>
        <div class="sql__tools">
            {live(buttons)}
            <button type="button" class="button" on:click=handler(copy)>{words::COPY_LINK}</button>
            <span class="sql__hint">{words::KEYS}</span>
        </div>
        <div class="sql__error" id=ERROR_ID role="alert">{live(error)}</div>
    }
}

/// What is wrong, where, and what can be done.
fn wrong(
    error: &SqlError,
    show: impl Fn(u32) + Copy + 'static,
    run_unbounded: impl Fn() + 'static,
) -> AnyView {
    if error.is_limit {
        return view! {
            <p>{words::limit(MAX_FETCHED)}</p>
            <button type="button" class="button" on:click=handler(move |_| run_unbounded())>{words::FETCH_MORE}</button>
        }
        .into_any();
    }
    let place = error.place.map(|(line, column, at)| {
        view! {
            <p>
                <strong>{words::place(line, column)}</strong>" "
                <button type="button" class="link" on:click=handler(move |_| show(at))>{words::SHOW_PLACE}</button>
            </p>
        }
        .into_any()
    });
    view! { <p class="sql__message" dir="auto">{error.message.clone()}</p>{place} }.into_any()
}

fn option_id(nth: usize) -> String {
    format!("sql-option-{nth}")
}
