//! The verdict, with its reason in words.

use super::measures::MeasureLine;
use super::{Audit, ChangeCounts};
use crate::format::number;
use crate::scoring::sides::{BetterDirection, Valued};
use crate::stats::wilson_interval;
use crate::words::report::compare as words;
use crate::words::terms::LOWER_IS_BETTER;
use serde::{Deserialize, Serialize};

/// How a candidate stands to the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum VerdictIs {
    /// The interval lies on the better side of 0.
    Better,
    /// The interval lies on the worse side of 0.
    Worse,
    /// The interval lies within the margin.
    Same,
    /// None of these.
    CannotTell,
}

impl VerdictIs {
    /// The word of exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "same",
            Self::CannotTell => "cannot-tell",
        }
    }

    /// What an interval of the gain says.
    fn of([low, high]: [f64; 2], margin: f64) -> Self {
        match () {
            () if low > 0.0 => Self::Better,
            () if high < 0.0 => Self::Worse,
            () if low >= -margin && high <= margin => Self::Same,
            () => Self::CannotTell,
        }
    }

    /// What it says of the sides of these letters, in a few words.
    fn title(self, (one, two): (char, char), margin: &str) -> String {
        match self {
            Self::Better => words::is_better(two, one),
            Self::Worse => words::is_worse(two, one),
            Self::Same => words::is_same(margin),
            Self::CannotTell => words::CANNOT_TELL.to_owned(),
        }
    }
}

/// A verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Which.
    pub is: VerdictIs,
    /// By what measure; `None`: there is none.
    pub measure: Option<Valued>,
    /// What it says, in a few words: `B is better`.
    pub title: String,
    /// Why, in a sentence.
    pub why: String,
}

/// Whether the candidate loses no more than the margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Guard {
    /// The whole interval lies above it.
    Held,
    /// The whole interval lies below it.
    Broken,
    /// The interval holds it.
    Undecided,
}

impl Guard {
    /// The word of exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Broken => "broken",
            Self::Undecided => "undecided",
        }
    }

    /// What an interval of the gain says.
    fn of([low, high]: [f64; 2], margin: f64) -> Self {
        match () {
            () if low >= -margin => Self::Held,
            () if high < -margin => Self::Broken,
            () => Self::Undecided,
        }
    }
}

/// Judges by the deciding measure; `names`: the letters of baseline and candidate.
pub(super) fn judge(
    line: Option<&MeasureLine>,
    changes: &ChangeCounts,
    audit: &Audit,
    margin: f64,
    (one, two): (char, char),
) -> (Verdict, Guard) {
    let unsure = |measure: Option<&MeasureLine>, why: String| Verdict {
        is: VerdictIs::CannotTell,
        measure: measure.map(|line| line.measure.clone()),
        title: words::CANNOT_TELL.to_owned(),
        why,
    };
    let Some(line) = line else {
        let why = match audit.n_pairs {
            0 => words::NO_PAIRS.to_owned(),
            n => words::no_values(n),
        };
        return (unsure(None, why), Guard::Undecided);
    };
    if line.way == BetterDirection::Mixed {
        return (unsure(Some(line), words::MIXED.to_owned()), Guard::Undecided);
    }
    let size = |value: f64| amount(value, line.is_unit);
    // An interval without width says that all pairs differ by the same, not that there is no chance in it.
    let interval = line.ci95.map(|[low, high]| [low.0, high.0]).filter(|[low, high]| low < high);
    let Some([low, high]) = interval else {
        let open = of_equal_differences(line.n, line.difference.0).filter(|_| line.is_unit);
        let Some([low, high]) = open else {
            let difference = signed(line.difference.0, line.is_unit);
            let why = words::may_be_chance(line.n, &difference);
            return (unsure(Some(line), why), Guard::Undecided);
        };
        let found = match line.difference.0 {
            0.0 => words::all_the_same(line.n),
            difference => words::all_differ_by(line.n, &signed(difference, line.is_unit)),
        };
        let ends = [signed(low, line.is_unit), signed(high, line.is_unit)];
        let why = words::likely_between(&found, ends.each_ref().map(String::as_str), &less(line));
        let gains = line.gains([low, high]);
        let is = VerdictIs::of(gains, margin);
        let title = is.title((one, two), &size(margin));
        let verdict = Verdict { is, measure: Some(line.measure.clone()), title, why };
        return (verdict, Guard::of(gains, margin));
    };
    let gains = line.gains([low, high]);
    let guard = Guard::of(gains, margin);
    let by = match &line.measure {
        Valued::PassRate => words::PASS_RATE,
        _ => words::SCORE,
    };
    let ends = [signed(low, line.is_unit), signed(high, line.is_unit)];
    let found = words::difference_in(
        by,
        &signed(line.difference.0, line.is_unit),
        ends.each_ref().map(String::as_str),
        &less(line),
        line.n,
        &words::changes(changes.fixed, changes.regressed),
    );
    let is = VerdictIs::of(gains, margin);
    let why = match is {
        VerdictIs::Better | VerdictIs::Worse if low >= -margin && high <= margin => {
            format!("{found}. {}", words::within_margin(&size(margin)))
        }
        VerdictIs::Better | VerdictIs::Worse | VerdictIs::Same => format!("{found}."),
        VerdictIs::CannotTell => format!("{found}.{}", power(line)),
    };
    let title = is.title((one, two), &size(margin));
    (Verdict { is, measure: Some(line.measure.clone()), title, why }, guard)
}

