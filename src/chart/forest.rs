//! The scale of a forest plot: differences with their intervals, 0 always in sight.

use super::step::TickStep;

/// Ticks that a plot has about.
const N_TICKS: f64 = 6.0;

/// Room beyond the outermost end, as a share of the whole.
const ROOM: f64 = 0.04;

/// A scale on which values lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForestScale {
    low: f64,
    high: f64,
    step: TickStep,
}

impl ForestScale {
    /// One that holds 0 and all of `values` that are finite; where these are all 0, from −`least` to `least`.
    pub fn over(values: impl IntoIterator<Item = f64>, least: f64) -> Self {
        let values = values.into_iter().filter(|value| value.is_finite());
        let (mut low, mut high) =
            values.fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        if high - low <= 0.0 {
            (low, high) = (-least, least);
        }
        let room = (high - low) * ROOM;
        (low, high) = (low - room, high + room);
        let step = TickStep::at_least((high - low) / N_TICKS).unwrap_or(TickStep::ONE);
        Self { low, high, step }
    }

    /// Where `value` lies, as a share of the width; what lies outside is at the end.
    pub fn at(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Values of the ticks, and the decimals that they need.
    pub fn ticks(&self) -> (Vec<f64>, usize) {
        let (first, last) = (self.step.floor(self.low), self.step.floor(self.high));
        let ticks = (first..=last).map(|n| self.step.times(n)).filter(|tick| *tick >= self.low);
        (ticks.collect(), self.step.decimals())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_all_values_lie_on_it() {
        let scale = ForestScale::over([-0.004, 0.046, f64::NAN], 1.0);
        assert!(scale.at(-0.004) > 0.0 && scale.at(0.046) < 1.0 && scale.at(0.0) < scale.at(0.046));
        let (ticks, decimals) = scale.ticks();
        assert_eq!((ticks.as_slice(), decimals), ([0.0, 0.01, 0.02, 0.03, 0.04].as_slice(), 2));
        let scale = ForestScale::over([0.0], 2.0);
        assert!((scale.at(0.0) - 0.5).abs() < 1e-12);
        assert_eq!(scale.ticks().0, [-2.0, -1.0, 0.0, 1.0, 2.0]);
        assert_eq!(scale.at(9.0), 1.0);
    }
}
