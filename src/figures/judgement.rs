//! Verdicts with their rule and reason.

use crate::format::count;
use crate::model::Outcome;
use crate::words::figures as words;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A verdict with its rule and reason, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Verdict; `Scored` or `Unscored` where no rule gives one.
    pub outcome: Outcome,
    /// The rule in words; empty where there is none.
    pub rule: String,
    /// Why; without a verdict, why there is none.
    pub reason: Reason,
    /// What the file recorded, when it recorded something else, or when nothing can be judged here.
    pub declared: Option<String>,
}

/// Whose verdict it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictOrigin {
    /// A rule was applied to the cases.
    Judged,
    /// No rule could be applied; the files record a verdict.
    Declared,
    /// No rule could be applied, and the files record nothing.
    Unknown,
}

impl VerdictOrigin {
    /// Of a verdict `outcome` beside what the files record.
    pub fn of(outcome: Outcome, declared: Option<&str>) -> Self {
        match (outcome, declared) {
            (Outcome::Scored | Outcome::Unscored, Some(_)) => Self::Declared,
            (Outcome::Scored | Outcome::Unscored, None) => Self::Unknown,
            _ => Self::Judged,
        }
    }

    /// The word of the exported report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Judged => "judged",
            Self::Declared => "declared",
            Self::Unknown => "unknown",
        }
    }
}

impl Judgement {
    /// Whose verdict it is.
    pub fn standing(&self) -> VerdictOrigin {
        VerdictOrigin::of(self.outcome, self.declared.as_deref())
    }

    /// Verdict, rule and reason in one line of words: `✓ PASSED: gate …: …`, with `sign` for how an
    /// outcome is written.
    pub fn line(&self, sign: impl Fn(Outcome) -> String) -> String {
        let reason = self.reason.shown();
        match (self.standing(), &self.declared) {
            (VerdictOrigin::Declared, Some(declared)) => words::declared_line(declared, &reason),
            (VerdictOrigin::Unknown | VerdictOrigin::Declared, _) => words::no_verdict(&reason),
            (VerdictOrigin::Judged, _) => {
                format!("{}: {}: {reason}", sign(self.outcome), self.rule)
            }
        }
    }
}

/// Why a verdict came out as it did. As text it is what exports hold, with plain numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// In words.
    Words(String),
    /// So many of so many pass.
    Passing {
        /// Those that pass.
        n_passed: u64,
        /// All that count.
        n_counted: u64,
        /// What they are: `cases`.
        what: &'static str,
    },
    /// So many of so many cases do not pass.
    Failing {
        /// Those that do not.
        n_failed: u64,
        /// All that count.
        n_counted: u64,
        /// Whether all of them were judged; else some ended in an error or did not run.
        are_judged: bool,
    },
}

impl Reason {
    /// What the page says beside the verdict `outcome`: of a failed one how many fail.
    pub fn shown_for(&self, outcome: Outcome) -> String {
        match self {
            Self::Passing { n_passed, n_counted, what } if outcome == Outcome::Failed => {
                let n_failed = n_counted.saturating_sub(*n_passed);
                words::some_fail(count(n_failed), count(*n_counted), what)
            }
            _ => self.shown(),
        }
    }

    /// What pages show: counts are set off in groups of three.
    pub fn shown(&self) -> String {
        match self {
            Self::Words(words) => words.clone(),
            Self::Passing { n_passed, n_counted, what } => {
                words::some_pass(count(*n_passed), count(*n_counted), what)
            }
            Self::Failing { n_failed, n_counted, are_judged } => {
                failing(*are_judged, count(*n_failed), count(*n_counted))
            }
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(words),
            Self::Passing { n_passed, n_counted, what } => {
                f.write_str(&words::some_pass(n_passed, n_counted, what))
            }
            Self::Failing { n_failed, n_counted, are_judged } => {
                f.write_str(&failing(*are_judged, n_failed, n_counted))
            }
        }
    }
}

fn failing(are_judged: bool, n_failed: impl fmt::Display, n_counted: impl fmt::Display) -> String {
    if are_judged {
        words::cases_failed(n_failed, n_counted)
    } else {
        words::cases_not_passed(n_failed, n_counted)
    }
}

#[cfg(test)]
mod tests {
    use super::Reason;

    #[test]
    fn pages_set_counts_off_and_exports_keep_them_plain() {
        let reason = Reason::Passing { n_passed: 48_211, n_counted: 50_000, what: "cases" };
        assert_eq!(reason.shown(), "48,211 of 50,000 cases pass");
        assert_eq!(reason.to_string(), "48211 of 50000 cases pass");
        let words = Reason::Words("2024 passed".to_owned());
        assert_eq!(
            (words.shown(), words.to_string()),
            ("2024 passed".into(), "2024 passed".into())
        );
    }
}
