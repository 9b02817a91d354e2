//! The list of keys.

use crate::browser;
use crate::ui::state::handler;
use leptos::prelude::*;

/// Id of the dialog.
const KEYS_DIALOG: &str = "keys";

/// What each key does.
const KEYS: [(&str, &str); 19] = [
    ("?", "this list"),
    ("Ctrl K  ⌘ K", "find a page, run, case or action"),
    ("1 … 8", "the pages, in the order of the bar"),
    ("c", "compare"),
    ("/", "search the cases; on Compare, the pairs"),
    ("j  k  ↓  ↑", "next or previous row or case"),
    ("Page Up/Down, Home, End", "far through the table"),
    ("Enter", "open the case"),
    ("Space  Shift ↓ ↑  Ctrl A", "select rows of the table"),
    ("Ctrl C", "copy the selected rows"),
    ("Shift ← →  Ctrl Shift ← →", "on a heading: make the column wider, move it"),
    ("Esc", "back to the table; clear the search"),
    ("←  →", "fold or unfold an evaluation in the workspace"),
    ("Del", "remove an evaluation from the workspace"),
    ("F2", "rename what is selected"),
    ("o", "open files"),
    ("u", "undo the last removal"),
    (",", "settings"),
    ("t", "system, light or dark colours"),
];

/// The dialog, closed until `?` is pressed.
#[component]
pub fn KeysDialog() -> impl IntoView {
    let close = move |_| browser::show_dialog(KEYS_DIALOG, false);
    let rows = KEYS
        .map(|(keys, what)| view! { <dt><kbd>{keys}</kbd></dt><dd>{what}</dd> }.into_any())
        .collect_view();
    view! {
        <dialog class="keys" id=KEYS_DIALOG aria-labelledby="keys-title">
            <h2 class="keys__title" id="keys-title">"Keyboard shortcuts"</h2>
            <dl class="keys__list">{rows}</dl>
            <button type="button" class="button" on:click=handler(close)>"Close"</button>
        </dialog>
    }
}
