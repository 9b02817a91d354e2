//! A value with its interval for each name.

use super::canvas::{Area, Canvas};
use super::rows::ChartRows;
use super::{Axis, LinkIdx, Tone, text};
use serde::{Deserialize, Serialize};

const PITCH: f64 = 24.0;
/// Half the size of a dot.
const RADIUS: f64 = 4.5;

/// A value with its interval for each name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dots {
    /// Of the values.
    pub axis: Axis,
    /// The values.
    pub dots: Vec<Dot>,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dot {
    /// Its name.
    pub name: String,
    /// The value; `None` when it is not known.
    pub value: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// What else there is to say: `12 cases`.
    pub note: String,
    /// How it looks.
    pub tone: Tone,
    /// What it opens.
    pub link: Option<LinkIdx>,
}

/// The words of a value and its interval.
pub(super) fn value_words(
    axis: &Axis,
    value: f64,
    interval: Option<[f64; 2]>,
    canvas: &Canvas<'_>,
) -> Vec<String> {
    let words = |value| axis.unit.words(value, canvas.frame);
    let mut found = vec![format!("{} {}", axis.label, words(value))];
    found.extend(
        interval.map(|[low, high]| crate::words::chart::interval(&words(low), &words(high))),
    );
    found
}

impl Dots {
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        let known = self.dots.iter().filter_map(|dot| Some((dot.value?, dot.interval)));
        let ends = known.flat_map(|(value, interval)| self.axis.held(value, interval));
        let x = self.axis.ticked(ends, 5, canvas.frame);
        let names: Vec<&str> = self.dots.iter().map(|dot| dot.name.as_str()).collect();
        let words = |dot: &Dot| {
            dot.value.filter(|value| value.is_finite()).map_or_else(
                || crate::format::UNKNOWN.to_owned(),
                |value| self.axis.unit.words(value, canvas.frame),
            )
        };
        let notes: Vec<String> = self.dots.iter().map(words).collect();
        let room = notes.iter().map(|note| text::width(note)).fold(0.0, f64::max);
        let rows = ChartRows::draw(canvas, &names, &x, PITCH, 4.0, room);
        for ((dot, note), at) in self.dots.iter().zip(&notes).zip(0_u32..) {
            let y = rows.middle(at);
            rows.note(canvas, at, note);
            let Some(value) = dot.value.filter(|value| value.is_finite()) else { continue };
            let mut area = Area::around(rows.x.at(value), y, RADIUS + 3.0);
            if let Some([low, high]) = dot.interval {
                let (from, to) = (rows.x.at(low), rows.x.at(high));
                let caps = [rows.x.holds(low), rows.x.holds(high)];
                whisker(canvas, dot.tone, [(from, y), (to, y)], caps);
                let left = from.min(area.x);
                area.width = to.max(area.x + area.width) - left;
                area.x = left;
            }
            canvas.shape(dot.tone, rows.x.at(value), y, RADIUS);
            let mut lines = vec![dot.name.clone()];
            lines.extend(value_words(&self.axis, value, dot.interval, canvas));
            lines.push(dot.note.clone());
            canvas.mark(area, lines, dot.link);
        }
    }
}

/// An interval from end to end: a line, with a stroke across each end that has a cap. One that was
/// cut off has none.
pub(super) fn whisker(canvas: &mut Canvas<'_>, tone: Tone, ends: [(f64, f64); 2], caps: [bool; 2]) {
    let class = format!("chart__whisker {}", tone.class());
    let [from, to] = ends;
    canvas.line(&class, from, to);
    let is_level = (from.1 - to.1).abs() < 0.01;
    let (dx, dy) = if is_level { (0.0, 3.5) } else { (3.5, 0.0) };
    for (end, _) in ends.into_iter().zip(caps).filter(|(_, is_capped)| *is_capped) {
        canvas.line(&class, (end.0 - dx, end.1 - dy), (end.0 + dx, end.1 + dy));
    }
}
