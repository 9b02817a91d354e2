//! What opens something else of the workspace.

use crate::report::Link;
use crate::ui::state::{handler, use_store};
use leptos::prelude::*;

/// A button that opens `link`.
#[component]
pub fn LinkButton(
    /// What it opens.
    link: Link,
    /// What it shows.
    body: AnyView,
) -> impl IntoView {
    let store = use_store();
    let title = matches!(link, Link::How(_)).then_some("How this was made");
    let open = move |_| store.follow(link.clone());
    view! { <button class="link" type="button" title=title on:click=handler(open)>{body}</button> }
}
