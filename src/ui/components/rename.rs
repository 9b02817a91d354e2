//! Giving an evaluation or a run another name.

use crate::browser;
use crate::ui::state::{handler, live, memo, use_store};
use crate::words::ui::shell as words;
use crate::worker::protocol::Question;
use leptos::ev::SubmitEvent;
use leptos::prelude::*;

/// Id of the dialog.
const RENAME_DIALOG: &str = "rename";
/// Id of the field in it.
const FIELD: &str = "rename-field";

/// The dialog, closed until it is asked for. It is about what is selected.
#[component]
pub fn RenameDialog() -> impl IntoView {
    let store = use_store();
    let name = memo(move || store.selected_name().unwrap_or_default());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        browser::show_dialog(RENAME_DIALOG, false);
        let target = store.route.with_untracked(|route| route.target);
        if let Some(label) = browser::field_value(FIELD) {
            store.change(Question::Rename { target, label });
        }
    };
    view! {
        <dialog class="keys" id=RENAME_DIALOG aria-labelledby="rename-title">
            <form on:submit=handler(submit)>
                <h2 class="keys__title" id="rename-title">{words::RENAME}</h2>
                <label class="field field--line">
                    <span class="field__label">{words::RENAME_FIELD}</span>
                    <input class="field__input" id=FIELD type="text" autocomplete="off" required=true prop:value=live(move || name.get())/>
                </label>
                <p class="field__hint">{words::RENAME_HINT}</p>
                <button type="submit" class="button button--main">{words::RENAME}</button>
                <button type="button" class="button" on:click=handler(move |_| browser::show_dialog(RENAME_DIALOG, false))>{words::CANCEL}</button>
            </form>
        </dialog>
    }
}
