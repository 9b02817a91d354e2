//! What the browser keeps of the page for the next visit: `scripts/page/memory.js` keeps and forgets it,
//! `scripts/page/recent.js` lists what can be opened again, `scripts/page/kept.js` everything.

use super::folder::Dragged;
use super::handles::Handles;
use super::hosted::call;
use super::restart::{kept, share};
use js_sys::Array;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};

/// Calls `open` with what somebody chooses to open again, as long as the page lives.
pub fn on_reopen(open: impl Fn(Dragged) + 'static) {
    let callback = Closure::<dyn FnMut()>::new(move || {
        let handles = kept("reopening").map(JsValue::unchecked_into::<Array>);
        open(Dragged::again(handles.as_ref().map(Handles::of_list).unwrap_or_default()));
    });
    share("reopen", callback.as_ref());
    callback.forget();
}

/// Has what was opened by `handles` listed for the next visit.
pub fn keep_recent(handles: &Handles) {
    if !handles.is_empty() {
        call("keepRecent", &handles.list());
    }
}

/// Lists what can be opened again, in the element with the id `recent`.
pub fn show_recent() {
    call("showRecent", &JsValue::UNDEFINED);
}

/// Lists all that is kept, in the element with the id `memory`.
pub fn show_memory() {
    call("showMemory", &JsValue::UNDEFINED);
}
