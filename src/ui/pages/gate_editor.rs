//! The gate of the page's reader, built part by part.

use crate::browser;
use crate::format;
use crate::report::{
    AGGREGATES, Condition, GateEdit, GateForm, GateLine, OPERATORS, OWN_SCORE, Outcome,
};
use crate::ui::components::OutcomeMark;
use crate::ui::gate_edit::{self, SHAPES};
use crate::ui::state::{Store, handler, live, memo, use_store};
use leptos::prelude::*;

/// The gate as text and as parts, each with its value.
#[component]
pub fn GateEditor(
    /// The gate, its values, what can go into it.
    #[prop(into)]
    gate: Signal<Option<GateEdit>>,
) -> impl IntoView {
    let store = use_store();
    let written = memo(move || {
        store.route.with(|route| {
            let rule = route.rules.iter().find(|(name, _)| name == "gate");
            rule.map_or(String::new(), |(_, text)| text.clone())
        })
    });
    let begin = move |()| {
        let form = gate.with_untracked(|gate| gate.as_ref()?.suggestion.clone());
        set(store, Some(form.unwrap_or_else(gate_edit::fresh)));
    };
    let body = move || {
        // The parts are drawn anew, so the focus is given back to the field that takes its place.
        let focused = browser::focused_id().filter(|id| id.starts_with("gate-"));
        if let Some(id) = focused {
            request_animation_frame(move || browser::refocus(&id, "gate-text"));
        }
        let edit = gate.get()?;
        let Some(form) = edit.form.clone() else {
            return Some(button("gate-begin".to_owned(), "Make a gate", Box::new(begin)));
        };
        let unfit = (!edit.unfit.is_empty()).then(|| {
            let names = edit.unfit.join(", ");
            view! { <p class="section__lead">"Without these metrics, and therefore still judged by its own rule: " {names}</p> }.into_any()
        });
        let parts = Editor { store, edit }.node(&form, &[], 0);
        Some(view! { <div class="gate-part__tree">{parts}</div> {unfit} }.into_any())
    };
    view! {
        <section class="section gate">
            <h2 class="section__title">"Gate"</h2>
            <p class="section__lead">
                "A rule of your own over aggregates, in the place of each evaluation's rule, for the results of any producer."
            </p>
            <div class="field field--wide">
                <label class="field__label" for="gate-text">"As text"</label>
                <input
                    class="field__input field__input--code" id="gate-text" type="text" autocomplete="off" spellcheck="false"
                    placeholder="avg_score(*) >= 0.8 and p95(quality) > 0.5"
                    prop:value=live(move || written.get())
                    on:change:target=move |event| {
                        let text = event.target().value();
                        let text = text.trim();
                        store.go(|route| route.set_rule("gate", (!text.is_empty()).then(|| text.to_owned())));
                    }
                />
            </div>
            {live(body)}
        </section>
    }
}

/// Puts `form` in force.
fn set(store: Store, form: Option<GateForm>) {
    store.go(|route| route.set_rule("gate", form.map(|form| form.text())));
}

/// What draws the parts.
#[derive(Clone)]
struct Editor {
    store: Store,
    edit: GateEdit,
}

/// Changes a condition by what was chosen or typed.
type Put = Box<dyn Fn(&mut Condition, String)>;

impl Editor {
    /// Changes the part at `path`.
    fn change(&self, path: &[usize], change: impl FnOnce(&mut GateForm)) {
        let Some(mut form) = self.edit.form.clone() else { return };
        if let Some(part) = gate_edit::part(&mut form, path) {
            change(part);
        }
        set(self.store, Some(form));
    }

    /// Changes the condition at `path`.
    fn change_condition(&self, path: &[usize], change: impl FnOnce(&mut Condition)) {
        self.change(path, |part| {
            if let GateForm::Condition(condition) = part {
                change(condition);
            }
        });
    }

