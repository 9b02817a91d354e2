//! The table of what files declare: each figure beside the one that the cases give.

use super::SmallRow;
use crate::dataset::cell::{RecordCell, RecordColumn, cells, column, fields, num, required, text};
use crate::export::ColumnField;
use crate::export::ExportType::{Count, Flag, Number, Text};
use crate::report::{AuditRow, AuditValue, audit_entry};
use crate::workspace::Entry;

/// The columns.
pub(super) fn schema() -> Vec<ColumnField> {
    fields(&own()).collect()
}

/// A row for each figure of `entry` that is compared.
pub(super) fn rows(entry: &Entry) -> Vec<SmallRow> {
    let (compared, _) = audit_entry(entry);
    compared.iter().map(|row| cells(&own(), row)).collect()
}

fn own() -> Vec<RecordColumn<AuditRow>> {
    vec![
        required("evaluation", Text, |of: &AuditRow| text(Some(&of.evaluation_id))),
        column("run", Text, |of| text(of.run.as_deref())),
        column("repeat", Count, |of| of.repeat.map(|repeat| RecordCell::Count(repeat.into()))),
        column("subject", Text, |of| text(of.subject.as_deref())),
        required("file", Text, |of| text(Some(&of.file))),
        required("field", Text, |of| text(Some(&of.field))),
        column("declared", Number, |of| number(&of.declared)),
        column("declared_word", Text, |of| word(&of.declared)),
        column("computed", Number, |of| number(&of.computed)),
        column("computed_word", Text, |of| word(&of.computed)),
        column("difference", Number, |of| num(of.difference)),
        required("agrees", Flag, |of| Some(RecordCell::Flag(of.agrees))),
        required("severity", Text, |of| text(Some(of.severity.as_str()))),
        column("why", Text, |of| text(of.why.as_deref())),
    ]
}

fn number(value: &AuditValue) -> Option<RecordCell> {
    match value {
        AuditValue::Number(number) => num(Some(*number)),
        _ => None,
    }
}

fn word(value: &AuditValue) -> Option<RecordCell> {
    match value {
        AuditValue::Text(found) => text(Some(found)),
        AuditValue::Flag(is) => text(Some(if *is { "true" } else { "false" })),
        AuditValue::Number(_) | AuditValue::Missing => None,
    }
}
