//! The part of the address that belongs to the page: what follows the `#`.

use gloo_events::EventListener;
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// The hash of the address, with its `#`; empty when there is none.
pub fn hash() -> String {
    web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// The address of the page with `hash`.
pub fn address(hash: &str) -> String {
    let href = web_sys::window().and_then(|window| window.location().href().ok());
    let href = href.unwrap_or_default();
    format!("{}{hash}", href.split('#').next().unwrap_or_default())
}

/// Whether the address names results to be fetched: `?src=`.
pub fn has_sources() -> bool {
    let search = web_sys::window().and_then(|window| window.location().search().ok());
    search.is_some_and(|search| search.split(['?', '&']).any(|part| part.starts_with("src=")))
}

/// Puts `hash` into the address as a new step of the history.
pub fn push_hash(hash: &str) {
    if let Some(history) = web_sys::window().and_then(|window| window.history().ok()) {
        // Refused only when it is called hundreds of times a second; the view is right all the same.
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(hash));
    }
}

/// Puts `hash` into the address in place of the present step.
pub fn replace_hash(hash: &str) {
    if let Some(history) = web_sys::window().and_then(|window| window.history().ok()) {
        // As above.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(hash));
    }
}

/// Calls `changed` whenever the user goes back, forward, or edits the address.
pub fn on_hash_change(changed: impl Fn() + 'static) {
    let Some(window) = web_sys::window() else { return };
    let changed = Rc::new(changed);
    for event in ["popstate", "hashchange"] {
        let changed = Rc::clone(&changed);
        EventListener::new(&window, event, move |_event| changed()).forget();
    }
}

/// The value of the parameter `name` behind the page's `?`.
pub fn parameter(name: &str) -> Option<String> {
    let search = web_sys::window()?.location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&search).ok()?.get(name)
}

/// How many threads run at once here, as far as the browser says; 1 where it does not.
pub fn n_cores() -> usize {
    web_sys::window().map_or(1, |window| window.navigator().hardware_concurrency() as usize).max(1)
}
