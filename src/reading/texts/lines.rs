//! The lines of a text: all of them where it is short, else those that are asked for.

use crate::format;
use crate::reading::ids::dom_id;
use crate::reading::part::PartRequest;
use crate::reading::read::{PreparedText, Reading};
use crate::reading::texts::find;
use crate::reading::texts::plain_text::{
    LineMark, LineShown, LinesBody, LinesShown, PlaceShown, TextKind, ViewShown,
};
use crate::reading::texts::pytest::{FailureLine, failure_line, is_failure_text};
use crate::reading::texts::rows::TextRow;
use crate::reading::texts::text_id::TextId;
use crate::report::diff::{UnifiedKind, unified_lines};
use std::ops::Range;

/// Texts of fewer rows and bytes are here whole.
const MAX_ROWS: usize = 400;
pub(in crate::reading) const MAX_BYTES: usize = 64_000;

/// Rows that are given at once.
const MAX_GIVEN: usize = 1_000;

/// Places and heads of a failure text that are listed above it, and the shortest one that has a list.
const MAX_PLACES: usize = 24;
const MIN_PLACED: usize = 12;

/// Text `id`, prepared so, line by line.
pub(in crate::reading) fn shown(
    reading: &Reading,
    id: &TextId,
    prepared: &PreparedText,
) -> Option<LinesShown> {
    let text = reading.text(id)?;
    let shown = prepared.own.as_deref().unwrap_or(&text);
    let kind = kind(reading, id, &text);
    let n_rows = prepared.rows.len();
    let (places, has_more_places) = match kind {
        TextKind::Failure if n_rows >= MIN_PLACED => places(prepared, shown),
        _ => (Vec::new(), false),
    };
    let label = reading.label(id);
    let body = match n_rows < MAX_ROWS && shown.len() < MAX_BYTES {
        true => LinesBody::Whole(given(prepared, shown, kind, 0..n_rows)),
        // What is not in the document the browser cannot search.
        false => {
            let is_written = prepared.own.is_none();
            let rows =
                reading.stem(PartRequest::Lines { text: id.clone(), is_written, rows: 0..0 });
            let find = find::field(rows.clone(), dom_id(reading, "f", id), &label);
            let n_columns = prepared.rows.n_columns as u64;
            LinesBody::View(ViewShown { rows, n_rows: n_rows as u64, n_columns }, find)
        }
    };
    let id = dom_id(reading, "v", id);
    Some(LinesShown { id, label, kind, places, has_more_places, body })
}

/// Rows `range` of it.
pub(in crate::reading) fn range(
    reading: &Reading,
    id: &TextId,
    is_written: bool,
    range: Range<usize>,
) -> Option<Vec<LineShown>> {
    let text = reading.text(id)?;
    let prepared = reading.prepared(id, is_written)?;
    let shown = prepared.own.as_deref().unwrap_or(&text);
    let end = range.end.min(range.start.saturating_add(MAX_GIVEN));
    Some(given(&prepared, shown, kind(reading, id, &text), range.start..end))
}

fn kind(reading: &Reading, id: &TextId, text: &str) -> TextKind {
    if reading.is_diff(id) {
        TextKind::Diff
    } else if matches!(id, TextId::Failure(_)) || is_failure_text(text) {
        TextKind::Failure
    } else {
        TextKind::Plain
    }
}

fn given(
    prepared: &PreparedText,
    shown: &str,
    kind: TextKind,
    range: Range<usize>,
) -> Vec<LineShown> {
    prepared.rows.range(range).iter().map(|row| line(row, shown, kind)).collect()
}

fn line(row: &TextRow, shown: &str, kind: TextKind) -> LineShown {
    // What a row is depends on the line that it goes on with.
    let whole = shown.get(row.line_start..row.span.end).unwrap_or_default();
    let (mark, place) = match kind {
        TextKind::Plain => (LineMark::Plain, None),
        TextKind::Diff => (diff_mark(whole), None),
        TextKind::Failure => match failure_line(whole) {
            FailureLine::Plain => (LineMark::Plain, None),
            FailureLine::Error => (LineMark::Error, None),
            FailureLine::Current => (LineMark::Current, None),
            FailureLine::Place(span) => (LineMark::Place, Some(span)),
            FailureLine::Section(_) => (LineMark::Section, None),
        },
    };
    let at = |at: usize| u32::try_from(at).unwrap_or_default();
    let place = place.filter(|_| !row.is_continued());
    LineShown {
        number: match row.is_continued() {
            true => "↪".to_owned(),
            false => format::count(row.line as u64 + 1),
        },
        is_continued: row.is_continued(),
        mark,
        text: shown.get(row.span.clone()).unwrap_or_default().to_owned(),
        place: place.map(|span| (at(span.start), at(span.end))),
    }
}

fn diff_mark(line: &str) -> LineMark {
    match unified_lines(line).next().map(|line| line.kind) {
        Some(UnifiedKind::Removed) => LineMark::Removed,
        Some(UnifiedKind::Added) => LineMark::Added,
        Some(UnifiedKind::Hunk) => LineMark::Hunk,
        Some(UnifiedKind::Same) | None => LineMark::Plain,
    }
}

/// Where a failure text names files, and the heads of its parts; whether there are more than are listed.
fn places(prepared: &PreparedText, shown: &str) -> (Vec<PlaceShown>, bool) {
    let rows = prepared.rows.range(0..prepared.rows.len()).iter().enumerate();
    let named = rows.filter(|(_, row)| !row.is_continued()).filter_map(|(at, row)| {
        let line = shown.get(row.span.clone())?;
        let (FailureLine::Place(span) | FailureLine::Section(span)) = failure_line(line) else {
            return None;
        };
        Some(PlaceShown { words: line.get(span)?.to_owned(), row: at as u64 })
    });
    let mut found: Vec<PlaceShown> = named.take(MAX_PLACES + 1).collect();
    let has_more = found.len() > MAX_PLACES;
    found.truncate(MAX_PLACES);
    (found, has_more)
}
