//! A part that is opened on demand, and drawn only then.

use crate::ui::state::{handler, live};
use leptos::prelude::*;

/// `<details>` whose body comes into the page when it is first opened.
#[component]
pub fn Fold(
    /// Class of the element.
    class: &'static str,
    /// Whether it is open from the start.
    #[prop(optional)]
    is_open: bool,
    /// What is always there.
    summary: AnyView,
    /// Draws the rest.
    body: Box<dyn Fn() -> AnyView + Send>,
) -> impl IntoView {
    let was_opened = RwSignal::new(is_open);
    view! {
        <details class=class open=is_open on:toggle=handler(move |_| was_opened.set(true))>
            <summary>{summary}</summary>
            {live(move || was_opened.get().then(&body))}
        </details>
    }
}
