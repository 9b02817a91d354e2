//! Policies, gates, weights, strategies, and what they change.

use super::gate_editor::GateEditor;
use crate::markup::Markup;
use crate::report::{Control, RulesView};
use crate::ui::components::{PanelView, RuleField, drawn};
use crate::ui::state::{Panel, ask, live, memo, use_store};
use crate::worker::protocol::{Answer, Request};
use leptos::prelude::*;
use std::sync::Arc;

/// More weights than these are folded away at first.
const OPEN_WEIGHTS: usize = 12;

/// The rules in force, and what they change.
///
/// The fields stay while figures change, so that focus and typed text stay too: each finds its value
/// in the newest answer.
#[component]
pub fn RulesPage() -> impl IntoView {
    let store = use_store();
    let target = memo(move || store.route.with(|route| route.target));
    let panel = ask(
        store,
        move || Request::RulesView { target: target.get(), whole: store.whole.get() },
        |answer| match answer {
            Answer::RulesView { view, tables } => Ok((*view, tables)),
            _ => Err("The worker gave another answer.".to_owned()),
        },
    );
    let view = Signal::derive(move || match panel.get() {
        Panel::Data(data) => Some(data),
        _ => None,
    });
    let facts = move || {
        let facts = view.get().map(|data| data.0.facts.clone()).unwrap_or_default();
        facts.into_iter().map(|fact| view! { <li>{fact}</li> }.into_any()).collect_view()
    };
    let gate = Signal::derive(move || view.get().map(|data| data.0.gate.clone()));
    let n_weights = memo(move || view.get().map_or(0, |data| data.0.weights.len()));
    view! {
        <article class="sections rules">
            <header class="page-head">
                <h1 class="page-head__title">"Policies & gates"</h1>
                <ul class="page-head__facts">{live(facts)}</ul>
            </header>
            <PanelView panel what="the rules" draw=drawn_below/>
            <div class="fields" role="group" aria-label="Rules">
                {fields(view, |view| &view.controls)}
            </div>
            <details
                class="section" hidden=live(move || n_weights.get() == 0)
                open=live(move || n_weights.get() <= OPEN_WEIGHTS)
            >
                <summary><h2 class="section__title section__title--fold">"Weights of groups"</h2></summary>
                <p class="section__lead">
                    "A group counts in a checkpoint's score by its weight; 0 leaves it out. Each group of this name, in every run."
                </p>
                <div class="fields fields--narrow" role="group" aria-label="Weights of groups">
                    {fields(view, |view| &view.weights)}
                </div>
            </details>
            <GateEditor gate/>
            {live(move || view.get().map(|data| drawn(&data.1)))}
        </article>
    }
}

/// The data are drawn by the parts below, which stay.
fn drawn_below(_data: Arc<(RulesView, Markup)>) -> AnyView {
    ().into_any()
}

/// A field for each rule of `list`.
fn fields(
    view: Signal<Option<Arc<(RulesView, Markup)>>>,
    list: fn(&RulesView) -> &Vec<Control>,
) -> AnyView {
    let shapes = memo(move || {
        let view = view.get();
        let controls = view.iter().flat_map(|data| list(&data.0));
        let plain = |control: &Control| Control {
            value: String::new(),
            result: String::new(),
            ..control.clone()
        };
        controls.map(plain).collect::<Vec<_>>()
    });
    let field = move |control: Control| {
        let name = control.name.clone();
        let now = Signal::derive(move || {
            let view = view.get()?;
            list(&view.0).iter().find(|control| control.name == name).cloned()
        });
        view! { <RuleField control now/> }.into_any()
    };
    live(move || shapes.get().into_iter().map(field).collect_view()).into_any()
}
