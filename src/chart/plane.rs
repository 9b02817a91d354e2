//! The layout of x against y: two axes, lines across, a stretch in between.

use super::axis::Ticked;
use super::canvas::{Anchor, Area, Canvas};
use super::scale::LinearScale;
use super::{place, text};

/// Between words and what they belong to.
const GAP: f64 = 6.0;
/// Above the stretch: the title of the axis that goes up.
pub(super) const TOP: f64 = 26.0;
/// Below the stretch: ticks and title of the axis that goes across.
pub(super) const BOTTOM: f64 = 42.0;

/// The stretch, and where values lie in it.
pub(super) struct Plane {
    pub x: LinearScale,
    pub y: LinearScale,
    pub area: Area,
}

impl Plane {
    /// Draws both axes around a stretch of `height`, leaving `right` free at its side. `pad`: room
    /// within the stretch beside its first and last value.
    pub(super) fn draw(
        canvas: &mut Canvas<'_>,
        x: &Ticked,
        y: &Ticked,
        height: f64,
        right: f64,
        pad: f64,
    ) -> Self {
        let widest = y.ticks.iter().map(|(_, words)| text::width(words)).fold(0.0, f64::max);
        let left = (widest + GAP).min(canvas.width / 3.0);
        let area = Area { x: left, y: TOP, width: canvas.width - left - right, height };
        canvas.height = TOP + height + BOTTOM;
        let floor = area.y + area.height;
        let across =
            LinearScale::new(x.low, x.high, area.x + pad, area.x + area.width - pad, x.is_log);
        let up = LinearScale::new(y.low, y.high, floor, area.y, y.is_log);
        let title = text::fit(&y.title, canvas.width);
        canvas.text("chart__title", (0.0, text::LINE / 2.0), Anchor::Start, &title);
        for (value, words) in &y.ticks {
            let at = up.at(*value);
            canvas.line("chart__grid", (area.x, at), (area.x + area.width, at));
            let words = text::fit(words, left - GAP);
            canvas.text("chart__tick", (left - GAP, at), Anchor::End, &words);
        }
        canvas.line("chart__axis", (area.x, floor), (area.x + area.width, floor));
        draw_across(canvas, x, &across, (area.x + area.width, floor));
        Self { x: across, y: up, area }
    }
}

/// Ticks below the line that ends at `end`, as far as their words keep clear of each other, and the
/// title.
pub(super) fn draw_across(
    canvas: &mut Canvas<'_>,
    axis: &Ticked,
    scale: &LinearScale,
    end: (f64, f64),
) {
    let (right, floor) = end;
    let width = canvas.width;
    let boxes: Vec<(f64, f64)> = axis
        .ticks
        .iter()
        .map(|(value, words)| {
            let half = (text::width(words) / 2.0).min(width / 2.0);
            (scale.at(*value).clamp(half, width - half), half)
        })
        .collect();
    let every = place::every(&boxes, GAP);
    for (value, _) in &axis.ticks {
        let at = scale.at(*value);
        canvas.line("chart__axis", (at, floor), (at, floor + 4.0));
    }
    for ((_, words), (at, _)) in axis.ticks.iter().zip(&boxes).step_by(every) {
        canvas.text_within("chart__tick", (*at, floor + 13.0), words);
    }
    let title = text::fit(&axis.title, width);
    let at = (right.max(text::width(&title)), floor + 32.0);
    canvas.text("chart__title", at, Anchor::End, &title);
}
