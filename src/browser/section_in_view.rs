//! Which of several elements are where one reads: near the top of what scrolls.

use super::document::element;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

/// The band in which one reads: below the bar, in the upper third.
const BAND: &str = "-88px 0px -62% 0px";

/// Id of what scrolls.
const SCROLLED: &str = "main";

/// Elements that are watched until this is dropped.
pub struct WatchedElements {
    observer: IntersectionObserver,
    _seen: Closure<dyn FnMut(js_sys::Array)>,
}

impl Drop for WatchedElements {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Calls `changed` with which of the elements with these `ids` are where one reads, whenever that changes.
pub fn follow(ids: &[String], changed: impl Fn(&[bool]) + 'static) -> Option<WatchedElements> {
    let known: Vec<String> = ids.to_vec();
    let mut state = vec![false; known.len()];
    let seen = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
        for entry in entries.iter().filter_map(|entry| entry.dyn_into().ok()) {
            let entry: IntersectionObserverEntry = entry;
            let at = known.iter().position(|id| *id == entry.target().id());
            if let Some(one) = at.and_then(|at| state.get_mut(at)) {
                *one = entry.is_intersecting();
            }
        }
        changed(&state);
    });
    let options = IntersectionObserverInit::new();
    options.set_root(element(SCROLLED).as_ref());
    options.set_root_margin(BAND);
    let callback = seen.as_ref().unchecked_ref();
    let observer = IntersectionObserver::new_with_options(callback, &options).ok()?;
    for id in ids {
        if let Some(element) = element(id) {
            observer.observe(&element);
        }
    }
    Some(WatchedElements { observer, _seen: seen })
}
