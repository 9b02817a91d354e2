//! Values in order or over time, with intervals.

use super::axis::Ticked;
use super::canvas::{Anchor, Area, Canvas, px};
use super::dots::{value_words, whisker};
use super::plane::Plane;
use super::{Axis, LinkIdx, Range, Tone, Unit, place, text};
use serde::{Deserialize, Serialize};

const RADIUS: f64 = 4.0;
/// Room over which series step aside from each other, at most.
const MOST_ASIDE: f64 = 28.0;
/// From the plane to the names of the series.
const NAMES_AWAY: f64 = 14.0;
/// Room for the shape before a name.
const SHAPE_ROOM: f64 = 12.0;
/// Room beside the first and the last value.
const PAD: f64 = MOST_ASIDE / 2.0 + RADIUS;

/// Values in order or over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineChart {
    /// What goes across.
    pub across: LineAxis,
    /// Of the values.
    pub axis: Axis,
    /// The values; those behind the others first.
    pub series: Vec<Series>,
}

/// What goes across.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum LineAxis {
    /// Names in order; points lie at 0, 1, 2 …
    Names {
        /// What they are: `Checkpoint`.
        label: String,
        /// The names.
        names: Vec<String>,
    },
    /// Time; points lie at seconds since 1970-01-01 00:00 UTC.
    Time {
        /// What it is: `Started, UTC`.
        label: String,
    },
}

/// Values that belong together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its name, which stands beside its last value unless it lies behind the others.
    pub name: String,
    /// How it looks.
    pub tone: Tone,
    /// Ascending across.
    pub points: Vec<LinePoint>,
    /// Whether values that follow one another are joined.
    pub is_joined: bool,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinePoint {
    /// Its name.
    pub name: String,
    /// Where it lies across.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// Its 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// What else there is to say: `12 of 15 cases`.
    pub note: String,
    /// What it opens.
    pub link: Option<LinkIdx>,
}

