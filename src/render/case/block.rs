//! A labelled text: as a tree, as lines, whole when it is short and else in a view of its own.

use super::fold::labelled;
use super::form::Form;
use super::ids::{self, dom_id};
use super::lines::LineRow;
use super::part::Part;
use super::piece::{Body, Fold, Piece};
use super::pytest::{FailureLine, failure_line, is_failure_text};
use super::reading::{Prepared, Reading};
use super::text_id::TextId;
use super::{find, transcript, tree};
use crate::format;
use crate::markup::Markup;
use crate::report::diff::{UnifiedKind, unified_lines};
use std::ops::Range;

/// Texts of fewer rows and bytes are drawn whole.
const MAX_ROWS: usize = 400;
const MAX_BYTES: usize = 64_000;

/// Rows that are drawn at once.
const MAX_DRAWN: usize = 1_000;

/// Places and heads of a failure text that are listed above it.
const MAX_PLACES: usize = 24;

/// What the lines of a text are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavour {
    Plain,
    Diff,
    Failure,
}

/// Bytes of texts that one section draws at once; what comes after is folded.
const MAX_SECTION: usize = 128_000;

/// How much more text a section draws at once.
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(MAX_SECTION)
    }
}

impl Room {
    /// The text `id` while there is room, else its fold.
    pub(super) fn block(&mut self, reading: &Reading, id: &TextId) -> Option<Piece> {
        let n_bytes = reading.text(id).map_or(0, |text| text.len());
        // What has a view of its own is not drawn at once; its frame is.
        let n_drawn = if n_bytes < MAX_BYTES { n_bytes } else { 0 } + 500;
        match self.0.checked_sub(n_drawn) {
            Some(left) => {
                self.0 = left;
                block(reading, id)
            }
            None => folded(reading, id, false),
        }
    }
}

/// The text `id` with its label, its size and ways to copy it and to see it otherwise.
pub(super) fn block(reading: &Reading, id: &TextId) -> Option<Piece> {
    body(reading, id, Form::Best).map(Piece::Drawn)
}

/// A text of more than a few kilobytes is asked for when it is opened, a shorter one is here.
pub(super) fn folded(reading: &Reading, id: &TextId, is_open: bool) -> Option<Piece> {
    let text = reading.text(id)?;
    let body = match text.len() < 4_000 || is_open {
        true => Body::Here(block(reading, id).into_iter().collect()),
        false => Body::Part(reading.name(Part::Block(id.clone(), Form::Best))),
    };
    let (label, size) = (reading.label(id), format::bytes(text.len() as u64));
    Some(Piece::Fold(Box::new(Fold { size, is_open, body, ..labelled(label) })))
}

/// A block: its head and its text.
pub(super) fn body(reading: &Reading, id: &TextId, form: Form) -> Option<Markup> {
    if let TextId::Message(at) = id
        && reading.detail().transcript.get(*at).is_some_and(transcript::is_said)
    {
        return match form {
            Form::Lines => whole_message(reading, id),
            form => transcript::said(reading, id, form),
        };
    }
    let text = reading.text(id)?;
    let has_tree = reading.doc(id).is_some();
    let form = match form {
        Form::Best | Form::Tree if has_tree => Form::Tree,
        Form::Best | Form::Tree => Form::Lines,
        form => form,
    };
    let prepared = reading.prepared(id, form == Form::Written)?;
    let mut out = Markup::new();
    out.open("div").class("block").attr("id", &dom_id(reading, "b", id)).body(|out| {
        head(reading, out, id, form, &prepared);
        match form {
            _ if text.is_empty() => out.open("p").class("block__empty").text("(empty text)"),
            Form::Tree => tree::tree(reading, out, id),
            _ => lines(reading, out, id, &prepared),
        }
    });
    Some(out)
}

/// A message of which the beginning is drawn already, whole and line by line.
fn whole_message(reading: &Reading, id: &TextId) -> Option<Markup> {
    let prepared = reading.prepared(id, true)?;
    let mut out = Markup::new();
    lines(reading, &mut out, id, &prepared);
    Some(out)
}

