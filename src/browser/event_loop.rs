//! Turns of the event loop, for work that would keep others waiting.

use super::clock::now;
use js_sys::Promise;
use std::cell::Cell;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageChannel;

/// How long a slice of work takes, in milliseconds: a frame has sixteen.
const SLICE_MS: f64 = 8.0;

/// One turn of the event loop; timers would add milliseconds to each. Every turn has a channel of its
/// own: several may be waited for at once.
pub async fn turn() {
    let Ok(turn) = MessageChannel::new() else { return };
    let (here, there) = (turn.port1(), turn.port2());
    let promise = Promise::new(&mut |done, _failed| here.set_onmessage(Some(&done)));
    if there.post_message(&JsValue::NULL).is_ok() {
        // It has no way to fail.
        let _ = JsFuture::from(promise).await;
    }
    here.close();
}

/// A slice of work.
pub struct Slice(Cell<f64>);

impl Slice {
    /// Begins one.
    pub fn begin() -> Self {
        Self(Cell::new(now()))
    }

    /// Whether it has taken long enough.
    pub fn is_over(&self) -> bool {
        now() - self.0.get() >= SLICE_MS
    }

    /// Lets others have their turn if it is over, and begins the next one.
    pub async fn breathe(&self) {
        if self.is_over() {
            turn().await;
            self.0.set(now());
        }
    }
}
