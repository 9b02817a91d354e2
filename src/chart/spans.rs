//! When something began and how long it took, for each name.

use super::canvas::{Area, Canvas};
use super::rows::ChartRows;
use super::{Axis, LinkIdx, Range, Tone, Unit, text};
use crate::words::chart as said;
use serde::{Deserialize, Serialize};

const PITCH: f64 = 22.0;
const BAR: f64 = 12.0;

/// When something began and how long it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spans {
    /// What the axis shows: `Time, UTC`.
    pub label: String,
    /// The rows.
    pub spans: Vec<ChartSpan>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChartSpan {
    /// Its name.
    pub name: String,
    /// When it began, in seconds since 1970-01-01 00:00 UTC.
    pub from: f64,
    /// How long it took, in seconds; `None` when only its beginning is known.
    pub secs: Option<f64>,
    /// How it looks.
    pub tone: Tone,
    /// What it opens.
    pub link: Option<LinkIdx>,
}

impl ChartSpan {
    /// When it ended.
    fn to(&self) -> f64 {
        self.from + self.secs.filter(|secs| secs.is_finite() && *secs > 0.0).unwrap_or(0.0)
    }
}

impl Spans {
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        let axis = Axis::new(&self.label, Unit::Moment, Range::Free);
        let ends = self.spans.iter().flat_map(|span| [span.from, span.to()]);
        let x = axis.ticked(ends, if canvas.frame.is_narrow { 4 } else { 7 }, canvas.frame);
        let names: Vec<&str> = self.spans.iter().map(|span| span.name.as_str()).collect();
        let words = |span: &ChartSpan| {
            span.secs.map(|secs| Unit::Secs.words(secs, canvas.frame)).unwrap_or_default()
        };
        let notes: Vec<String> = self.spans.iter().map(words).collect();
        let room = notes.iter().map(|note| text::width(note)).fold(0.0, f64::max);
        let rows = ChartRows::draw(canvas, &names, &x, PITCH, 4.0, room);
        for ((span, note), at) in self.spans.iter().zip(&notes).zip(0_u32..) {
            let y = rows.middle(at);
            rows.note(canvas, at, note);
            if !span.from.is_finite() {
                continue;
            }
            let (from, to) = (rows.x.at(span.from), rows.x.at(span.to()));
            let width = (to - from).max(2.0);
            let bar =
                Area { x: from.min(rows.right - width), y: y - BAR / 2.0, width, height: BAR };
            canvas.bar(span.tone, bar);
            let began = said::began(&Unit::Moment.words(span.from, canvas.frame));
            let took = span.secs.map(|_| said::took(note)).unwrap_or_default();
            let area = Area { x: bar.x - 2.0, width: bar.width + 4.0, ..bar };
            canvas.mark(area, vec![span.name.clone(), began, took], span.link);
        }
    }
}
