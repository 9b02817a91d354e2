//! What slop-code's own code answers, where it differs from the guide.
//!
//! Source: `PassPolicy.check` (every revision) and `passes_policy` (the pytest generation, which its
//! own pipeline never calls).

use super::pass_policy::{Policy, judge_policy};
use crate::model::Kind;
use crate::scoring::KindCount;
use crate::words::figures as words;
use std::collections::BTreeMap;

/// `PassPolicy.check`: as the guide, but `any` holds always.
pub fn original_check(policy: Policy, counts: &BTreeMap<Kind, KindCount>) -> bool {
    policy == Policy::Any || judge_policy(policy, counts).is_passed
}

/// `passes_policy`: false after an infrastructure failure; `core-cases` asks for at least one Core
/// case; `None` for the policies that it does not know.
pub fn original_passes_policy(
    policy: Policy,
    counts: &BTreeMap<Kind, KindCount>,
    is_infrastructure_failure: bool,
) -> Option<bool> {
    if is_infrastructure_failure {
        return Some(false);
    }
    let is_whole = |kind: Kind| counts.get(&kind).is_none_or(|count| count.passed == count.total);
    match policy {
        Policy::CoreCases => {
            let core = counts.get(&Kind::Core).copied().unwrap_or_default();
            Some(core.total > 0 && core.passed == core.total)
        }
        Policy::AllNonErrorCases => {
            Some([Kind::Core, Kind::Functionality, Kind::Regression].into_iter().all(is_whole))
        }
        _ => None,
    }
}

/// One line for each answer of the original code that differs from the guide's.
pub fn differences(
    counts: &BTreeMap<Kind, KindCount>,
    infrastructure_failure: Option<bool>,
) -> Vec<String> {
    let word = |holds: bool| if holds { words::PASSED } else { words::FAILED };
    let mut lines = Vec::new();
    for policy in Policy::ALL {
        let own = judge_policy(policy, counts).is_passed;
        let check = original_check(policy, counts);
        if check != own {
            lines.push(words::differs_by_check(policy.as_str(), word(own), word(check)));
        }
        let second = infrastructure_failure
            .and_then(|failure| original_passes_policy(policy, counts, failure));
        if let Some(second) = second.filter(|second| *second != own) {
            let why = if infrastructure_failure == Some(true) {
                words::FAILURE_FAILS_IT
            } else {
                words::NEEDS_ONE_CASE
            };
            lines.push(words::differs_by_passes_policy(
                policy.as_str(),
                word(own),
                word(second),
                why,
            ));
        }
    }
    lines
}
