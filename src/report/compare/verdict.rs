//! The verdict, with its reason in words.

use super::measures::MeasureLine;
use super::{Audit, Changes};
use crate::format::{count, counted, number};
use crate::scoring::sides::Valued;
use serde::{Deserialize, Serialize};

/// How a candidate stands to the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum VerdictIs {
    /// The interval lies above 0.
    Better,
    /// The interval lies below 0.
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
}

/// Judges by the deciding measure; `names`: the letters of baseline and candidate.
pub(super) fn judge(
    line: Option<&MeasureLine>,
    changes: &Changes,
    audit: &Audit,
    margin: f64,
    (one, two): (char, char),
) -> (Verdict, Guard) {
    let unsure = |measure: Option<&MeasureLine>, why: String| Verdict {
        is: VerdictIs::CannotTell,
        measure: measure.map(|line| line.measure.clone()),
        title: "Cannot tell".to_owned(),
        why,
    };
    let Some(line) = line else {
        let why = if audit.n_pairs == 0 {
            "Nothing pairs: the sides have no case in common.".to_owned()
        } else {
            format!(
                "{} without a score or an outcome on both sides.",
                counted(audit.n_pairs, "pair,", "pairs, all")
            )
        };
        return (unsure(None, why), Guard::Undecided);
    };
    let size = |value: f64| amount(value, line.is_unit);
    let moved = format!("{} fixed, {} regressed", count(changes.fixed), count(changes.regressed));
    let pairs = counted(line.n, "pair", "pairs");
    let Some([low, high]) = line.ci95.map(|[low, high]| [low.0, high.0]) else {
        if changes.fixed + changes.regressed == 0 {
            let verdict = Verdict {
                is: VerdictIs::Same,
                measure: Some(line.measure.clone()),
                title: format!("No difference beyond ±{}", size(margin)),
                why: format!("{pairs}, and each has the same value on both sides."),
            };
            return (verdict, Guard::Held);
        }
        let why = format!(
            "{pairs} with a difference of {}: too few, or all moved by the same, so that nothing says how much is chance.",
            signed(line.difference.0, line.is_unit)
        );
        return (unsure(Some(line), why), Guard::Undecided);
    };
    let guard = if low >= -margin {
        Guard::Held
    } else if high < -margin {
        Guard::Broken
    } else {
        Guard::Undecided
    };
    let by = match &line.measure {
        Valued::PassRate => "pass rate",
        _ => "score",
    };
    let found = format!(
        "{} in the {by} (95 %: {} to {}) over {pairs}: {moved}",
        signed(line.difference.0, line.is_unit),
        signed(low, line.is_unit),
        signed(high, line.is_unit),
    );
    let (is, title, why) = if low > 0.0 || high < 0.0 {
        let is = if low > 0.0 { VerdictIs::Better } else { VerdictIs::Worse };
        let small = low >= -margin && high <= margin;
        let beside = if small {
            format!(". It is smaller than the margin of {}.", size(margin))
        } else {
            ".".to_owned()
        };
        (is, format!("{two} is {} than {one}", is.as_str()), format!("{found}{beside}"))
    } else if low >= -margin && high <= margin {
        let title = format!("No difference beyond ±{}", size(margin));
        (VerdictIs::Same, title, format!("{found}."))
    } else {
        let least = line.mdd80.map(|least| {
            format!(" With {pairs}, differences under {} drown in chance", size(least.0))
        });
        let needed = line.pairs_needed.map(|needed| {
            format!("; this one would take about {}", counted(rounded(needed), "pair", "pairs"))
        });
        let hint = match (least, needed) {
            (Some(least), Some(needed)) => format!("{least}{needed}."),
            (Some(least), None) => format!("{least}."),
            _ => String::new(),
        };
        (VerdictIs::CannotTell, "Cannot tell".to_owned(), format!("{found}.{hint}"))
    };
    (Verdict { is, measure: Some(line.measure.clone()), title, why }, guard)
}

/// `2.1 points` of what lies in 0–1, else the number.
pub(super) fn amount(value: f64, is_unit: bool) -> String {
    if !is_unit {
        return number(value, 3);
    }
    let points = number((value * 1000.0).round() / 10.0, 1);
    format!("{points} {}", if points == "1" { "point" } else { "points" })
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
    fn amounts_are_words() {
        assert_eq!(signed(0.0213, true), "+2.1 points");
        assert_eq!(signed(-0.01, true), "−1 point");
        assert_eq!(signed(0.0, true), "0 points");
        assert_eq!(amount(1.25, false), "1.250");
        assert_eq!((rounded(856), rounded(21_255), rounded(7)), (860, 22_000, 7));
    }
}
