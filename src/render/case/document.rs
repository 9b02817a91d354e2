//! A document of a run: its facts, texts, changed files, conversation, rows. Everything that a case has
//! too is drawn by what draws a case.

use super::block::Room;
use super::fold::fold;
use super::ids::{Jump, dom_id};
use super::page;
use super::part::Part;
use super::ranges::parts_of;
use super::reading::Reading;
use super::text_id::TextId;
use super::transcript;
use crate::format;
use crate::markup::Markup;
use crate::report::FileChange;
use std::ops::Range;

/// Rows of a table that are drawn at once.
const MAX_ROWS: usize = 200;

/// Draws all of it, as far as it is drawn at once.
pub(super) fn whole(reading: &Reading) -> Markup {
    let mut out = Markup::new();
    let detail = reading.detail();
    if !detail.facts.is_empty() {
        page::further(reading, &mut out);
    }
    page::failure(reading, &mut out);
    page::contents(reading, &mut out, &detail.input, TextId::Input, |_| false);
    if reading.document().changes.is_empty() {
        page::contents(reading, &mut out, &detail.actual, TextId::Actual, |_| false);
    } else {
        changes(reading, &mut out);
    }
    if let Some(table) = &reading.document().table {
        let n_rows = format::counted(table.rows.len() as u64, "row", "rows");
        out.open("p").class("document__count").text(&n_rows);
        out.append(&rows(reading, 0..table.rows.len()).unwrap_or_default());
    }
    if !detail.transcript.is_empty() {
        transcript::transcript(reading, &mut out);
    }
    if out.is_empty() {
        out.open("p").class("block__empty").text("(empty)");
    }
    out
}

/// The files that changed, then the difference of each.
fn changes(reading: &Reading, out: &mut Markup) {
    let changes = &reading.document().changes;
    out.open("div").class("data-table__scroll").body(|out| {
        out.open("table").class("document__files").body(|out| {
            out.open("thead").body(|out| {
                out.open("tr").body(|out| {
                    for (title, class) in [
                        ("File", ""),
                        ("Change", ""),
                        ("+", "is-end"),
                        ("−", "is-end"),
                        ("Size", "is-end"),
                    ] {
                        out.open("th").attr("scope", "col").class(class).text(title);
                    }
                });
            });
            out.open("tbody").body(|out| {
                for change in changes {
                    out.open("tr").body(|out| file(reading, out, change));
                }
            });
        });
    });
    let mut room = Room::default();
    for at in changes.iter().filter_map(|change| change.text) {
        let id = TextId::Actual(at);
        let place = dom_id(reading, "c", &id);
        out.open("div").attr("id", &place).attr("tabindex", "-1").body(|out| {
            room.block(reading, out, &id);
        });
    }
}

fn file(reading: &Reading, out: &mut Markup, change: &FileChange) {
    let count = |n: Option<u64>| n.map_or_else(|| format::UNKNOWN.to_owned(), format::count);
    out.open("th").attr("scope", "row").body(|out| match change.text {
        Some(at) => {
            let jump = Jump::to(&dom_id(reading, "c", &TextId::Actual(at)));
            jump.button(out, "place", &change.path);
        }
        None => out.open("bdi").text(&change.path),
    });
    let kind = if change.is_binary { ", binary" } else { "" };
    let word = if change.change.is_empty() { "changed" } else { &change.change };
    out.open("td").text(&format!("{word}{kind}"));
    // Of what is no text no lines are counted.
    let lines = |n: Option<u64>| if change.is_binary { None } else { n };
    out.open("td").class("is-end document__added").text(&count(lines(change.n_added)));
    out.open("td").class("is-end document__removed").text(&count(lines(change.n_removed)));
    let sizes = match (change.old_size, change.new_size) {
        (None, None) => format::UNKNOWN.to_owned(),
        (None, Some(size)) | (Some(size), None) => format::bytes(size),
        (Some(old), Some(new)) => format!("{} → {}", format::bytes(old), format::bytes(new)),
    };
    out.open("td").class("is-end").text(&sizes);
}

/// Rows of the table; very many in parts, of which the first is open.
pub(super) fn rows(reading: &Reading, range: Range<usize>) -> Option<Markup> {
    let table = reading.document().table.as_ref()?;
    let range = range.start.min(table.rows.len())..range.end.min(table.rows.len());
    let parts = parts_of(range.clone(), MAX_ROWS);
    let mut out = Markup::new();
    if parts.is_empty() {
        out.open("div").class("data-table__scroll").attr("tabindex", "0").body(|out| {
            out.open("table").body(|out| {
                out.open("thead").body(|out| {
                    out.open("tr").body(|out| {
                        for column in &table.columns {
                            out.open("th").attr("scope", "col").attr("dir", "auto").text(column);
                        }
                    });
                });
                out.open("tbody").body(|out| {
                    for row in table.rows.get(range).unwrap_or_default() {
                        out.open("tr").body(|out| {
                            for cell in row {
                                out.open("td").body(|out| out.open("bdi").text(cell));
                            }
                        });
                    }
                });
            });
        });
    }
    for (idx, part) in parts.into_iter().enumerate() {
        let drawn = if idx == 0 { rows(reading, part.clone()) } else { None };
        fold(reading, &mut out, "Rows ", &part, Part::Table(part.clone()), drawn.as_ref());
    }
    Some(out)
}

/// The way to what `spot` names of this document: the number of a message, `last` for the last one that
/// is no mere event; else to the document itself, whose element is `element`.
pub(super) fn way(reading: &Reading, spot: &str, element: &str) -> Jump {
    let whole = reading.name(Part::Whole);
    let (mut through, found) = match spot {
        "last" => transcript::way_to_last(reading),
        spot => transcript::way_to_message(reading, spot),
    }
    .unwrap_or_else(|| (Vec::new(), element.to_owned()));
    through.insert(0, whole);
    Jump::to(&found).through(&through)
}
