//! Cases that pass sometimes: over repeats of the same subject on the same part of a suite, or over the
//! attempts of one run.

use super::mask::Mask;
use super::scope::{FilterScope, ScopeRun};
use crate::model::Run;
use crate::scoring::trials;
use std::collections::BTreeMap;

/// What repeats of one another have in common: evaluation's suite, part of it, subject.
type RepeatKey<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

/// The cases of `scope` that passed in some of their trials and not in others.
pub fn flaky(scope: &FilterScope<'_>) -> Mask {
    let mut mask = Mask::all(scope.n_cases, false);
    let mut repeats: BTreeMap<RepeatKey<'_>, Vec<&ScopeRun<'_>>> = BTreeMap::new();
    for part in &scope.parts {
        let key = &part.run.key;
        let suite = key.suite.as_deref().or(part.evaluation.suite.as_deref());
        let subject = (suite, key.variant.as_deref(), key.subject.as_deref());
        repeats.entry(subject).or_default().push(part);
    }
    for parts in repeats.values().filter(|parts| parts.len() > 1 || has_attempts(parts)) {
        let runs: Vec<&Run> = parts.iter().map(|part| part.run).collect();
        let found = trials(&runs);
        for (case, tried) in found.cases.iter().enumerate() {
            if tried.n_passed == 0 || tried.n_failed + tried.n_errors == 0 {
                continue;
            }
            for (run, row) in found.matching.rows_of(case) {
                let part = parts.get(run).map(|part| part.start + row);
                if let Some([mark]) = part.map(|at| mask.part_mut(at, 1)) {
                    *mark = true;
                }
            }
        }
    }
    mask
}

fn has_attempts(parts: &[&ScopeRun<'_>]) -> bool {
    parts.iter().any(|part| {
        let cases = &part.run.cases;
        (0..cases.len()).any(|row| cases.n_attempts.get(row).is_some_and(|n| n > 1))
    })
}
