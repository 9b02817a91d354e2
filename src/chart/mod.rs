//! Numbers as SVG: scales, ticks, labels that keep clear of each other, marks. Knows nothing of runs.
//!
//! ```text
//!  step, time   what people count in          text, place  how wide words are, where they fit
//!  axis, scale  values onto a length          tone         colours, hatches, shapes
//!  silence      when a drawing would say nothing
//!  canvas       what is drawn, and the marks that can be pointed at
//!  plane, rows  the two layouts: x against y, and one row for each name
//!  histogram lines scatter │ stacks dots strips ridges spans │ heat_map
//! ```
//!
//! A drawing has two layers. The ink is what is seen. Over it lie the marks: clear areas that can be
//! pointed at and focused, each with its tooltip, so that no ink covers a tooltip. Where a tooltip
//! stands is worked out here, so that it never leaves the drawing and needs no script.

mod axis;
mod canvas;
mod dots;
mod forest;
mod heat_map;
mod histogram;
mod lines;
mod place;
mod plane;
mod ridges;
mod rows;
mod scale;
mod scatter;
mod silence;
mod spans;
mod stacks;
mod step;
mod strips;
#[cfg(test)]
mod tests;
mod text;
mod time;
mod tone;
mod unit;

pub use axis::{Axis, Range, edges};
pub use canvas::{Drawing, LinkIdx};
pub use dots::{Dot, Dots};
pub use forest::ForestScale;
pub use heat_map::{HeatMap, HeatMapCell, HeatMapRow};
pub use histogram::{Bin, Histogram, HistogramLine};
pub use lines::{LineAxis, LineChart, LinePoint, Series};
pub use ridges::{Ridge, Ridges};
pub use scatter::{Scatter, ScatterPoint};
pub use spans::{ChartSpan, Spans};
pub use stacks::{Stack, StackPart, Stacks};
pub use strips::{StripPoint, StripValues, Strips};
pub use tone::Tone;
pub use unit::Unit;

use canvas::Canvas;
use serde::{Deserialize, Serialize};

/// Width of a drawing.
const WIDE: f64 = 520.0;
/// Width of a drawing for a phone, and of one of several side by side.
const NARROW: f64 = 340.0;

/// What is to be drawn. Values that are not finite are left out of every kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Chart {
    /// How many values lie where.
    Histogram(Histogram),
    /// Histograms of several names on the same axis.
    Ridges(Ridges),
    /// Bars made of parts, one for each name.
    Stacks(Stacks),
    /// A value with its interval for each name.
    Dots(Dots),
    /// Every value for each name.
    Strips(Strips),
    /// When something began and how long it took, for each name.
    Spans(Spans),
    /// Values in order or over time.
    Lines(LineChart),
    /// One value against another.
    Scatter(Scatter),
    /// A value for each pair of names.
    HeatMap(HeatMap),
}

/// How it is to be drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChartFrame<'a> {
    /// Identifies the drawing in its document: ASCII letters, digits and `-`.
    pub id: &'a str,
    /// For a phone, or for one of several side by side.
    pub is_narrow: bool,
    /// Rates as fractions 0–1 instead of percentages.
    pub is_fraction: bool,
    /// Decimals of scores and rates; `None`: three and one.
    pub digits: Option<u8>,
    /// The addresses that marks name by their place in this list.
    pub hrefs: &'a [String],
}

/// `words` as one line that is at most `width` wide in a drawing.
pub fn fitted(words: &str, width: f64) -> String {
    text::fit(words, width)
}

impl ChartFrame<'_> {
    fn width(&self) -> f64 {
        if self.is_narrow { NARROW } else { WIDE }
    }
}

impl Chart {
    /// Draws it. The height follows from what there is to show.
    pub fn draw(&self, frame: &ChartFrame<'_>) -> Drawing {
        let mut canvas = Canvas::new(frame);
        match self {
            Self::Histogram(chart) => chart.draw(&mut canvas),
            Self::Ridges(chart) => chart.draw(&mut canvas),
            Self::Stacks(chart) => chart.draw(&mut canvas),
            Self::Dots(chart) => chart.draw(&mut canvas),
            Self::Strips(chart) => chart.draw(&mut canvas),
            Self::Spans(chart) => chart.draw(&mut canvas),
            Self::Lines(chart) => chart.draw(&mut canvas),
            Self::Scatter(chart) => chart.draw(&mut canvas),
            Self::HeatMap(chart) => chart.draw(&mut canvas),
        }
        canvas.finish()
    }
}
