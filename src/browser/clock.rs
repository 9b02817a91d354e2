//! The time of day, and what is done every few seconds.

use super::document::document;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;

/// The time of day: `14:03:22`.
pub fn clock() -> String {
    let now = js_sys::Date::new_0();
    format!("{:02}:{:02}:{:02}", now.get_hours(), now.get_minutes(), now.get_seconds())
}

/// Milliseconds since some moment long ago, to tell how long something took.
pub fn now() -> f64 {
    js_sys::Date::now()
}

/// Calls `tick` every `millis` milliseconds while the page is seen, as long as it lives.
pub fn every(millis: i32, tick: impl Fn() + 'static) {
    let callback = Closure::<dyn FnMut()>::new(move || {
        if document().is_some_and(|document| !document.hidden()) {
            tick();
        }
    });
    if let Some(window) = web_sys::window() {
        // Fails for no function.
        let _ = window.set_interval_with_callback_and_timeout_and_arguments_0(
            callback.as_ref().unchecked_ref(),
            millis,
        );
    }
    callback.forget();
}
