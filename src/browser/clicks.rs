//! Clicks on what the worker has drawn: one listener for the whole page.

use super::document::document;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, MouseEvent};

/// The link or button that was clicked.
pub struct Clicked(Element);

impl Clicked {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.get_attribute(name)
    }
}

/// Calls `clicked` for every plain click on a link into the page or on a button with a `data-`
/// attribute of one of the `names`, as long as the page lives. When it returns `true`, the browser
/// does nothing else.
pub fn on_click(names: &[&str], clicked: impl Fn(&Clicked) -> bool + 'static) {
    let mut selector = "a[href^='#/']".to_owned();
    for name in names {
        selector.push_str(",[");
        selector.push_str(name);
        selector.push(']');
    }
    let callback = Closure::<dyn FnMut(MouseEvent)>::new(move |event: MouseEvent| {
        let is_plain = event.button() == 0
            && !(event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key());
        if !is_plain || event.default_prevented() {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let found = target.and_then(|target| target.closest(&selector).ok().flatten());
        if found.is_some_and(|found| clicked(&Clicked(found))) {
            event.prevent_default();
        }
    });
    if let Some(document) = document() {
        // Fails for no event name.
        let _ =
            document.add_event_listener_with_callback("click", callback.as_ref().unchecked_ref());
    }
    callback.forget();
}
