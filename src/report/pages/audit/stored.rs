//! Comparisons that a dataset holds: they were made when it was written.

use super::{AuditRow, AuditValue, DeclaredAgreement, Severity, about, target};
use crate::model::Scope;
use crate::scoring::{StoredComparison, StoredEvaluation, StoredValue};
use crate::workspace::Entry;

/// How the figures of `stored` compare; of one run when `run_idx` is given.
pub(super) fn agreement(stored: &StoredEvaluation, run_idx: Option<usize>) -> DeclaredAgreement {
    let mut found = DeclaredAgreement::default();
    let is_about = |one: &&StoredComparison| run_idx.is_none_or(|idx| one.run == Some(idx));
    for one in stored.compared.iter().filter(is_about) {
        found.count(severity(one));
    }
    found
}

/// Every comparison of `entry`, in the order of its files.
pub(super) fn rows(entry: &Entry, stored: &StoredEvaluation) -> Vec<AuditRow> {
    let row = |one: &StoredComparison| {
        let scope = match (one.run, one.repeat, &one.subject) {
            (Some(run), ..) => Scope::Run(run),
            (None, Some(repeat), Some(subject)) => {
                Scope::Subject { repeat, subject: subject.clone() }
            }
            (None, Some(repeat), None) => Scope::Repeat(repeat),
            (None, None, Some(subject)) => Scope::SubjectAggregate(subject.clone()),
            (None, None, None) => Scope::Evaluation,
        };
        AuditRow {
            evaluation_id: entry.key.clone(),
            run: one.run.map(|run| entry.run_key(run)),
            repeat: one.repeat,
            subject: one.subject.clone(),
            about: about(&scope, entry),
            target: target(&scope, entry),
            file: one.file.clone(),
            field: one.field.clone(),
            declared: value(&one.declared),
            computed: value(&one.computed),
            difference: one.difference,
            agrees: one.agrees,
            severity: severity(one),
            why: one.why.clone(),
        }
    };
    stored.compared.iter().map(row).collect()
}

/// How much a comparison matters; by what it says itself where the word is none that is known.
fn severity(one: &StoredComparison) -> Severity {
    let plain = if one.agrees { Severity::Agrees } else { Severity::Major };
    Severity::from_text(&one.severity).unwrap_or(plain)
}

fn value(stored: &StoredValue) -> AuditValue {
    match stored {
        StoredValue::Number(number) => AuditValue::Number(*number),
        StoredValue::Word(word) if word == "true" => AuditValue::Flag(true),
        StoredValue::Word(word) if word == "false" => AuditValue::Flag(false),
        StoredValue::Word(word) => AuditValue::Text(word.clone()),
        StoredValue::Missing => AuditValue::Missing,
    }
}
