//! A part of the gate with its controls.

use super::RulesContext;
use super::field::{ControlField, choice, typed};
use crate::format;
use crate::report::{GateControl, GateControlKind, GateLine, GatePart, Outcome};
use crate::ui::components::report::outcome_mark;
use crate::ui::state::{handler, live, memo, shown};
use crate::words::ui::rules as words;
use leptos::prelude::*;

/// The part that `path` leads to, with its own parts. Controls stay as long as the part has them.
pub fn part(cx: RulesContext, path: Vec<usize>) -> AnyView {
    let way = path.clone();
    let own = cx.of(move |rules| rules.gate.root.as_ref()?.at(&way).cloned());
    let of = move |read: fn(&GatePart) -> Vec<GateControl>| {
        memo(move || own.with(|part| part.as_ref().map(read).unwrap_or_default()))
    };
    let head = of(|part| part.controls.clone());
    let remove = of(|part| vec![part.remove.clone()]);
    let add = of(|part| part.add.clone().into_iter().collect());
    let line = memo(move || own.with(|part| part.as_ref()?.result.clone()));
    let n_rows = memo(move || own.with(|part| part.as_ref().map_or(0, |part| part.rows.len())));
    let n_parts = memo(move || own.with(|part| part.as_ref().map_or(0, |part| part.parts.len())));
    let has_more = memo(move || n_rows.get() + n_parts.get() > 0);
    let more = move || {
        let path = path.clone();
        let inner = move |idx: usize| part(cx, [path.as_slice(), &[idx]].concat());
        view! {
            <div class="gate-part__parts">
                <For each=move || 0..n_rows.get() key=|idx| *idx children=move |idx| row(cx, own, idx)/>
                <For each=move || 0..n_parts.get() key=|idx| *idx children=inner/>
                {controls(cx, add)}
            </div>
        }
        .into_any()
    };
    view! {
        <div class="gate-part" role="group" aria-label=words::GATE_PART>
            {controls(cx, head)}
            {result(line)}
            {controls(cx, remove)}
            {shown(move || has_more.get(), more)}
        </div>
    }
    .into_any()
}

/// One metric of a weighted mean, with its weight and value.
fn row(cx: RulesContext, part: Memo<Option<GatePart>>, idx: usize) -> AnyView {
    let own = memo(move || part.with(|part| part.as_ref()?.rows.get(idx).cloned()));
    let head = memo(move || own.with(|row| row.as_ref().map(|row| row.controls.clone())));
    let remove = memo(move || own.with(|row| row.as_ref().map(|row| vec![row.remove.clone()])));
    let line = memo(move || own.with(|row| row.as_ref()?.result.clone()));
    view! {
        <div class="gate-part__weight">
            {controls(cx, memo(move || head.get().unwrap_or_default()))}
            {result(line)}
            {controls(cx, memo(move || remove.get().unwrap_or_default()))}
        </div>
    }
    .into_any()
}

/// Controls, each of which stays as long as it is there.
fn controls(cx: RulesContext, all: Memo<Vec<GateControl>>) -> AnyView {
    let key = |control: &GateControl| {
        (control.edit.word(), std::mem::discriminant(&control.kind), control.label.clone())
    };
    let one = move |first: GateControl| {
        let edit = first.edit.clone();
        let own = memo(move || {
            all.with(|all| all.iter().find(|control| control.edit == edit).cloned())
                .unwrap_or_else(|| first.clone())
        });
        control(cx, own)
    };
    view! { <For each=move || all.get() key=key children=one/> }.into_any()
}

fn control(cx: RulesContext, own: Memo<GateControl>) -> AnyView {
    let GateControl { label, kind, edit, .. } = own.get_untracked();
    let field = |class| ControlField {
        id: id_of(&edit.word()),
        name: Some(label.clone()),
        class,
        value: memo(move || own.with(|control| control.value.clone())),
        set: Callback::new(move |value: String| {
            cx.store.edit_gate(own.with_untracked(|control| control.edit.clone()), value);
        }),
    };
    match kind {
        GateControlKind::Button => button(cx, own),
        GateControlKind::Number => typed(field("field__input--number"), "", None),
        GateControlKind::Choice(_) => {
            let options = memo(move || {
                own.with(|control| match &control.kind {
                    GateControlKind::Choice(options) => {
                        options.iter().map(|word| (word.clone(), word.clone())).collect()
                    }
                    _ => Vec::new(),
                })
            });
            choice(field(""), options)
        }
    }
}

/// A button of the gate.
pub fn button(cx: RulesContext, own: Memo<GateControl>) -> AnyView {
    let GateControl { edit, label, .. } = own.get_untracked();
    let id = id_of(&edit.word());
    view! {
        <button
            type="button" class="button button--small" id=id
            on:click=handler(move |_| {
                cx.is_pressed.set_value(true);
                cx.store.edit_gate(edit.clone(), String::new());
            })
        >{label}</button>
    }
    .into_any()
}

/// Id of the control that `word` names: `gate-0-op` for `0:op`.
fn id_of(word: &str) -> String {
    let way = word.trim_start_matches(':').replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    format!("gate-{way}")
}

/// What a part gives just now.
fn result(line: Memo<Option<GateLine>>) -> AnyView {
    let body = move || {
        let GateLine { value, is_passed, reason, n, .. } = line.get()?;
        let outcome = is_passed.map(Outcome::of);
        let outcome =
            outcome.map(|outcome| view! { {outcome_mark(outcome)}{outcome.as_str()} }.into_any());
        let value = value.map(|value| format!(" {}", format::number(value.0, 4)));
        let n = n.map(words::of_scores);
        Some(
            view! { <span class="gate-part__result" title=reason>{outcome}{value}{n}</span> }
                .into_any(),
        )
    };
    live(body).into_any()
}
