//! Expected against actual, line by line: one column or two, words set apart inside changed lines.

use super::changes;
use super::compared::{Compared, ViewRow, columns};
use super::diff_row::draw_row;
use super::form::DiffForm;
use super::ids::{self, Viewer};
use super::part::{ChangesOf, Part};
use super::piece::{Later, Piece, Room};
use super::ranges::parts_of;
use super::reading::Reading;
use super::text_id::Pair;
use crate::format;
use crate::markup::Markup;
use crate::report::diff::{Arrangement, DiffRow, FoldedRow, unified_text};
use std::ops::Range;

/// Differences of fewer rows and bytes are drawn whole.
const MAX_ROWS: usize = 400;
const MAX_BYTES: usize = 64_000;

/// Texts of so many bytes together are compared when the case is drawn, longer ones when they come near.
const MAX_PLACED: usize = 16_000;

/// Folded rows that are drawn at once when the user opens them.
const MAX_FOLD: usize = 200;

/// Rows of a view that are drawn at once.
const MAX_DRAWN: usize = 1_000;

/// The id of the element that shows `pair`.
pub(super) fn element(pair: &Pair) -> String {
    format!("d-{pair}")
}

/// The difference of `pair`; of long texts it comes when it is near.
pub(super) fn place(reading: &Reading, pair: &Pair) -> Option<Piece> {
    let sizes = [&pair.old, &pair.new].map(|id| reading.text(id).map_or(0, |text| text.len()));
    let form = DiffForm::default();
    if sizes.iter().sum::<usize>() < MAX_PLACED {
        return diff(reading, pair, form).map(Piece::Drawn);
    }
    let part = reading.name(Part::Diff(pair.clone(), form));
    Some(Piece::Later(Later { part, room: Room::Text }))
}

/// The difference, with the ways to see it otherwise.
pub(super) fn diff(reading: &Reading, pair: &Pair, form: DiffForm) -> Option<Markup> {
    let compared = reading.compared(pair, form)?;
    // Nothing else would be seen.
    let form = DiffForm { shows_blanks: form.shows_blanks || compared.is_blank_only, ..form };
    let mut out = Markup::new();
    out.open("div").class("diff").attr("id", &element(pair)).body(|out| {
        head(reading, out, pair, form, &compared);
        for note in notes(reading, pair, form, &compared) {
            out.open("p").class("diff__note").text(note);
        }
        let is_short = compared.folded.len() <= MAX_ROWS && compared.n_shown_bytes() < MAX_BYTES;
        if form.is_structure {
            let of = ChangesOf::Pair(pair.clone());
            out.append(&changes::table(reading, &of).unwrap_or_default());
        } else if is_short && (!form.is_whole || compared.rows.len() <= MAX_ROWS) {
            whole(reading, out, pair, form, &compared);
        } else {
            view(reading, out, pair, form, &compared);
        }
    });
    Some(out)
}

/// A view of its own for very many rows.
fn view(reading: &Reading, out: &mut Markup, pair: &Pair, form: DiffForm, compared: &Compared) {
    let limit = columns(form.arrangement);
    let n_columns = match form.arrangement {
        Arrangement::Unified => widest(compared).min(limit),
        Arrangement::SideBySide => 2 * widest(compared).min(limit) + 24,
    };
    let viewer = Viewer {
        id: &format!("{}-view", element(pair)),
        class: &class_of("rows", form),
        name: &reading.stem(Part::DiffRows(pair.clone(), form, 0..0)),
        label: "Difference between expected and actual",
        n_rows: compared.view(form.is_whole).len(),
        n_columns,
    };
    viewer.draw(out);
}

/// The unified diff as text.
pub(super) fn text(reading: &Reading, pair: &Pair) -> Option<String> {
    Some(unified_text(&reading.text(&pair.old)?, &reading.text(&pair.new)?))
}

fn widest(compared: &Compared) -> usize {
    let length = |row: &DiffRow| {
        let shown = [compared.old_line(row), compared.new_line(row)];
        shown.into_iter().flatten().map(|line| line.text.len()).max()
    };
    compared.rows.iter().filter_map(length).max().unwrap_or_default()
}

fn class_of(class: &str, form: DiffForm) -> String {
    match form.arrangement {
        Arrangement::Unified => class.to_owned(),
        Arrangement::SideBySide => format!("{class} {class}--two"),
    }
}

/// What has to be known to read it rightly.
fn notes(reading: &Reading, pair: &Pair, form: DiffForm, compared: &Compared) -> Vec<&'static str> {
    let mut notes = Vec::new();
    let is_equal = compared.n_removed + compared.n_added == 0;
    if is_equal && !form.is_structure {
        let is_same = reading.text(&pair.old) == reading.text(&pair.new);
        notes.push(match is_same {
            true => "Both texts are the same, byte by byte.",
            false => "Both are the same JSON but for white space between values.",
        });
    }
    if compared.is_blank_only {
        notes.push("They differ in white space only, which is made visible here.");
    }
    if compared.is_rough && !form.is_structure {
        notes.push(
            "So much differs that the comparison was cut short: some lines that could be matched \
             are said to differ. What is shown as equal is equal.",
        );
    }
    notes
}

