//! What an axis shows: from where to where, with which ticks.

use super::step::TickStep;
use super::{ChartFrame, Unit, time};
use serde::{Deserialize, Serialize};

/// One axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What it shows.
    pub label: String,
    /// What its numbers count.
    pub unit: Unit,
    /// From where to where.
    pub range: Range,
}

/// From where to where an axis goes. Every range grows to hold all values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Range {
    /// From 0 to 1. Intervals that go beyond are cut off there.
    Whole,
    /// From 0.
    Zero,
    /// From the least to the largest value.
    Free,
    /// The same, each step a factor. Values of 0 or less are put at its low end.
    Log,
    /// At least from here to there, so that several drawings can be compared.
    Within {
        /// Low end.
        low: f64,
        /// High end.
        high: f64,
    },
}

impl Axis {
    /// An axis.
    pub fn new(label: &str, unit: Unit, range: Range) -> Self {
        Self { label: label.to_owned(), unit, range }
    }
}

/// An axis with its ticks.
#[derive(Debug, Clone)]
pub(super) struct Ticked {
    pub low: f64,
    pub high: f64,
    pub is_log: bool,
    /// Values and words, ascending.
    pub ticks: Vec<(f64, String)>,
    /// What it shows.
    pub title: String,
}

/// Multiples of a step, from the `first` to the `last` one.
struct Grid {
    step: TickStep,
    factor: f64,
    first: i64,
    last: i64,
}

impl Grid {
    /// The fewest multiples that hold `low` and `high` with at most `n_most` steps (one or two more
    /// where neither end lies on one).
    fn new(unit: Unit, low: f64, high: f64, n_most: u32) -> Option<Self> {
        let span = high - low;
        // Minutes and hours are counted in tens of their own.
        let factor = match unit {
            Unit::Secs if span >= 7200.0 => 3600.0,
            Unit::Secs if span >= 120.0 => 60.0,
            _ => 1.0,
        };
        let step = TickStep::at_least(span / f64::from(n_most.max(1)) / factor)?;
        let step = if unit == Unit::Count && step.size() < 1.0 { TickStep::ONE } else { step };
        let (first, last) = (step.floor(low / factor), step.ceil(high / factor));
        (last.checked_sub(first)? <= 2 * i64::from(n_most.max(1)) + 2).then_some(Self {
            step,
            factor,
            first,
            last,
        })
    }

    fn values(&self) -> Vec<f64> {
        (self.first..=self.last).map(|n| self.step.times(n) * self.factor).collect()
    }
}

impl Axis {
    /// What an axis of values with intervals has to hold.
    pub(super) fn held(
        &self,
        value: f64,
        interval: Option<[f64; 2]>,
    ) -> impl Iterator<Item = f64> + use<> {
        let ends = interval.filter(|_| self.range != Range::Whole);
        std::iter::once(value).chain(ends.into_iter().flatten())
    }

    /// Low and high end for `values`; a stretch even when all are the same or there is none.
    fn ends(&self, values: impl IntoIterator<Item = f64>) -> (f64, f64) {
        let is_log = self.range == Range::Log;
        let (mut low, mut high) = match self.range {
            Range::Whole => (0.0, 1.0),
            Range::Zero => (0.0, 0.0),
            Range::Free | Range::Log => (f64::INFINITY, f64::NEG_INFINITY),
            Range::Within { low, high } => (low, high),
        };
        for value in values.into_iter().filter(|value| value.is_finite()) {
            if !is_log || value > 0.0 {
                low = low.min(value);
                high = high.max(value);
            }
        }
        match (low.is_finite() && high.is_finite(), low < high) {
            (true, true) => (low, high),
            (false, _) => (if is_log { 1.0 } else { 0.0 }, if is_log { 10.0 } else { 1.0 }),
            (true, false) if is_log => (low / 2.0, high * 2.0),
            (true, false) if low == 0.0 => (0.0, 1.0),
            (true, false) if self.unit == Unit::Moment => (low - 1.0, high + 1.0),
            (true, false) => (low - low.abs() / 2.0, high + high.abs() / 2.0),
        }
    }

