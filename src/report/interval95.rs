//! A 95 % interval as it may be shown: the one place that says when, and how far it reaches.

use super::{Cell, Num};
use crate::stats::{Interval, MIN_FOR_INTERVAL, wilson_interval};
use crate::words::report::statistics::measures as words;

/// A 95 % interval, or why there is none to show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Interval95 {
    /// None is defined, or an end is not a number.
    Undefined,
    /// Of so few values it would tell nothing.
    TooFew(u64),
    /// From `low` to `high`, as computed.
    Ends {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
        /// Whether the quantity lies in 0–1, so that nothing is shown beyond.
        is_unit: bool,
    },
}

impl Interval95 {
    /// Of the mean of `n` values.
    pub(super) fn of_mean(ends: Option<[f64; 2]>, n: u64, is_unit: bool) -> Self {
        match ends {
            _ if n < MIN_FOR_INTERVAL => Self::TooFew(n),
            Some([low, high]) => Self::Ends { low, high, is_unit },
            None => Self::Undefined,
        }
    }

    /// Of the mean of `values`, one for each run or case.
    pub(super) fn over(values: &[f64], found: Option<Interval>, is_unit: bool) -> Self {
        Self::of_mean(found.map(|ci| [ci.low, ci.high]), values.len() as u64, is_unit)
    }

    /// Wilson's, of a share; it stays within 0–1 and holds for few cases too.
    pub(super) fn of_share(part: u64, whole: u64) -> Self {
        wilson_interval(part, whole).map_or(Self::Undefined, |ci| Self::Ends {
            low: ci.low,
            high: ci.high,
            is_unit: false,
        })
    }

    /// The ends as a chart draws them.
    pub(super) fn drawn(self) -> Option<[f64; 2]> {
        match self {
            Self::Undefined | Self::TooFew(_) => None,
            Self::Ends { low, high, is_unit: true } => {
                Some([low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)])
            }
            Self::Ends { low, high, is_unit: false } => Some([low, high]),
        }
    }

    /// The interval as a table shows it.
    pub(super) fn cell(self) -> Cell {
        match self {
            Self::Undefined => Cell::Missing(words::NO_INTERVAL.to_owned()),
            Self::TooFew(n) => Cell::Missing(words::too_few(n)),
            Self::Ends { low, high, is_unit: true } => {
                Cell::UnitInterval { low: Num(low), high: Num(high) }
            }
            Self::Ends { low, high, is_unit: false } => {
                Cell::Interval { low: Num(low), high: Num(high) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::mean_interval;

    #[test]
    fn a_unit_s_interval_ends_at_0_and_1_and_needs_three_values() {
        let of = |values: &[f64], is_unit| Interval95::over(values, mean_interval(values), is_unit);
        assert_eq!(of(&[0.2, 0.9], true), Interval95::TooFew(2));
        assert_eq!(of(&[0.2, 0.9], true).drawn(), None);
        let wide = of(&[0.0, 1.0, 1.0], true);
        assert_eq!(wide.drawn(), Some([0.0, 1.0]));
        // The table keeps the computed ends, which it shows with a mark.
        assert!(
            matches!(wide.cell(), Cell::UnitInterval { low, high } if low.0 < 0.0 && high.0 > 1.0)
        );
        let free = of(&[0.0, 1.0, 1.0], false).drawn().unwrap();
        assert!(free[0] < 0.0 && free[1] > 1.0);
        assert!(matches!(Interval95::of_share(1, 2).cell(), Cell::Interval { .. }));
        assert_eq!(Interval95::of_share(0, 0), Interval95::Undefined);
    }
}
