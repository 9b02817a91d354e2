//! The ways in: two file inputs, and drops on the whole window.

use crate::browser;
use crate::ui::state::{handler, memo, use_store};
use leptos::attr::custom::custom_attribute;
use leptos::ev::{self, DragEvent};
use leptos::prelude::*;

/// "Open files" and "Open folder".
#[component]
pub fn OpenButtons(
    /// Whether these are the main thing on the page.
    #[prop(optional)]
    is_large: bool,
) -> impl IntoView {
    let store = use_store();
    let open = move |event: ev::Event| store.open_chosen(browser::chosen(&event));
    let folders = custom_attribute("webkitdirectory", "");
    let class = if is_large { "button button--large" } else { "button" };
    let main_class = if is_large { "button button--large button--main" } else { "button" };
    view! {
        <label class=main_class>
            <input id="open-files" class="visually-hidden" type="file" multiple=true on:change=handler(open)/>
            "Open files"
        </label>
        <label class=class>
            <input {..folders} id="open-folder" class="visually-hidden" type="file" multiple=true on:change=handler(open)/>
            "Open folder"
        </label>
    }
}

/// Takes drops anywhere in the window, and shows that it would.
#[component]
pub fn DropOverlay() -> impl IntoView {
    let store = use_store();
    // Enter and leave come for every element on the way; the window is left when they are even.
    let depth = RwSignal::new(0_i32);
    let enter = window_event_listener(ev::dragenter, move |event: DragEvent| {
        if browser::is_file_drag(&event) {
            event.prevent_default();
            depth.update(|depth| *depth += 1);
        }
    });
    let over = window_event_listener(ev::dragover, move |event: DragEvent| {
        if browser::is_file_drag(&event) {
            event.prevent_default();
        }
    });
    let leave = window_event_listener(ev::dragleave, move |event: DragEvent| {
        if browser::is_file_drag(&event) {
            depth.update(|depth| *depth = (*depth - 1).max(0));
        }
    });
    let drop = window_event_listener(ev::drop, move |event: DragEvent| {
        if browser::is_file_drag(&event) {
            event.prevent_default();
            depth.set(0);
            store.open_dragged(browser::dragged_files(&event));
        }
    });
    on_cleanup(move || {
        [enter, over, leave, drop].into_iter().for_each(WindowListenerHandle::remove)
    });
    let is_over = memo(move || depth.get() > 0);
    view! {
        <div class="drop-overlay" class:is-shown=is_over aria-hidden="true">
            <p class="drop-overlay__text">"Drop to open"</p>
        </div>
    }
}
