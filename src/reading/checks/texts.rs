//! What was compared in a check: reason, expected, actual, how they differ.

use crate::reading::fold::labelled;
use crate::reading::part::{ChangesOf, PartRequest};
use crate::reading::piece::{Body, Fold, Piece};
use crate::reading::read::Reading;
use crate::reading::texts::text_id::{CheckText, TextId, TextPair};
use crate::reading::{diffs::changes, diffs::diff, texts::block};
use crate::report::CheckDetail;
use crate::words::reading as words;

/// Texts up to so many bytes stand in the row itself.
const MAX_SHORT: usize = 80;

/// Reasons up to so many bytes stand below the row, longer ones are folded.
const MAX_REASON: usize = 2_000;

/// The reason where it is short, and what was compared; that is folded unless `is_open`.
pub(super) fn below(
    reading: &Reading,
    idx: usize,
    check: &CheckDetail,
    is_open: bool,
) -> (Option<String>, Vec<Piece>) {
    let mut out = Vec::new();
    let reason = check.reason.clone().filter(|reason| !reason.is_empty());
    let is_long = reason.as_ref().is_some_and(|reason| reason.len() > MAX_REASON);
    if is_long {
        out.extend(block::folded(reading, &TextId::Check(idx, CheckText::Reason), false));
    }
    let found = CheckTexts::of(reading, idx, check);
    if is_open {
        out.extend(found.pieces(reading, idx));
    } else if found.is_any() {
        let body = Body::Part(reading.name(PartRequest::Check(idx)));
        let fold = Fold { body, ..labelled(words::COMPARED.to_owned()) };
        out.push(Piece::Fold(Box::new(fold)));
    }
    (reason.filter(|_| !is_long), out)
}

/// Expected, actual and what the file says of them, as far as they fit into a line.
pub(super) fn short_sides(check: &CheckDetail) -> Vec<(String, String)> {
    let sides = [
        (words::EXPECTED_SIDE, check.expected.as_deref()),
        (words::ACTUAL_SIDE, check.actual.as_deref()),
        (words::COMPARISON_SIDE, check.diff.as_deref().filter(|_| has_diff(check))),
    ];
    let shown = sides.into_iter().filter_map(|(word, text)| {
        let text = text.filter(|text| is_short(text))?;
        let text = if text.is_empty() { words::EMPTY_SIDE } else { text };
        Some((word.to_owned(), text.to_owned()))
    });
    shown.collect()
}

/// What was compared.
pub(in crate::reading) fn texts(reading: &Reading, idx: usize) -> Option<Vec<Piece>> {
    let check = reading.detail().checks.get(idx)?;
    Some(CheckTexts::of(reading, idx, check).pieces(reading, idx))
}

/// What there is to be drawn that does not stand in a line already.
struct CheckTexts {
    /// Both sides, compared.
    is_compared: bool,
    /// The text that is the output of DeepDiff.
    deep_diff: Option<TextId>,
    /// The file's own description of the difference.
    is_described: bool,
    /// Texts by themselves.
    fields: Vec<CheckText>,
}

impl CheckTexts {
    fn of(reading: &Reading, idx: usize, check: &CheckDetail) -> Self {
        let id = |field: CheckText| TextId::Check(idx, field);
        let is_json = |field: CheckText| reading.doc(&id(field)).is_some();
        let is_compared = match (check.expected.as_deref(), check.actual.as_deref()) {
            (Some(expected), Some(actual)) if expected != actual => {
                !is_short(expected)
                    || !is_short(actual)
                    || (is_json(CheckText::Expected) && is_json(CheckText::Actual))
            }
            _ => false,
        };
        let deep_diff = [CheckText::Diff, CheckText::Metadata]
            .map(id)
            .into_iter()
            .find(|id| reading.changes(&ChangesOf::DeepDiff(id.clone())).is_some());
        let is_told = check.diff.as_deref().is_some_and(is_short);
        // Beside a comparison of our own the file's unified diff says nothing new.
        let is_repeated = is_compared && reading.is_diff(&id(CheckText::Diff));
        let is_long = |text: &Option<String>| text.as_deref().is_some_and(|text| !is_short(text));
        let fields = [
            (CheckText::Expected, is_long(&check.expected)),
            (CheckText::Actual, is_long(&check.actual)),
            (CheckText::Metadata, check.metadata.as_deref().is_some_and(|text| !text.is_empty())),
        ];
        Self {
            is_compared,
            deep_diff,
            is_described: has_diff(check) && !is_told && !is_repeated,
            fields: fields.into_iter().filter(|(_, is)| *is).map(|(field, _)| field).collect(),
        }
    }

    fn is_any(&self) -> bool {
        self.is_compared || self.deep_diff.is_some() || self.is_described || !self.fields.is_empty()
    }

    fn pieces(&self, reading: &Reading, idx: usize) -> Vec<Piece> {
        let id = |field: CheckText| TextId::Check(idx, field);
        let mut out = Vec::new();
        if self.is_compared {
            let pair = TextPair { old: id(CheckText::Expected), new: id(CheckText::Actual) };
            out.extend(diff::place(reading, &pair));
        }
        if let Some(found) = &self.deep_diff {
            let table = changes::table(reading, &ChangesOf::DeepDiff(found.clone()));
            let body = Body::Here(table.unwrap_or_default());
            let words = words::DEEP_DIFF.to_owned();
            out.push(Piece::Fold(Box::new(Fold { body, ..labelled(words) })));
        }
        if self.is_described {
            out.extend(block::folded(reading, &id(CheckText::Diff), !self.is_compared));
        }
        for field in &self.fields {
            out.extend(block::folded(reading, &id(*field), false));
        }
        out
    }
}

fn has_diff(check: &CheckDetail) -> bool {
    check.diff.as_deref().is_some_and(|diff| !matches!(diff.trim(), "" | "null" | "{}"))
}

/// Whether a text fits into a line.
pub(in crate::reading) fn is_short(text: &str) -> bool {
    text.len() <= MAX_SHORT && !text.contains(['\n', '\r'])
}
