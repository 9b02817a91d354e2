//! Bringing somebody to a place of the page.

use super::document::{focus, refocus};
use super::drawing::{frame, when_drawn};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Frames in which what is around the place may still be drawn.
const N_SETTLING: u32 = 12;

/// An element that somebody can be brought to.
pub trait TargetElement: AsRef<Element> + JsCast + Clone + 'static {}

impl<E: AsRef<Element> + JsCast + Clone + 'static> TargetElement for E {}

/// Scrolls `place` into the middle of what is in sight and gives it the focus; of something that can be
/// opened its summary.
pub fn arrive(place: &impl TargetElement) {
    let element: &Element = place.as_ref();
    let place = element.clone();
    when_drawn(move || {
        into_view(&place, N_SETTLING);
        let focused = match place.query_selector(":scope > summary, :scope > details > summary") {
            Ok(Some(summary)) => summary,
            _ => place,
        };
        if let Ok(focused) = focused.dyn_into::<HtmlElement>() {
            // Fails for no element that has a focus method.
            let _ = focused.focus();
        }
    });
}

/// Moves the focus to the element with this id, with the next frame: what brings it about may be drawn until then.
pub fn focus_soon(id: &str) {
    let id = id.to_owned();
    frame(move || focus(&id));
}

/// The same when the focus has been lost; to `other` when there is no such element any more.
pub fn refocus_soon(id: &str, other: &'static str) {
    let id = id.to_owned();
    frame(move || refocus(&id, other));
}

/// Scrolls to `place`, and again when what is drawn around it in the next frames moves it out of sight.
fn into_view(place: &Element, n_frames: u32) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(match n_frames {
        N_SETTLING => ScrollLogicalPosition::Center,
        // Where it is in sight, nothing moves.
        _ => ScrollLogicalPosition::Nearest,
    });
    place.scroll_into_view_with_scroll_into_view_options(&options);
    if n_frames == 0 {
        return;
    }
    let place = place.clone();
    frame(move || into_view(&place, n_frames - 1));
}
