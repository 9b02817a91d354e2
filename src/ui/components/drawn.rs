//! What the worker has drawn.

use crate::browser;
use crate::markup::Markup;
use crate::ui::state::effect;
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// Id of what scrolls.
const SCROLLED: &str = "main";

/// `markup`, in the document: as much as one frame draws at once, the rest with the next ones.
pub fn drawn(markup: &Markup) -> AnyView {
    let (first, rest) = browser::draw_first(markup);
    let Some(rest) = rest else {
        return view! { <div class="drawn" inner_html=first></div> }.into_any();
    };
    // What is drawn in the place of something else stays as high meanwhile, so that what is scrolled to
    // stays in sight.
    let height = browser::scrolled_height(SCROLLED);
    let place = NodeRef::<Div>::new();
    let rest = StoredValue::new_local(Some(rest));
    effect(move || {
        let (Some(place), Some(rest)) =
            (place.get(), rest.try_update_value(Option::take).flatten())
        else {
            return;
        };
        if let Some(height) = height {
            browser::set_style(&place, "min-height", &format!("{height}px"));
        }
        let drawn = place.clone();
        rest(&place, Box::new(move || browser::set_style(&drawn, "min-height", "")));
    });
    view! { <div class="drawn" node_ref=place inner_html=first></div> }.into_any()
}

/// The same, as panels draw.
pub fn draw(markup: Arc<Markup>) -> AnyView {
    drawn(&markup)
}
