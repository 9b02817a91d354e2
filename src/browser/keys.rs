//! Keys pressed anywhere in the page.

use super::document::document;
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, KeyboardEvent};

/// A key press that no element has used up.
pub struct KeyPress {
    /// The key, as `KeyboardEvent.key` names it; `Mod+k` for it with Ctrl or Command.
    pub name: String,
    /// Whether somebody is writing text.
    pub is_typing: bool,
    /// Whether a dialog is open.
    pub is_in_dialog: bool,
}

/// Calls `pressed` for every key press without Ctrl, Alt or Meta, and for Ctrl-K or Command-K, as long
/// as the page lives. When it returns `true`, the browser does nothing else with the key.
pub fn on_key(pressed: impl Fn(KeyPress) -> bool + 'static) {
    let hear = move |event: &Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let is_mod = event.ctrl_key() || event.meta_key();
        let is_palette = is_mod && event.key() == "k";
        if event.alt_key() || event.default_prevented() || (is_mod && !is_palette) {
            return;
        }
        let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let is_within = |selector: &str| {
            element
                .as_ref()
                .is_some_and(|element| element.closest(selector).is_ok_and(|found| found.is_some()))
        };
        let key = KeyPress {
            name: if is_palette { "Mod+k".to_owned() } else { event.key() },
            is_typing: is_within("input:not([type=file]), textarea, select, [contenteditable]"),
            is_in_dialog: is_within("dialog, [role=menu]"),
        };
        if pressed(key) {
            event.prevent_default();
        }
    };
    if let Some(document) = document() {
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(&document, "keydown", options, hear).forget();
    }
}
