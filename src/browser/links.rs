//! Clicks on links into the page: one listener for all of them.

use super::document::{document, hit};
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast as _;
use web_sys::{Event, MouseEvent};

/// Calls `follow` with the address of every link into the page that is clicked plainly, as long as the page
/// lives. The browser does nothing else with the click.
pub fn on_link(follow: impl Fn(&str) + 'static) {
    let hear = move |event: &Event| {
        let is_plain = event.dyn_ref::<MouseEvent>().is_none_or(|event| {
            event.button() == 0
                && !(event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key())
        });
        if !is_plain || event.default_prevented() {
            return;
        }
        let link = hit(event, "a[href^='#/']");
        if let Some(address) = link.and_then(|link| link.get_attribute("href")) {
            follow(&address);
            event.prevent_default();
        }
    };
    if let Some(document) = document() {
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(&document, "click", options, hear).forget();
    }
}
