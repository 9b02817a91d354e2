//! A part of a long list as a fold: drawn at once and open, or drawn when it is opened.

use super::part::Part;
use super::reading::Reading;
use crate::format;
use crate::markup::Markup;
use std::ops::Range;

/// The fold of `range`, which is `part`: `Rows 201 – 400` where `what` is `Rows `. It is open and holds
/// `drawn`, where that is there.
pub(super) fn fold(
    reading: &Reading,
    out: &mut Markup,
    what: &str,
    range: &Range<usize>,
    part: Part,
    drawn: Option<&Markup>,
) {
    let from = format::count(range.start as u64 + 1);
    let words = format!("{what}{from} – {}", format::count(range.end as u64));
    let name = reading.name(part);
    out.open("details")
        .class("fold")
        .attr_if("open", drawn.is_some().then_some(""))
        .attr_if("data-part", drawn.is_none().then_some(name.as_str()))
        .body(|out| {
            out.open("summary").text(&words);
            if let Some(drawn) = drawn {
                out.append(drawn);
            }
        });
}
