//! One value against another, and which points no other one beats.

use super::canvas::{Anchor, Area, Canvas, px};
use super::plane::Plane;
use super::{Axis, LinkIdx, Tone, text};
use serde::{Deserialize, Serialize};

const RADIUS: f64 = 4.5;
/// Names beside points, at most; the others stand in tooltips.
const MOST_NAMES: usize = 24;

/// One value against another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scatter {
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// The points.
    pub points: Vec<ScatterPoint>,
    /// Places in `points` of those that no other one beats, ascending across.
    pub frontier: Vec<usize>,
}

/// One point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScatterPoint {
    /// Its name.
    pub name: String,
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// How it looks.
    pub tone: Tone,
    /// What it opens.
    pub link: Option<LinkIdx>,
}

impl Scatter {
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        let is_drawn = |point: &&ScatterPoint| point.x.is_finite() && point.y.is_finite();
        let drawn = || self.points.iter().filter(is_drawn);
        let n_ticks = if canvas.frame.is_narrow { 4 } else { 6 };
        let x = self.x.ticked(drawn().map(|point| point.x), n_ticks, canvas.frame);
        let y = self.y.ticked(drawn().map(|point| point.y), 5, canvas.frame);
        let height = if canvas.frame.is_narrow { 180.0 } else { 220.0 };
        let plane = Plane::draw(canvas, &x, &y, height, 10.0, 8.0);
        let mut taken = self.draw_frontier(canvas, &plane);
        for point in drawn() {
            let (x, y) = (plane.x.at(point.x), plane.y.at(point.y));
            canvas.shape(point.tone, x, y, RADIUS);
            taken.push(Area::around(x, y, RADIUS));
            let lines = vec![
                point.name.clone(),
                format!("{} {}", self.x.label, self.x.unit.words(point.x, canvas.frame)),
                format!("{} {}", self.y.label, self.y.unit.words(point.y, canvas.frame)),
            ];
            canvas.mark(Area::around(x, y, RADIUS + 3.0), lines, point.link);
        }
        self.draw_names(canvas, &plane, taken);
    }

    /// Steps along the points that no other one beats; returns where they lie.
    fn draw_frontier(&self, canvas: &mut Canvas<'_>, plane: &Plane) -> Vec<Area> {
        let mut d = String::new();
        let mut taken = Vec::new();
        let mut before: Option<(f64, f64)> = None;
        for point in self.frontier.iter().filter_map(|&at| self.points.get(at)) {
            let (x, y) = (plane.x.at(point.x), plane.y.at(point.y));
            match before {
                Some((left, level)) => {
                    d.push_str(&format!("L{} {}L{0} {}", px(x), px(level), px(y)));
                    taken.push(stretch(left, x, level));
                }
                None => d.push_str(&format!("M{} {}", px(x), px(y))),
            }
            before = Some((x, y));
        }
        if let Some((x, y)) = before {
            let right = plane.area.x + plane.area.width;
            d.push_str(&format!("L{} {}", px(right), px(y)));
            taken.push(stretch(x, right, y));
            canvas.path("chart__frontier", &d);
        }
        taken
    }

    /// Names beside their points where nothing is in the way, those of the frontier first.
    fn draw_names(&self, canvas: &mut Canvas<'_>, plane: &Plane, mut taken: Vec<Area>) {
        let frontier = self.frontier.iter().copied();
        let others = (0..self.points.len()).filter(|at| !self.frontier.contains(at));
        let room = Area { width: plane.area.width + 10.0, ..plane.area };
        for point in frontier.chain(others).take(MOST_NAMES).filter_map(|at| self.points.get(at)) {
            if !(point.x.is_finite() && point.y.is_finite()) {
                continue;
            }
            let name = text::fit(&point.name, canvas.width / 3.0);
            let width = text::width(&name);
            let (x, y) = (plane.x.at(point.x), plane.y.at(point.y));
            let off = RADIUS + 4.0;
            let up = text::LINE / 2.0;
            let places = [
                (x + off, y, Anchor::Start),
                (x - off, y, Anchor::End),
                (x, y - off - up, Anchor::Middle),
                (x, y + off + up, Anchor::Middle),
            ];
            let free = places.into_iter().find_map(|(at, middle, anchor)| {
                let left = match anchor {
                    Anchor::Start => at,
                    Anchor::Middle => at - width / 2.0,
                    Anchor::End => at - width,
                };
                let area = Area { x: left, y: middle - up, width, height: text::LINE };
                let is_free = room.holds(&area) && !taken.iter().any(|other| other.meets(&area));
                is_free.then_some((area, (at, middle), anchor))
            });
            if let Some((area, at, anchor)) = free {
                canvas.text("chart__label", at, anchor, &name);
                taken.push(area);
            }
        }
    }
}

/// Where a level line lies.
fn stretch(from: f64, to: f64, y: f64) -> Area {
    Area { x: from, y: y - 1.0, width: to - from, height: 2.0 }
}
