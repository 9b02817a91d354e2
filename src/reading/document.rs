//! A document of a run: its facts, texts, changed files, conversation, rows. Everything that a case has
//! too is drawn by what draws a case.

use super::fold::range_fold;
use super::ids::dom_id;
use super::page;
use super::part::PartRequest;
use super::piece::{FileShown, LineKind, Piece, Way};
use super::ranges::parts_of;
use super::read::Reading;
use super::texts::block::TextRoom;
use super::texts::text_id::TextId;
use super::transcript;
use crate::format;
use crate::report::FileChange;
use crate::words::reading as words;
use std::ops::Range;

/// Rows of a table that are drawn at once.
const MAX_ROWS: usize = 200;

/// All of it, as far as it is shown at once.
pub(super) fn whole(reading: &Reading) -> Vec<Piece> {
    let mut out = Vec::new();
    let detail = reading.detail();
    if !detail.facts.is_empty() {
        out.extend(page::further(reading));
    }
    out.extend(page::failure(reading));
    out.extend(page::contents(reading, &detail.input, TextId::Input, |_| false));
    if reading.document().changes.is_empty() {
        out.extend(page::contents(reading, &detail.actual, TextId::Actual, |_| false));
    } else {
        out.extend(changes(reading));
    }
    if let Some(table) = &reading.document().table {
        let n_rows = words::rows(table.rows.len() as u64);
        out.push(Piece::Line(LineKind::Count, n_rows));
        out.extend(rows(reading, 0..table.rows.len()).unwrap_or_default());
    }
    if !detail.transcript.is_empty() {
        out.extend(transcript::transcript(reading));
    }
    if out.is_empty() {
        out.push(Piece::Line(LineKind::Empty, words::EMPTY_DOCUMENT.to_owned()));
    }
    out
}

/// The files that changed, then the difference of each.
fn changes(reading: &Reading) -> Vec<Piece> {
    let changes = &reading.document().changes;
    let mut out = vec![Piece::Files(changes.iter().map(|change| file(reading, change)).collect())];
    let mut room = TextRoom::default();
    for at in changes.iter().filter_map(|change| change.text) {
        let id = TextId::Actual(at);
        let pieces = room.block(reading, &id).into_iter().collect();
        out.push(Piece::Place(dom_id(reading, "c", &id), pieces));
    }
    out
}

fn file(reading: &Reading, change: &FileChange) -> FileShown {
    let count = |n: Option<u64>| n.map_or_else(|| format::UNKNOWN.to_owned(), format::count);
    let way = |at| Way { id: dom_id(reading, "c", &TextId::Actual(at)), ..Way::default() };
    let word = if change.change.is_empty() { words::FILE_CHANGED } else { &change.change };
    let word = if change.is_binary { words::binary(word) } else { word.to_owned() };
    // Of what is no text no lines are counted.
    let lines = |n: Option<u64>| if change.is_binary { None } else { n };
    let sizes = match (change.old_size, change.new_size) {
        (None, None) => format::UNKNOWN.to_owned(),
        (None, Some(size)) | (Some(size), None) => format::bytes(size),
        (Some(old), Some(new)) => format!("{} → {}", format::bytes(old), format::bytes(new)),
    };
    let [added, removed] = [change.n_added, change.n_removed].map(|n| count(lines(n)));
    FileShown {
        path: change.path.clone(),
        way: change.text.map(way),
        cells: [word, added, removed, sizes],
    }
}

/// Rows of the table; very many in parts, of which the first is open.
pub(super) fn rows(reading: &Reading, range: Range<usize>) -> Option<Vec<Piece>> {
    let table = reading.document().table.as_ref()?;
    let range = range.start.min(table.rows.len())..range.end.min(table.rows.len());
    let parts = parts_of(range.clone(), MAX_ROWS);
    if parts.is_empty() {
        let rows = table.rows.get(range).unwrap_or_default().to_vec();
        return Some(vec![Piece::Rows(table.columns.clone(), rows)]);
    }
    let folds = parts.into_iter().enumerate().map(|(idx, part)| {
        let here = if idx == 0 { rows(reading, part.clone()) } else { None };
        range_fold(reading, words::ROWS_PART, &part, PartRequest::Table(part.clone()), here)
    });
    Some(folds.collect())
}

/// The way to what `spot` names of this document: the number of a message, `last` for the last one that
/// is no mere event; else to the document itself, whose element is `element`.
pub(super) fn way(reading: &Reading, spot: &str, element: &str) -> Way {
    let whole = reading.name(PartRequest::Whole);
    let way = match spot {
        "last" => transcript::way_to_last(reading),
        spot => transcript::way_to_message(reading, spot),
    };
    let mut way = way.unwrap_or_else(|| Way { id: element.to_owned(), ..Way::default() });
    way.through.insert(0, whole);
    way
}
