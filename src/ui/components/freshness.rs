//! When the selected evaluation was read, and how it is read again.

use crate::browser;
use crate::ui::state::{act, handler, live, memo, use_store};
use crate::words::ui::shell as words;
use leptos::attr::custom::custom_attribute;
use leptos::ev;
use leptos::prelude::*;

/// Time of the last reading; "Watch" where the browser gives out the files again, else "Reload".
#[component]
pub fn FreshnessTools() -> impl IntoView {
    let store = use_store();
    let fresh = memo(move || store.freshness());
    // What the tools depend on: they stay, with the focus, while the time changes.
    let kind = memo(move || fresh.get().map(|one| (one.drop, one.can_watch, one.is_folder)));
    let is_watched = move || fresh.with(|one| one.as_ref().is_some_and(|one| one.is_watched));
    let words = move || {
        fresh.with(|one| one.as_ref().map_or(String::new(), |one| words::read_at(&one.read_at)))
    };
    let tools = move || {
        let (drop, can_watch, is_folder) = kind.get()?;
        let tool = if can_watch {
            view! {
                <button
                    type="button" class="button button--quiet" on:click=handler(move |_| act(store, "watch"))
                    title=words::WATCH_HINT
                    aria-pressed=live(move || if is_watched() { "true" } else { "false" })
                >{words::WATCH}</button>
            }
            .into_any()
        } else {
            let reload = move |event: ev::Event| store.reload(drop, browser::chosen(&event));
            let folders = custom_attribute("webkitdirectory", is_folder.then_some(""));
            view! {
                <label class="button button--quiet" title=words::RELOAD_HINT>
                    <input {..folders} class="visually-hidden" type="file" multiple=true on:change=handler(reload)/>
                    {words::RELOAD}
                </label>
            }
            .into_any()
        };
        Some(view! { {tool}<span class="fresh">{live(words)}</span> }.into_any())
    };
    live(tools)
}
