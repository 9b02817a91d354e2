//! The user's gate: as text, and part by part.

use super::field::{ControlField, typed};
use super::part::{button, part};
use super::{RulesContext, complaint};
use crate::browser;
use crate::report::GateView;
use crate::ui::state::{effect, live, memo};
use crate::words::ui::rules as words;
use leptos::prelude::*;

/// Id of the text.
const TEXT: &str = "gate-text";
/// Id of the first control of its parts.
const SHAPE: &str = "gate-shape";
/// Name of the rule.
const RULE: &str = "gate";

/// The gate.
pub fn gate(cx: RulesContext) -> AnyView {
    let text = cx.of(|rules| rules.gate.text.clone());
    let error = cx.of(|rules| rules.gate.error.clone());
    let unfit = cx.of(|rules| rules.gate.unfit.join(", "));
    let has_parts = cx.of(|rules| rules.gate.root.is_some());
    let root = cx.of(|rules| rules.gate.root.clone());
    effect(move || {
        root.track();
        if cx.is_pressed.get_value() {
            cx.is_pressed.set_value(false);
            browser::refocus_soon(SHAPE, TEXT);
        }
    });
    let field = ControlField {
        id: TEXT.to_owned(),
        name: None,
        class: "field__input--code",
        value: text,
        set: Callback::new(move |text: String| cx.store.put_rule(RULE, &text)),
    };
    let parts = move || {
        if has_parts.get() {
            view! { <div class="gate-part__tree">{part(cx, Vec::new())}</div> }.into_any()
        } else {
            button(cx, memo(GateView::begin))
        }
    };
    let unfit = move || {
        let unfit = unfit.get();
        let sentence = words::gate_unfit(&unfit);
        (!unfit.is_empty()).then(|| view! { <p class="section__lead">{sentence}</p> }.into_any())
    };
    view! {
        <section class="card rules__card gate">
            <h2 class="section__title">{words::GATE}</h2>
            <p class="section__lead">{words::GATE_LEAD}</p>
            <div class="field field--wide">
                <label class="field__label" for=TEXT>{words::GATE_TEXT}</label>
                {typed(field, words::GATE_EXAMPLE, Some(error))}
                {complaint(TEXT, error)}
            </div>
            {live(parts)}
            {live(unfit)}
        </section>
    }
    .into_any()
}