/// That lower is better, as the end of a list; empty where more is.
fn less(line: &MeasureLine) -> String {
    if line.is_less_better() { format!("; {LOWER_IS_BETTER}") } else { String::new() }
}

/// What so many pairs could have shown, in a sentence that begins with a space; empty where nothing is known.
fn power(line: &MeasureLine) -> String {
    let Some(least) = line.mdd80 else { return String::new() };
    let least = amount(least.0, line.is_unit);
    format!(" {}", words::power(line.n, &least, line.pairs_needed.map(rounded)))
}

/// Where the mean difference of values in 0–1 lies (95 %) when all `n` pairs differ by `difference`, so that the t
/// interval has no width; `None` of no pair.
///
/// Wilson: of cases such as these at most z²/(n + z²) differ otherwise, and each of them by 1 at the most.
fn of_equal_differences(n: u64, difference: f64) -> Option<[f64; 2]> {
    let apart = wilson_interval(0, n)?.high;
    let middle = (1.0 - apart) * difference;
    Some([middle - apart, middle + apart])
}

/// `2.1 points` of what lies in 0–1, else the number.
pub(super) fn amount(value: f64, is_unit: bool) -> String {
    if !is_unit {
        return number(value, 3);
    }
    words::points(&number((value * 1000.0).round() / 10.0, 1))
}

/// The same with its sign.
pub(super) fn signed(value: f64, is_unit: bool) -> String {
    let plain = amount(value.abs(), is_unit);
    match value {
        value if value > 0.0 => format!("+{plain}"),
        value if value < 0.0 => format!("−{plain}"),
        _ => plain,
    }
}

/// A number of pairs with two digits that count, since it is an estimate.
fn rounded(n: u64) -> u64 {
    let mut unit = 1;
    while n / unit >= 100 {
        unit *= 10;
    }
    n.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_pairs_that_are_the_same_show_nothing() {
        let of = |n: u64, difference: f64| {
            let ends = of_equal_differences(n, difference).unwrap();
            (VerdictIs::of(ends, 0.02), Guard::of(ends, 0.02))
        };
        assert_eq!(of(1, 0.0), (VerdictIs::CannotTell, Guard::Undecided));
        assert_eq!(of(12, 0.0), (VerdictIs::CannotTell, Guard::Undecided));
        // z²/(n + z²) is under 0.02 from 189 pairs on.
        assert_eq!(of(188, 0.0), (VerdictIs::CannotTell, Guard::Undecided));
        assert_eq!(of(189, 0.0), (VerdictIs::Same, Guard::Held));
        assert_eq!(of(1, -1.0), (VerdictIs::CannotTell, Guard::Undecided));
        assert_eq!(of(12, -1.0), (VerdictIs::Worse, Guard::Broken));
        assert_eq!(of(12, 1.0), (VerdictIs::Better, Guard::Held));
    }

    #[test]
    fn differences_are_rounded_and_said_in_points() {
        assert_eq!(signed(0.0213, true), "+2.1 points");
        assert_eq!(signed(-0.01, true), "−1 point");
        assert_eq!(signed(0.0, true), "0 points");
        assert_eq!(amount(1.25, false), "1.250");
        assert_eq!((rounded(856), rounded(21_255), rounded(7)), (860, 22_000, 7));
    }
}