fn head(reading: &Reading, out: &mut Markup, pair: &Pair, form: DiffForm, compared: &Compared) {
    let element = element(pair);
    let choice = |out: &mut Markup, other: DiffForm, word: &str, is_on: bool| {
        let name = reading.name(Part::Diff(pair.clone(), other));
        ids::choice(out, &name, &element, word, is_on);
    };
    let group = |out: &mut Markup, label: &str, body: &dyn Fn(&mut Markup)| {
        out.open("span").class("ways").attr("role", "group").attr("aria-label", label).body(body);
    };
    let words = format!(
        "−{} expected, +{} actual lines",
        format::count(compared.n_removed as u64),
        format::count(compared.n_added as u64)
    );
    out.open("div").class("diff__head").body(|out| {
        out.span("diff__count", &words);
        group(out, "Arrangement", &|out| {
            let lines = DiffForm { is_structure: false, ..form };
            let one = DiffForm { arrangement: Arrangement::Unified, ..lines };
            let two = DiffForm { arrangement: Arrangement::SideBySide, ..lines };
            choice(out, one, "Unified", !form.is_structure && form == one);
            choice(out, two, "Side by side", !form.is_structure && form == two);
            let structure = DiffForm { is_structure: true, ..form };
            if reading.doc(&pair.old).is_some() && reading.doc(&pair.new).is_some() {
                choice(out, structure, "Structure", form.is_structure);
            }
        });
        if form.is_structure {
            return;
        }
        group(out, "Show", &|out| {
            let whole = DiffForm { is_whole: !form.is_whole, ..form };
            choice(out, whole, "All lines", form.is_whole);
            let blanks = DiffForm { shows_blanks: !form.shows_blanks, ..form };
            choice(out, blanks, "White space", form.shows_blanks);
            if compared.is_indented || form.is_written {
                let written = DiffForm { is_written: !form.is_written, ..form };
                choice(out, written, "As written", form.is_written);
            }
        });
        ids::copy_button(out, &reading.name(Part::Diff(pair.clone(), form)), "difference");
    });
}

/// All rows at once, unchanged ones folded.
fn whole(reading: &Reading, out: &mut Markup, pair: &Pair, form: DiffForm, compared: &Compared) {
    out.open("div")
        .class(&format!("{} rows--whole", class_of("rows", form)))
        .attr("role", "group")
        .attr("aria-label", "Difference between expected and actual")
        .attr("tabindex", "0")
        .body(|out| {
            if form.is_whole {
                for row in &compared.rows {
                    draw_row(out, compared, row, None, form);
                }
                return;
            }
            for part in &compared.folded {
                match part {
                    FoldedRow::Row(row) => {
                        if let Some(row) = compared.rows.get(*row) {
                            draw_row(out, compared, row, None, form);
                        }
                    }
                    FoldedRow::Fold(range) => {
                        let words = format::counted(
                            range.len() as u64,
                            "unchanged line",
                            "unchanged lines",
                        );
                        fold_part(reading, out, pair, form, range.clone(), &words);
                    }
                }
            }
        });
}

fn fold_part(
    reading: &Reading,
    out: &mut Markup,
    pair: &Pair,
    form: DiffForm,
    range: Range<usize>,
    words: &str,
) {
    let name = reading.name(Part::DiffFold(pair.clone(), form, range));
    out.open("details").class("rows__fold").attr("data-part", &name).body(|out| {
        out.open("summary").text(words);
    });
}

/// Unchanged rows that were folded away; very many in parts again.
pub(super) fn fold(
    reading: &Reading,
    pair: &Pair,
    form: DiffForm,
    range: Range<usize>,
) -> Option<Markup> {
    let compared = reading.compared(pair, form)?;
    let mut out = Markup::new();
    let parts = parts_of(range.clone(), MAX_FOLD);
    if parts.is_empty() {
        for row in compared.rows.get(range).unwrap_or_default() {
            draw_row(&mut out, &compared, row, None, form);
        }
    }
    for part in parts {
        let line = |row: usize| compared.rows.get(row).and_then(|row| row.new).unwrap_or(row);
        let words = format!(
            "unchanged lines {} – {}",
            format::count(line(part.start) as u64 + 1),
            format::count(line(part.end.saturating_sub(1)) as u64 + 1)
        );
        fold_part(reading, &mut out, pair, form, part, &words);
    }
    Some(out)
}

/// Rows of a view.
pub(super) fn row_range(
    reading: &Reading,
    pair: &Pair,
    form: DiffForm,
    range: Range<usize>,
) -> Option<Markup> {
    let compared = reading.compared(pair, form)?;
    let form = DiffForm { shows_blanks: form.shows_blanks || compared.is_blank_only, ..form };
    let view = compared.view(form.is_whole);
    let mut out = Markup::new();
    let end = range.end.min(range.start.saturating_add(MAX_DRAWN)).min(view.len());
    for row in view.get(range.start.min(end)..end).unwrap_or_default() {
        match row {
            ViewRow::Part { row, part } => {
                if let Some(row) = compared.rows.get(*row) {
                    draw_row(&mut out, &compared, row, Some(*part), form);
                }
            }
            ViewRow::Fold(folded) => {
                let whole = DiffForm { is_whole: true, ..form };
                fold_row(reading, &mut out, pair, whole, &compared, folded);
            }
        }
    }
    Some(out)
}

/// A row that stands for folded ones: it leads to them among all lines.
fn fold_row(
    reading: &Reading,
    out: &mut Markup,
    pair: &Pair,
    whole: DiffForm,
    compared: &Compared,
    folded: &Range<usize>,
) {
    let words = format::counted(folded.len() as u64, "unchanged line", "unchanged lines");
    let view = compared.view(true);
    let at =
        view.partition_point(|row| matches!(row, ViewRow::Part { row, .. } if *row < folded.start));
    let element = element(pair);
    out.open("div").class("row row--fold").body(|out| {
        out.open("button")
            .attr("type", "button")
            .class("jump")
            .attr("data-part", &reading.name(Part::Diff(pair.clone(), whole)))
            .attr("data-into", &element)
            .attr("data-jump", &format!("{element}-view"))
            .attr("data-row", &at.to_string())
            .text(&words);
    });
}
