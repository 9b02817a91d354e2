//! One cell of a table, or one headline number.

use super::View;
use super::form::{CellForm, DECLARED, form, hint_of, outcome_shape};
use crate::format;
use crate::markup::Markup;
use crate::report::{Cell, Link, Outcome};
use crate::words::ui::report as words;

/// Draws `cell` by what it means.
pub fn cell(cell: &Cell, view: View<'_>, out: &mut Markup) {
    match form(cell, view.look) {
        CellForm::Words(words) => {
            out.text(&words);
        }
        CellForm::Path(path) => {
            out.text(path);
        }
        CellForm::Hinted(words, hint) => {
            out.open("span").attr("title", hint).text(&words);
        }
        CellForm::Interval(words, hint) => {
            out.open("span").class("cell-interval").attr("title", &hint).text(&words);
        }
        CellForm::Bar(words, width) => bar(&words, &width, out),
        CellForm::Outcome(outcome) => outcome_word(outcome, out),
        CellForm::Tag(text, is_bad) => {
            out.span(if is_bad { "tag tag--bad" } else { "tag" }, text);
        }
        CellForm::Declared(inner) => {
            self::cell(inner, view, out);
            out.text(" ")
                .open("span")
                .class("cell-declared")
                .attr("title", DECLARED)
                .text(words::DECLARED);
        }
        CellForm::Folded(words, text) => {
            out.open("details").class("fold").body(|out| {
                out.open("summary").text(&words);
                out.open("pre").text(text);
            });
        }
        CellForm::Missing(reason) => missing(reason, out),
        CellForm::Linked(inner, to) => link(to, view, out, |out| self::cell(inner, view, out)),
    }
}

/// What a click opens something from. The page keeps the rules in force and the filter that the
/// address of the link says nothing about.
pub(super) fn link(to: &Link, view: View<'_>, out: &mut Markup, body: impl FnOnce(&mut Markup)) {
    out.open("a").class("link").href(&view.address(to)).attr_if("title", hint_of(to)).body(body);
}

/// Nothing, and why.
pub(super) fn missing(reason: &str, out: &mut Markup) {
    out.open("span").class("cell-missing").attr("title", reason).body(|out| {
        out.open("span").attr("aria-hidden", "true").text(format::UNKNOWN);
        out.span("visually-hidden", &words::not_known(reason));
    });
}

/// A text with a bar that is filled to `width` per cent.
fn bar(text: &str, width: &str, out: &mut Markup) {
    out.open("span").class("cell-bar").body(|out| {
        out.span("cell-bar__text", text);
        out.open("svg")
            .class("cell-bar__track")
            .attr("viewBox", "0 0 100 4")
            .attr("preserveAspectRatio", "none")
            .attr("aria-hidden", "true")
            .body(|out| {
                out.open("rect")
                    .class("cell-bar__fill")
                    .attr("width", width)
                    .attr("height", "4")
                    .end();
            });
    });
}

/// The shape of an outcome, so that colour is never alone. It says nothing to assistive tools: a word
/// stands beside it.
pub fn outcome_mark(outcome: Outcome, out: &mut Markup) {
    let [body, sign] = outcome_shape(outcome);
    out.open("svg")
        .class(&format!("outcome-mark outcome-mark--{}", outcome.as_str()))
        .attr("viewBox", "0 0 12 12")
        .attr("width", "12")
        .attr("height", "12")
        .attr("aria-hidden", "true")
        .body(|out| {
            out.open("path").class("outcome-mark__body").attr("d", body).end();
            out.open("path").class("outcome-mark__sign").attr("d", sign).end();
        });
}

/// The shape and the word.
pub fn outcome_word(outcome: Outcome, out: &mut Markup) {
    let class = format!("outcome-word outcome-word--{}", outcome.as_str());
    out.open("span").class(&class).body(|out| {
        outcome_mark(outcome, out);
        out.text(outcome.as_str());
    });
}
