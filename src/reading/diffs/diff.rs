//! Expected against actual, line by line: one column or two, words set apart inside changed lines.

use crate::reading::diffs::compared::{ComparedTexts, ViewRow, columns};
use crate::reading::diffs::plain_diff::{DiffBody, DiffLayout, DiffPart, DiffShown};
use crate::reading::form::DiffForm;
use crate::reading::part::{ChangesOf, PartRequest};
use crate::reading::piece::{Later, Piece, ReservedRoom};
use crate::reading::ranges::parts_of;
use crate::reading::read::Reading;
use crate::reading::texts::plain_text::{Choices, ViewChoice, ViewShown};
use crate::reading::texts::text_id::TextPair;
use crate::reading::{diffs::changes, diffs::diff_row};
use crate::report::diff::{Arrangement, DiffRow, FoldedRow, unified_text};
use crate::words::reading as words;
use std::ops::Range;

/// Differences of fewer rows and bytes are drawn whole.
const MAX_ROWS: usize = 400;
const MAX_BYTES: usize = 64_000;

/// Texts of so many bytes together are compared when the case is drawn, longer ones when they come near.
const MAX_PLACED: usize = 16_000;

/// Folded rows that are drawn at once when the user opens them.
const MAX_FOLD: usize = 200;

/// Rows of a view that are given at once.
const MAX_GIVEN: usize = 1_000;

/// What ways to rows of `pair` lead to.
fn element(pair: &TextPair) -> String {
    format!("d-{pair}")
}

/// The difference of `pair`; of long texts it comes when it is near.
pub(in crate::reading) fn place(reading: &Reading, pair: &TextPair) -> Option<Piece> {
    let sizes = [&pair.old, &pair.new].map(|id| reading.text(id).map_or(0, |text| text.len()));
    let form = DiffForm::default();
    if sizes.iter().sum::<usize>() < MAX_PLACED {
        return diff(reading, pair, form);
    }
    let part = reading.name(PartRequest::Diff(pair.clone(), form));
    Some(Piece::Later(Later { part, room: ReservedRoom::Text }))
}

/// The difference, with the ways to see it otherwise.
pub(in crate::reading) fn diff(
    reading: &Reading,
    pair: &TextPair,
    form: DiffForm,
) -> Option<Piece> {
    let compared = reading.compared(pair, form)?;
    // Nothing else would be seen.
    let form = DiffForm { shows_blanks: form.shows_blanks || compared.is_blank_only, ..form };
    let is_short = compared.folded.len() <= MAX_ROWS && compared.n_shown_bytes() < MAX_BYTES;
    let body = if form.is_structure {
        let of = ChangesOf::Pair(pair.clone());
        DiffBody::Values(changes::table(reading, &of).unwrap_or_default())
    } else if is_short && (!form.is_whole || compared.rows.len() <= MAX_ROWS) {
        DiffBody::Whole(arranged(form), whole(reading, pair, form, &compared))
    } else {
        DiffBody::View(arranged(form), view(reading, pair, form, &compared))
    };
    Some(Piece::Diff(Box::new(DiffShown {
        id: element(pair),
        count: words::lines_differ(compared.n_removed as u64, compared.n_added as u64),
        choices: choices(reading, pair, form, &compared),
        copy: reading.name(PartRequest::Diff(pair.clone(), form)),
        notes: notes(reading, pair, form, &compared).into_iter().map(str::to_owned).collect(),
        body,
    })))
}

fn arranged(form: DiffForm) -> DiffLayout {
    match form.arrangement {
        Arrangement::Unified => DiffLayout::Unified,
        Arrangement::SideBySide => DiffLayout::SideBySide,
    }
}

/// A view of very many rows.
fn view(reading: &Reading, pair: &TextPair, form: DiffForm, compared: &ComparedTexts) -> ViewShown {
    let limit = columns(form.arrangement);
    let n_columns = match form.arrangement {
        Arrangement::Unified => widest(compared).min(limit),
        Arrangement::SideBySide => 2 * widest(compared).min(limit) + 24,
    };
    ViewShown {
        rows: reading.stem(PartRequest::DiffRows(pair.clone(), form, 0..0)),
        n_rows: compared.view(form.is_whole).len() as u64,
        n_columns: n_columns as u64,
    }
}

/// The unified diff as text.
pub(in crate::reading) fn text(reading: &Reading, pair: &TextPair) -> Option<String> {
    Some(unified_text(&reading.text(&pair.old)?, &reading.text(&pair.new)?))
}

fn widest(compared: &ComparedTexts) -> usize {
    let length = |row: &DiffRow| {
        let shown = [compared.old_line(row), compared.new_line(row)];
        shown.into_iter().flatten().map(|line| line.text.len()).max()
    };
    compared.rows.iter().filter_map(length).max().unwrap_or_default()
}

/// What has to be known to read it rightly.
fn notes(
    reading: &Reading,
    pair: &TextPair,
    form: DiffForm,
    compared: &ComparedTexts,
) -> Vec<&'static str> {
    let mut notes = Vec::new();
    let is_equal = compared.n_removed + compared.n_added == 0;
    if is_equal && !form.is_structure {
        let is_same = reading.text(&pair.old) == reading.text(&pair.new);
        notes.push(match is_same {
            true => words::SAME_BYTES,
            false => words::SAME_JSON,
        });
    }
    if compared.is_blank_only {
        notes.push(words::WHITE_SPACE_ONLY);
    }
    if compared.is_rough && !form.is_structure {
        notes.push(words::ROUGH);
    }
    notes
}

