//! Values that differ, as a table: where, how, what was expected and what came.

use crate::format;
use crate::reading::diffs::plain_diff::{ChangeShown, ChangedValue, DiffSign};
use crate::reading::fold::range_fold;
use crate::reading::part::{ChangesOf, PartRequest};
use crate::reading::piece::{LineKind, Piece};
use crate::reading::ranges::parts_after;
use crate::reading::read::Reading;
use crate::reading::texts::excerpt;
use crate::report::diff::{ChangeKind, ValueChange};
use crate::words::reading as words;
use std::ops::Range;

/// Rows that are given at once.
const MAX_ROWS: usize = 100;

/// Letters of a value that stand in its cell; the rest is opened.
const MAX_CHARS: usize = 200;

/// Bytes of a value that are shown when it is opened.
const MAX_BYTES: usize = 20_000;

/// The table; `None` when there is nothing that tells values apart.
pub(in crate::reading) fn table(reading: &Reading, of: &ChangesOf) -> Option<Vec<Piece>> {
    let changes = reading.changes(of)?;
    let note = |words: String| Piece::Line(LineKind::Note, words);
    if changes.n_total == 0 {
        return Some(vec![note(words::NO_VALUE_DIFFERS.to_owned())]);
    }
    let mut out = Vec::new();
    if changes.rows.len() < changes.n_total {
        let (n_all, n_listed) = (changes.n_total as u64, changes.rows.len() as u64);
        out.push(note(words::values_differ(n_all, n_listed)));
    }
    out.extend(rows(reading, of, 0..changes.rows.len())?);
    Some(out)
}

/// Some rows of the table, as a table of their own.
pub(in crate::reading) fn rows(
    reading: &Reading,
    of: &ChangesOf,
    range: Range<usize>,
) -> Option<Vec<Piece>> {
    let changes = reading.changes(of)?;
    let first = range.start..range.end.min(range.start.saturating_add(MAX_ROWS));
    let shown = changes.rows.get(first.clone()).unwrap_or_default();
    let mut out = vec![Piece::Changes(shown.iter().map(row).collect())];
    for part in parts_after(first.end..range.end.min(changes.rows.len()), MAX_ROWS) {
        let name = PartRequest::Changes(of.clone(), part.clone());
        out.push(range_fold(reading, words::ROWS_PART, &part, name, None));
    }
    Some(out)
}

fn row(change: &ValueChange) -> ChangeShown {
    ChangeShown {
        path: change.path.clone(),
        sign: match change.kind {
            ChangeKind::Missing => DiffSign::Removed,
            ChangeKind::Extra => DiffSign::Added,
            ChangeKind::Changed | ChangeKind::Type | ChangeKind::Moved => DiffSign::Same,
        },
        word: change.kind.as_str().to_owned(),
        values: [&change.old, &change.new].map(|one| value(one.as_deref())),
    }
}

fn value(value: Option<&str>) -> ChangedValue {
    match value {
        None => ChangedValue::Nothing,
        Some(value) if value.chars().nth(MAX_CHARS).is_none() => {
            ChangedValue::Short(value.to_owned())
        }
        Some(value) => {
            let text = value.get(..value.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
            ChangedValue::Long {
                preview: excerpt::preview(value, MAX_CHARS / 2),
                size: format::bytes(value.len() as u64),
                text: text.to_owned(),
                is_cut: text.len() < value.len(),
            }
        }
    }
}
