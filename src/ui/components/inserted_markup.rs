//! Markup of ours, charts and rendered Markdown, and the height of what is drawn anew.

use crate::browser;
use crate::markup::Markup;
use crate::ui::state::{effect, live};
use leptos::html::Div;
use leptos::prelude::*;

/// Id of what scrolls.
const SCROLLED: &str = "main";

/// What is drawn in the place of something else stays as high until it is whole, so that what is scrolled
/// to stays in sight.
pub fn kept_height() -> RwSignal<Option<i32>> {
    RwSignal::new(browser::scrolled_height(SCROLLED))
}

/// It is whole.
pub fn release(height: RwSignal<Option<i32>>) {
    // The page may have gone meanwhile.
    height.try_set(None);
}

/// `body`, at least as high as `height` says.
pub fn steady(height: RwSignal<Option<i32>>, body: AnyView) -> AnyView {
    let style = move || height.get().map(|height| format!("{height}px"));
    view! { <div class="drawn" style:min-height=live(style)>{body}</div> }.into_any()
}

/// `markup` in an element of this class, a stretch at a time.
pub fn stretched(markup: &Markup, class: &'static str) -> AnyView {
    let (first, rest) = browser::draw_first(markup);
    let Some(rest) = rest else {
        return view! { <div class=class inner_html=first></div> }.into_any();
    };
    let place = NodeRef::<Div>::new();
    let mut rest = Some(rest);
    effect(move || {
        if let Some(place) = place.get()
            && let Some(rest) = rest.take()
        {
            rest(&place);
        }
    });
    view! { <div class=class node_ref=place inner_html=first></div> }.into_any()
}
