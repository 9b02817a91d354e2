//! A sentence about what has just happened.

use super::{Icon, icon};
use crate::ui::state::{StatusMessage, act, effect, handler, live, use_store};
use crate::words::ui::hosted::DISMISS;
use crate::words::ui::shell::UNDO;
use leptos::prelude::*;
use std::time::Duration;

/// How long it stays.
const SHOWN: Duration = Duration::from_secs(6);

/// The last sentence; it leaves by itself.
#[component]
pub fn Toast() -> impl IntoView {
    let store = use_store();
    let timer = StoredValue::new(None::<TimeoutHandle>);
    effect(move || {
        let is_shown = store.toast.with(Option::is_some);
        if let Some(timer) = timer.get_value() {
            timer.clear();
        }
        let hide = move || store.toast.set(None);
        let next = is_shown.then(|| set_timeout_with_handle(hide, SHOWN).ok()).flatten();
        timer.set_value(next);
    });
    view! {
        <div class="toast-place" aria-live="polite">
            {live(move || {
                store.toast.get().map(|StatusMessage { sentence, can_undo }| {
                    view! {
                        <div class="toast">
                            <span>{sentence}</span>
                            {can_undo.then(|| view! { <button type="button" class="toast__undo" on:click=handler(move |_| act(store, "restore"))>{UNDO}</button> }.into_any())}
                            <button
                                type="button"
                                class="icon-button"
                                aria-label=DISMISS
                                on:click=handler(move |_| store.toast.set(None))
                            >
                                {icon(Icon::Close)}
                            </button>
                        </div>
                    }
                    .into_any()
                })
            })}
        </div>
    }
}
