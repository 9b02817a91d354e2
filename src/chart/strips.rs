//! Every value for each name, side by side where they are the same.

use super::canvas::{Area, Canvas};
use super::rows::ChartRows;
use super::{Axis, LinkIdx, Tone, place, text};
use crate::order::Order as _;
use serde::{Deserialize, Serialize};

const RADIUS: f64 = 3.5;
/// Lanes to either side of a row's middle.
const LANES: i32 = 2;
const PITCH: f64 = 40.0;

/// Every value for each name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Strips {
    /// Of the values.
    pub axis: Axis,
    /// The rows.
    pub strips: Vec<StripValues>,
}

/// The values of one name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StripValues {
    /// Its name.
    pub name: String,
    /// The values.
    pub points: Vec<StripPoint>,
    /// Their mean, or what else stands for them.
    pub middle: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// How the values look.
    pub tone: Tone,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StripPoint {
    /// Its name.
    pub name: String,
    /// The value.
    pub value: f64,
    /// What it opens.
    pub link: Option<LinkIdx>,
}

impl Strips {
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        let values = self.strips.iter().flat_map(|strip| {
            let points = strip.points.iter().map(|point| point.value);
            points.chain(strip.middle.into_iter().flat_map(|at| self.axis.held(at, strip.interval)))
        });
        let x = self.axis.ticked(values, 5, canvas.frame);
        let names: Vec<&str> = self.strips.iter().map(|strip| strip.name.as_str()).collect();
        let words = |value: f64| self.axis.unit.words(value, canvas.frame);
        let notes: Vec<String> =
            self.strips.iter().map(|strip| strip.middle.map(words).unwrap_or_default()).collect();
        let room = notes.iter().map(|note| text::width(note)).fold(0.0, f64::max);
        let rows = ChartRows::draw(canvas, &names, &x, PITCH, 4.0, room);
        for ((strip, note), at) in self.strips.iter().zip(&notes).zip(0_u32..) {
            let y = rows.middle(at);
            rows.note(canvas, at, note);
            self.draw_middle(canvas, strip, &rows, y);
            let mut points: Vec<(f64, &StripPoint)> = strip
                .points
                .iter()
                .filter(|point| point.value.is_finite())
                .map(|point| (rows.x.at(point.value), point))
                .collect();
            points.order_by(|left, right| left.0.total_cmp(&right.0));
            let places: Vec<f64> = points.iter().map(|(x, _)| *x).collect();
            let lanes = place::lanes(&places, 2.0 * RADIUS, LANES);
            for ((x, point), lane) in points.into_iter().zip(lanes) {
                let y = y + f64::from(lane) * 2.0 * RADIUS;
                canvas.shape(strip.tone, x, y, RADIUS);
                let value = format!("{} {}", self.axis.label, words(point.value));
                let lines = vec![point.name.clone(), strip.name.clone(), value];
                canvas.mark(Area::around(x, y, RADIUS + 1.0), lines, point.link);
            }
        }
    }

    /// The middle as a line behind the values, its interval as a band.
    fn draw_middle(&self, canvas: &mut Canvas<'_>, strip: &StripValues, rows: &ChartRows, y: f64) {
        let half = PITCH / 2.0 - 3.0;
        if let Some([low, high]) = strip.interval {
            let (from, to) = (rows.x.at(low), rows.x.at(high));
            let band = Area { x: from, y: y - half, width: to - from, height: 2.0 * half };
            canvas.rect("chart__band", band);
        }
        if let Some(middle) = strip.middle.filter(|middle| middle.is_finite()) {
            let x = rows.x.at(middle);
            canvas.line("chart__rule", (x, y - half), (x, y + half));
        }
    }
}
