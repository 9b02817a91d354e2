//! Values onto a length.

/// Where a value lies between two places of a drawing.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinearScale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    is_log: bool,
}

impl LinearScale {
    /// `low` at `from`, `high` at `to`. A logarithmic one needs ends above 0.
    pub(super) fn new(low: f64, high: f64, from: f64, to: f64, is_log: bool) -> Self {
        let ends =
            |value: f64| if is_log { libm::log10(value.max(f64::MIN_POSITIVE)) } else { value };
        Self { low: ends(low), high: ends(high), from, to, is_log }
    }

    /// Whether `value` lies between the ends.
    pub(super) fn holds(&self, value: f64) -> bool {
        let value = if self.is_log { libm::log10(value.max(f64::MIN_POSITIVE)) } else { value };
        (self.low..=self.high).contains(&value)
    }

    /// The place of `value`; one beyond the ends is put at the end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if self.is_log { libm::log10(value.max(f64::MIN_POSITIVE)) } else { value };
        // Halves, because the difference of two doubles need not be one.
        let whole = self.high / 2.0 - self.low / 2.0;
        let share = (value / 2.0 - self.low / 2.0) / whole;
        let share = if share.is_nan() { 0.5 } else { share.clamp(0.0, 1.0) };
        self.from + share * (self.to - self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_middle_are_where_they_belong() {
        let scale = LinearScale::new(10.0, 20.0, 100.0, 200.0, false);
        assert_eq!(
            [5.0, 10.0, 15.0, 20.0, 25.0].map(|v| scale.at(v)),
            [100.0, 100.0, 150.0, 200.0, 200.0]
        );
        let upside_down = LinearScale::new(0.0, 1.0, 80.0, 0.0, false);
        assert_eq!(upside_down.at(0.25), 60.0);
        let log = LinearScale::new(1.0, 100.0, 0.0, 10.0, true);
        assert_eq!([1.0, 10.0, 100.0, 0.0, -3.0].map(|v| log.at(v)), [0.0, 5.0, 10.0, 0.0, 0.0]);
    }

    #[test]
    fn the_whole_range_of_doubles_fits() {
        let scale = LinearScale::new(-1.7e308, 1.7e308, 0.0, 10.0, false);
        assert_eq!([-1.7e308, 0.0, 1.7e308].map(|v| scale.at(v)), [0.0, 5.0, 10.0]);
        assert_eq!(LinearScale::new(3.0, 3.0, 0.0, 10.0, false).at(3.0), 5.0);
    }
}
