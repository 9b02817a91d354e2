//! What is said when an address leads to something that is not open.

use super::{PanelView, draw};
use crate::ui::state::{ask_markup, use_store};
use crate::worker::protocol::Question;
use leptos::prelude::*;

/// Where the link leads, what to drop, and the way past it.
#[component]
pub fn LostLink() -> impl IntoView {
    let store = use_store();
    let panel = ask_markup(store, move || {
        store.route.track();
        Question::Link(store.hash())
    });
    view! { <PanelView panel what="the link" draw=draw/> }
}
