//! Histograms of several names on the same axis, one above the other.

use super::canvas::{Area, Canvas};
use super::histogram::{bin_words, counted, real};
use super::rows::ChartRows;
use super::{Axis, Bin, Tone, text};
use serde::{Deserialize, Serialize};

const PITCH: f64 = 44.0;
const HEIGHT: f64 = 34.0;

/// Histograms of several names. Each is as high as its fullest bin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ridges {
    /// Of the values.
    pub axis: Axis,
    /// What is counted, one and many: `grade`, `grades`.
    pub things: [String; 2],
    /// The rows.
    pub ridges: Vec<Ridge>,
}

/// The values of one name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ridge {
    /// Its name.
    pub name: String,
    /// Ascending, without a gap.
    pub bins: Vec<Bin>,
    /// Mean of the values.
    pub mean: Option<f64>,
}

impl Ridges {
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        let edges =
            self.ridges.iter().flat_map(|ridge| &ridge.bins).flat_map(|bin| [bin.low, bin.high]);
        let x = self.axis.ticked(edges, 5, canvas.frame);
        let names: Vec<&str> = self.ridges.iter().map(|ridge| ridge.name.as_str()).collect();
        let words = |value: f64| self.axis.unit.words(value, canvas.frame);
        let notes: Vec<String> =
            self.ridges.iter().map(|ridge| ridge.mean.map(words).unwrap_or_default()).collect();
        let room = notes.iter().map(|note| text::width(note)).fold(0.0, f64::max);
        let rows = ChartRows::draw(canvas, &names, &x, PITCH, 4.0, room);
        for ((ridge, note), at) in self.ridges.iter().zip(&notes).zip(0_u32..) {
            let floor = rows.middle(at) + PITCH / 2.0;
            let most = ridge.bins.iter().map(|bin| bin.n).max().unwrap_or(0).max(1);
            canvas.line("chart__axis", (rows.left, floor), (rows.right, floor));
            for bin in ridge.bins.iter().filter(|bin| bin.n > 0) {
                let (from, to) = (rows.x.at(bin.low), rows.x.at(bin.high));
                let height = (real(bin.n) / real(most) * HEIGHT).max(1.0);
                let gap = if to - from > 4.0 { 1.0 } else { 0.0 };
                let bar = Area { x: from, y: floor - height, width: to - from - gap, height };
                canvas.bar(Tone::Plain, bar);
                let whole = Area { x: from, y: floor - HEIGHT, width: to - from, height: HEIGHT };
                let lines = vec![
                    ridge.name.clone(),
                    bin_words(&self.axis, bin, canvas),
                    counted(bin.n, &self.things),
                ];
                canvas.mark(whole, lines, bin.link);
            }
            if let Some(mean) = ridge.mean.filter(|mean| mean.is_finite()) {
                let x = rows.x.at(mean);
                canvas.line("chart__rule", (x, floor - HEIGHT - 2.0), (x, floor));
            }
            rows.note(canvas, at, note);
        }
    }
}
