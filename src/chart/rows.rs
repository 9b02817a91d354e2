//! The layout of one row for each name, over one axis.

use super::axis::Ticked;
use super::canvas::{Anchor, Canvas};
use super::plane::{self, BOTTOM};
use super::scale::LinearScale;
use super::text;

const GAP: f64 = 8.0;

/// The rows, and where values lie in them.
pub(super) struct ChartRows {
    pub x: LinearScale,
    /// Where the stretch begins.
    pub left: f64,
    /// Where it ends.
    pub right: f64,
    notes: f64,
    top: f64,
    pitch: f64,
}

impl ChartRows {
    /// Draws names, axis and lines up. `top`: free room above. `notes`: room at the end of a row.
    pub(super) fn draw(
        canvas: &mut Canvas<'_>,
        names: &[&str],
        axis: &Ticked,
        pitch: f64,
        top: f64,
        notes: f64,
    ) -> Self {
        let most = canvas.width * 0.36;
        let plain = |name: &&str| text::width(&text::plain(name));
        let widest = names.iter().map(plain).fold(0.0, f64::max).min(most);
        let left = widest + GAP;
        let notes = notes.min(canvas.width * 0.28);
        let right = canvas.width - if notes > 0.0 { notes + GAP } else { GAP };
        #[expect(clippy::cast_precision_loss, reason = "few rows")]
        let floor = top + pitch * names.len() as f64;
        canvas.height = floor + BOTTOM;
        let x = LinearScale::new(axis.low, axis.high, left, right, axis.is_log);
        for (value, _) in &axis.ticks {
            let at = x.at(*value);
            canvas.line("chart__grid", (at, top), (at, floor));
        }
        canvas.line("chart__axis", (left, floor), (right, floor));
        plane::draw_across(canvas, axis, &x, (right, floor));
        let rows = Self { x, left, right, notes, top, pitch };
        for (name, at) in names.iter().zip(0_u32..) {
            let name = text::fit(name, widest);
            canvas.text("chart__label", (widest, rows.middle(at)), Anchor::End, &name);
        }
        rows
    }

    /// Writes the note of row `at` at the end of the row.
    pub(super) fn note(&self, canvas: &mut Canvas<'_>, at: u32, words: &str) {
        let place = (canvas.width, self.middle(at));
        canvas.text("chart__note", place, Anchor::End, &text::fit(words, self.notes));
    }

    /// The middle of row `at`.
    pub(super) fn middle(&self, at: u32) -> f64 {
        self.top + self.pitch * (f64::from(at) + 0.5)
    }
}
