//! How far opening has come.

use crate::ui::state::{handler, live, memo, use_store};
use crate::words::ui::shell as words;
use leptos::prelude::*;

/// A bar in bytes, the file being read, and a way to stop.
#[component]
pub fn ProgressView() -> impl IntoView {
    let store = use_store();
    let numbers = memo(move || store.progress.with(|progress| (progress.n_done, progress.n_total)));
    let text = move || match numbers.get() {
        (0, 0) => words::LOOKING.to_owned(),
        (n_done, 0) => words::bytes_read(n_done),
        (n_done, n_total) => words::bytes_of(n_done.min(n_total), n_total),
    };
    let now = move || numbers.get().0.min(numbers.get().1.max(1));
    let width = move || match numbers.get() {
        (_, 0) => "0%".to_owned(),
        (n_done, n_total) => format!("{}%", n_done.min(n_total) * 100 / n_total),
    };
    view! {
        <div class="progress">
            <div
                class="progress__track"
                role="progressbar"
                aria-label=words::PROGRESS
                aria-valuemin="0"
                aria-valuenow=live(now)
                aria-valuemax=live(move || numbers.get().1.max(1))
                aria-valuetext=live(text)
            >
                <div class="progress__fill" style:width=live(width)></div>
            </div>
            <div class="progress__line">
                <span class="progress__text">{live(text)}</span>
                <span class="progress__file">{live(move || store.progress.with(|progress| progress.file.clone()))}</span>
                <button type="button" class="button button--small" on:click=handler(move |_| store.cancel())>
                    {words::CANCEL}
                </button>
            </div>
        </div>
    }
}
