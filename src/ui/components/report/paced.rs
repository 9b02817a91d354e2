//! Parts of a page that come into the document a frame at a time.

use crate::browser::{self, DrawingTurn};
use crate::ui::state::live;
use leptos::prelude::*;

/// What `draw` draws, which has about `n_elements` elements: at once while there is room in the present
/// frame, else when everything has been drawn that was asked for before.
pub fn paced(n_elements: usize, draw: impl FnOnce() -> AnyView + 'static) -> AnyView {
    if browser::has_room(n_elements) {
        return draw();
    }
    let draw = StoredValue::new_local(Some(draw));
    let is_due = RwSignal::new(false);
    browser::wait_for_room(DrawingTurn {
        n_elements,
        is_alive: Box::new(move || !is_due.is_disposed()),
        // The page may have gone meanwhile.
        then: Box::new(move || {
            is_due.try_set(true);
        }),
    });
    live(move || {
        let draw = is_due.get().then(|| draw.try_update_value(Option::take)).flatten().flatten();
        draw.map(|draw| draw())
    })
    .into_any()
}