    /// A part with its own parts; `at` is its line in the report.
    fn node(&self, form: &GateForm, path: &[usize], at: usize) -> AnyView {
        let (editor, own) = (self.clone(), path.to_vec());
        let remove = move |()| {
            let form = editor.edit.form.clone();
            set(editor.store, form.and_then(|form| gate_edit::without(form, &own)));
        };
        let fields = match form {
            GateForm::Condition(condition) => self.condition(condition, path, at),
            GateForm::Logical { parts, .. } => {
                let mut line = at + 1;
                let mut nodes = Vec::new();
                for (idx, part) in parts.iter().enumerate() {
                    let own = [path, &[idx]].concat();
                    nodes.push(self.node(part, &own, line));
                    line += gate_edit::n_lines(part);
                }
                let (editor, own) = (self.clone(), path.to_vec());
                let add = move |()| {
                    editor.change(&own, |part| {
                        if let GateForm::Logical { parts, .. } = part {
                            parts.push(gate_edit::fresh());
                        }
                    });
                };
                let add = button(id(path, "add"), "Add condition", Box::new(add));
                view! { <div class="gate-part__parts">{nodes} {add}</div> }.into_any()
            }
        };
        let (editor, own) = (self.clone(), path.to_vec());
        let shape = choice(
            id(path, "shape"),
            "Kind of rule",
            SHAPES.map(str::to_owned).into(),
            SHAPES[gate_edit::shape_of(form)],
            Box::new(move |words| {
                let shape = SHAPES.iter().position(|known| *known == words).unwrap_or(0);
                let metrics = editor.edit.metrics.clone();
                editor.change(&own, |part| {
                    *part = gate_edit::reshaped(part.clone(), shape, &metrics);
                });
            }),
        );
        view! {
            <div class="gate-part" role="group" aria-label="Part of the gate">
                {shape}
                {result(self.edit.lines.get(at))}
                {button(id(path, "remove"), "Remove", Box::new(remove))}
                {fields}
            </div>
        }
        .into_any()
    }

    /// The fields of a condition.
    fn condition(&self, condition: &Condition, path: &[usize], at: usize) -> AnyView {
        let aggregate = self.chosen(
            path,
            "aggregate",
            "Aggregate",
            AGGREGATES.map(str::to_owned).into(),
            &condition.aggregate,
            Box::new(|condition, word| condition.aggregate = word),
        );
        let threshold = (condition.aggregate == "accuracy").then(|| {
            self.typed(
                path,
                "threshold",
                "Score that counts as right",
                &condition.threshold,
                Box::new(|condition, text| condition.threshold = text),
            )
        });
        let op = self.chosen(
            path,
            "op",
            "Operator",
            OPERATORS.map(str::to_owned).into(),
            &condition.op,
            Box::new(|condition, word| condition.op = word),
        );
        let value = self.typed(
            path,
            "value",
            "Threshold",
            &condition.value,
            Box::new(|condition, text| condition.value = text),
        );
        let metrics: Vec<AnyView> = condition
            .metrics
            .iter()
            .enumerate()
            .map(|(idx, metric)| self.metric(condition, metric, path, idx, at))
            .collect();
        if !condition.is_weighted {
            return view! { {aggregate} {threshold} {metrics} {op} {value} }.into_any();
        }
        let (editor, own) = (self.clone(), path.to_vec());
        let add = move |()| {
            let known = editor.edit.metrics.clone();
            editor.change_condition(&own, |condition| {
                let is_new =
                    |metric: &&String| condition.metrics.iter().all(|(name, _)| name != *metric);
                let new = known.iter().find(is_new).or(known.first()).cloned();
                condition.metrics.extend(new.map(|metric| (metric, "1".to_owned())));
            });
        };
        let add = button(id(path, "add"), "Add metric", Box::new(add));
        view! { {aggregate} {threshold} {op} {value} <div class="gate-part__parts">{metrics} {add}</div> }
            .into_any()
    }

