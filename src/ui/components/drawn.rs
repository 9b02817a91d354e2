//! What the worker has drawn.

use crate::markup::Markup;
use leptos::prelude::*;
use std::sync::Arc;

/// `markup`, in the document.
pub fn drawn(markup: &Markup) -> AnyView {
    view! { <div class="drawn" inner_html=markup.as_str().to_owned()></div> }.into_any()
}

/// The same, as panels draw.
pub fn draw(markup: Arc<Markup>) -> AnyView {
    drawn(&markup)
}
