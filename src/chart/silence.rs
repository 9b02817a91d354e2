//! When a drawing would say nothing, and the sentence that says it instead.

use super::{Axis, Chart, ChartFrame, Range};
use crate::words::chart as said;

/// So many times as large as the next value, one value leaves the others on one line.
const FLATTENING: f64 = 1000.0;
/// Of fewer values none is an outlier.
const MIN_VALUES: usize = 3;

impl Chart {
    /// Why the chart would say nothing; `None` when it says something.
    pub fn silence(&self) -> Option<String> {
        match self {
            Self::Lines(chart) => {
                let points = || chart.series.iter().flat_map(|series| &series.points);
                let values: Vec<f64> = points().map(|point| point.y).collect();
                // An interval without width is hidden by its value.
                let is_sure =
                    points().all(|point| point.interval.is_none_or(|ends| ends == [point.y; 2]));
                equal(&chart.axis, &values)
                    .filter(|_| is_sure)
                    .or_else(|| flat(&chart.axis, &values))
            }
            Self::Scatter(chart) => {
                let of = |get: fn(&super::ScatterPoint) -> f64| -> Vec<f64> {
                    chart.points.iter().map(get).collect()
                };
                let (x, y) = (of(|point| point.x), of(|point| point.y));
                equal(&chart.x, &x).or_else(|| flat(&chart.x, &x)).or_else(|| flat(&chart.y, &y))
            }
            Self::Dots(chart) => {
                let values: Vec<f64> = chart.dots.iter().filter_map(|dot| dot.value).collect();
                flat(&chart.axis, &values)
            }
            _ => None,
        }
    }
}

/// That several values are all the same.
fn equal(axis: &Axis, values: &[f64]) -> Option<String> {
    let (first, rest) = values.split_first()?;
    let is_same = !rest.is_empty() && rest.iter().all(|value| value.to_bits() == first.to_bits());
    (is_same && first.is_finite()).then(|| said::all_equal(values.len(), &words(axis, *first)))
}

/// That one value is so far from all others that nothing is seen of these.
fn flat(axis: &Axis, values: &[f64]) -> Option<String> {
    if axis.range == Range::Log {
        return None;
    }
    let mut sizes: Vec<f64> =
        values.iter().map(|value| value.abs()).filter(|size| size.is_finite()).collect();
    sizes.sort_by(f64::total_cmp);
    let (largest, next) = match sizes.as_slice() {
        [.., next, largest] if sizes.len() >= MIN_VALUES => (*largest, *next),
        _ => return None,
    };
    (next > 0.0 && largest / next >= FLATTENING)
        .then(|| said::one_far_away(&words(axis, largest), &words(axis, next)))
}

fn words(axis: &Axis, value: f64) -> String {
    axis.unit.words(value, &ChartFrame::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{LineAxis, LineChart, LinePoint, Series, Tone, Unit};

    fn lines(interval: [f64; 2]) -> Chart {
        let point = |name: &str, x: f64, interval| LinePoint {
            name: name.to_owned(),
            x,
            y: 0.75,
            interval,
            note: String::new(),
            link: None,
        };
        let points = vec![point("a", 0.0, None), point("b", 1.0, Some(interval))];
        let series = Series { name: String::new(), tone: Tone::Plain, points, is_joined: true };
        Chart::Lines(LineChart {
            across: LineAxis::Time { label: "Began, UTC".to_owned() },
            axis: Axis::new("Score", Unit::Score, Range::Free),
            series: vec![series],
        })
    }

    #[test]
    fn equal_values_are_drawn_when_they_are_uncertain() {
        assert_eq!(lines([0.5, 1.0]).silence(), None);
        let said = lines([0.75, 0.75]).silence();
        assert!(said.is_some_and(|words| words.starts_with("Both values are equal: 0.75")));
    }

    #[test]
    fn equal_values_and_one_far_away_are_said_in_words() {
        let axis = Axis::new("Cost", Unit::Usd, Range::Zero);
        assert_eq!(equal(&axis, &[0.5, 0.5]).as_deref(), Some("Both values are equal: $0.50."));
        assert_eq!(equal(&axis, &[0.5; 3]).as_deref(), Some("All 3 values are equal: $0.50."));
        assert_eq!(equal(&axis, &[0.5]), None);
        assert_eq!(equal(&axis, &[0.5, 0.6]), None);
        assert_eq!(equal(&axis, &[f64::NAN, f64::NAN]), None);
        let axis = Axis::new("Score", Unit::Score, Range::Free);
        assert!(flat(&axis, &[0.2, 1e16, 0.9]).is_some_and(|words| words.contains("0.9")));
        assert_eq!(flat(&axis, &[0.2, 1e16]), None);
        assert_eq!(flat(&axis, &[0.2, 20.0, 0.9]), None);
        assert_eq!(flat(&axis, &[0.0, 1e16, 0.0]), None);
        let log = Axis::new("Cost", Unit::Usd, Range::Log);
        assert_eq!(flat(&log, &[0.2, 1e16, 0.9]), None);
    }
}
