//! Cases that lie in a dataset and are many: what reading them takes, and a button that does it.

use crate::ui::state::{handler, live, use_store};
use crate::words::ui::shell as words;
use leptos::prelude::*;

/// How much there is to read, in the place of the page that needs it.
#[component]
pub fn UnreadView() -> impl IntoView {
    let store = use_store();
    live(move || {
        let unread = store.unread.get()?;
        let targets = unread.targets;
        let read = move |_| store.read_cases(targets.clone());
        let drawn = view! {
            <div class="panel panel--empty" role="status">
                <h1 class="panel__title">{words::UNREAD}</h1>
                <p>{unread.sentence}" "{words::UNREAD_FEWER}</p>
                <p>
                    <button type="button" class="button" id="read-cases" on:click=handler(read)>{unread.button}</button>
                </p>
            </div>
        };
        Some(drawn.into_any())
    })
}
