//! Steps that people count in: 1, 2 or 5 times a power of ten.

/// A step. Its multiples are the doubles nearest to the decimal numbers, so that the third tenth is
/// 0.3 and not 0.30000000000000004.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TickStep {
    digit: i64,
    exponent: i32,
}

impl TickStep {
    /// One.
    pub(super) const ONE: Self = Self { digit: 1, exponent: 0 };

    /// The least step that is at least `size`; `None` unless `size` is above 0 and finite.
    pub(super) fn at_least(size: f64) -> Option<Self> {
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        // The decimal text of a double is exact in what is needed here; a logarithm is not.
        let text = format!("{size:e}");
        let (digits, exponent) = text.split_once('e')?;
        let digits: f64 = digits.parse().ok()?;
        let exponent: i32 = exponent.parse().ok()?;
        Some(if digits <= 1.0 {
            Self { digit: 1, exponent }
        } else if digits <= 2.0 {
            Self { digit: 2, exponent }
        } else if digits <= 5.0 {
            Self { digit: 5, exponent }
        } else {
            Self { digit: 1, exponent: exponent + 1 }
        })
    }

    /// The next larger step.
    pub(super) fn larger(self) -> Self {
        match self.digit {
            1 => Self { digit: 2, ..self },
            2 => Self { digit: 5, ..self },
            _ => Self { digit: 1, exponent: self.exponent + 1 },
        }
    }

    /// The next smaller step.
    pub(super) fn smaller(self) -> Self {
        match self.digit {
            5 => Self { digit: 2, ..self },
            2 => Self { digit: 1, ..self },
            _ => Self { digit: 5, exponent: self.exponent - 1 },
        }
    }

    /// `n` of it.
    pub(super) fn times(self, n: i64) -> f64 {
        let product = i128::from(n) * i128::from(self.digit);
        format!("{product}e{}", self.exponent).parse().unwrap_or(f64::NAN)
    }

    /// The step itself.
    pub(super) fn size(self) -> f64 {
        self.times(1)
    }

    /// Decimals that its multiples need.
    pub(super) fn decimals(self) -> usize {
        usize::try_from(-self.exponent).unwrap_or(0)
    }

    /// The largest `n` of which [`times`](Self::times) is at most `value`.
    pub(super) fn floor(self, value: f64) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "saturates, and steps fit the values")]
        let mut n = (value / self.size()).floor() as i64;
        while self.times(n.saturating_add(1)) <= value && n < i64::MAX {
            n += 1;
        }
        while self.times(n) > value && n > i64::MIN {
            n -= 1;
        }
        n
    }

    /// The smallest `n` of which [`times`](Self::times) is at least `value`.
    pub(super) fn ceil(self, value: f64) -> i64 {
        let n = self.floor(value);
        if self.times(n) < value { n.saturating_add(1) } else { n }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn steps_are_the_ones_people_take() {
        for (size, expected) in [
            (1.0, 1.0),
            (0.9, 1.0),
            (0.11, 0.2),
            (0.2, 0.2),
            (0.3, 0.5),
            (0.51, 1.0),
            (3.0, 5.0),
            (7.0, 10.0),
            (1234.0, 2000.0),
            (1e-9, 1e-9),
            (6e22, 1e23),
        ] {
            assert_eq!(TickStep::at_least(size).unwrap().size(), expected, "{size}");
        }
        for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(TickStep::at_least(size), None);
        }
    }

    #[test]
    fn multiples_are_the_decimal_numbers() {
        let tenth = TickStep::at_least(0.1).unwrap();
        let found: Vec<f64> = (0..=10).map(|n| tenth.times(n)).collect();
        assert_eq!(found, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
        assert_eq!((tenth.floor(0.3), tenth.ceil(0.3)), (3, 3));
        assert_eq!((tenth.floor(0.35), tenth.ceil(0.35)), (3, 4));
        assert_eq!((tenth.floor(-0.35), tenth.ceil(-0.35)), (-4, -3));
        assert_eq!((tenth.decimals(), TickStep::ONE.decimals()), (1, 0));
    }

    #[test]
    fn the_next_step_is_the_next() {
        let mut step = TickStep::at_least(0.1).unwrap();
        for expected in [0.2, 0.5, 1.0, 2.0] {
            let larger = step.larger();
            assert_eq!((larger.size(), larger.smaller()), (expected, step));
            step = larger;
        }
    }

    proptest! {
        #[test]
        fn a_value_lies_between_its_neighbours(value in -1e12..1e12_f64, size in 1e-3..1e6_f64) {
            let step = TickStep::at_least(size).unwrap();
            prop_assert!(step.size() >= size && step.size() <= size * 2.5);
            let n = step.floor(value);
            prop_assert!(step.times(n) <= value && value < step.times(n + 1));
            prop_assert!(step.times(step.ceil(value)) >= value);
        }
    }
}
