//! The gate of the page's reader, built part by part.
//!
//! A control says in `data-gate` what it changes, as a word of [`GateEdit`]; the page sends it back
//! with the control's value, and puts the gate that comes of it in force.

use super::cell::outcome_mark;
use super::rules::choice;
use crate::format;
use crate::markup::Markup;
use crate::report::{
    AGGREGATES, Condition, GateChange, GateEdit, GateForm, GateLine, GateView, OPERATORS,
    OWN_SCORE, Outcome, SHAPES, n_lines, shape_of,
};

/// The gate as text and as parts, each with its value.
pub(super) fn gate(gate: &GateView, out: &mut Markup) {
    let lead = "A rule of your own over aggregates, in the place of each evaluation's rule, for the results of any producer.";
    out.open("section").class("section gate").attr("data-focus", "gate-text").body(|out| {
        out.open("h2").class("section__title").text("Gate");
        out.open("p").class("section__lead").text(lead);
        out.open("div").class("field field--wide").body(|out| {
            out.open("label").class("field__label").attr("for", "gate-text").text("As text");
            out.open("input")
                .class("field__input field__input--code")
                .attr("id", "gate-text")
                .attr("type", "text")
                .attr("autocomplete", "off")
                .attr("spellcheck", "false")
                .attr("placeholder", "avg_score(*) >= 0.8 and p95(quality) > 0.5")
                .attr("value", &gate.text)
                .attr("data-rule", "gate")
                .end();
        });
        match &gate.form {
            None => button(&Place::ROOT, GateChange::Begin, "Make a gate", out),
            Some(form) => parts(gate, form, out),
        }
    });
}

fn parts(gate: &GateView, form: &GateForm, out: &mut Markup) {
    out.open("div").class("gate-part__tree").body(|out| part(gate, form, &Place::ROOT, out));
    if !gate.unfit.is_empty() {
        let lead = "Without these metrics, and therefore still judged by its own rule: ";
        out.open("p").class("section__lead").text(&format!("{lead}{}", gate.unfit.join(", ")));
    }
}

/// Where a part stands.
struct Place {
    /// The way to it: the number of a part on each level.
    path: Vec<usize>,
    /// Its line in the report.
    line: usize,
}

impl Place {
    const ROOT: Self = Self { path: Vec::new(), line: 0 };

    /// The word for `change` here.
    fn word(&self, change: GateChange) -> String {
        GateEdit { path: self.path.clone(), change }.word()
    }

    /// Id of the control for `change` here.
    fn id(&self, change: GateChange) -> String {
        let numbers: String = self.path.iter().map(|idx| format!("{idx}-")).collect();
        format!("gate-{numbers}{}", change.word())
    }
}

/// A part with its own parts.
fn part(gate: &GateView, form: &GateForm, place: &Place, out: &mut Markup) {
    out.open("div")
        .class("gate-part")
        .attr("role", "group")
        .attr("aria-label", "Part of the gate")
        .body(|out| {
            let shape = SHAPES.get(shape_of(form)).copied().unwrap_or_default();
            chosen(place, GateChange::Shape, "Kind of rule", &SHAPES, shape, out);
            result(gate.lines.get(place.line), out);
            button(place, GateChange::Remove, "Remove", out);
            match form {
                GateForm::Condition(one) => condition(gate, one, place, out),
                GateForm::Logical { parts, .. } => {
                    out.open("div").class("gate-part__parts").body(|out| {
                        let mut line = place.line + 1;
                        for (idx, inner) in parts.iter().enumerate() {
                            let path = [place.path.as_slice(), &[idx]].concat();
                            part(gate, inner, &Place { path, line }, out);
                            line += n_lines(inner);
                        }
                        button(place, GateChange::Add, "Add condition", out);
                    });
                }
            }
        });
}

/// The fields of a condition.
fn condition(gate: &GateView, condition: &Condition, place: &Place, out: &mut Markup) {
    let Condition { aggregate, threshold, metrics, is_weighted, op, value } = condition;
    chosen(place, GateChange::Aggregate, "Aggregate", &AGGREGATES, aggregate, out);
    if aggregate == "accuracy" {
        typed(place, GateChange::Threshold, "Score that counts as right", threshold, out);
    }
    if !is_weighted {
        let known = gate.metrics.iter().map(String::as_str);
        let names: Vec<&str> = std::iter::once(OWN_SCORE).chain(known).collect();
        for (idx, (name, _)) in metrics.iter().enumerate() {
            metric(place, idx, &names, name, out);
        }
    }
    chosen(place, GateChange::Op, "Operator", &OPERATORS, op, out);
    typed(place, GateChange::Value, "Threshold", value, out);
    if *is_weighted {
        out.open("div").class("gate-part__parts").body(|out| {
            for (idx, (name, weight)) in metrics.iter().enumerate() {
                weighted(gate, place, idx, (name, weight), out);
            }
            button(place, GateChange::Add, "Add metric", out);
        });
    }
}

/// One metric of a weighted mean, with its weight and value.
fn weighted(
    gate: &GateView,
    place: &Place,
    idx: usize,
    (name, weight): (&str, &str),
    out: &mut Markup,
) {
    let names: Vec<&str> = gate.metrics.iter().map(String::as_str).collect();
    out.open("div").class("gate-part__weight").body(|out| {
        metric(place, idx, &names, name, out);
        typed(place, GateChange::Weight(idx), "Weight", weight, out);
        result(gate.lines.get(place.line + 1 + idx), out);
        button(place, GateChange::RemoveMetric(idx), "Remove", out);
    });
}

fn metric(place: &Place, idx: usize, names: &[&str], name: &str, out: &mut Markup) {
    let label = "Metric; * is the case's own score";
    chosen(place, GateChange::Metric(idx), label, names, name, out);
}

/// A choice among words; what is none of them stands there too.
fn chosen(
    place: &Place,
    change: GateChange,
    label: &str,
    words: &[&str],
    chosen: &str,
    out: &mut Markup,
) {
    let other = (!words.contains(&chosen)).then_some(chosen);
    let options = words.iter().copied().chain(other).map(|word| (word, word));
    let tag = out
        .open("select")
        .class("field__input")
        .attr("id", &place.id(change))
        .attr("aria-label", label)
        .attr("title", label)
        .attr("data-gate", &place.word(change));
    choice(tag, options, chosen);
}

fn typed(place: &Place, change: GateChange, label: &str, text: &str, out: &mut Markup) {
    out.open("input")
        .class("field__input field__input--number")
        .attr("type", "text")
        .attr("inputmode", "decimal")
        .attr("autocomplete", "off")
        .attr("id", &place.id(change))
        .attr("aria-label", label)
        .attr("title", label)
        .attr("value", text)
        .attr("data-gate", &place.word(change))
        .end();
}

fn button(place: &Place, change: GateChange, words: &str, out: &mut Markup) {
    out.open("button")
        .attr("type", "button")
        .class("button button--small")
        .attr("id", &place.id(change))
        .attr("data-gate", &place.word(change))
        .text(words);
}

/// What a part gives just now.
fn result(line: Option<&GateLine>, out: &mut Markup) {
    let Some(GateLine { value, is_passed, reason, n, .. }) = line else { return };
    out.open("span").class("gate-part__result").attr("title", reason).body(|out| {
        if let Some(outcome) = is_passed.map(Outcome::of) {
            outcome_mark(outcome, out);
            out.text(outcome.as_str());
        }
        out.text(" ");
        if let Some(value) = value {
            out.text(&format::number(value.0, 4));
        }
        if let Some(n) = n {
            out.text(&format!(" ({})", format::counted(*n, "score", "scores")));
        }
    });
}
