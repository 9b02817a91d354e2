//! A choice and a typed value: what both the rules and the gate are set with.

use super::error_id;
use crate::ui::state::{live, memo};
use leptos::prelude::*;

/// What a control is called, follows and does.
#[derive(Clone)]
pub struct Field {
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
pub fn choice(field: Field, options: Memo<Vec<(String, String)>>) -> AnyView {
    let Field { id, name, class, value, set } = field;
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
            class=format!("field__input {class}") id=id title=name.clone() aria-label=name
            on:change:target=move |event| set.run(event.target().value())
        >{live(options)}</select>
    }
    .into_any()
}

/// A value that is typed. `error` is why it is not understood, as it stands under the field.
pub fn typed(field: Field, placeholder: &'static str, error: Option<Memo<String>>) -> AnyView {
    let Field { id, name, class, value, set } = field;
    let has_error = memo(move || error.is_some_and(|error| error.with(|error| !error.is_empty())));
    let described = error.map(|_| error_id(&id));
    view! {
        <input
            class=format!("field__input {class}") id=id type="text" inputmode="decimal" autocomplete="off" spellcheck="false"
            placeholder=placeholder title=name.clone() aria-label=name aria-describedby=described
            aria-invalid=live(move || has_error.get().then_some("true"))
            prop:value=live(move || value.get())
            on:change:target=move |event| {
                let field = event.target();
                set.run(field.value());
                // Nothing is as declared, which is shown again.
                if field.value().trim().is_empty() {
                    field.set_value(&value.get_untracked());
                }
            }
        />
    }
    .into_any()
}
