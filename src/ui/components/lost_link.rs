//! What is said when an address leads to something that is not open.

use crate::address::{MissingTarget, Route};
use crate::ui::state::{act, handler, live, memo, use_store};
use crate::words::ui::shell as words;
use leptos::prelude::*;

/// What is pressed to open something: the words are the ids of the file inputs.
const WAYS: [(&str, &str); 2] =
    [("open-files", words::OPEN_FILES), ("open-folder", words::OPEN_FOLDER)];

/// Where the link leads, what to drop, and the way past it.
#[component]
pub fn LostLink() -> impl IntoView {
    let store = use_store();
    let words = memo(move || {
        store
            .route
            .with(|route| route.missing.as_deref().map(MissingTarget::words))
            .unwrap_or_default()
    });
    // The start page has a title and buttons of its own.
    let is_alone = memo(move || !store.is_empty());
    let title = move || {
        let [leads, _] = words.get();
        match is_alone.get() {
            true => view! { <h1 class="panel__title">{leads}</h1> }.into_any(),
            false => view! { <h2 class="panel__title">{leads}</h2> }.into_any(),
        }
    };
    let ways = move || {
        let ways = WAYS.into_iter().filter(|_| is_alone.get()).map(|(word, words)| {
            let open = move |_| act(store, word);
            view! { <button type="button" class="button" on:click=handler(open)>{words}</button> }
                .into_any()
        });
        ways.collect_view()
    };
    let past = move || {
        if is_alone.get() { words::LOST_PAST } else { words::LOST_FORGET }
    };
    view! {
        <section class="panel lost" aria-label=words::LOST>
            {live(title)}
            <p>{live(move || words.with(|[_, advice]| advice.clone()))}</p>
            <div class="lost__ways">
                {live(ways)}
                <a class="link" href=Route::default().to_hash(&())>{live(past)}</a>
            </div>
        </section>
    }
}
