//! Where the focus goes when another page comes: to its heading, once that has been drawn.

use super::document::document;
use super::drawing::behind_frame;
use std::cell::Cell;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

/// Frames that a heading is waited for.
const MAX_FRAMES: u32 = 600;

thread_local! {
    static LAST: Cell<u32> = const { Cell::new(0) };
}

/// Moves the focus to the heading of the page that is being drawn: where `is_asked`, or where the page before took the
/// focus with it. A reader who arrives somewhere else meanwhile is not called back.
pub fn to_heading(is_asked: bool) {
    let number = LAST.get().wrapping_add(1);
    LAST.set(number);
    wait(number, is_asked, MAX_FRAMES);
}

fn wait(number: u32, is_asked: bool, n_frames: u32) {
    // Without frames nothing is drawn either. An element has to be laid out before it can have the focus.
    behind_frame(move || {
        if LAST.get() != number || n_frames == 0 {
            return;
        }
        match heading() {
            None => wait(number, is_asked, n_frames - 1),
            Some(heading) if is_asked || is_lost() => {
                // A heading can have the focus, but is no stop on the way of Tab; an attribute of this name is valid.
                let _ = heading.set_attribute("tabindex", "-1");
                // Fails for no element that has a focus method.
                let _ = heading.focus();
            }
            Some(_) => {}
        }
    });
}

fn heading() -> Option<HtmlElement> {
    document()?.query_selector("main h1").ok().flatten()?.dyn_into().ok()
}

/// Whether nothing has the focus.
fn is_lost() -> bool {
    let focused = document().and_then(|document| document.active_element());
    focused.is_none_or(|element| element.tag_name() == "BODY" || element.id() == "main")
}
