//! What is said when an address leads to something that is not open.

use crate::address::Route;
use crate::ui::state::{live, memo, use_store};
use leptos::prelude::*;

/// Where the link leads, what to drop, and the way past it; nothing when the link leads somewhere.
#[component]
pub fn LostLink() -> impl IntoView {
    let store = use_store();
    let words = memo(move || {
        store.route.with(|route| route.missing.as_ref().map(|missing| missing.words()))
    });
    live(move || {
        words.get().map(|[leads, advice]| {
            view! {
                <section class="panel lost" aria-label="Link">
                    <p class="panel__title" role="alert">{leads}</p>
                    <p>{advice}</p>
                    <div class="lost__ways">
                        <button type="button" class="button" data-do="open-files">"Open files"</button>
                        <button type="button" class="button" data-do="open-folder">"Open folder"</button>
                        <a class="link" href=Route::default().to_hash(&())>"Go to the overview instead"</a>
                    </div>
                </section>
            }
            .into_any()
        })
    })
}
