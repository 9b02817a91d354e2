//! What a number counts, and its words.

use super::ChartFrame;
use super::step::TickStep;
use super::time;
use crate::format;
use serde::{Deserialize, Serialize};

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// Things.
    Count,
    /// A plain number.
    Number,
    /// A score.
    Score,
    /// A fraction 0–1.
    Rate,
    /// Percent, 100 for the whole.
    Percent,
    /// Seconds.
    Secs,
    /// US dollars.
    Usd,
    /// Seconds since 1970-01-01 00:00 UTC.
    Moment,
}

impl Unit {
    /// `value` in words, as precise as the page shows it elsewhere.
    pub(super) fn words(self, value: f64, frame: &ChartFrame<'_>) -> String {
        let score = |value| format::score(value, frame.digits.map_or(3, usize::from));
        if let Some(words) = extreme(value) {
            return words;
        }
        match self {
            Self::Count | Self::Number => format::number(value, 3),
            Self::Score => score(value),
            Self::Rate if frame.is_fraction => score(value),
            Self::Rate => format::rate(value, frame.digits.map_or(1, usize::from)),
            Self::Percent => format!("{} %", format::number(value, 1)),
            Self::Secs => format::secs(value),
            Self::Usd => format::usd(value, false),
            Self::Moment => time::moment(value),
        }
    }

    /// A tick at `value`, one of those `step` apart; short.
    pub(super) fn tick(self, value: f64, step: TickStep, frame: &ChartFrame<'_>) -> String {
        let decimals = step.decimals();
        if let Some(words) = extreme(value) {
            return words;
        }
        match self {
            Self::Rate if !frame.is_fraction => {
                format!("{} %", format::number(value * 100.0, decimals.saturating_sub(2)))
            }
            Self::Percent => format!("{} %", compact(value, decimals)),
            Self::Usd => match decimals {
                0 => format!("${}", compact(value, 0)),
                _ => format!("${value:.*}", decimals.max(2)),
            },
            Self::Secs => secs(value),
            Self::Moment => time::moment(value),
            Self::Count | Self::Number | Self::Score | Self::Rate => compact(value, decimals),
        }
    }
}

/// A number that written out would be wider than its place.
fn extreme(value: f64) -> Option<String> {
    let size = value.abs();
    let is_extreme = size.is_finite() && size > 0.0 && !(1e-6..1e15).contains(&size);
    is_extreme.then(|| format!("{value:.1e}").replace('-', "−"))
}

/// Thousands, millions, milliards shortened: `20k`, `1.5M`.
fn compact(value: f64, decimals: usize) -> String {
    for (size, sign) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if value.abs() >= size && (size > 1e3 || value.abs() >= 1e4) {
            return format!("{}{sign}", trimmed(&format::number(value / size, 2)));
        }
    }
    format::number(value, decimals)
}

/// Without the zeros at the end of its decimals.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Seconds in the one unit that says it shortest: `20 ms`, `1.5 s`, `10 m`, `2 h`.
fn secs(value: f64) -> String {
    let size = value.abs();
    let (value, sign) = match size {
        0.0 => return "0".to_owned(),
        _ if size < 0.9995 => (value * 1000.0, "ms"),
        _ if size < 60.0 => (value, "s"),
        _ if size < 3600.0 => (value / 60.0, "m"),
        _ => (value / 3600.0, "h"),
    };
    format!("{} {sign}", trimmed(&format::number(value, 2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(unit: Unit, values: &[f64], frame: &ChartFrame<'_>) -> Vec<String> {
        let step = TickStep::at_least((values[1] - values[0]).abs() * 0.999).unwrap();
        values.iter().map(|&value| unit.tick(value, step, frame)).collect()
    }

    #[test]
    fn ticks_are_short_and_say_their_unit() {
        let frame = ChartFrame::default();
        assert_eq!(ticks(Unit::Score, &[0.0, 0.2, 1.0], &frame), ["0", "0.2", "1"]);
        assert_eq!(ticks(Unit::Rate, &[0.0, 0.2, 1.0], &frame), ["0 %", "20 %", "100 %"]);
        assert_eq!(ticks(Unit::Usd, &[0.0, 0.02, 0.04], &frame), ["$0.00", "$0.02", "$0.04"]);
        assert_eq!(ticks(Unit::Usd, &[0.0, 0.5], &frame), ["$0.00", "$0.50"]);
        assert_eq!(ticks(Unit::Count, &[0.0, 20_000.0], &frame), ["0", "20k"]);
        assert_eq!(ticks(Unit::Number, &[1.5e6, 2e6], &frame), ["1.5M", "2M"]);
        assert_eq!(
            ticks(Unit::Secs, &[0.0, 0.5, 600.0, 7200.0], &frame),
            ["0", "500 ms", "10 m", "2 h"]
        );
        let fraction = ChartFrame { is_fraction: true, ..frame };
        assert_eq!(ticks(Unit::Rate, &[0.0, 0.25], &fraction), ["0", "0.2"]);
    }
}
