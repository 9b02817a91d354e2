//! A part of a long list as a fold: here and open, or asked for when it is opened.

use super::part::PartRequest;
use super::piece::{Body, Fold, Piece};
use super::read::Reading;
use crate::words::reading as words;
use std::ops::Range;

/// The fold of `range`, which is `part`: `Rows 201 – 400` where `what` is `Rows `. It is open and holds
/// `here`, where that is there.
pub(super) fn range_fold(
    reading: &Reading,
    what: &str,
    range: &Range<usize>,
    part: PartRequest,
    here: Option<Vec<Piece>>,
) -> Piece {
    let fold = Fold {
        is_open: here.is_some(),
        body: here.map_or_else(|| Body::Part(reading.name(part)), Body::Here),
        ..labelled(words(what, range))
    };
    Piece::Fold(Box::new(fold))
}

/// A closed fold with these words and nothing in it.
pub(super) fn labelled(label: String) -> Fold {
    Fold {
        label,
        preview: String::new(),
        size: String::new(),
        is_open: false,
        is_low: false,
        body: Body::Here(Vec::new()),
    }
}

fn words(what: &str, range: &Range<usize>) -> String {
    words::part(what, range.start as u64 + 1, range.end as u64)
}
