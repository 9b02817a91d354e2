//! Comparisons that a dataset holds: they were made when it was written.

use super::{AuditRow, AuditValue, DeclaredAgreement, about, target};
use crate::model::Scope;
use crate::scoring::{StoredComparison, StoredEvaluation, StoredValue};
use crate::workspace::Entry;
use std::collections::HashMap;

/// How the figures of `stored` compare; of one run when `run_idx` is given.
pub(super) fn agreement(stored: &StoredEvaluation, run_idx: Option<usize>) -> DeclaredAgreement {
    let mut found = DeclaredAgreement::default();
    for (severity, n) in stored.compared.counts(run_idx) {
        found.add(severity, n);
    }
    found
}

/// Every comparison of `entry`, in the order of its files.
pub(super) fn rows(entry: &Entry, stored: &StoredEvaluation) -> Vec<AuditRow> {
    let places: HashMap<&str, usize> =
        stored.runs.iter().enumerate().map(|(at, run)| (run.id.as_str(), at)).collect();
    let row = |one: StoredComparison<'_>| {
        let run = one.run.and_then(|id| places.get(id).copied());
        let scope = match (run, one.repeat, one.subject) {
            (Some(run), ..) => Scope::Run(run),
            (None, Some(repeat), Some(subject)) => {
                Scope::Subject { repeat, subject: subject.to_owned() }
            }
            (None, Some(repeat), None) => Scope::Repeat(repeat),
            (None, None, Some(subject)) => Scope::SubjectAggregate(subject.to_owned()),
            (None, None, None) => Scope::Evaluation,
        };
        AuditRow {
            evaluation_id: entry.key.clone(),
            run: run.map(|run| entry.run_key(run)),
            repeat: one.repeat,
            subject: one.subject.map(str::to_owned),
            about: about(&scope, entry),
            target: target(&scope, entry),
            file: one.file.to_owned(),
            field: one.field.to_owned(),
            declared: value(one.declared),
            computed: value(one.computed),
            difference: one.difference,
            agrees: one.agrees,
            severity: one.severity,
            why: one.why.map(str::to_owned),
        }
    };
    stored.compared.iter().map(row).collect()
}

fn value(stored: StoredValue<'_>) -> AuditValue {
    match stored {
        StoredValue::Number(number) => AuditValue::Number(number),
        StoredValue::Word("true") => AuditValue::Flag(true),
        StoredValue::Word("false") => AuditValue::Flag(false),
        StoredValue::Word(word) => AuditValue::Text(word.to_owned()),
        StoredValue::Missing => AuditValue::Missing,
    }
}
