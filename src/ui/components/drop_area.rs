//! The ways in: two file inputs, and drops on the whole window.

use super::{Icon, icon};
use crate::browser;
use crate::ui::state::{handler, live, memo, shown, use_store};
use crate::words::ui::shell as words;
use leptos::attr::custom::custom_attribute;
use leptos::ev::{self, DragEvent, KeyboardEvent};
use leptos::prelude::*;

/// "Open folder" and "Open files", as the main thing on the page.
#[component]
pub fn OpenButtons() -> impl IntoView {
    view! {
        <OpenInput is_folder=true class="button button--large button--main"/>
        <OpenInput is_folder=false class="button button--large"/>
    }
}

/// "Open", and the two ways behind it.
#[component]
pub fn OpenMenu() -> impl IntoView {
    let is_open = RwSignal::new(false);
    let on_key = move |event: KeyboardEvent| {
        if event.key() == "Escape" && is_open.get_untracked() {
            event.stop_propagation();
            is_open.set(false);
            browser::focus("open-button");
        }
    };
    view! {
        <div class="menu" on:keydown=handler(on_key) on:change=handler(move |_| is_open.set(false))>
            <button
                type="button" class="button" id="open-button"
                aria-expanded=live(move || if is_open.get() { "true" } else { "false" })
                on:click=handler(move |_| is_open.update(|is_open| *is_open = !*is_open))
            >{icon(Icon::Plus)}<span class="bar__word">{words::OPEN}</span></button>
            {shown(move || is_open.get(), move || view! {
                <div class="menu__veil" on:click=handler(move |_| is_open.set(false))></div>
            }.into_any())}
            // Always there: keys and the command palette press the fields by their ids.
            <div class="menu__list" hidden=live(move || !is_open.get())>
                <OpenInput is_folder=true class="menu__item menu__item--sign"/>
                <OpenInput is_folder=false class="menu__item menu__item--sign"/>
            </div>
        </div>
    }
}

/// A field that opens what is chosen in it.
#[component]
fn OpenInput(
    /// Whether it takes a folder.
    is_folder: bool,
    /// What its label looks like.
    class: &'static str,
) -> impl IntoView {
    let store = use_store();
    let open = move |event: ev::Event| store.open_chosen(browser::chosen(&event));
    let folders = custom_attribute("webkitdirectory", is_folder.then_some(""));
    let (id, label, sign) = if is_folder {
        ("open-folder", words::OPEN_FOLDER, Icon::Folder)
    } else {
        ("open-files", words::OPEN_FILES, Icon::File)
    };
    view! {
        <label class=class>
            <input {..folders} id=id class="visually-hidden" type="file" multiple=true on:change=handler(open)/>
            {icon(sign)}{label}
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
            <p class="drop-overlay__text">{words::DROP}</p>
        </div>
    }
}
