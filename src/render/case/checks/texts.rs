//! What was compared in a check: reason, expected, actual, how they differ.

use super::super::part::{ChangesOf, Part};
use super::super::reading::Reading;
use super::super::text_id::{Field, Pair, TextId};
use super::super::{block, changes, diff};
use crate::markup::Markup;
use crate::report::CheckDetail;

/// Texts up to so many bytes stand in the row itself.
const MAX_SHORT: usize = 80;

/// Reasons up to so many bytes stand below the row, longer ones are folded.
const MAX_REASON: usize = 2_000;

/// Reason, and what was compared; all but what fits into a line is folded unless `is_open`.
pub(super) fn below(reading: &Reading, idx: usize, check: &CheckDetail, is_open: bool) -> Markup {
    let mut out = Markup::new();
    if let Some(reason) = check.reason.as_deref().filter(|reason| !reason.is_empty()) {
        if reason.len() <= MAX_REASON {
            out.open("p").class("check__reason").attr("dir", "auto").text(reason);
        } else {
            block::folded(reading, &mut out, &TextId::Check(idx, Field::Reason), false);
        }
    }
    short_sides(&mut out, check);
    let found = Texts::of(reading, idx, check);
    if is_open {
        found.draw(reading, &mut out, idx);
    } else if found.is_any() {
        let name = reading.name(Part::Check(idx));
        out.open("details")
            .class("fold")
            .attr("id", &format!("c-{idx}"))
            .attr("data-part", &name)
            .body(|out| out.open("summary").text("What was compared"));
    }
    out
}

/// Expected, actual and what the file says of them, when all of it fits into a line.
fn short_sides(out: &mut Markup, check: &CheckDetail) {
    let sides = [
        ("expected", check.expected.as_deref()),
        ("actual", check.actual.as_deref()),
        ("comparison", check.diff.as_deref().filter(|_| has_diff(check))),
    ];
    let shown: Vec<_> = sides
        .into_iter()
        .filter_map(|(word, text)| Some((word, text.filter(|text| is_short(text))?)))
        .collect();
    if shown.is_empty() {
        return;
    }
    out.open("p").class("check__sides").body(|out| {
        for (word, text) in shown {
            out.span("check__side", word);
            out.text(" ");
            let text = if text.is_empty() { "(empty text)" } else { text };
            out.open("code").attr("dir", "auto").text(text);
            out.text(" ");
        }
    });
}

/// What was compared, drawn.
pub(in crate::render::case) fn texts(reading: &Reading, idx: usize) -> Option<Markup> {
    let check = reading.detail().checks.get(idx)?;
    let mut out = Markup::new();
    Texts::of(reading, idx, check).draw(reading, &mut out, idx);
    Some(out)
}

/// What there is to be drawn that does not stand in a line already.
struct Texts {
    /// Both sides, compared.
    is_compared: bool,
    /// The text that is the output of DeepDiff.
    deep_diff: Option<TextId>,
    /// The file's own description of the difference.
    is_described: bool,
    /// Texts by themselves.
    fields: Vec<Field>,
}

impl Texts {
    fn of(reading: &Reading, idx: usize, check: &CheckDetail) -> Self {
        let id = |field: Field| TextId::Check(idx, field);
        let is_json = |field: Field| reading.doc(&id(field)).is_some();
        let is_compared = match (check.expected.as_deref(), check.actual.as_deref()) {
            (Some(expected), Some(actual)) if expected != actual => {
                !is_short(expected)
                    || !is_short(actual)
                    || (is_json(Field::Expected) && is_json(Field::Actual))
            }
            _ => false,
        };
        let deep_diff = [Field::Diff, Field::Metadata]
            .map(id)
            .into_iter()
            .find(|id| reading.changes(&ChangesOf::DeepDiff(id.clone())).is_some());
        let is_told = check.diff.as_deref().is_some_and(is_short);
        // Beside a comparison of our own the file's unified diff says nothing new.
        let is_repeated = is_compared && reading.is_diff(&id(Field::Diff));
        let is_long = |text: &Option<String>| text.as_deref().is_some_and(|text| !is_short(text));
        let fields = [
            (Field::Expected, is_long(&check.expected)),
            (Field::Actual, is_long(&check.actual)),
            (Field::Metadata, check.metadata.as_deref().is_some_and(|text| !text.is_empty())),
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

    fn draw(&self, reading: &Reading, out: &mut Markup, idx: usize) {
        let id = |field: Field| TextId::Check(idx, field);
        if self.is_compared {
            let pair = Pair { old: id(Field::Expected), new: id(Field::Actual) };
            diff::place(reading, out, &pair);
        }
        if let Some(found) = &self.deep_diff {
            out.open("details").class("fold").body(|out| {
                out.open("summary").text("Differences that the file lists (DeepDiff)");
                let of = ChangesOf::DeepDiff(found.clone());
                out.append(&changes::table(reading, &of).unwrap_or_default());
            });
        }
        if self.is_described {
            block::folded(reading, out, &id(Field::Diff), !self.is_compared);
        }
        for field in &self.fields {
            block::folded(reading, out, &id(*field), false);
        }
    }
}

fn has_diff(check: &CheckDetail) -> bool {
    check.diff.as_deref().is_some_and(|diff| !matches!(diff.trim(), "" | "null" | "{}"))
}

/// Whether a text fits into a line.
pub(in crate::render::case) fn is_short(text: &str) -> bool {
    text.len() <= MAX_SHORT && !text.contains(['\n', '\r'])
}
