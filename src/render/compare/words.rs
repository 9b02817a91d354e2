//! Numbers of a comparison as words.

use crate::format;
use crate::render::Look;
use crate::report::compare::{MeasureLine, Valued, VerdictIs, Versus};
use crate::words::terms::LOWER_IS_BETTER;
use crate::words::ui::compared as said;

/// What a difference is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DifferenceScale {
    /// Hundredths of what lies in 0–1.
    Points,
    /// Per cent of the baseline.
    Percent,
    /// As the values are.
    Plain,
}

impl DifferenceScale {
    /// That of a measure.
    pub(super) fn of(line: &MeasureLine) -> Self {
        match (line.is_unit, line.ratio) {
            (true, _) => Self::Points,
            (false, Some(_)) => Self::Percent,
            (false, None) => Self::Plain,
        }
    }

    /// What stands below an axis.
    pub(super) fn unit(self) -> &'static str {
        match self {
            Self::Points => said::POINTS,
            Self::Percent => said::PERCENT_OF_A,
            Self::Plain => "",
        }
    }

    /// The smallest difference, as computed, that [`signed`](Self::signed) tells from 0; `None`: there is none.
    pub(super) fn finest(self) -> Option<f64> {
        matches!(self, Self::Points | Self::Percent).then_some(0.001)
    }

    /// A difference in it, by `value` as computed: 0.021 is `+2.1`.
    pub(super) fn signed(self, value: f64) -> String {
        let size = match self {
            Self::Points | Self::Percent => {
                let scaled = (value.abs() * 1000.0).round() / 10.0;
                format!("{scaled:.1}")
            }
            Self::Plain => format::number(value.abs(), 3),
        };
        let is_nothing = size.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        match value {
            _ if is_nothing => size,
            value if value < 0.0 => format!("−{size}"),
            _ => format!("+{size}"),
        }
    }

    /// The same with its unit.
    pub(super) fn with_unit(self, value: f64) -> String {
        let words = self.signed(value);
        match self {
            Self::Points if matches!(words.as_str(), "+1.0" | "−1.0") => said::one_point(&words),
            Self::Points => said::points(&words),
            Self::Percent => format!("{words} %"),
            Self::Plain => words,
        }
    }
}

/// What a measure is called, and whether the files call it so. Of a score and a metric also that lower is better.
pub(super) fn measure(line: &MeasureLine) -> (String, bool) {
    let (name, is_code) = name(&line.measure);
    if line.is_less_better() && !line.measure.is_spent() {
        return (format!("{name} ({LOWER_IS_BETTER})"), is_code);
    }
    (name, is_code)
}

/// What a measure is called, whichever way it is better.
pub(super) fn name(measure: &Valued) -> (String, bool) {
    let own = |words: &str| (words.to_owned(), false);
    match measure {
        Valued::PassRate => own(said::PASS_RATE),
        Valued::Score => own(said::SCORE),
        Valued::Metric(name) => (name.clone(), true),
        Valued::Cost => own(said::COST),
        Valued::Duration => own(said::TIME),
        Valued::PromptTokens => own(said::TOKENS_READ),
        Valued::CompletionTokens => own(said::TOKENS_WRITTEN),
    }
}

/// A value of a measure.
pub(super) fn value(line: &MeasureLine, value: f64, look: Look) -> String {
    match &line.measure {
        Valued::PassRate => look.rate(value),
        Valued::Score | Valued::Metric(_) if line.is_unit => look.score(value),
        Valued::Score | Valued::Metric(_) => format::number(value, 3),
        Valued::Cost => format::usd(value, false),
        Valued::Duration => format::secs(value),
        Valued::PromptTokens | Valued::CompletionTokens => format::short_count(value.round()),
    }
}

/// Why a measure has no interval.
pub(super) fn no_interval(line: &MeasureLine) -> &'static str {
    let same = |same: &'static str, none: &'static str| {
        if line.difference.0 == 0.0 { none } else { same }
    };
    match (line.n, line.se) {
        (0 | 1, _) => said::SINGLE_PAIR,
        (_, Some(se)) if se.0 > 0.0 => said::TOO_FEW_PAIRS,
        _ => same(said::ALL_DIFFER_ALIKE, said::NONE_DIFFERS),
    }
}

/// Whether a clear verdict is none when it is asked of all candidates at once.
pub fn is_undone(versus: &Versus) -> bool {
    let is_clear = matches!(versus.verdict.is, VerdictIs::Better | VerdictIs::Worse);
    is_clear && versus.p_of_sides.is_some_and(|p| p.0 > 0.05)
}

/// A p.
pub(super) fn chance(p: f64) -> String {
    if p < 0.0001 { "<0.0001".to_owned() } else { format!("{p:.4}") }
}

/// `low to high`.
pub(super) fn range(low: &str, high: &str) -> String {
    said::range(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_short_words() {
        assert_eq!(DifferenceScale::Points.with_unit(0.0213), "+2.1 points");
        assert_eq!(DifferenceScale::Points.with_unit(-0.01), "−1.0 point");
        assert_eq!(DifferenceScale::Points.signed(-0.0001), "0.0");
        assert_eq!(DifferenceScale::Percent.with_unit(-0.14), "−14.0 %");
        assert_eq!(DifferenceScale::Plain.with_unit(1.5), "+1.500");
    }
}
