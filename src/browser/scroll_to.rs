//! Bringing somebody to a place of the page.

use super::document::{focus, refocus};
use super::drawing::{frame, when_drawn};
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Frames in which what is around the place may still be drawn.
const N_SETTLING: u32 = 12;

/// Events of a reader who scrolls, presses or types.
const OWN_MOVES: [&str; 4] = ["wheel", "touchmove", "pointerdown", "keydown"];

/// An element that somebody can be brought to.
pub trait TargetElement: AsRef<Element> + JsCast + Clone + 'static {}

impl<E: AsRef<Element> + JsCast + Clone + 'static> TargetElement for E {}

/// Scrolls `place` into the middle of what is in sight and gives it the focus; of something that can be
/// opened its summary.
pub fn arrive(place: &impl TargetElement) {
    let element: &Element = place.as_ref();
    let place = element.clone();
    when_drawn(move || {
        Settling::begin(&place);
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

/// A place that is being brought into sight while what is around it is still drawn.
struct Settling {
    place: Element,
    n_frames: u32,
    /// Whether the reader has scrolled, pressed or typed since.
    is_left: Rc<Cell<bool>>,
    _listeners: Vec<EventListener>,
}

impl Settling {
    /// Scrolls to `place`, and again when what is drawn around it in the next frames moves it out of sight, until the reader
    /// scrolls, presses or types.
    fn begin(place: &Element) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Center);
        place.scroll_into_view_with_scroll_into_view_options(&options);
        let Some(window) = web_sys::window() else { return };
        let is_left = Rc::new(Cell::new(false));
        let listeners = OWN_MOVES.map(|event| {
            let is_left = Rc::clone(&is_left);
            let options = EventListenerOptions::run_in_capture_phase();
            EventListener::new_with_options(&window, event, options, move |_event| {
                is_left.set(true)
            })
        });
        let place = place.clone();
        let begun = Self { place, n_frames: N_SETTLING, is_left, _listeners: listeners.into() };
        frame(move || begun.go_on());
    }

    fn go_on(mut self) {
        if self.is_left.get() {
            return;
        }
        let options = ScrollIntoViewOptions::new();
        // Where it is in sight, nothing moves.
        options.set_block(ScrollLogicalPosition::Nearest);
        self.place.scroll_into_view_with_scroll_into_view_options(&options);
        self.n_frames -= 1;
        if self.n_frames > 0 {
            frame(move || self.go_on());
        }
    }
}
