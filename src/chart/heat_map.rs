//! A value for each pair of names.

use super::canvas::{Anchor, Area, Canvas};
use super::scale::LinearScale;
use super::{Axis, LinkIdx, Unit, place, text};
use serde::{Deserialize, Serialize};

const PITCH: f64 = 24.0;
const TOP: f64 = 40.0;
/// Words in less room than this say nothing.
const LEAST_ROOM: f64 = 40.0;
/// Shades from the low to the high end.
const N_SHADES: f64 = 5.0;

/// A value for each pair of names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// What the columns are: `Checkpoint`.
    pub label: String,
    /// Their names.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<HeatMapRow>,
    /// Of the values.
    pub axis: Axis,
    /// What a tick in a cell means; `None` when no cell has one.
    pub tick: Option<String>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeatMapRow {
    /// Its name.
    pub name: String,
    /// One for each column; `None` where there is nothing.
    pub cells: Vec<Option<HeatMapCell>>,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeatMapCell {
    /// The value; `None` when it is not known.
    pub value: Option<f64>,
    /// What else there is to say: `12 of 15 cases`.
    pub note: String,
    /// Whether it gets a tick.
    pub is_ticked: bool,
    /// What it opens.
    pub link: Option<LinkIdx>,
}

impl HeatMap {
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        let values = self.rows.iter().flat_map(|row| &row.cells).flatten();
        let axis = self.axis.ticked(values.filter_map(|cell| cell.value), 5, canvas.frame);
        let widest = self.rows.iter().map(|row| text::width(&text::plain(&row.name)));
        let widest = widest.fold(0.0, f64::max).min(canvas.width * 0.36);
        let left = widest + 8.0;
        #[expect(clippy::cast_precision_loss, reason = "few rows and columns")]
        let (n_columns, n_rows) = (self.columns.len().max(1) as f64, self.rows.len() as f64);
        let pitch = ((canvas.width - left) / n_columns).min(64.0);
        let floor = TOP + PITCH * n_rows;
        self.draw_head(canvas, left, pitch);
        let shades = LinearScale::new(axis.low, axis.high, 0.0, N_SHADES, axis.is_log);
        for (row, at) in self.rows.iter().zip(0_u32..) {
            let y = TOP + PITCH * f64::from(at);
            let name = text::fit(&row.name, widest);
            canvas.text("chart__label", (widest, y + PITCH / 2.0), Anchor::End, &name);
            for ((cell, column), at) in row.cells.iter().zip(&self.columns).zip(0_u32..) {
                let x = left + pitch * f64::from(at);
                let area = Area { x, y: y + 1.0, width: pitch - 2.0, height: PITCH - 2.0 };
                self.draw_cell(canvas, cell.as_ref(), [&row.name, column], area, &shades);
            }
        }
        canvas.height = floor + 30.0;
        let end = |tick: Option<&(f64, String)>| tick.map(|(_, words)| words.clone());
        let ends =
            [axis.ticks.first(), axis.ticks.last()].map(|tick| end(tick).unwrap_or_default());
        self.draw_key(canvas, floor + 18.0, &ends);
    }

    fn draw_head(&self, canvas: &mut Canvas<'_>, left: f64, pitch: f64) {
        let title = text::fit(&self.label, canvas.width - left);
        canvas.text("chart__title", (left, text::LINE / 2.0), Anchor::Start, &title);
        let names: Vec<String> =
            self.columns.iter().map(|name| text::fit(name, pitch.max(24.0))).collect();
        let middles = (0_u32..).map(|at| left + pitch * (f64::from(at) + 0.5) - 1.0);
        let boxes: Vec<(f64, f64)> = names
            .iter()
            .zip(middles)
            .map(|(name, middle)| {
                let half = text::width(name) / 2.0;
                (middle.min(canvas.width - half), half)
            })
            .collect();
        let every = place::every(&boxes, 2.0);
        for (name, (middle, _)) in names.iter().zip(boxes).step_by(every) {
            canvas.text("chart__tick", (middle, TOP - 10.0), Anchor::Middle, name);
        }
    }

    fn draw_cell(
        &self,
        canvas: &mut Canvas<'_>,
        cell: Option<&HeatMapCell>,
        names: [&str; 2],
        area: Area,
        shades: &LinearScale,
    ) {
        let Some(cell) = cell else {
            canvas.rect("chart__void", area);
            return;
        };
        let value = cell.value.filter(|value| value.is_finite());
        let shade = value.map(|value| {
            let at = shades.at(value).floor().min(N_SHADES - 1.0);
            format!("{at:.0}")
        });
        let class = shade
            .as_ref()
            .map_or_else(|| "chart__void".to_owned(), |shade| format!("chart__cell heat-{shade}"));
        canvas.rect(&class, area);
        let words = value.map_or_else(
            || crate::format::UNKNOWN.to_owned(),
            |value| match self.axis.unit {
                Unit::Rate if !canvas.frame.is_fraction => crate::format::rate(value, 0),
                unit => unit.words(value, canvas.frame),
            },
        );
        let room = area.width - if cell.is_ticked { 14.0 } else { 2.0 };
        let (middle, y) = (area.x + area.width / 2.0, area.y + area.height / 2.0);
        let ink =
            shade.map_or_else(|| "chart__tick".to_owned(), |shade| format!("heat-ink-{shade}"));
        let fits = text::width(&words) <= room;
        if fits {
            let x = if cell.is_ticked { middle - 6.0 } else { middle };
            canvas.text(&ink, (x, y), Anchor::Middle, &words);
        }
        if cell.is_ticked && area.width >= 10.0 {
            let x = if fits { area.x + area.width - 14.0 } else { middle - 5.0 };
            draw_tick(canvas, &ink, x, y);
        }
        let [row, column] = names;
        let known = if value.is_some() {
            self.axis.unit.words(value.unwrap_or(0.0), canvas.frame)
        } else {
            crate::words::chart::NOT_KNOWN.to_owned()
        };
        let tick = self.tick.clone().filter(|_| cell.is_ticked).unwrap_or_default();
        let lines = vec![
            format!("{row} › {column}"),
            format!("{} {known}", self.axis.label),
            cell.note.clone(),
            tick,
        ];
        canvas.mark(area, lines, cell.link);
    }

    /// The shades from end to end, and what a tick means.
    fn draw_key(&self, canvas: &mut Canvas<'_>, y: f64, ends: &[String; 2]) {
        let [low, high] = ends.each_ref().map(|end| text::fit(end, canvas.width / 4.0));
        canvas.text("chart__tick", (0.0, y), Anchor::Start, &low);
        let mut x = text::width(&low) + 6.0;
        for shade in 0..5 {
            let area = Area { x, y: y - 6.0, width: 16.0, height: 12.0 };
            canvas.rect(&format!("chart__cell heat-{shade}"), area);
            x += 17.0;
        }
        canvas.text("chart__tick", (x + 5.0, y), Anchor::Start, &high);
        x += 5.0 + text::width(&high) + 20.0;
        let room = canvas.width - x - 16.0;
        if let Some(tick) = self.tick.as_ref().filter(|_| room >= LEAST_ROOM) {
            draw_tick(canvas, "heat-ink-0", x, y);
            let words = text::fit(tick, room);
            canvas.text("chart__tick", (x + 16.0, y), Anchor::Start, &words);
        }
    }
}

/// A tick of ten units, its left end at `x`.
fn draw_tick(canvas: &mut Canvas<'_>, ink: &str, x: f64, y: f64) {
    let d = format!("M{} {}l3 3l6 -7", super::canvas::px(x), super::canvas::px(y));
    canvas.path(&format!("chart__sign {ink}"), &d);
}
