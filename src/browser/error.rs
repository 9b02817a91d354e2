//! What the browser would not do.

use wasm_bindgen::JsValue;

/// A refusal of the browser, with what was wanted of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{wanted}: {reason}")]
pub struct Error {
    wanted: &'static str,
    reason: String,
}

impl Error {
    /// `wanted` failed with `value`, whatever a script threw.
    pub(super) fn thrown(wanted: &'static str, value: &JsValue) -> Self {
        let reason = match value.dyn_ref_error() {
            Some(message) => message,
            None => value.as_string().unwrap_or_else(|| "no reason given".to_owned()),
        };
        Self { wanted, reason }
    }

    /// `wanted` failed because of `reason`.
    pub(super) fn because(wanted: &'static str, reason: impl Into<String>) -> Self {
        Self { wanted, reason: reason.into() }
    }
}

/// Reading the message off a thrown value.
trait ErrorMessage {
    fn dyn_ref_error(&self) -> Option<String>;
}

impl ErrorMessage for JsValue {
    /// `DOMException` and `Error` alike carry a `message`.
    fn dyn_ref_error(&self) -> Option<String> {
        js_sys::Reflect::get(self, &Self::from_str("message")).ok()?.as_string()
    }
}
