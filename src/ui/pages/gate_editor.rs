//! The gate of the page's reader, built part by part.

use crate::browser;
use crate::report::{
    Aggregation, GateEdit, GateLine, GateRule, Op, Outcome, aggregate_name, gate_text,
};
use crate::ui::components::OutcomeMark;
use crate::ui::format;
use crate::ui::gate_edit::{self, AGGREGATIONS, OPS, Shape};
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
    let text = memo(move || {
        gate.with(|gate| gate.as_ref()?.rule.as_ref().map(gate_text)).unwrap_or_default()
    });
    let written = memo(move || {
        store.route.with(|route| {
            let rule = route.rules.iter().find(|(name, _)| name == "gate");
            rule.map_or(String::new(), |(_, text)| text.clone())
        })
    });
    let begin = move |_| {
        let rule = gate.with_untracked(|gate| gate.as_ref()?.suggestion.clone());
        set(store, Some(rule.unwrap_or_else(gate_edit::fresh)));
    };
    let body = move || {
        // The parts are drawn anew, so the focus is given back to the field that takes its place.
        let focused = browser::focused_id().filter(|id| id.starts_with("gate-"));
        if let Some(id) = focused {
            request_animation_frame(move || browser::refocus(&id, "gate-text"));
        }
        let Some(edit) = gate.get() else { return ().into_any() };
        let Some(rule) = edit.rule.clone() else {
            return view! {
                <button type="button" class="button" id="gate-begin" on:click=handler(begin)>"Make a gate"</button>
            }
            .into_any();
        };
        let unfit = (!edit.unfit.is_empty()).then(|| {
            let names = edit.unfit.join(", ");
            view! { <p class="section__lead">"Without these metrics, and therefore still judged by its own rule: " {names}</p> }.into_any()
        });
        let parts = Editor { store, edit: edit.clone() }.node(&rule, &[], 0);
        view! { <div class="gate-part__tree">{parts}</div> {unfit} }.into_any()
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
                    prop:value=live(move || if written.with(String::is_empty) { text.get() } else { written.get() })
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

/// Puts `rule` in force.
fn set(store: Store, rule: Option<GateRule>) {
    store.go(|route| route.set_rule("gate", rule.as_ref().map(gate_text)));
}

/// What draws the parts.
#[derive(Clone)]
struct Editor {
    store: Store,
    edit: GateEdit,
}

impl Editor {
    /// Changes the part at `path`.
    fn change(&self, path: &[usize], change: impl FnOnce(&mut GateRule)) {
        let Some(mut rule) = self.edit.rule.clone() else { return };
        if let Some(part) = gate_edit::part(&mut rule, path) {
            change(part);
        }
        set(self.store, Some(rule));
    }

    /// A part with its own parts; `at` is its line in the report.
    fn node(&self, rule: &GateRule, path: &[usize], at: usize) -> AnyView {
        let (editor, own) = (self.clone(), path.to_vec());
        let remove = move |_| {
            let rule = editor.edit.rule.clone();
            set(editor.store, rule.and_then(|rule| gate_edit::without(rule, &own)));
        };
        let fields = match rule {
            GateRule::Simple { metric, aggregation, op, value } => {
                let metric_field = self.metric(path, metric.as_deref());
                view! { {self.aggregation(path, *aggregation)} {metric_field} {self.comparison(path, *op, *value)} }
                    .into_any()
            }
            GateRule::Weighted { weights, aggregation, op, value } => {
                let parts = weights.iter().enumerate();
                let parts = parts.map(|(idx, (name, weight))| {
                    self.weight(path, idx, name, *weight, self.edit.lines.get(at + 1 + idx))
                });
                let (parts, editor, own) = (parts.collect_view(), self.clone(), path.to_vec());
                let add =
                    move |_| editor.change(&own, |part| add_metric(part, &editor.edit.metrics));
                view! {
                    {self.aggregation(path, *aggregation)}
                    {self.comparison(path, *op, *value)}
                    <div class="gate-part__parts">
                        {parts}
                        <button type="button" class="button button--small" id=id(path, "add") on:click=handler(add)>"Add metric"</button>
                    </div>
                }
                .into_any()
            }
            GateRule::Logical { rules, .. } => {
                let mut line = at + 1;
                let mut parts = Vec::new();
                for (idx, rule) in rules.iter().enumerate() {
                    let mut own = path.to_vec();
                    own.push(idx);
                    parts.push(self.node(rule, &own, line));
                    line += gate_edit::n_lines(rule);
                }
                let (editor, own) = (self.clone(), path.to_vec());
                let add = move |_| {
                    editor.change(&own, |part| {
                        if let GateRule::Logical { rules, .. } = part {
                            rules.push(gate_edit::fresh());
                        }
                    });
                };
                view! {
                    <div class="gate-part__parts">
                        {parts.collect_view()}
                        <button type="button" class="button button--small" id=id(path, "add") on:click=handler(add)>"Add condition"</button>
                    </div>
                }
                .into_any()
            }
            GateRule::Unknown(why) => why.clone().into_any(),
        };
        view! {
            <div class="gate-part" role="group" aria-label="Part of the gate">
                {self.shape(path, Shape::of(rule))}
                {result(self.edit.lines.get(at))}
                <button type="button" class="button button--small button--quiet" id=id(path, "remove") on:click=handler(remove)>"Remove"</button>
                {fields}
            </div>
        }
        .into_any()
    }

    fn shape(&self, path: &[usize], shape: Shape) -> AnyView {
        let options = Shape::ALL.iter().map(|(_, words)| (*words).to_owned()).collect();
        let chosen = Shape::ALL.iter().position(|(known, _)| *known == shape);
        self.choice(path, "shape", "Kind of rule", options, chosen, |editor, path, idx| {
            let shape = Shape::ALL.get(idx).map_or(Shape::Condition, |(shape, _)| *shape);
            let metrics = editor.edit.metrics.clone();
            editor.change(path, |part| {
                *part = gate_edit::reshaped(part.clone(), shape, &metrics);
            });
        })
    }

    fn aggregation(&self, path: &[usize], aggregation: Aggregation) -> AnyView {
        let mut known: Vec<String> = AGGREGATIONS.map(aggregate_name).into();
        let own = aggregate_name(aggregation);
        if !known.contains(&own) {
            known.push(own.clone());
        }
        let chosen = known.iter().position(|name| *name == own);
        let choice =
            self.choice(path, "aggregate", "Aggregate", known, chosen, |editor, path, idx| {
                editor.change(path, |part| {
                    if let (Some(new), Some(old)) = (AGGREGATIONS.get(idx), aggregation_of(part)) {
                        *old = *new;
                    }
                });
            });
        let threshold = match aggregation {
            Aggregation::Accuracy { threshold } => Some(self.number(
                path,
                "threshold",
                "Score that counts as right",
                threshold,
                |part, number| {
                    if let Some(old) = aggregation_of(part) {
                        *old = Aggregation::Accuracy { threshold: number };
                    }
                },
            )),
            _ => None,
        };
        view! { {choice} {threshold} }.into_any()
    }

    fn metric(&self, path: &[usize], metric: Option<&str>) -> AnyView {
        let mut names = vec!["the case's own score".to_owned()];
        names.extend(self.edit.metrics.iter().cloned());
        let chosen = metric.map_or(Some(0), |metric| {
            self.edit.metrics.iter().position(|known| known == metric).map(|at| at + 1)
        });
        self.choice(path, "metric", "Metric", names, chosen, |editor, path, idx| {
            let new = idx.checked_sub(1).and_then(|at| editor.edit.metrics.get(at)).cloned();
            editor.change(path, |part| {
                if let GateRule::Simple { metric, .. } = part {
                    *metric = new;
                }
            });
        })
    }

    fn comparison(&self, path: &[usize], op: Op, value: f64) -> AnyView {
        let signs = OPS.iter().map(|op| op.sign().to_owned()).collect();
        let chosen = OPS.iter().position(|known| *known == op);
        let op = self.choice(path, "op", "Operator", signs, chosen, |editor, path, idx| {
            editor.change(path, |part| {
                if let (Some(new), GateRule::Simple { op, .. } | GateRule::Weighted { op, .. }) =
                    (OPS.get(idx), part)
                {
                    *op = *new;
                }
            });
        });
        let value = self.number(path, "value", "Threshold", value, |part, number| {
            if let GateRule::Simple { value, .. } | GateRule::Weighted { value, .. } = part {
                *value = number;
            }
        });
        view! { {op} {value} }.into_any()
    }

    /// One metric of a weighted mean.
    fn weight(
        &self,
        path: &[usize],
        idx: usize,
        name: &str,
        weight: f64,
        line: Option<&GateLine>,
    ) -> AnyView {
        let chosen = self.edit.metrics.iter().position(|known| known == name);
        let mut own = path.to_vec();
        own.push(idx);
        // Parts of a weighted mean are no rules: their number stands last in the path of its fields.
        let metric = self.choice(
            &own,
            "metric",
            "Metric",
            self.edit.metrics.clone(),
            chosen,
            |editor, own, at| {
                let Some((idx, path)) = own.split_last() else { return };
                let new = editor.edit.metrics.get(at).cloned();
                editor.change(path, |part| {
                    if let (GateRule::Weighted { weights, .. }, Some(new)) = (part, new)
                        && let Some((name, _)) = weights.get_mut(*idx)
                    {
                        *name = new;
                    }
                });
            },
        );
        let (editor, path) = (self.clone(), path.to_vec());
        let remove_path = path.clone();
        let remove = move |_| {
            editor.change(&remove_path, |part| {
                if let GateRule::Weighted { weights, .. } = part
                    && weights.len() > 1
                {
                    weights.remove(idx);
                }
            });
        };
        let number =
            self.number(&path, &format!("weight-{idx}"), "Weight", weight, move |part, number| {
                if let GateRule::Weighted { weights, .. } = part
                    && let Some((_, weight)) = weights.get_mut(idx)
                {
                    *weight = number.max(0.0);
                }
            });
        view! {
            <div class="gate-part__weight">
                {metric} {number} {result(line)}
                <button type="button" class="button button--small button--quiet" id=id(&own, "remove") on:click=handler(remove)>"Remove"</button>
            </div>
        }
        .into_any()
    }

    /// A choice among words; `choose` gets the number of the chosen one.
    fn choice(
        &self,
        path: &[usize],
        what: &str,
        label: &'static str,
        words: Vec<String>,
        chosen: Option<usize>,
        choose: fn(&Self, &[usize], usize),
    ) -> AnyView {
        let (editor, own, id) = (self.clone(), path.to_vec(), id(path, what));
        let options = words
            .into_iter()
            .enumerate()
            .map(|(idx, words)| {
                let is_chosen = chosen == Some(idx);
                view! { <option value=idx.to_string() selected=is_chosen>{words}</option> }
                    .into_any()
            })
            .collect_view();
        let change = Box::new(move |value: String| {
            if let Ok(idx) = value.parse() {
                choose(&editor, &own, idx);
            }
        });
        view! {
            <select class="field__input" id=id aria-label=label title=label on:change:target=move |event| change(event.target().value())>
                {options}
            </select>
        }
        .into_any()
    }

    /// A number; `put` gets the part and what was typed.
    fn number(
        &self,
        path: &[usize],
        what: &str,
        label: &'static str,
        value: f64,
        put: impl Fn(&mut GateRule, f64) + 'static,
    ) -> AnyView {
        let (editor, own, id) = (self.clone(), path.to_vec(), id(path, what));
        let change: Box<dyn Fn(String)> = Box::new(move |text: String| {
            if let Some(number) = text.trim().parse().ok().filter(|number: &f64| number.is_finite())
            {
                editor.change(&own, |part| put(part, number));
            }
        });
        view! {
            <input
                class="field__input field__input--number" type="text" inputmode="decimal" autocomplete="off"
                id=id aria-label=label title=label value=value.to_string()
                on:change:target=move |event| change(event.target().value())
            />
        }
        .into_any()
    }
}

fn aggregation_of(rule: &mut GateRule) -> Option<&mut Aggregation> {
    match rule {
        GateRule::Simple { aggregation, .. } | GateRule::Weighted { aggregation, .. } => {
            Some(aggregation)
        }
        _ => None,
    }
}

/// Adds the first metric that is not yet there.
fn add_metric(rule: &mut GateRule, metrics: &[String]) {
    let GateRule::Weighted { weights, .. } = rule else { return };
    let new = metrics.iter().find(|metric| weights.iter().all(|(known, _)| known != *metric));
    weights.extend(new.or(metrics.first()).map(|metric| (metric.clone(), 1.0)));
}

/// What a part gives just now.
fn result(line: Option<&GateLine>) -> Option<AnyView> {
    let GateLine { value, is_passed, reason, n, .. } = line?.clone();
    let outcome = is_passed.map(|passed| if passed { Outcome::Passed } else { Outcome::Failed });
    let n = n.map(|n| format!(" of {}", format::counted(n, "score", "scores")));
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