    /// The axis for `values`, with about `n_most` ticks at most.
    pub(super) fn ticked(
        &self,
        values: impl IntoIterator<Item = f64>,
        n_most: u32,
        frame: &ChartFrame<'_>,
    ) -> Ticked {
        let (low, high) = self.ends(values);
        if self.unit == Unit::Moment {
            let found = time::ticks(low, high, n_most);
            let title = match found.day {
                Some(day) => format!("{}, {day}", self.label),
                None => self.label.clone(),
            };
            return Ticked { low, high, is_log: false, ticks: found.ticks, title };
        }
        let title = self.label.clone();
        if self.range == Range::Log {
            return self.logarithmic(low, high, n_most, frame);
        }
        let Some(grid) = Grid::new(self.unit, low, high, n_most) else {
            let ticks =
                [low, high].map(|value| (value, self.unit.tick(value, TickStep::ONE, frame)));
            return Ticked { low, high, is_log: false, ticks: ticks.to_vec(), title };
        };
        let values = grid.values();
        let words = |value: &f64| (*value, self.unit.tick(*value, grid.step, frame));
        Ticked {
            low: values.first().copied().unwrap_or(low),
            high: values.last().copied().unwrap_or(high),
            is_log: false,
            ticks: values.iter().map(words).collect(),
            title,
        }
    }

    fn logarithmic(&self, low: f64, high: f64, n_most: u32, frame: &ChartFrame<'_>) -> Ticked {
        let values = series(self.unit, low, high);
        let words = |value: &f64| {
            let step = TickStep::at_least(*value).unwrap_or(TickStep::ONE);
            (*value, self.unit.tick(*value, step, frame))
        };
        let most = n_most.max(2) as usize;
        let tens: Vec<f64> = values.iter().copied().filter(|&value| is_ten(value)).collect();
        let shown = match (values.len() <= most, tens.len()) {
            (true, _) => values.clone(),
            (false, 2..) if self.unit != Unit::Secs => tens,
            _ => values.clone(),
        };
        let stride = shown.len().div_ceil(most).max(1);
        Ticked {
            low: values.first().copied().unwrap_or(low),
            high: values.last().copied().unwrap_or(high),
            is_log: true,
            ticks: shown.iter().step_by(stride).map(words).collect(),
            title: crate::words::chart::log_scale(&self.label),
        }
    }
}

fn is_ten(value: f64) -> bool {
    TickStep::at_least(value).is_some_and(|step| {
        step.size().total_cmp(&value).is_eq() && format!("{value:e}").starts_with("1e")
    })
}

/// Numbers that are about a factor two apart, from the last one that is at most `low` to the first
/// one that is at least `high`; both above 0.
fn series(unit: Unit, low: f64, high: f64) -> Vec<f64> {
    const CLOCK: [f64; 14] = [
        10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0, 7200.0, 18_000.0, 36_000.0,
        86_400.0, 172_800.0, 432_000.0,
    ];
    let Some(mut step) = TickStep::at_least(low) else { return vec![low, high] };
    if step.size() > low {
        step = step.smaller();
    }
    let mut values = Vec::new();
    if unit == Unit::Secs {
        while step.size() < 10.0 && values.last().is_none_or(|last| *last < high) {
            values.push(step.size());
            step = step.larger();
        }
        for value in CLOCK {
            if values.last().is_none_or(|last| *last < high) {
                values.push(value);
            }
        }
        // The last one that is at most the least value begins the series.
        let n_before = values.iter().skip(1).take_while(|value| **value <= low).count();
        values.drain(..n_before);
        step = TickStep::at_least(864_000.0).unwrap_or(step);
    }
    while values.last().is_none_or(|last| *last < high) && step.size().is_finite() {
        values.push(step.size());
        step = step.larger();
    }
    values
}

