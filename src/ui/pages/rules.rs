//! Policies, gates, weights, strategies, and what they change: drawn by the worker.

use crate::browser;
use crate::ui::components::PanelView;
use crate::ui::state::{Panel, ask_markup, effect, memo, use_store};
use crate::worker::protocol::Question;
use leptos::html::Div;
use leptos::prelude::*;

/// The rules in force, and what they change. Its fields stay while figures change, so that focus and
/// typed text stay too.
#[component]
pub fn RulesPage() -> impl IntoView {
    let store = use_store();
    let target = memo(move || store.route.with(|route| route.target));
    let panel = ask_markup(store, move || Question::RulesView {
        target: target.get(),
        whole: store.whole.get(),
    });
    let place = NodeRef::<Div>::new();
    effect(move || {
        let (Some(place), panel) = (place.get(), panel.get()) else { return };
        let markup = match &panel {
            Panel::Data(markup) => markup.as_str(),
            _ => "",
        };
        browser::renew_markup(&place, markup);
    });
    view! {
        <PanelView panel what="the rules" draw=|_markup| ().into_any()/>
        <div class="drawn" node_ref=place></div>
    }
}
