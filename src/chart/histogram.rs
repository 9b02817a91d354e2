//! How many values lie where.

use super::canvas::{Anchor, Area, Canvas};
use super::plane::Plane;
use super::stacks::{StackPart, key};
use super::{Axis, LinkIdx, Range, Tone, Unit, place, text};
use crate::format::count;
use serde::{Deserialize, Serialize};

/// How many values lie where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Of the values.
    pub axis: Axis,
    /// What is counted, one and many: `case`, `cases`.
    pub things: [String; 2],
    /// Ascending, without a gap.
    pub bins: Vec<Bin>,
    /// Values that are pointed out: mean, median.
    pub rules: Vec<HistogramLine>,
}

/// The values from `low` up to `high`, which only the last bin holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Lower edge.
    pub low: f64,
    /// Upper edge.
    pub high: f64,
    /// How many there are.
    pub n: u64,
    /// The same, part by part from below; empty where nothing tells them apart.
    pub parts: Vec<StackPart>,
    /// What it opens.
    pub link: Option<LinkIdx>,
}

/// A value that is pointed out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistogramLine {
    /// Which.
    pub at: f64,
    /// What it is: `mean`.
    pub label: String,
}

/// `low – high` in words.
pub(super) fn bin_words(axis: &Axis, bin: &Bin, canvas: &Canvas<'_>) -> String {
    let words = |value| match axis.unit {
        // Edges are round numbers: they need no more decimals than they have.
        Unit::Score | Unit::Number => crate::format::apart(value, value, 6),
        unit => unit.words(value, canvas.frame),
    };
    format!("{} – {}", words(bin.low), words(bin.high))
}

/// The axis on which `things` are counted.
pub(super) fn count_axis(things: &[String; 2]) -> Axis {
    let [_, many] = things;
    let first = many.chars().next();
    let title = first.map(|first| {
        let rest = many.get(first.len_utf8()..).unwrap_or_default();
        format!("{}{rest}", first.to_uppercase())
    });
    Axis::new(&title.unwrap_or_default(), Unit::Count, Range::Zero)
}

/// `14 cases`.
pub(super) fn counted(n: u64, things: &[String; 2]) -> String {
    let [one, many] = things;
    crate::format::counted(n, one, many)
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(super) fn real(n: u64) -> f64 {
    n as f64
}

impl Bin {
    /// How each part looks, and how many it has.
    fn shares(&self) -> Vec<(Tone, u64)> {
        match self.parts.as_slice() {
            [] => vec![(Tone::Plain, self.n)],
            parts => parts.iter().filter(|part| part.n > 0).map(|p| (p.tone, p.n)).collect(),
        }
    }
}

impl Histogram {
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        let edges = self.bins.iter().flat_map(|bin| [bin.low, bin.high]);
        let x = self.axis.ticked(edges, if canvas.frame.is_narrow { 5 } else { 8 }, canvas.frame);
        let y = count_axis(&self.things).ticked(
            self.bins.iter().map(|bin| real(bin.n)),
            4,
            canvas.frame,
        );
        let plane = Plane::draw(canvas, &x, &y, 160.0, 8.0, 0.0);
        for bin in self.bins.iter().filter(|bin| bin.n > 0) {
            let (from, to) = (plane.x.at(bin.low), plane.x.at(bin.high));
            let gap = if to - from > 4.0 { 1.0 } else { 0.0 };
            let mut before = 0;
            for (tone, n) in bin.shares() {
                let (low, high) = (plane.y.at(real(before)), plane.y.at(real(before + n)));
                before += n;
                // Something is never nothing: even one of very many is seen.
                let height = (low - high).max(1.0);
                canvas.bar(tone, Area { x: from, y: low - height, width: to - from - gap, height });
            }
            let whole =
                Area { x: from, y: plane.area.y, width: to - from, height: plane.area.height };
            let mut words = vec![bin_words(&self.axis, bin, canvas), counted(bin.n, &self.things)];
            let parts = bin.parts.iter().filter(|part| part.n > 0);
            words.extend(parts.map(|part| format!("{} {}", count(part.n), part.name)));
            canvas.mark(whole, words, bin.link);
        }
        self.draw_key(canvas);
        // The notes stand beside the title of the axis that goes up.
        self.draw_rules(canvas, &plane, text::width(&y.title) + 8.0);
    }

    /// What the parts are, below the axis.
    fn draw_key(&self, canvas: &mut Canvas<'_>) {
        let parts = || self.bins.iter().flat_map(|bin| &bin.parts).filter(|part| part.n > 0);
        let first = |tone: Tone| parts().find(|part| part.tone == tone);
        let kinds = Tone::OUTCOMES.into_iter().filter_map(first);
        let kinds: Vec<(&str, Tone)> = kinds.map(|part| (part.name.as_str(), part.tone)).collect();
        canvas.height += key(canvas, &kinds, canvas.height);
    }

    fn draw_rules(&self, canvas: &mut Canvas<'_>, plane: &Plane, left: f64) {
        let floor = plane.area.y + plane.area.height;
        let words: Vec<String> = self
            .rules
            .iter()
            .map(|rule| format!("{} {}", rule.label, self.axis.unit.words(rule.at, canvas.frame)))
            .collect();
        let widest = words.iter().map(|words| text::width(words)).fold(0.0, f64::max);
        let wanted: Vec<f64> = self.rules.iter().map(|rule| plane.x.at(rule.at)).collect();
        let ends = (left + widest / 2.0, canvas.width - widest / 2.0);
        let placed = place::apart(&wanted, widest + 8.0, ends.0, ends.1);
        for (idx, at) in wanted.iter().enumerate() {
            canvas.line("chart__rule", (*at, text::LINE), (*at, floor));
            let found = placed.as_ref().and_then(|placed| placed.get(idx));
            if let (Some(x), Some(words)) = (found, words.get(idx)) {
                canvas.text("chart__note", (*x, text::LINE / 2.0), Anchor::Middle, words);
            }
        }
    }
}