/// Edges of bins for values from `low` to `high`: at most about `n_most` bins between numbers that
/// people count in, on a logarithmic axis about a factor two wide each. The first edge is at most
/// `low`, the last one at least `high`. Empty when there is nothing to divide.
pub fn edges(axis: &Axis, low: f64, high: f64, n_most: u32) -> Vec<f64> {
    let (low, high) = axis.ends([low, high]);
    match axis.range {
        Range::Log => series(axis.unit, low, high),
        _ => Grid::new(axis.unit, low, high, n_most).map(|grid| grid.values()).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ticks(unit: Unit, range: Range, values: &[f64]) -> (f64, f64, Vec<String>) {
        let axis = Axis::new("x", unit, range);
        let found = axis.ticked(values.iter().copied(), 5, &ChartFrame::default());
        (found.low, found.high, found.ticks.into_iter().map(|(_, words)| words).collect())
    }

    #[test]
    fn ends_lie_on_ticks() {
        assert_eq!(
            ticks(Unit::Score, Range::Whole, &[0.4, 0.6]),
            (0.0, 1.0, ["0", "0.2", "0.4", "0.6", "0.8", "1"].map(str::to_owned).to_vec())
        );
        assert_eq!(
            ticks(Unit::Count, Range::Zero, &[3.0]),
            (0.0, 3.0, ["0", "1", "2", "3"].map(str::to_owned).to_vec())
        );
        assert_eq!(
            ticks(Unit::Number, Range::Free, &[-3.0, 12.0]),
            (-5.0, 15.0, ["−5", "0", "5", "10", "15"].map(str::to_owned).to_vec())
        );
        assert_eq!(
            ticks(Unit::Secs, Range::Zero, &[900.0]).2,
            ["0", "5 m", "10 m", "15 m"].map(str::to_owned)
        );
    }

    #[test]
    fn one_value_none_and_not_a_number_have_an_axis_too() {
        for (values, low, high) in [
            (&[5.0, 5.0][..], 2.0, 8.0),
            (&[0.0], 0.0, 1.0),
            (&[], 0.0, 1.0),
            (&[f64::NAN, f64::INFINITY], 0.0, 1.0),
            (&[-4.0], -6.0, -2.0),
        ] {
            let found = ticks(Unit::Number, Range::Free, values);
            assert_eq!((found.0, found.1), (low, high), "{values:?}");
        }
        assert_eq!(ticks(Unit::Number, Range::Log, &[0.0, -1.0]).0, 1.0);
        assert!(ticks(Unit::Number, Range::Free, &[-1.7e308, 1.7e308]).2.len() >= 2);
    }

    #[test]
    fn factors_are_counted_in_tens_or_as_clocks_do() {
        assert_eq!(
            ticks(Unit::Number, Range::Log, &[3.0, 40_000.0]),
            (2.0, 50_000.0, ["10", "100", "1,000", "10k"].map(str::to_owned).to_vec())
        );
        assert_eq!(
            ticks(Unit::Secs, Range::Log, &[4.0, 200.0]).2,
            ["2 s", "10 s", "1 m", "5 m"].map(str::to_owned)
        );
    }

    #[test]
    fn bins_are_between_round_numbers() {
        let score = Axis::new("Score", Unit::Score, Range::Whole);
        let found = edges(&score, 0.2, 0.9, 10);
        assert_eq!(found, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
        let secs = Axis::new("Duration", Unit::Secs, Range::Log);
        assert_eq!(edges(&secs, 0.3, 70.0, 20), [0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0]);
        assert_eq!(edges(&secs, 45.0, 50.0, 20), [30.0, 60.0]);
        let equal = edges(&Axis::new("Cost", Unit::Usd, Range::Free), 0.4, 0.4, 8);
        assert!(equal.len() >= 2 && equal[0] <= 0.4 && *equal.last().unwrap() >= 0.4);
    }

    proptest! {
        #[test]
        fn every_value_lies_within(values in prop::collection::vec(-1e9..1e9_f64, 1..20), n in 2..12_u32) {
            for range in [Range::Free, Range::Zero, Range::Whole, Range::Log] {
                let axis = Axis::new("x", Unit::Number, range);
                let found = axis.ticked(values.iter().copied(), n, &ChartFrame::default());
                prop_assert!(found.ticks.len() <= 3 * n as usize + 4);
                prop_assert!(found.ticks.windows(2).all(|pair| pair[0].0 < pair[1].0));
                for value in values.iter().filter(|v| range != Range::Log || **v > 0.0) {
                    prop_assert!(found.low <= *value && *value <= found.high);
                }
            }
        }

        #[test]
        fn bins_hold_every_value(low in 1e-6..1e6_f64, factor in 1.0..1e6_f64, n in 1..30_u32) {
            for (unit, range) in [(Unit::Secs, Range::Log), (Unit::Number, Range::Log), (Unit::Secs, Range::Free)] {
                let found = edges(&Axis::new("x", unit, range), low, low * factor, n);
                prop_assert!(found.len() >= 2);
                prop_assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
                prop_assert!(found[0] <= low && low * factor <= *found.last().unwrap());
            }
        }
    }
}