impl LineChart {
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        let is_narrow = canvas.frame.is_narrow;
        let points = || {
            let all = self.series.iter().flat_map(|series| &series.points);
            all.filter(|point| point.x.is_finite() && point.y.is_finite())
        };
        let ends = points().flat_map(|point| self.axis.held(point.y, point.interval));
        let y = self.axis.ticked(ends, 5, canvas.frame);
        let x = self.ticked_across(points().map(|point| point.x), canvas);
        let named: Vec<&Series> = self.series.iter().filter(|series| series.is_named()).collect();
        // One series needs no name but the title's.
        let has_names = self.series.len() > 1 && !named.is_empty();
        let widest = named.iter().map(|series| text::width(&text::plain(&series.name)));
        let widest = widest.fold(0.0, f64::max).min(canvas.width * 0.28);
        let right = if has_names { widest + NAMES_AWAY + SHAPE_ROOM + 2.0 } else { 8.0 };
        let plane = Plane::draw(canvas, &x, &y, if is_narrow { 150.0 } else { 180.0 }, right, PAD);
        let steps = self.sidesteps(&named, &plane);
        for series in &self.series {
            let place = named.iter().position(|known| std::ptr::eq(*known, series));
            let aside = place.and_then(|place| steps.get(place)).copied().unwrap_or(0.0);
            self.draw_series(canvas, series, &plane, aside);
        }
        if has_names {
            draw_names(canvas, &named, &steps, &plane, widest);
        }
    }

    fn ticked_across(&self, points: impl Iterator<Item = f64>, canvas: &Canvas<'_>) -> Ticked {
        match &self.across {
            LineAxis::Time { label } => {
                let axis = Axis::new(label, Unit::Moment, Range::Free);
                axis.ticked(points, if canvas.frame.is_narrow { 3 } else { 6 }, canvas.frame)
            }
            LineAxis::Names { label, names } => {
                let room = canvas.width / 3.0;
                let ticks = names.iter().zip(0_u32..);
                let ticks: Vec<(f64, String)> =
                    ticks.map(|(name, at)| (f64::from(at), text::fit(name, room))).collect();
                let last = ticks.last().map_or(0.0, |(at, _)| *at);
                // A single name stands in the middle.
                let (low, high) = if last > 0.0 { (0.0, last) } else { (-1.0, 1.0) };
                Ticked { low, high, is_log: false, ticks, title: label.clone() }
            }
        }
    }

    /// How far each named series steps aside over names, so that values of the same name do not lie
    /// on each other.
    fn sidesteps(&self, named: &[&Series], plane: &Plane) -> Vec<f64> {
        let n_series = u32::try_from(named.len()).unwrap_or(1).max(1);
        let n_names = match &self.across {
            LineAxis::Names { names, .. } => u32::try_from(names.len()).unwrap_or(1).max(1),
            LineAxis::Time { .. } => return vec![0.0; named.len()],
        };
        let pitch = plane.area.width / f64::from(n_names);
        let step = (pitch / 3.0).min(MOST_ASIDE) / f64::from(n_series);
        let first = -step * f64::from(n_series - 1) / 2.0;
        (0..n_series).map(|place| first + step * f64::from(place)).collect()
    }

    fn draw_series(&self, canvas: &mut Canvas<'_>, series: &Series, plane: &Plane, aside: f64) {
        let class = series.tone.class();
        let is_behind = series.tone == Tone::Faint;
        let points: Vec<&LinePoint> = series
            .points
            .iter()
            .filter(|point| point.x.is_finite() && point.y.is_finite())
            .collect();
        let at = |point: &LinePoint| (plane.x.at(point.x) + aside, plane.y.at(point.y));
        if series.is_joined {
            let mut d = String::new();
            for (idx, point) in points.iter().enumerate() {
                let before = idx.checked_sub(1).and_then(|before| points.get(before));
                let (x, y) = at(point);
                // Where a name has no value the line is broken.
                let follows = before.is_some_and(|before| {
                    matches!(self.across, LineAxis::Time { .. }) || point.x - before.x < 1.5
                });
                let step = if follows { 'L' } else { 'M' };
                d.push_str(&format!("{step}{} {}", px(x), px(y)));
            }
            canvas.path(&format!("chart__line {class}"), &d);
        }
        for point in &points {
            if let Some([low, high]) = point.interval.filter(|_| !is_behind) {
                let (x, _) = at(point);
                let ends = [(x, plane.y.at(high)), (x, plane.y.at(low))];
                let caps = [plane.y.holds(high), plane.y.holds(low)];
                whisker(canvas, series.tone, ends, caps);
            }
        }
        for point in points {
            let (x, y) = at(point);
            canvas.shape(series.tone, x, y, if is_behind { 2.0 } else { RADIUS });
            let mut lines = vec![point.name.clone()];
            lines.extend(value_words(&self.axis, point.y, point.interval, canvas));
            lines.push(point.note.clone());
            canvas.mark(Area::around(x, y, RADIUS + 3.0), lines, point.link);
        }
    }
}

impl Series {
    fn is_named(&self) -> bool {
        self.tone != Tone::Faint && self.last().is_some()
    }

    fn last(&self) -> Option<&LinePoint> {
        self.points.iter().rev().find(|point| point.x.is_finite() && point.y.is_finite())
    }
}

/// Each name, with the shape of its values, beside the last value of its series, led to where that had no room.
fn draw_names(canvas: &mut Canvas<'_>, named: &[&Series], steps: &[f64], plane: &Plane, room: f64) {
    let last = |(series, aside): (&&Series, &f64)| {
        let point = series.last();
        point.map_or((0.0, 0.0), |point| (plane.x.at(point.x) + aside, plane.y.at(point.y)))
    };
    let ends: Vec<(f64, f64)> = named.iter().zip(steps).map(last).collect();
    let wanted: Vec<f64> = ends.iter().map(|end| end.1).collect();
    let (low, high) = (plane.area.y, plane.area.y + plane.area.height);
    let Some(placed) = place::apart(&wanted, text::LINE, low, high) else { return };
    let left = plane.area.x + plane.area.width + NAMES_AWAY;
    for ((series, end), y) in named.iter().zip(&ends).zip(placed) {
        canvas.line("chart__leader", (end.0 + RADIUS + 2.0, end.1), (left - 3.0, y));
        let name = text::fit(&series.name, room);
        canvas.shape(series.tone, left + RADIUS, y, RADIUS);
        canvas.text("chart__label", (left + SHAPE_ROOM, y), Anchor::Start, &name);
    }
}