/// Label, size, and ways to see and to copy it.
fn head(reading: &Reading, out: &mut Markup, id: &TextId, form: Form, prepared: &Prepared) {
    let text = reading.text(id).unwrap_or_default();
    out.open("div").class("block__head").body(|out| {
        out.open("h3").class("block__label").attr("dir", "auto").text(&reading.label(id));
        if !text.is_empty() {
            out.span("block__size", &size(&text, prepared));
        }
        if reading.doc(id).is_some() {
            forms(reading, out, id, form);
        }
        ids::copy_button(out, &reading.name(Part::Text(id.clone())), &reading.label(id));
    });
}

fn size(text: &str, prepared: &Prepared) -> String {
    let lines = format::counted(prepared.lines.n_lines as u64, "line", "lines");
    format!("{lines}, {}", format::bytes(text.len() as u64))
}

/// Tree, indented, as written: each in the place of the other.
fn forms(reading: &Reading, out: &mut Markup, id: &TextId, shown: Form) {
    let forms = [(Form::Tree, "Tree"), (Form::Lines, "Indented"), (Form::Written, "As written")];
    out.open("span").class("ways").attr("role", "group").attr("aria-label", "Show as").body(
        |out| {
            for (form, word) in forms {
                let name = reading.name(Part::Block(id.clone(), form));
                ids::choice(out, &name, &dom_id(reading, "b", id), word, form == shown);
            }
        },
    );
}

/// The text line by line.
fn lines(reading: &Reading, out: &mut Markup, id: &TextId, prepared: &Prepared) {
    let Some(text) = reading.text(id) else { return };
    let shown = prepared.own.as_deref().unwrap_or(&text);
    let flavour = flavour(reading, id, &text);
    let is_short = prepared.lines.len() < MAX_ROWS && shown.len() < MAX_BYTES;
    if flavour == Flavour::Failure {
        places(reading, out, id, prepared, shown, is_short);
    }
    let label = reading.label(id);
    if is_short {
        out.open("pre")
            .class(class_of(flavour))
            .attr("role", "group")
            .attr("aria-label", &label)
            .attr("tabindex", "0")
            .body(|out| short(reading, out, id, prepared, shown, flavour));
        return;
    }
    // What is drawn in a view of its own is not in the document, so the browser cannot search it.
    let is_written = prepared.own.is_none();
    let stem = reading.stem(Part::Lines { text: id.clone(), is_written, rows: 0..0 });
    find::field(out, &stem, &dom_id(reading, "f", id), &label);
    let viewer = ids::Viewer {
        id: &dom_id(reading, "v", id),
        class: class_of(flavour),
        name: &stem,
        label: &label,
        n_rows: prepared.lines.len(),
        n_columns: prepared.lines.n_columns,
    };
    viewer.draw(out);
}

fn class_of(flavour: Flavour) -> &'static str {
    match flavour {
        Flavour::Plain => "text",
        Flavour::Diff => "text text--diff",
        Flavour::Failure => "text text--failure",
    }
}

fn flavour(reading: &Reading, id: &TextId, text: &str) -> Flavour {
    if reading.is_diff(id) {
        Flavour::Diff
    } else if matches!(id, TextId::Failure(_)) || is_failure_text(text) {
        Flavour::Failure
    } else {
        Flavour::Plain
    }
}

/// A short text: plain, with what stands out set apart.
fn short(
    reading: &Reading,
    out: &mut Markup,
    id: &TextId,
    prepared: &Prepared,
    shown: &str,
    flavour: Flavour,
) {
    for (idx, row) in prepared.lines.rows(0..prepared.lines.len()).iter().enumerate() {
        if idx > 0 && !row.is_continued() {
            out.text("\n");
        }
        match line_class(row, shown, flavour) {
            "" => row_text(out, row, shown, flavour),
            class => {
                let place = format!("{}-{idx}", dom_id(reading, "l", id));
                out.open("span")
                    .class(class)
                    .attr("id", &place)
                    .attr("tabindex", "-1")
                    .body(|out| row_text(out, row, shown, flavour));
            }
        }
    }
}

