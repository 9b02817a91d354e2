//! The page about the rules: what can be set, the gate, what each rule says.
//!
//! A control says in `data-rule` which rule it sets; the page puts its value into the address.

use super::Drawing;
use super::gate::gate;
use super::sections::sections;
use crate::markup::{Markup, Tag};
use crate::report::{Control, RulesView};
use std::collections::BTreeSet;

/// More weights than these are folded away at first.
const OPEN_WEIGHTS: usize = 12;

/// The page.
pub fn rules_page(page: &RulesView, drawing: &Drawing<'_>) -> Markup {
    let mut out = Markup::new();
    let mut ids = BTreeSet::new();
    out.open("article").class("sections rules").body(|out| {
        out.open("header").class("page-head").body(|out| {
            out.open("h1").class("page-head__title").text("Policies & gates");
            out.open("ul").class("page-head__facts").body(|out| {
                page.facts.iter().for_each(|fact| out.open("li").text(fact));
            });
        });
        out.open("div")
            .class("fields")
            .attr("role", "group")
            .attr("aria-label", "Rules")
            .body(|out| page.controls.iter().for_each(|control| field(control, &mut ids, out)));
        if !page.weights.is_empty() {
            weights(&page.weights, &mut ids, out);
        }
        gate(&page.gate, out);
        out.append(&sections(&page.sections, drawing));
    });
    out
}

fn weights(weights: &[Control], ids: &mut BTreeSet<String>, out: &mut Markup) {
    // Another id is another fold: few weights are open also when many were folded just before.
    let is_open = weights.len() <= OPEN_WEIGHTS;
    let lead = "A group counts in a checkpoint's score by its weight; 0 leaves it out. Each group of this name, in every run.";
    out.open("details")
        .class("section")
        .attr("id", if is_open { "weights" } else { "weights-many" })
        .attr_if("open", is_open.then_some(""))
        .body(|out| {
            out.open("summary").body(|out| {
                out.open("h2")
                    .class("section__title section__title--fold")
                    .text("Weights of groups");
            });
            out.open("p").class("section__lead").text(lead);
            out.open("div")
                .class("fields fields--narrow")
                .attr("role", "group")
                .attr("aria-label", "Weights of groups")
                .body(|out| weights.iter().for_each(|control| field(control, ids, out)));
        });
}

/// A rule with its label and what follows from it. `ids` are those that are taken.
fn field(control: &Control, ids: &mut BTreeSet<String>, out: &mut Markup) {
    let Control { name, label, hint, value, options, result } = control;
    let mut id = format!("rule-{}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    while !ids.insert(id.clone()) {
        // Two names of groups may differ in their punctuation alone.
        id.push('_');
    }
    out.open("div").class("field").attr("title", hint).body(|out| {
        out.open("label").class("field__label").attr("for", &id).text(label);
        if options.is_empty() {
            out.open("input")
                .class("field__input")
                .attr("id", &id)
                .attr("type", "text")
                .attr("inputmode", "decimal")
                .attr("autocomplete", "off")
                .attr("placeholder", "as declared")
                .attr("value", value)
                .attr("data-rule", name)
                .end();
        } else {
            let options = options.iter().map(|(value, words)| (value.as_str(), words.as_str()));
            let tag = out.open("select").class("field__input").attr("id", &id);
            choice(tag.attr("data-rule", name), options, value);
        }
        out.span("field__result", result);
    });
}

/// Fills the `<select>` that `tag` begins with `options`, each a value and its words.
pub(super) fn choice<'a>(
    tag: Tag<'_>,
    options: impl Iterator<Item = (&'a str, &'a str)>,
    chosen: &str,
) {
    tag.body(|out| {
        for (value, words) in options {
            out.open("option")
                .attr("value", value)
                .attr_if("selected", (value == chosen).then_some(""))
                .text(words);
        }
    });
}
