//! The dialog that saves a sealed report.

use super::ProgressView;
use crate::ui::state::{handler, live, shown, use_store};
use leptos::prelude::*;

/// The dialog, closed until it is asked for; the worker draws what is in it.
#[component]
pub fn SealDialog() -> impl IntoView {
    let store = use_store();
    let drawn = |markup: RwSignal<String>| {
        live(move || view! { <div class="drawn" inner_html=markup.get()></div> }.into_any())
    };
    view! {
        <dialog class="keys seal" id="seal" aria-labelledby="seal-title" on:close=handler(move |_| store.end_seal())>
            {drawn(store.sealing.form)}
            {shown(move || store.sealing.is_busy.get(), move || view! { <ProgressView/> }.into_any())}
            <div aria-live="polite">{drawn(store.sealing.result)}</div>
        </dialog>
    }
}
