//! Values that differ, as a table: where, how, what was expected and what came.

use super::excerpt;
use super::fold::fold;
use super::part::{ChangesOf, Part};
use super::ranges::parts_after;
use super::reading::Reading;
use crate::format;
use crate::markup::Markup;
use crate::report::diff::{ChangeKind, ValueChange};
use std::ops::Range;

/// Rows that are drawn at once.
const MAX_ROWS: usize = 100;

/// Letters of a value that are drawn in its cell; the rest is opened.
const MAX_CHARS: usize = 200;

/// Bytes of a value that are drawn when it is opened.
const MAX_BYTES: usize = 20_000;

/// The table; `None` when there is nothing that tells values apart.
pub(super) fn table(reading: &Reading, of: &ChangesOf) -> Option<Markup> {
    let changes = reading.changes(of)?;
    let mut out = Markup::new();
    if changes.n_total == 0 {
        out.open("p")
            .class("diff__note")
            .text("No value differs: numbers by their value, objects whatever the order of keys.");
        return Some(out);
    }
    if changes.rows.len() < changes.n_total {
        out.open("p").class("diff__note").text(&format!(
            "{} values differ; the first {} are listed.",
            format::count(changes.n_total as u64),
            format::count(changes.rows.len() as u64)
        ));
    }
    out.append(&rows(reading, of, 0..changes.rows.len())?);
    Some(out)
}

/// Some rows of the table, as a table of their own.
pub(super) fn rows(reading: &Reading, of: &ChangesOf, range: Range<usize>) -> Option<Markup> {
    let changes = reading.changes(of)?;
    let mut out = Markup::new();
    let first = range.start..range.end.min(range.start.saturating_add(MAX_ROWS));
    out.open("div")
        .class("changes")
        .attr("role", "group")
        .attr("tabindex", "0")
        .attr("aria-label", "Values that differ")
        .body(|out| {
            out.open("table").body(|out| {
                out.open("thead").body(|out| {
                    out.open("tr").body(|out| {
                        for head in ["Where", "How", "Expected", "Actual"] {
                            out.open("th").attr("scope", "col").text(head);
                        }
                    });
                });
                out.open("tbody").body(|out| {
                    for change in changes.rows.get(first.clone()).unwrap_or_default() {
                        row(out, change);
                    }
                });
            });
        });
    for part in parts_after(first.end..range.end.min(changes.rows.len()), MAX_ROWS) {
        fold(reading, &mut out, "Rows ", &part, Part::Changes(of.clone(), part.clone()));
    }
    Some(out)
}

fn row(out: &mut Markup, change: &ValueChange) {
    out.open("tr").body(|out| {
        out.open("th").attr("scope", "row").class("changes__path").body(|out| {
            out.open("bdi").text(&change.path);
        });
        let class = match change.kind {
            ChangeKind::Missing => "changes__kind changes__kind--missing",
            ChangeKind::Extra => "changes__kind changes__kind--extra",
            ChangeKind::Changed | ChangeKind::Type | ChangeKind::Moved => "changes__kind",
        };
        out.open("td").class(class).text(change.kind.as_str());
        value(out, change.old.as_deref());
        value(out, change.new.as_deref());
    });
}

fn value(out: &mut Markup, value: Option<&str>) {
    out.open("td").class("changes__value").body(|out| match value {
        None => {
            out.open("span").attr("aria-hidden", "true").text(format::UNKNOWN);
            out.span("visually-hidden", "nothing");
        }
        Some(value) if value.chars().nth(MAX_CHARS).is_none() => {
            out.open("bdi").text(value);
        }
        Some(value) => out.open("details").body(|out| {
            out.open("summary").body(|out| {
                out.open("bdi").text(&excerpt::preview(value, MAX_CHARS / 2));
                out.text(" ");
                out.span("fold__size", &format::bytes(value.len() as u64));
            });
            let shown = value.get(..value.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
            out.open("pre").class("text").attr("tabindex", "0").text(shown);
            if shown.len() < value.len() {
                out.open("p").class("diff__note").text(
                    "This is the beginning; the whole stands among the expected and actual texts.",
                );
            }
        }),
    });
}