/// Rows of a text that has a view of its own.
pub(super) fn rows(
    reading: &Reading,
    id: &TextId,
    is_written: bool,
    range: Range<usize>,
) -> Option<Markup> {
    let text = reading.text(id)?;
    let prepared = reading.prepared(id, is_written)?;
    let shown = prepared.own.as_deref().unwrap_or(&text);
    let flavour = flavour(reading, id, &text);
    let mut out = Markup::new();
    let end = range.end.min(range.start.saturating_add(MAX_DRAWN));
    for row in prepared.lines.rows(range.start..end) {
        let class = format!("row {}", line_class(row, shown, flavour));
        out.open("div").class(class.trim_end()).body(|out| {
            number(out, row);
            out.open("span").class("row__text").body(|out| row_text(out, row, shown, flavour));
        });
    }
    Some(out)
}

/// The number of a line, once.
fn number(out: &mut Markup, row: &LineRow) {
    let number = match row.is_continued() {
        true => "↪".to_owned(),
        false => format::count(row.line as u64 + 1),
    };
    out.open("span").class("row__number").attr("aria-hidden", "true").text(&number);
}

/// The line that a row is a part of, as far as it matters for what it is.
fn line_of<'a>(row: &LineRow, shown: &'a str) -> &'a str {
    shown.get(row.line_start..row.span.end).unwrap_or_default()
}

fn line_class(row: &LineRow, shown: &str, flavour: Flavour) -> &'static str {
    let line = line_of(row, shown);
    match flavour {
        Flavour::Plain => "",
        Flavour::Diff => match unified_lines(line).next().map(|line| line.kind) {
            Some(UnifiedKind::Removed) => "line line--removed",
            Some(UnifiedKind::Added) => "line line--added",
            Some(UnifiedKind::Hunk) => "line line--hunk",
            Some(UnifiedKind::Same) | None => "",
        },
        Flavour::Failure => match failure_line(line) {
            FailureLine::Plain => "",
            FailureLine::Error => "line line--error",
            FailureLine::Current => "line line--current",
            FailureLine::Place(_) => "line line--place",
            FailureLine::Section(_) => "line line--section",
        },
    }
}

fn row_text(out: &mut Markup, row: &LineRow, shown: &str, flavour: Flavour) {
    let text = shown.get(row.span.clone()).unwrap_or_default();
    let place = match failure_line(line_of(row, shown)) {
        FailureLine::Place(place) if flavour == Flavour::Failure && !row.is_continued() => place,
        _ => {
            out.text(text);
            return;
        }
    };
    out.text(text.get(..place.start).unwrap_or_default());
    out.span("place", text.get(place.clone()).unwrap_or_default());
    out.text(text.get(place.end..).unwrap_or_default());
}

/// Where a failure text names files, and the heads of its parts, each as a way to that line.
fn places(
    reading: &Reading,
    out: &mut Markup,
    id: &TextId,
    prepared: &Prepared,
    shown: &str,
    is_short: bool,
) {
    let found: Vec<(usize, String)> = prepared
        .lines
        .rows(0..prepared.lines.len())
        .iter()
        .enumerate()
        .filter(|(_, row)| !row.is_continued())
        .filter_map(|(idx, row)| {
            let line = shown.get(row.span.clone())?;
            match failure_line(line) {
                FailureLine::Place(span) | FailureLine::Section(span) => {
                    Some((idx, line.get(span)?.to_owned()))
                }
                _ => None,
            }
        })
        .take(MAX_PLACES + 1)
        .collect();
    if found.is_empty() || prepared.lines.len() < 12 {
        return;
    }
    out.open("ul").class("places").attr("aria-label", "Files and parts named here").body(|out| {
        for (idx, words) in found.iter().take(MAX_PLACES) {
            let jump = match is_short {
                true => ids::Jump::to(&format!("{}-{idx}", dom_id(reading, "l", id))),
                false => ids::Jump::to_row(&dom_id(reading, "v", id), *idx),
            };
            out.open("li").body(|out| jump.button(out, "place", words));
        }
        if found.len() > MAX_PLACES {
            out.open("li").class("places__more").text("and more below");
        }
    });
}
