//! What was found about the files: comparisons with what they declare, what could not be compared, notes.

use super::{model, put_open, separated, tree};
use crate::export::job::ExportContext;
use crate::model::Note;
use crate::report::{AuditRow, AuditValue, Target, UncheckedGroup};
use crate::workspace::Entry;
use serde_json::{Value, json};
use std::io;

/// The notes that belong to what is exported; of everything, also those of no evaluation.
fn notes_of<'a>(cx: &ExportContext<'a>) -> Vec<(Option<&'a Entry>, &'a Note)> {
    match cx.selection.target {
        Target::All => cx.workspace.notes_by_entry(),
        _ => {
            let entries = cx.selection.entries(cx.workspace);
            entries
                .flat_map(|entry| entry.notes.iter().map(move |note| (Some(entry), note)))
                .collect()
        }
    }
}

/// Writes the list of notes, up to its end.
pub(super) fn put_notes(cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    out.extend(b"\"notes\":[");
    separated(out, notes_of(cx).into_iter(), |out, (of, note)| {
        put_open(out, &note_value(note))?;
        model::put_note(out, of, note)
    })
}

/// A compared value.
pub(super) fn value_of(value: &AuditValue) -> Value {
    match value {
        AuditValue::Number(number) => tree(number),
        AuditValue::Flag(flag) => json!(flag),
        AuditValue::Text(text) => json!(text),
        AuditValue::Missing => Value::Null,
    }
}

/// A comparison.
pub(super) fn audit_value(row: &AuditRow) -> Value {
    json!({
        "evaluation": row.evaluation_id,
        "run": row.run,
        "repeat": row.repeat,
        "subject": row.subject,
        "file": row.file,
        "field": row.field,
        "declared": value_of(&row.declared),
        "computed": value_of(&row.computed),
        "difference": row.difference,
        "agrees": row.agrees,
        "severity": row.severity.as_str(),
        "why": row.why,
    })
}

/// What could not be compared.
pub(super) fn unchecked_value(group: &UncheckedGroup) -> Value {
    let fields = group.fields.iter().map(|field| {
        json!({ "field": field.field, "count": field.count, "value": value_of(&field.value) })
    });
    json!({
        "evaluation": group.evaluation_id,
        "file": group.file,
        "why": group.why,
        "count": group.count,
        "fields": fields.collect::<Vec<Value>>(),
    })
}

fn note_value(note: &Note) -> Value {
    let at: Vec<String> = note.places.iter().map(ToString::to_string).collect();
    json!({
        "file": note.file,
        "kind": note.kind.as_str(),
        "at": at.join("; "),
        "detail": note.detail,
        "count": note.count,
    })
}
