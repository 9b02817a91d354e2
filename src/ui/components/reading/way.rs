//! Ways to parts of the page.

use crate::browser;
use crate::render::case::Way;
use crate::ui::state::Store;

/// Goes to where `way` leads, and puts its word into the address.
pub fn go(store: Store, way: &Way) {
    if !way.spot.is_empty() {
        let spot = way.spot.clone();
        store.adjust(|route| match &mut route.case {
            Some(case) => case.spot = spot,
            None => route.spot = spot,
        });
    }
    browser::lead(&way.id, &way.through);
}
