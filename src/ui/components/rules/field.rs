//! A choice and a typed value: what both the rules and the gate are set with.

use super::error_id;
use crate::ui::state::{TextDraft, effect, handler, live, memo};
use leptos::prelude::*;

/// What a control is called, follows and does.
#[derive(Clone)]
pub struct ControlField {
    /// Its id.
    pub id: String,
    /// Its name, where no label stands beside it.
    pub name: Option<String>,
    /// More classes.
    pub class: &'static str,
    /// What it shows.
    pub value: Memo<String>,
    /// What is done with what was chosen or typed.
    pub set: Callback<String>,
}

/// A choice among `options`, each a value and its words.
pub fn choice(field: ControlField, options: Memo<Vec<(String, String)>>) -> AnyView {
    let ControlField { id, name, class, value, set } = field;
    let options = move || {
        let option = |(own, words): (String, String)| {
            let this = own.clone();
            let is_chosen = memo(move || value.get() == this);
            view! { <option value=own prop:selected=live(move || is_chosen.get())>{words}</option> }
                .into_any()
        };
        options.get().into_iter().map(option).collect_view()
    };
    view! {
        <select
            class=format!("field__input {class}") id=id aria-label=name
            on:change:target=move |event| set.run(event.target().value())
        >{live(options)}</select>
    }
    .into_any()
}

/// A value that is typed. `error` is why it is not understood, as it stands under the field.
pub fn typed(
    field: ControlField,
    placeholder: &'static str,
    error: Option<Memo<String>>,
) -> AnyView {
    let ControlField { id, name, class, value, set } = field;
    let has_error = memo(move || error.is_some_and(|error| error.with(|error| !error.is_empty())));
    let described = error.map(|_| error_id(&id));
    let draft = RwSignal::new(TextDraft::default());
    effect(move || {
        value.track();
        draft.update(TextDraft::followed);
    });
    view! {
        <input
            class=format!("field__input {class}") id=id type="text" inputmode="decimal" autocomplete="off" spellcheck="false"
            placeholder=placeholder aria-label=name aria-describedby=described
            aria-invalid=live(move || has_error.get().then_some("true"))
            prop:value=live(move || draft.with(|draft| value.with(|value| draft.shown(value))))
            on:input:target=move |event| draft.update(|draft| draft.typed(event.target().value()))
            on:change:target=move |event| {
                draft.update(TextDraft::committed);
                set.run(event.target().value());
            }
            on:blur=handler(move |_| draft.update(TextDraft::left))
        />
    }
    .into_any()
}
