//! One row of the table of cases.

use super::is_number;
use crate::format;
use crate::markup::Markup;
use crate::render::{Look, outcome_word};
use crate::report::{CaseLine, SortKey};

/// Begins row `at`.
pub(super) fn row_of(at: u64, out: &mut Markup, body: impl FnOnce(&mut Markup)) {
    out.open("div")
        .class("grid__row")
        .attr("role", "row")
        .attr("id", &format!("case-row-{at}"))
        // The heading is the first row.
        .attr("aria-rowindex", &(at + 2).to_string())
        .attr("data-row", &at.to_string())
        .body(body);
}

/// Draws row `at`.
pub(super) fn row(line: &CaseLine, at: u64, columns: &[SortKey], look: Look, out: &mut Markup) {
    row_of(at, out, |out| {
        for (key, nth) in columns.iter().zip(1_u32..) {
            let class = if is_number(*key) { "grid__cell is-end" } else { "grid__cell" };
            out.open("div")
                .class(class)
                .attr("role", "gridcell")
                .attr("aria-colindex", &nth.to_string())
                .body(|out| {
                    cell(line, *key, look, out);
                    // Between the texts of two cells, for whoever reads the row as one.
                    out.text(" ");
                });
        }
    });
}

fn cell(line: &CaseLine, key: SortKey, look: Look, out: &mut Markup) {
    let number = match key {
        SortKey::Outcome => return outcome_word(line.outcome, out),
        SortKey::Id => {
            return out
                .open("span")
                .class("grid__id")
                .attr("dir", "auto")
                .attr("title", &line.id)
                .text(&line.id);
        }
        SortKey::Run => return ends(&line.run_label, out),
        SortKey::Suite => return words(line.suite.as_deref(), out),
        SortKey::Variant => return words(line.variant.as_deref(), out),
        SortKey::Model => return words(line.model.as_deref(), out),
        SortKey::Group => return words(line.group.as_deref(), out),
        SortKey::Kind => return words(line.kind.map(|kind| kind.as_str()), out),
        SortKey::Tags => {
            let tags = line.tags.join(", ");
            return words((!tags.is_empty()).then_some(tags.as_str()), out);
        }
        SortKey::Error => {
            if line.error.is_some() {
                words(line.error.as_deref(), out);
            }
            return;
        }
        SortKey::Score => line.score.map(|score| look.score(score.0)),
        SortKey::FailedChecks => (line.n_checks > 0).then(|| {
            format!("{} / {}", format::count(line.n_failed_checks), format::count(line.n_checks))
        }),
        SortKey::Attempts => line.n_attempts.map(|n| format::count(n.into())),
        SortKey::Duration => line.duration_secs.map(|secs| format::secs(secs.0)),
        SortKey::Tokens => line.tokens.map(|n| format::number(n.0, 0)),
        SortKey::Cost => line.cost_usd.map(|usd| format::usd(usd.0, false)),
        SortKey::Repeat => Some(format::count(line.repeat.into())),
        SortKey::File | SortKey::Instability => None,
    };
    match number {
        Some(number) => {
            out.text(&number);
        }
        None => words(None, out),
    }
}

/// A text that may be too long for its cell, or nothing.
fn words(text: Option<&str>, out: &mut Markup) {
    match text {
        Some(text) => out.open("span").attr("dir", "auto").attr("title", text).text(text),
        None => {
            out.span("cell-missing", format::UNKNOWN);
        }
    }
}

/// A name that is shortened in the middle where it has no room: what tells it from its neighbours
/// stands at the end, behind the last `/` or `·`.
pub(super) fn ends(name: &str, out: &mut Markup) {
    let cut = ["/", "·"].into_iter().filter_map(|sign| name.rfind(sign)).max();
    let (head, tail) = cut.and_then(|cut| name.split_at_checked(cut)).unwrap_or((name, ""));
    out.open("span").class("ends").attr("title", name).body(|out| {
        out.span("ends__head", head);
        out.span("ends__tail", tail);
    });
}
