//! Clicks on what the worker has drawn, and changes of its fields: one listener each for the whole page.

use super::blocks::hit;
use super::document::document;
use js_sys::Reflect;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Event, MouseEvent};

/// The link, button or field that was used.
pub struct Used(Element);

impl Used {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.get_attribute(name)
    }

    /// What was chosen or typed; empty for links and buttons.
    pub fn value(&self) -> String {
        let value = Reflect::get(&self.0, &"value".into()).ok();
        value.and_then(|value| value.as_string()).unwrap_or_default()
    }
}

/// Calls `used` for every plain click on a link into the page or on a button with a `data-` attribute
/// of one of the `names`, and for every change of another field with one, as long as the page lives.
/// When it returns `true`, the browser does nothing else.
pub fn on_use(names: &[&str], used: impl Fn(&Used) -> bool + 'static) {
    let (mut clickable, mut changeable) = ("a[href^='#/']".to_owned(), String::new());
    for name in names {
        clickable.push_str(&[",button[", name, "]"].concat());
        let comma = if changeable.is_empty() { "" } else { "," };
        changeable.push_str(&[comma, "[", name, "]"].concat());
    }
    // A click may bring about another one while it is handled: choosing "Open files" presses an input.
    let callback = Closure::<dyn Fn(Event)>::new(move |event: Event| {
        let is_plain = event.dyn_ref::<MouseEvent>().is_none_or(|event| {
            event.button() == 0
                && !(event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key())
        });
        if !is_plain || event.default_prevented() {
            return;
        }
        let selector = if event.type_() == "click" { &clickable } else { &changeable };
        if hit(&event, selector).is_some_and(|found| used(&Used(found))) {
            event.prevent_default();
        }
    });
    if let Some(document) = document() {
        for name in ["click", "change"] {
            // Fails for no event name.
            let _ =
                document.add_event_listener_with_callback(name, callback.as_ref().unchecked_ref());
        }
    }
    callback.forget();
}
