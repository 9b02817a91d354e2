//! What the agent of a run did, as the worker draws it.

use super::SPOT_ID;
use crate::browser;
use crate::markup::Markup;
use crate::ui::components::{PanelView, drawn};
use crate::ui::state::{ask_markup, memo, use_store};
use crate::worker::protocol::Question;
use leptos::prelude::*;
use std::sync::Arc;

/// The page about the run, or the runs, that the address names.
#[component]
pub fn AgentPage() -> impl IntoView {
    let store = use_store();
    let target = memo(move || store.route.with(|route| route.target));
    // The first answer is to no version of the workspace that was asked before.
    let asked_at = StoredValue::new(u64::MAX);
    let panel = ask_markup(store, move || {
        let target = target.get();
        store.n_turns.track();
        // What is drawn anew because the workspace has changed leads nowhere.
        let (before, now) = (asked_at.get_value(), store.version.get());
        let is_opened = before == u64::MAX || before == now;
        asked_at.set_value(now);
        let spot = store.route.with_untracked(|route| route.spot.clone());
        Question::Agent { target, spot: if is_opened { spot } else { String::new() } }
    });
    view! { <PanelView panel what="what the agent did" draw=draw/> }
}

fn draw(page: Arc<Markup>) -> AnyView {
    // It is there only where the address leads to a part of the page.
    request_animation_frame(|| browser::when_drawn(|| browser::press(SPOT_ID)));
    drawn(&page)
}
