//! The rules that are one choice or one value, and the weights of groups.

use super::field::{ControlField, choice, typed};
use super::{RulesContext, complaint, threshold};
use crate::report::{Control, RulesView};
use crate::ui::state::{handler, live, memo, shown};
use crate::words::ui::rules as words;
use leptos::prelude::*;

/// Name of the rule that has a slider.
const PASS: &str = "pass";

/// Name of a rule, and the id of its field.
type RuleField = (String, String);

/// The rules except for weights and the gate.
pub fn rules(cx: RulesContext) -> AnyView {
    let places = cx.of(|rules| places(rules, 0, &rules.controls));
    view! {
        <section class="card rules__card">
            <div class="fields" role="group" aria-label=words::RULES>{fields(cx, places)}</div>
        </section>
    }
    .into_any()
}

/// The weights of groups; many are folded away at first.
pub fn weights(cx: RulesContext) -> AnyView {
    let has_any = cx.of(|rules| !rules.weights.is_empty());
    let is_open = cx.of(RulesView::shows_weights);
    let places = cx.of(|rules| places(rules, rules.controls.len(), &rules.weights));
    shown(
        move || has_any.get(),
        move || {
            live(move || {
                // Another fold: few are open also when many were folded just before.
                let is_open = is_open.get();
                view! {
                    <details class="card rules__card rules__weights" open=is_open>
                        <summary><h2 class="section__title section__title--fold">{words::WEIGHTS}</h2></summary>
                        <p class="section__lead">{words::WEIGHTS_LEAD}</p>
                        <div class="fields fields--narrow" role="group" aria-label=words::WEIGHTS>{fields(cx, places)}</div>
                    </details>
                }
                .into_any()
            })
            .into_any()
        },
    )
}

fn places(rules: &RulesView, first: usize, controls: &[Control]) -> Vec<RuleField> {
    let names = controls.iter().map(|control| control.name.clone());
    names.zip(rules.field_ids().into_iter().skip(first)).collect()
}

fn fields(cx: RulesContext, places: Memo<Vec<RuleField>>) -> AnyView {
    view! { <For each=move || places.get() key=Clone::clone children=move |place| field(cx, place)/> }
        .into_any()
}

/// A rule with its label and what follows from it.
fn field(cx: RulesContext, (name, id): RuleField) -> AnyView {
    let own = name.clone();
    let control = cx.of(move |rules| {
        let mut all = rules.controls.iter().chain(&rules.weights);
        all.find(|control| control.name == own).cloned().unwrap_or_default()
    });
    let value = memo(move || control.with(|control| control.shown().to_owned()));
    let error = memo(move || control.with(|control| control.error.clone()));
    let rule = name.clone();
    let set = Callback::new(move |typed: String| {
        let value = control.with_untracked(|control| control.set_by(&typed));
        cx.store.put_rule(&rule, &value);
    });
    let parts = ControlField { id: id.clone(), name: None, class: "", value, set };
    let has_options = control.with_untracked(|control| !control.options.is_empty());
    let body = if has_options {
        choice(parts, memo(move || control.with(|control| control.options.clone())))
    } else if name == PASS {
        threshold::pass_rule(cx, parts, control)
    } else {
        typed(parts, words::AS_DECLARED, Some(error))
    };
    let words = live(move || control.with(|control| control.result.clone()));
    // The slider counts in its place.
    let result =
        (name != PASS).then(|| view! { <span class="field__result">{words}</span> }.into_any());
    let class = if name == PASS { "field field--pass" } else { "field" };
    let complaint = (!has_options).then(|| complaint(&id, error));
    view! {
        <div class=class title=live(move || control.with(|control| control.hint.clone()))>
            <div class="field__head">
                <label class="field__label" for=id>{live(move || control.with(|control| control.label.clone()))}</label>
                {reset(cx, name, control)}
            </div>
            {body}
            {complaint}
            {result}
        </div>
    }
    .into_any()
}

/// What takes one rule back, while it is changed.
fn reset(cx: RulesContext, name: String, control: Memo<Control>) -> AnyView {
    let is_set = memo(move || control.with(|control| !control.value.is_empty()));
    let label = move || control.with(|control| format!(" {}", control.label));
    shown(
        move || is_set.get(),
        move || {
            let name = name.clone();
            view! {
                <button
                    type="button" class="field__reset"
                    on:click=handler(move |_| cx.store.put_rule(&name, ""))
                >{words::RESET}<span class="visually-hidden">{live(label)}</span></button>
            }
            .into_any()
        },
    )
}
