//! The one place where the four states of a panel are told apart.

use crate::browser;
use crate::ui::state::{Panel, live, memo};
use crate::words::ui::shell as words;
use leptos::prelude::*;
use std::sync::Arc;

/// Draws `panel`: data with `children`, everything else as a sentence.
#[component]
pub fn PanelView<T: Send + Sync + 'static>(
    /// What there is.
    #[prop(into)]
    panel: Signal<Panel<T>>,
    /// What is being waited for: `the overview`.
    what: &'static str,
    /// Draws the data.
    draw: fn(Arc<T>) -> AnyView,
) -> impl IntoView {
    live(move || match panel.get() {
        Panel::Loading => view! {
            <p class="panel panel--loading" aria-busy="true">{words::reading(what)}</p>
        }
        .into_any(),
        Panel::Empty(reason) => view! { <p class="panel panel--empty">{reason}</p> }.into_any(),
        Panel::Failed(reason) => view! {
            <div class="panel panel--failed" role="alert">
                <h1 class="panel__title">{words::FAILED}</h1>
                <p>{reason}</p>
                <p>{words::FAILED_HINT}</p>
            </div>
        }
        .into_any(),
        Panel::Data(data) => {
            // What is drawn anew gets its focus back.
            if let Some(id) = browser::focused_id() {
                browser::frame(move || {
                    browser::when_drawn(move || browser::refocus(&id, "main"));
                });
            }
            draw(data)
        }
    })
}

/// The same for data that is drawn once and then followed: what is drawn stays while answers come.
#[component]
pub fn PanelStays<T: Default + PartialEq + Send + Sync + 'static>(
    /// What there is.
    #[prop(into)]
    panel: Signal<Panel<T>>,
    /// What is being waited for: `the rules`.
    what: &'static str,
    /// Draws the data.
    draw: fn(Signal<Arc<T>>) -> AnyView,
) -> impl IntoView {
    let is_data = memo(move || panel.with(|panel| matches!(panel, Panel::Data(_))));
    let data = Memo::new(move |old: Option<&Arc<T>>| match panel.get() {
        Panel::Data(data) => data,
        _ => old.cloned().unwrap_or_default(),
    });
    live(move || {
        if is_data.get() {
            draw(data.into())
        } else {
            view! { <PanelView panel what draw=|_data| ().into_any()/> }.into_any()
        }
    })
}
