//! Differences with their intervals, on one scale.

use super::words::DifferenceScale;
use crate::chart::ForestScale;
use crate::render::percent;
use serde::{Deserialize, Serialize};

/// Rows on one scale.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlotShown {
    /// Ticks of the axis.
    pub ticks: Vec<TickShown>,
    /// Where 0 is.
    pub zero: String,
    /// Where the band of the margin begins and how wide it is.
    pub band: Option<[String; 2]>,
    /// What the axis counts in.
    pub unit: String,
    /// What it means to lie at its left end, and at its right one.
    pub ends: [String; 2],
    /// The rows.
    pub rows: Vec<RowShown>,
}

/// A tick: where it is, and its words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TickShown {
    /// Place in per cent of the width.
    pub at: String,
    /// Words.
    pub words: String,
}

/// A difference.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RowShown {
    /// What it is of.
    pub name: String,
    /// Whether the name is one of the files.
    pub is_code: bool,
    /// What a click on the name lists.
    pub address: Option<String>,
    /// Number of pairs.
    pub n: String,
    /// Values on the baseline and on the candidate; empty: only the difference is known.
    pub values: Vec<String>,
    /// Where it is drawn; `None`: nowhere.
    pub mark: Option<MarkShown>,
    /// The difference.
    pub difference: String,
    /// Its interval.
    pub interval: String,
    /// What it says.
    pub says: (Says, String),
    /// p, adjusted for all rows.
    pub p: String,
    /// What it adds to the whole difference.
    pub adds: Option<String>,
}

/// A dot with its interval, in per cent of the width.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarkShown {
    /// The dot.
    pub dot: String,
    /// The ends of the interval.
    pub ends: Option<[String; 2]>,
    /// Whether the interval holds 0.
    pub is_hollow: bool,
}

/// What a difference says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Says {
    /// For the candidate.
    Better,
    /// Against it.
    Worse,
    /// There is none that matters.
    Same,
    /// Nothing.
    #[default]
    Unsure,
}

/// A difference before it has a place: `(difference, ends)` in the unit of its scale.
pub(super) struct ForestDifference {
    pub(super) row: RowShown,
    pub(super) difference: Option<f64>,
    pub(super) ends: Option<[f64; 2]>,
}

/// Puts `rows` on one scale. `margin`: half of the band around 0, where there is one.
pub(super) fn plot(
    rows: Vec<ForestDifference>,
    scale: DifferenceScale,
    margin: Option<f64>,
    ends: [String; 2],
) -> Option<PlotShown> {
    let values = rows
        .iter()
        .flat_map(|row| row.difference.into_iter().chain(row.ends.into_iter().flatten()));
    let band = margin.filter(|margin| *margin > 0.0);
    let own: Vec<f64> = values.collect();
    if rows.is_empty() {
        return None;
    }
    // A margin that is far wider than all there is would leave nothing to be seen of it.
    let widest = own.iter().fold(0.0_f64, |widest, value| widest.max(value.abs()));
    let shown_band = band.filter(|margin| widest <= 0.0 || *margin <= widest * 4.0);
    // Nor would a scale whose ticks all have the same words say anything.
    let least = scale.finest().filter(|finest| widest < finest * 2.5).map(|finest| finest * 2.5);
    let around = shown_band.into_iter().chain(least).flat_map(|reach| [-reach, reach]);
    let place = ForestScale::over(own.iter().copied().chain(around), band.unwrap_or(1.0));
    let (ticks, _) = place.ticks();
    let at = |value: f64| percent(place.at(value));
    let ticks = ticks.into_iter().map(|tick| TickShown { at: at(tick), words: short(scale, tick) });
    let rows = rows.into_iter().map(|ForestDifference { row, difference, ends }| {
        let mark = difference.map(|difference| MarkShown {
            dot: at(difference),
            ends: ends.map(|[low, high]| [at(low), at(high)]),
            is_hollow: ends.is_none_or(|[low, high]| low <= 0.0 && high >= 0.0),
        });
        RowShown { mark, ..row }
    });
    Some(PlotShown {
        ticks: ticks.collect(),
        zero: at(0.0),
        band: band.map(|margin| [at(-margin), percent(place.at(margin) - place.at(-margin))]),
        unit: scale.unit().to_owned(),
        ends,
        rows: rows.collect(),
    })
}

/// A tick without decimals that say nothing.
fn short(scale: DifferenceScale, tick: f64) -> String {
    let words = scale.signed(tick);
    match words.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lie_on_one_scale() {
        let row = |difference: f64, ends: [f64; 2]| ForestDifference {
            row: RowShown::default(),
            difference: Some(difference),
            ends: Some(ends),
        };
        let rows = vec![row(0.021, [-0.004, 0.046]), row(-0.05, [-0.08, -0.02])];
        let shown = plot(rows, DifferenceScale::Points, Some(0.02), Default::default()).unwrap();
        let marks: Vec<bool> =
            shown.rows.iter().map(|row| row.mark.as_ref().unwrap().is_hollow).collect();
        assert_eq!(marks, [true, false]);
        assert!(shown.ticks.iter().any(|tick| tick.words == "0"), "{:?}", shown.ticks);
        assert!(shown.ticks.iter().any(|tick| tick.words == "−5"), "{:?}", shown.ticks);
        assert!(shown.band.is_some());
        let tiny = vec![row(1.7e-4, [-5e-5, 9e-4])];
        let shown = plot(tiny, DifferenceScale::Points, Some(0.02), Default::default()).unwrap();
        let words: Vec<&str> = shown.ticks.iter().map(|tick| tick.words.as_str()).collect();
        assert_eq!(words, ["−0.2", "−0.1", "0", "+0.1", "+0.2"]);
        assert_eq!(plot(Vec::new(), DifferenceScale::Points, None, Default::default()), None);
    }
}
