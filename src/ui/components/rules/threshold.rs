//! The pass rule: an operator, a number, and a slider that counts while it moves.

use super::RulesContext;
use super::field::{ControlField, choice, typed};
use crate::report::{Control, OPERATORS, Threshold};
use crate::ui::state::{effect, live, memo};
use crate::ui::threshold::{counted, joined, position, sign, split, written};
use crate::words::ui::rules as words;
use crate::worker::protocol::{Answer, Question};
use leptos::prelude::*;
use std::time::Duration;

/// How long the worker is left alone between two counts, while the slider moves.
const PAUSE: Duration = Duration::from_millis(60);
/// How long the slider stands still before its value is put in force.
const STILL: Duration = Duration::from_millis(300);
/// Name of the rule.
const RULE: &str = "pass";

/// The field of the pass rule, whose value is a comparison like `>= 0.8`.
pub fn pass_rule(cx: RulesContext, field: ControlField, control: Memo<Control>) -> AnyView {
    let ControlField { id, value, .. } = field;
    let op = RwSignal::new(split(&value.get_untracked()).0.to_owned());
    effect(move || {
        let rule = value.get();
        if !rule.is_empty() {
            op.set(split(&rule).0.to_owned());
        }
    });
    // A value that is tried, until it is in force.
    let tried = RwSignal::new(None::<f64>);
    let is_still = StoredValue::new_local(None::<TimeoutHandle>);
    effect(move || {
        value.track();
        // Unless the slider has moved on meanwhile.
        if is_still.with_value(Option::is_none) {
            tried.set(None);
        }
    });
    let span = cx.of(|rules| rules.threshold);
    let rule_of = move |value: f64| {
        let span = span.get_untracked()?;
        Some(joined(&op.get_untracked(), &written(value, &span)))
    };
    let number = memo(move || match (tried.get(), span.get()) {
        (Some(value), Some(span)) => written(value, &span),
        _ => value.with(|rule| split(rule).1.to_owned()),
    });
    let put = Callback::new(move |rule: String| {
        let rule = control.with_untracked(|control| control.set_by(&rule));
        cx.store.slide_rule(RULE, &rule);
    });
    let set_number =
        Callback::new(move |typed: String| put.run(joined(&op.get_untracked(), &typed)));
    let set_op = Callback::new(move |chosen: String| {
        op.set(chosen.clone());
        put.run(joined(&chosen, &number.get_untracked()));
    });
    let operators = OPERATORS.map(|op| (op.to_owned(), sign(op).to_owned()));
    let operator = ControlField {
        id: format!("{id}-op"),
        name: Some(words::COMPARISON.to_owned()),
        class: "field__input--op",
        value: memo(move || op.get()),
        set: set_op,
    };
    let error = memo(move || control.with(|control| control.error.clone()));
    let slider_id = format!("{id}-slider");
    let field = ControlField {
        id,
        name: None,
        class: "field__input--number",
        value: number,
        set: set_number,
    };
    let slider = move || {
        let (id, found) = (slider_id.clone(), span.get()?);
        let slide = Slide { value, tried, is_still, rule_of: Callback::new(rule_of), put };
        Some(slider(cx, id, found, slide, control))
    };
    view! {
        <div class="field__line">
            {choice(operator, memo(move || operators.to_vec()))}
            {typed(field, words::AS_DECLARED, Some(error))}
            {live(slider)}
        </div>
    }
    .into_any()
}

/// What a slider follows and does.
#[derive(Clone, Copy)]
struct Slide {
    /// The rule.
    value: Memo<String>,
    /// The value that is tried, until it is in force.
    tried: RwSignal<Option<f64>>,
    /// What puts it in force once the slider stands still.
    is_still: StoredValue<Option<TimeoutHandle>, LocalStorage>,
    /// The rule that a value stands for.
    rule_of: Callback<f64, Option<String>>,
    /// Puts a rule in force.
    put: Callback<String>,
}

/// The slider. While it moves the worker counts; once it stands still its value is put in force.
fn slider(
    cx: RulesContext,
    id: String,
    span: Threshold,
    slide: Slide,
    control: Memo<Control>,
) -> AnyView {
    let Slide { value, tried, is_still, rule_of, put } = slide;
    let found = RwSignal::new(None::<String>);
    let newest = StoredValue::new(0_u64);
    let count = move || {
        let rule = tried.try_get_untracked().flatten().and_then(|at| rule_of.try_run(at)).flatten();
        let Some(rule) = rule else { return };
        let number = newest.get_value() + 1;
        newest.set_value(number);
        let target = cx.store.route.with_untracked(|route| route.target);
        cx.store.ask(Question::Threshold { target, rule }, move |answer| {
            if let Ok(Answer::Threshold(Ok(answer))) = answer
                && newest.try_get_value() == Some(number)
            {
                found.try_set(Some(counted(&answer)));
            }
        });
    };
    let is_waiting = StoredValue::new_local(None::<TimeoutHandle>);
    let try_value = move |text: String| {
        let Ok(at) = text.parse::<f64>() else { return };
        tried.set(Some(at));
        if is_waiting.with_value(Option::is_none) {
            let timer = set_timeout_with_handle(
                move || {
                    is_waiting.try_set_value(None);
                    count();
                },
                PAUSE,
            );
            is_waiting.set_value(timer.ok());
        }
    };
    let keep = move || {
        let stop = |timer: &mut Option<TimeoutHandle>| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
        };
        is_still.update_value(stop);
        let timer = set_timeout_with_handle(
            move || {
                is_still.try_set_value(None);
                let at = tried.try_get_untracked().flatten();
                let Some(rule) = at.and_then(|at| rule_of.try_run(at)).flatten() else { return };
                if value.try_get_untracked().is_some_and(|value| value == rule) {
                    // It has come back to where it was.
                    tried.set(None);
                }
                put.try_run(rule);
            },
            STILL,
        );
        is_still.set_value(timer.ok());
    };
    let at = memo(move || tried.get().unwrap_or_else(|| value.with(|rule| position(rule, &span))));
    let text = move || {
        let is_tried = tried.get().is_some();
        let result = || control.with(|control| control.result.clone());
        found.get().filter(|_| is_tried).unwrap_or_else(result)
    };
    let said = move || match value.with(String::is_empty) && tried.get().is_none() {
        true => words::AS_DECLARED.to_owned(),
        false => written(at.get(), &span),
    };
    let output = format!("{id}-count");
    view! {
        <input
            class="field__slider" type="range" id=id.clone() aria-label=words::THRESHOLD aria-describedby=output.clone()
            min=span.low max=span.high step=span.step aria-valuetext=live(said)
            prop:value=live(move || at.get())
            on:input:target=move |event| try_value(event.target().value())
            on:change:target=move |event| {
                try_value(event.target().value());
                keep();
            }
        />
        <output class="field__count" id=output for=id aria-live="polite">{live(text)}</output>
    }
    .into_any()
}