/// Ways to see it otherwise.
fn choices(
    reading: &Reading,
    pair: &TextPair,
    form: DiffForm,
    compared: &ComparedTexts,
) -> Vec<Choices> {
    let choice = |word: &str, other: DiffForm, is_on: bool| ViewChoice {
        word: word.to_owned(),
        part: reading.name(PartRequest::Diff(pair.clone(), other)),
        is_on,
    };
    let lines = DiffForm { is_structure: false, ..form };
    let one = DiffForm { arrangement: Arrangement::Unified, ..lines };
    let two = DiffForm { arrangement: Arrangement::SideBySide, ..lines };
    let mut arranged = vec![
        choice(words::UNIFIED, one, !form.is_structure && form == one),
        choice(words::SIDE_BY_SIDE, two, !form.is_structure && form == two),
    ];
    if reading.doc(&pair.old).is_some() && reading.doc(&pair.new).is_some() {
        let structure = DiffForm { is_structure: true, ..form };
        arranged.push(choice(words::STRUCTURE, structure, form.is_structure));
    }
    let mut all = vec![Choices { label: words::ARRANGEMENT.to_owned(), all: arranged }];
    if form.is_structure {
        return all;
    }
    let whole = DiffForm { is_whole: !form.is_whole, ..form };
    let blanks = DiffForm { shows_blanks: !form.shows_blanks, ..form };
    let mut shown = vec![
        choice(words::ALL_LINES, whole, form.is_whole),
        choice(words::WHITE_SPACE, blanks, form.shows_blanks),
    ];
    if compared.is_indented || form.is_written {
        let written = DiffForm { is_written: !form.is_written, ..form };
        shown.push(choice(words::AS_WRITTEN, written, form.is_written));
    }
    all.push(Choices { label: words::SHOW.to_owned(), all: shown });
    all
}

/// All rows at once, unchanged ones folded.
fn whole(
    reading: &Reading,
    pair: &TextPair,
    form: DiffForm,
    compared: &ComparedTexts,
) -> Vec<DiffPart> {
    let row = |row: &DiffRow| DiffPart::Row(diff_row::shown(compared, row, None, form));
    if form.is_whole {
        return compared.rows.iter().map(row).collect();
    }
    let parts = compared.folded.iter().filter_map(|part| match part {
        FoldedRow::Row(at) => compared.rows.get(*at).map(row),
        FoldedRow::Fold(range) => {
            let words = unchanged(range);
            let part = reading.name(PartRequest::DiffFold(pair.clone(), form, range.clone()));
            Some(DiffPart::Fold { words, part })
        }
    });
    parts.collect()
}

fn unchanged(range: &Range<usize>) -> String {
    words::unchanged_lines(range.len() as u64)
}

/// Unchanged rows that were folded away; very many in parts again.
pub(in crate::reading) fn fold(
    reading: &Reading,
    pair: &TextPair,
    form: DiffForm,
    range: Range<usize>,
) -> Option<Piece> {
    let compared = reading.compared(pair, form)?;
    let parts = parts_of(range.clone(), MAX_FOLD);
    if parts.is_empty() {
        let rows = compared.rows.get(range).unwrap_or_default().iter();
        let rows = rows.map(|row| DiffPart::Row(diff_row::shown(&compared, row, None, form)));
        return Some(Piece::DiffParts(rows.collect()));
    }
    let line = |row: usize| compared.rows.get(row).and_then(|row| row.new).unwrap_or(row);
    let folds = parts.into_iter().map(|part| DiffPart::Fold {
        words: words::unchanged_part(
            line(part.start) as u64 + 1,
            line(part.end.saturating_sub(1)) as u64 + 1,
        ),
        part: reading.name(PartRequest::DiffFold(pair.clone(), form, part)),
    });
    Some(Piece::DiffParts(folds.collect()))
}

/// Rows of a view.
pub(in crate::reading) fn row_range(
    reading: &Reading,
    pair: &TextPair,
    form: DiffForm,
    range: Range<usize>,
) -> Option<Vec<DiffPart>> {
    let compared = reading.compared(pair, form)?;
    let form = DiffForm { shows_blanks: form.shows_blanks || compared.is_blank_only, ..form };
    let view = compared.view(form.is_whole);
    let end = range.end.min(range.start.saturating_add(MAX_GIVEN)).min(view.len());
    let rows = view.get(range.start.min(end)..end).unwrap_or_default().iter();
    let rows = rows.filter_map(|row| match row {
        ViewRow::Part { row, part } => {
            let row = compared.rows.get(*row)?;
            Some(DiffPart::Row(diff_row::shown(&compared, row, Some(*part), form)))
        }
        ViewRow::Fold(folded) => {
            let whole = DiffForm { is_whole: true, ..form };
            let is_before =
                |row: &ViewRow| matches!(row, ViewRow::Part { row, .. } if *row < folded.start);
            Some(DiffPart::Jump {
                words: unchanged(folded),
                part: reading.name(PartRequest::Diff(pair.clone(), whole)),
                row: compared.view(true).partition_point(is_before) as u64,
            })
        }
    });
    Some(rows.collect())
}
