//! The list of keys.

use crate::browser;
use crate::ui::state::handler;
use crate::words::ui::{keys as words, shell};
use leptos::prelude::*;

/// Id of the dialog.
const KEYS_DIALOG: &str = "keys";

/// The dialog, closed until `?` is pressed.
#[component]
pub fn KeysDialog() -> impl IntoView {
    let close = move |_| browser::show_dialog(KEYS_DIALOG, false);
    let rows = words::KEYS
        .map(|(keys, what)| view! { <dt><kbd>{keys}</kbd></dt><dd>{what}</dd> }.into_any())
        .collect_view();
    view! {
        <dialog class="keys" id=KEYS_DIALOG aria-labelledby="keys-title">
            <h2 class="keys__title" id="keys-title">{shell::KEYS}</h2>
            <dl class="keys__list">{rows}</dl>
            <button type="button" class="button" on:click=handler(close)>{shell::CLOSE}</button>
        </dialog>
    }
}
