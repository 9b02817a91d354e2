//! One cell of a table, or one headline number.

use super::View;
use crate::format;
use crate::markup::Markup;
use crate::report::{Cell, Link, Outcome};

/// What "declared" means beside a value.
const DECLARED: &str = "A file states it; no case among the files can confirm it.";

/// Draws `cell` by what it means.
pub fn cell(cell: &Cell, view: View<'_>, out: &mut Markup) {
    match cell {
        Cell::Text(text) => {
            out.text(text);
        }
        Cell::Count(n) => {
            out.text(&format::count(*n));
        }
        Cell::Number(value) => {
            out.text(&format::number(value.0, 3));
        }
        Cell::Rate(value) => {
            out.text(&view.look.rate(value.0));
        }
        Cell::Bar(value) => bar(&view.look.score(value.0), value.0, out),
        Cell::Share { part, whole } => {
            let text = format!("{} / {}", format::count(*part), format::count(*whole));
            // Of nothing there is no share: the bar stays empty.
            bar(&text, if *whole == 0 { 0.0 } else { *part as f64 / *whole as f64 }, out);
        }
        Cell::Secs(value) => {
            out.text(&format::secs(value.0));
        }
        Cell::Usd { amount, is_lower_bound } => {
            let hint = "Some prices are not known: the true cost is higher.";
            out.open("span")
                .attr_if("title", is_lower_bound.then_some(hint))
                .text(&format::usd(amount.0, *is_lower_bound));
        }
        Cell::Outcome(outcome) => outcome_word(*outcome, out),
        Cell::Flag(is_so) => {
            out.text(if *is_so { "yes" } else { "no" });
        }
        Cell::Interval { low, high } => {
            interval(&view.look.score(low.0), &view.look.score(high.0), out)
        }
        Cell::UnitInterval { low, high } => {
            let [cut_low, cut_high] =
                format::cut_to_unit([low.0, high.0], |end| view.look.score(end));
            if (low.0, high.0) == (low.0.max(0.0), high.0.min(1.0)) {
                interval(&cut_low, &cut_high, out);
            } else {
                let computed = [view.look.score(low.0), view.look.score(high.0)].join(" – ");
                let title = format!(
                    "95 % confidence interval. * The value lies in 0–1, so that the interval ends there; computed it is {computed}."
                );
                out.open("span")
                    .class("cell-interval")
                    .attr("title", &title)
                    .text(&format!("{cut_low} – {cut_high}"));
            }
        }
        Cell::SecsInterval { low, high } => {
            interval(&format::secs(low.0), &format::secs(high.0), out);
        }
        Cell::Bytes(n) => {
            out.text(&format::bytes(*n));
        }
        Cell::Tag { text, is_bad } => {
            out.span(if *is_bad { "tag tag--bad" } else { "tag" }, text);
        }
        Cell::Declared(inner) => {
            self::cell(inner, view, out);
            out.text(" ")
                .open("span")
                .class("cell-declared")
                .attr("title", DECLARED)
                .text("declared");
        }
        Cell::Folded(text) => {
            out.open("details").class("fold").body(|out| {
                let n_lines = text.lines().count() as u64;
                let words = format!("show {}", format::counted(n_lines, "line", "lines"));
                out.open("summary").text(&words);
                out.open("pre").text(text);
            });
        }
        Cell::Missing(reason) => missing(reason, out),
        Cell::Linked(inner, to) => link(to, view, out, |out| self::cell(inner, view, out)),
    }
}

/// What a click opens something from. The page keeps the rules in force and the filter that the
/// address of the link says nothing about.
pub(super) fn link(to: &Link, view: View<'_>, out: &mut Markup, body: impl FnOnce(&mut Markup)) {
    let hint = matches!(to, Link::How(_)).then_some("How this was made");
    out.open("a").class("link").href(&view.address(to)).attr_if("title", hint).body(body);
}

/// Nothing, and why.
pub(super) fn missing(reason: &str, out: &mut Markup) {
    out.open("span").class("cell-missing").attr("title", reason).body(|out| {
        out.open("span").attr("aria-hidden", "true").text(format::UNKNOWN);
        out.span("visually-hidden", &format!("not known: {reason}"));
    });
}

/// The two ends of an interval.
fn interval(low: &str, high: &str, out: &mut Markup) {
    out.open("span")
        .class("cell-interval")
        .attr("title", "95 % confidence interval")
        .text(&format!("{low} – {high}"));
}

/// A text with a bar that is filled to `rate`.
fn bar(text: &str, rate: f64, out: &mut Markup) {
    let width = format!("{:.2}", rate.clamp(0.0, 1.0) * 100.0);
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
                    .attr("width", &width)
                    .attr("height", "4")
                    .end();
            });
    });
}

/// The shape of an outcome, so that colour is never alone. It says nothing to assistive tools: a word
/// stands beside it.
pub fn outcome_mark(outcome: Outcome, out: &mut Markup) {
    // On a 12 × 12 grid: disc with a tick, square with a cross, triangle, bar, ring with
    // a dot, ring.
    let (body, sign) = match outcome {
        Outcome::Passed => {
            ("M6 .5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11Z", "M3.4 6.2l1.8 1.8l3.4-3.7")
        }
        Outcome::Failed => (
            "M2 .5h8a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8a1.5 1.5 0 0 1-1.5-1.5v-8a1.5 1.5 0 0 1 1.5-1.5Z",
            "M3.8 3.8l4.4 4.4m0-4.4l-4.4 4.4",
        ),
        Outcome::Error => ("M6 .3l5.9 11h-11.8Z", "M6 4.2v3.4m0 1.3v1"),
        Outcome::Skipped => ("", "M2 6h8"),
        Outcome::Scored => ("", "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9ZM6 5.5v1"),
        Outcome::Unscored => ("", "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9Z"),
    };
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
