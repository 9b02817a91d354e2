//! What comes near to what is in sight.

use super::document::element as by_id;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

/// How far from sight something is near.
const NEAR: &str = "1200px 0px";

/// Id of what scrolls. A margin around the window would be cut off by it.
const SCROLLED: &str = "main";

/// An element that is watched until this is dropped.
pub struct Near {
    observer: IntersectionObserver,
    _seen: Closure<dyn FnMut(js_sys::Array)>,
}

impl Drop for Near {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Calls `came` whenever `element` comes near.
pub fn near(element: &Element, came: impl Fn() + 'static) -> Option<Near> {
    let seen = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
        let mut entries = entries.iter().filter_map(|entry| entry.dyn_into().ok());
        if entries.any(|entry: IntersectionObserverEntry| entry.is_intersecting()) {
            came();
        }
    });
    let options = IntersectionObserverInit::new();
    options.set_root(by_id(SCROLLED).as_ref());
    options.set_root_margin(NEAR);
    let callback = seen.as_ref().unchecked_ref();
    let observer = IntersectionObserver::new_with_options(callback, &options).ok()?;
    observer.observe(element);
    Some(Near { observer, _seen: seen })
}
