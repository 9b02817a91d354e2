//! Filters that most users want first, one click away.

use super::filter::{FLAKY, Field, Filter, FilterScope, Mask, flaky, tally};
use crate::words::report::rules::cases as words;
use serde::{Deserialize, Serialize};

/// Most cases of which it is counted how many are flaky: each is looked for in every repeat.
const MAX_MATCHED: usize = 200_000;

/// A filter with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preset {
    /// Its name.
    pub title: String,
    /// The filter.
    pub filter: String,
    /// How many cases it keeps; `None`: too many to count each time.
    pub n_cases: Option<u64>,
    /// Whether it is in force.
    pub is_chosen: bool,
}

/// Those that make sense for the cases of `scope`: what keeps no case is left out, unless it is in force.
pub(super) fn presets(scope: &FilterScope<'_>, filter: &Filter) -> Vec<Preset> {
    let everything = Mask::all(scope.n_cases, true);
    let outcomes = tally(scope, &Field::Outcome, &everything);
    let of = |outcome: &str| outcomes.get(outcome).copied().unwrap_or_default();
    let n_flaky = match scope.n_cases {
        n if n > MAX_MATCHED => None,
        _ => Some(flaky(scope).count() as u64),
    };
    let now = filter.to_string();
    let all = [
        (words::ALL, String::new(), Some(scope.n_cases as u64)),
        (words::FAILED, "outcome:failed".to_owned(), Some(of("failed"))),
        (words::ERRORS, "outcome:error".to_owned(), Some(of("error"))),
        (words::FLAKY, format!("has:{FLAKY}"), n_flaky),
    ];
    let preset = |(title, filter, n_cases): (&str, String, Option<u64>)| Preset {
        title: title.to_owned(),
        is_chosen: filter == now,
        filter,
        n_cases,
    };
    let is_of_use = |preset: &Preset| {
        preset.filter.is_empty() || preset.is_chosen || preset.n_cases.is_none_or(|n| n > 0)
    };
    all.into_iter().map(preset).filter(is_of_use).collect()
}
