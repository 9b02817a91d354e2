//! One rule that can be set: a choice or a value, and what follows from it.

use crate::report::Control;
use crate::ui::state::{live, use_store};
use leptos::prelude::*;

/// A labelled field for a rule. It stays where it is while the figures change; `now` finds its
/// value and result in the newest ones.
#[component]
pub fn RuleField(
    /// The rule; its value and result may be out of date.
    control: Control,
    /// The rule as it is now.
    #[prop(into)]
    now: Signal<Option<Control>>,
) -> impl IntoView {
    let store = use_store();
    let Control { name, label, hint, options, .. } = control;
    let id = format!("rule-{}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    let value = move || now.with(|now| now.as_ref().map_or(String::new(), |now| now.value.clone()));
    let result =
        move || now.with(|now| now.as_ref().map_or(String::new(), |now| now.result.clone()));
    let set = move |text: String| {
        let text = text.trim().to_owned();
        store.go(|route| route.set_rule(&name, (!text.is_empty()).then_some(text)));
    };
    let field = if options.is_empty() {
        view! {
            <input
                class="field__input" id=id.clone() type="text" inputmode="decimal" autocomplete="off"
                placeholder="as declared" prop:value=live(value)
                on:change:target=move |event| set(event.target().value())
            />
        }
        .into_any()
    } else {
        let options = options
            .into_iter()
            .map(|(option, words)| {
                let own = option.clone();
                let is_chosen = live(move || value() == own);
                view! { <option value=option prop:selected=is_chosen>{words}</option> }.into_any()
            })
            .collect_view();
        view! {
            <select class="field__input" id=id.clone() on:change:target=move |event| set(event.target().value())>
                {options}
            </select>
        }
        .into_any()
    };
    view! {
        <div class="field" title=hint>
            <label class="field__label" for=id>{label}</label>
            {field}
            <span class="field__result">{live(result)}</span>
        </div>
    }
}
