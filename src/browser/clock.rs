//! The time of day, and what is done later or every few seconds.

use super::document::document;
use gloo_timers::callback::{Interval, Timeout};

/// The time of day: `14:03:22`.
pub fn clock() -> String {
    let now = js_sys::Date::new_0();
    format!("{:02}:{:02}:{:02}", now.get_hours(), now.get_minutes(), now.get_seconds())
}

/// The day and the minute in a form that sorts: `2026-07-14 09:05 UTC`.
pub fn date() -> String {
    let text = js_sys::Date::new_0().to_iso_string();
    format!("{} {} UTC", text.slice(0, 10), text.slice(11, 16))
}

/// Milliseconds since some moment long ago, to tell how long something took.
pub fn now() -> f64 {
    js_sys::Date::now()
}

/// Calls `tick` every `millis` milliseconds while the page is seen, as long as it lives.
pub fn every(millis: u32, tick: impl Fn() + 'static) {
    let look = move || {
        if document().is_some_and(|document| !document.hidden()) {
            tick();
        }
    };
    Interval::new(millis, look).forget();
}

/// Calls `then` once, after `millis` milliseconds; in workers too.
pub fn later(millis: u32, then: impl FnOnce() + 'static) {
    later_of(millis, Box::new(then));
}

/// In one copy for all that is called.
fn later_of(millis: u32, then: Box<dyn FnOnce()>) {
    Timeout::new(millis, then).forget();
}

/// A moment as `2026-01-31 14:03` by the clock of this machine, and as a machine reads it.
pub fn moment(millis: f64) -> (String, String) {
    let date = js_sys::Date::new(&millis.into());
    let words = format!(
        "{:04}-{:02}-{:02} {:02}:{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date(),
        date.get_hours(),
        date.get_minutes(),
    );
    (words, String::from(date.to_iso_string()))
}
