//! Runs that figures are of, though no results of them are among the files.

use super::AuditValue;
use super::compare::{AuditedFigure, ROUNDING};
use super::partial::is_part;
use crate::model::{Figure, Scope};
use crate::order::Order as _;
use crate::report::computed_figure::runs_of;
use crate::words::report::audit as words;
use crate::workspace::Entry;
use std::collections::{BTreeSet, HashSet};

/// Parts of an evaluation of which nothing is here.
pub(super) struct AbsentParts<'a> {
    entry: &'a Entry,
    /// Those that figures are declared of.
    declared: Vec<&'a Scope>,
}

impl<'a> AbsentParts<'a> {
    pub(super) fn of(entry: &'a Entry) -> Self {
        let scopes: HashSet<&Scope> =
            entry.evaluation.declared.iter().map(|one| &one.scope).collect();
        let is_absent =
            |scope: &&Scope| !matches!(scope, Scope::Run(_)) && runs_of(scope, entry).is_empty();
        let mut declared: Vec<&Scope> = scopes.into_iter().filter(is_absent).collect();
        declared.order_by_key(|scope| part_words(scope));
        Self { entry, declared }
    }

    /// The first of them within `scope`, whose runs are `runs`, in words.
    pub(super) fn within(&self, scope: &Scope, runs: &[usize]) -> Option<String> {
        let mut declared = self.declared.iter();
        let found = declared.find(|inner| is_part(scope, inner, runs));
        found.map(|inner| part_words(inner)).or_else(|| self.gap(scope))
    }

    /// A repeat that a subject lacks, while it or another one has a later one: repeats are counted from 1.
    fn gap(&self, scope: &Scope) -> Option<String> {
        let keys = || self.entry.recorded_runs().iter().map(|run| &run.key);
        let most = keys().map(|key| key.repeat).max()?;
        let subjects: BTreeSet<Option<&str>> = match scope {
            Scope::Evaluation => keys().map(|key| key.subject.as_deref()).collect(),
            Scope::SubjectAggregate(subject) => BTreeSet::from([Some(subject.as_str())]),
            _ => return None,
        };
        subjects.into_iter().find_map(|subject| {
            let own: BTreeSet<u32> = keys()
                .filter(|key| key.subject.as_deref() == subject)
                .map(|key| key.repeat)
                .collect();
            let repeat = (1..=most).find(|repeat| !own.contains(repeat))?;
            Some(match subject {
                Some(subject) => words::subject_in_run(subject, repeat),
                None => words::run(repeat),
            })
        })
    }
}

/// A part of an evaluation, in words.
fn part_words(scope: &Scope) -> String {
    match scope {
        Scope::Repeat(repeat) => words::run(*repeat),
        Scope::Subject { repeat, subject } => words::subject_in_run(subject, *repeat),
        Scope::SubjectAggregate(name) | Scope::Suite(name) => name.clone(),
        Scope::Evaluation | Scope::Run(_) => String::new(),
    }
}

/// Whether what is not here could make up the difference: counts and sums are not smaller than those of what is here.
pub(super) fn may_be_more(compared: &AuditedFigure<'_>) -> bool {
    let (AuditValue::Number(stated), AuditValue::Number(held)) =
        (&compared.stated, &compared.computed)
    else {
        return true;
    };
    let is_sum = matches!(
        compared.declared.figure,
        Figure::Total
            | Figure::Attempted
            | Figure::Passed
            | Figure::Failed
            | Figure::MetricPassed(_)
            | Figure::MetricFailed(_)
            | Figure::Errors
            | Figure::ErrorsByCategory(_)
            | Figure::ErrorsByType(_)
            | Figure::Repeats
            | Figure::RepeatsFailed
            | Figure::Usage(_)
    );
    !is_sum || stated.0 >= held.0 * (1.0 - ROUNDING)
}
