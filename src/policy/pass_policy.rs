//! The seven pass policies of slop-code.
//!
//! Source: the reporting guide (1.3, 2025-12-10) for the meaning, `PassPolicy.check` of every
//! revision for the edge cases: sums go over the four kinds, a missing kind counts 0, and without cases
//! "all" policies pass and "any" policies fail. The original's code always passes `any`; here it means
//! what the guide says, at least one case.

use crate::model::Kind;
use crate::scoring::KindCount;
use crate::words::figures as words;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A pass policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Policy {
    /// At least one case passes.
    Any,
    /// The same.
    AnyCase,
    /// All cases pass.
    AllCases,
    /// All cases pass but those of kind Error.
    AllNonErrorCases,
    /// All Core cases pass.
    CoreCases,
    /// At least one Core case passes.
    AnyCoreCases,
    /// All Core cases pass.
    AllCoreCases,
}

impl Policy {
    /// All seven, in the guide's order.
    pub const ALL: [Self; 7] = [
        Self::Any,
        Self::AnyCase,
        Self::AllCases,
        Self::AllNonErrorCases,
        Self::CoreCases,
        Self::AnyCoreCases,
        Self::AllCoreCases,
    ];

    /// The name that files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::AnyCase => "any-case",
            Self::AllCases => "all-cases",
            Self::AllNonErrorCases => "all-non-error-cases",
            Self::CoreCases => "core-cases",
            Self::AnyCoreCases => "any-core-cases",
            Self::AllCoreCases => "all-core-cases",
        }
    }

    /// The kinds of cases that it looks at.
    pub fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Any | Self::AnyCase | Self::AllCases => Kind::ALL,
            Self::AllNonErrorCases => &[Kind::Core, Kind::Functionality, Kind::Regression],
            Self::CoreCases | Self::AnyCoreCases | Self::AllCoreCases => &[Kind::Core],
        }
    }

    /// The policy that files call `name`.
    pub fn from_text(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.as_str() == name)
    }
}

/// A policy, whether it holds, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyVerdict {
    /// Policy.
    pub policy: Policy,
    /// Whether it holds.
    pub is_passed: bool,
    /// Why, in words: `8 of 9 Core cases pass`.
    pub reason: String,
}

/// What all seven policies say of `counts`.
pub fn judge_policies(counts: &BTreeMap<Kind, KindCount>) -> Vec<PolicyVerdict> {
    Policy::ALL.into_iter().map(|policy| judge_policy(policy, counts)).collect()
}

/// What `policy` says of `counts`.
pub fn judge_policy(policy: Policy, counts: &BTreeMap<Kind, KindCount>) -> PolicyVerdict {
    let found = policy.kinds().iter().filter_map(|kind| counts.get(kind));
    let count = found.fold(KindCount::default(), |sum, count| KindCount {
        passed: sum.passed + count.passed,
        total: sum.total + count.total,
        ..sum
    });
    let needs_all = match policy {
        Policy::Any | Policy::AnyCase | Policy::AnyCoreCases => false,
        Policy::AllCases | Policy::AllNonErrorCases | Policy::CoreCases | Policy::AllCoreCases => {
            true
        }
    };
    let what = match policy.kinds() {
        kinds if kinds == Kind::ALL => words::CASES.to_owned(),
        [kind] => words::cases_of_kind(kind),
        kinds => {
            let others = Kind::ALL.iter().filter(|kind| !kinds.contains(kind));
            words::cases_outside(&others.map(|kind| kind.as_str()).collect::<Vec<_>>())
        }
    };
    let is_passed = if needs_all { count.passed == count.total } else { count.passed > 0 };
    let reason = if count.total == 0 {
        words::none_of(&what)
    } else {
        words::some_pass(count.passed, count.total, &what)
    };
    PolicyVerdict { policy, is_passed, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(list: &[(Kind, u64, u64)]) -> BTreeMap<Kind, KindCount> {
        list.iter()
            .map(|&(kind, passed, total)| (kind, KindCount { passed, total, first_failed: None }))
            .collect()
    }

    fn holding(counts: &BTreeMap<Kind, KindCount>) -> String {
        let names: Vec<_> = judge_policies(counts)
            .into_iter()
            .filter(|verdict| verdict.is_passed)
            .map(|verdict| verdict.policy.as_str())
            .collect();
        names.join(" ")
    }

    #[test]
    fn without_cases_all_policies_pass_and_any_policies_fail() {
        assert_eq!(
            holding(&BTreeMap::new()),
            "all-cases all-non-error-cases core-cases all-core-cases"
        );
    }

    #[test]
    fn error_cases_count_for_all_cases_only() {
        let counts = counts(&[(Kind::Core, 2, 2), (Kind::Error, 0, 1)]);
        assert_eq!(
            holding(&counts),
            "any any-case all-non-error-cases core-cases any-core-cases all-core-cases"
        );
    }

    #[test]
    fn names_of_policies_read_back() {
        for policy in Policy::ALL {
            assert_eq!(Policy::from_text(policy.as_str()), Some(policy));
        }
    }
}
