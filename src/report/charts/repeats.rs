//! The same run again and again: every value, side by side.

use super::{ChartFigure, MarkLinks};
use crate::chart::{Axis, Chart, StripPoint, StripValues, Strips, Tone};
use crate::report::interval95::Interval95;
use crate::report::table::Column;
use crate::report::{Cell, Link, Num, Row, Table};
use crate::stats;
use crate::words::report::charts::{common, repeats as words};

/// Rows that are drawn.
const MAX_STRIPS: usize = 24;
/// Values of a row that are drawn.
const MAX_POINTS: usize = 200;

/// Values of runs that repeat one another.
pub(in crate::report) struct Repeat {
    /// What is repeated.
    pub name: String,
    /// Name, value and link of each run.
    pub values: Vec<(String, f64, Option<Link>)>,
    /// Whether the values lie in 0–1 by their definition.
    pub is_unit: bool,
}

/// Every value of every repeat; `None` when nothing has two values.
pub(in crate::report) fn repeat_strips(
    id: &str,
    title: &str,
    axis: Axis,
    repeats: &[Repeat],
    cell: fn(Num) -> Cell,
) -> Option<ChartFigure> {
    let several: Vec<_> = repeats.iter().filter(|repeat| repeat.values.len() > 1).collect();
    if several.is_empty() {
        return None;
    }
    let mut links = MarkLinks::default();
    let mut table = Table::new(
        id,
        title,
        vec![
            Column::words(common::OF),
            Column::words(common::RUN),
            Column::numbers(&axis.label, ""),
        ],
    );
    let mut strips = Vec::new();
    let mut is_cut = several.len() > MAX_STRIPS;
    for Repeat { name, values, is_unit } in several {
        let mut points = Vec::new();
        for (run, value, link) in values {
            table.rows.push(Row {
                cells: vec![Cell::Text(name.clone()), Cell::Text(run.clone()), cell(Num(*value))],
                link: link.clone(),
            });
            if points.len() < MAX_POINTS && strips.len() < MAX_STRIPS {
                let link = links.add(link.clone());
                points.push(StripPoint { name: run.clone(), value: *value, link });
            }
        }
        is_cut |= values.len() > MAX_POINTS;
        if strips.len() < MAX_STRIPS {
            let values: Vec<f64> = values.iter().map(|(_, value, _)| *value).collect();
            strips.push(StripValues {
                name: name.clone(),
                points,
                middle: stats::exact_mean(&values),
                interval: Interval95::over(&values, stats::mean_interval(&values), *is_unit)
                    .drawn(),
                tone: Tone::Series(0),
            });
        }
    }
    let part = if is_cut { words::at_most(MAX_STRIPS, MAX_POINTS) } else { String::new() };
    let lead = words::lead(&part);
    let chart = Chart::Strips(Strips { axis, strips });
    Some(ChartFigure::new(title, lead, chart, links, table))
}
