//! A sentence about what has just happened.

use crate::ui::state::{effect, handler, live, use_store};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;

/// How long it stays, in milliseconds.
const SHOWN_MS: u32 = 6_000;

/// The last sentence; it leaves by itself.
#[component]
pub fn Toast() -> impl IntoView {
    let store = use_store();
    let timer = StoredValue::new_local(None::<Timeout>);
    effect(move || {
        let is_shown = store.toast.with(Option::is_some);
        let hide = move || {
            store.toast.set(None);
        };
        timer.set_value(is_shown.then(|| Timeout::new(SHOWN_MS, hide)));
    });
    view! {
        <div class="toast-place" aria-live="polite">
            {live(move || {
                store.toast.get().map(|sentence| {
                    view! {
                        <div class="toast">
                            <span>{sentence}</span>
                            <button
                                type="button"
                                class="icon-button"
                                aria-label="Dismiss"
                                on:click=handler(move |_| store.toast.set(None))
                            >
                                "×"
                            </button>
                        </div>
                    }
                    .into_any()
                })
            })}
        </div>
    }
}