    /// One metric of a condition, with its weight and value where it has one.
    fn metric(
        &self,
        condition: &Condition,
        (name, weight): &(String, String),
        path: &[usize],
        idx: usize,
        at: usize,
    ) -> AnyView {
        let mut names = self.edit.metrics.clone();
        if !condition.is_weighted {
            names.insert(0, OWN_SCORE.to_owned());
        }
        let metric = self.chosen(
            path,
            &format!("metric-{idx}"),
            "Metric; * is the case's own score",
            names,
            name,
            Box::new(move |condition, word| {
                if let Some((name, _)) = condition.metrics.get_mut(idx) {
                    *name = word;
                }
            }),
        );
        if !condition.is_weighted {
            return metric;
        }
        let number = self.typed(
            path,
            &format!("weight-{idx}"),
            "Weight",
            weight,
            Box::new(move |condition, text| {
                if let Some((_, weight)) = condition.metrics.get_mut(idx) {
                    *weight = text;
                }
            }),
        );
        let (editor, own) = (self.clone(), path.to_vec());
        let remove = move |()| {
            editor.change_condition(&own, |condition| {
                if condition.metrics.len() > 1 {
                    condition.metrics.remove(idx);
                }
            });
        };
        let remove = button(id(path, &format!("remove-{idx}")), "Remove", Box::new(remove));
        let line = result(self.edit.lines.get(at + 1 + idx));
        view! { <div class="gate-part__weight">{metric} {number} {line} {remove}</div> }.into_any()
    }

    fn chosen(
        &self,
        path: &[usize],
        what: &str,
        label: &'static str,
        words: Vec<String>,
        chosen: &str,
        put: Put,
    ) -> AnyView {
        choice(id(path, what), label, words, chosen, self.putting(path, put))
    }

    fn typed(
        &self,
        path: &[usize],
        what: &str,
        label: &'static str,
        text: &str,
        put: Put,
    ) -> AnyView {
        let change = self.putting(path, put);
        view! {
            <input
                class="field__input field__input--number" type="text" inputmode="decimal" autocomplete="off"
                id=id(path, what) aria-label=label title=label value=text.to_owned()
                on:change:target=move |event| change(event.target().value().trim().to_owned())
            />
        }
        .into_any()
    }

    fn putting(&self, path: &[usize], put: Put) -> Box<dyn Fn(String)> {
        let (editor, own) = (self.clone(), path.to_vec());
        Box::new(move |text| editor.change_condition(&own, |condition| put(condition, text)))
    }
}

/// A choice among words.
fn choice(
    id: String,
    label: &'static str,
    mut words: Vec<String>,
    chosen: &str,
    choose: Box<dyn Fn(String)>,
) -> AnyView {
    if words.iter().all(|word| word != chosen) {
        words.push(chosen.to_owned());
    }
    let options = words
        .into_iter()
        .map(|word| {
            let is_chosen = word == chosen;
            let value = word.clone();
            view! { <option value=value selected=is_chosen>{word}</option> }.into_any()
        })
        .collect_view();
    view! {
        <select class="field__input" id=id aria-label=label title=label on:change:target=move |event| choose(event.target().value())>
            {options}
        </select>
    }
    .into_any()
}

fn button(id: String, words: &'static str, press: Box<dyn Fn(())>) -> AnyView {
    view! {
        <button type="button" class="button button--small" id=id on:click=handler(move |_| press(()))>{words}</button>
    }
    .into_any()
}

/// What a part gives just now.
fn result(line: Option<&GateLine>) -> Option<AnyView> {
    let GateLine { value, is_passed, reason, n, .. } = line?.clone();
    let outcome = is_passed.map(Outcome::of);
    let n = n.map(|n| format!(" ({})", format::counted(n, "score", "scores")));
    let value = value.map(|value| format::number(value.0, 4));
    Some(
        view! {
            <span class="gate-part__result" title=reason>
                {outcome.map(|outcome| view! { <OutcomeMark outcome/> }.into_any())}
                {outcome.map(Outcome::as_str)} " " {value} {n}
            </span>
        }
        .into_any(),
    )
}

/// Id of a field of the part at `path`.
fn id(path: &[usize], what: &str) -> String {
    let numbers: String = path.iter().map(|idx| format!("{idx}-")).collect();
    format!("gate-{numbers}{what}")
}
