//! The table of repeats: every total of one repeat over all subjects, and of each subject in it.

use super::SmallRow;
use super::totals::totals;
use crate::dataset::cell::{
    RecordCell, RecordColumn, cells, column, count, fields, no_cells, num, required, text,
};
use crate::export::ColumnField;
use crate::export::ExportType::{Count, Flag, Number, Text};
use crate::policy::GateVerdict;
use crate::workspace::Entry;

/// A repeat, or one subject of it.
struct RepeatRecord<'a> {
    entry: &'a Entry,
    repeat: u32,
    subject: Option<&'a str>,
}

/// The columns.
pub(super) fn schema() -> Vec<ColumnField> {
    fields(&own()).chain(fields(&totals())).chain(fields(&gate())).collect()
}

/// A row for each repeat of `entry`, and for each subject of it.
pub(super) fn rows(entry: &Entry) -> Vec<SmallRow> {
    let mut rows = Vec::new();
    for figures in &entry.figures.repeats {
        let repeat = figures.repeat;
        let mut whole = cells(&own(), &RepeatRecord { entry, repeat, subject: None });
        whole.extend(cells(&totals(), &figures.totals));
        match &figures.gate {
            Some(found) => whole.extend(cells(&gate(), found)),
            None => whole.extend(no_cells(&gate())),
        }
        rows.push(whole);
        for (subject, own_totals) in &figures.subjects {
            let mut row = cells(&own(), &RepeatRecord { entry, repeat, subject: Some(subject) });
            row.extend(cells(&totals(), own_totals));
            row.extend(no_cells(&gate()));
            rows.push(row);
        }
    }
    rows
}

fn own<'a>() -> Vec<RecordColumn<RepeatRecord<'a>>> {
    vec![
        required("evaluation", Text, |of: &RepeatRecord<'a>| text(Some(&of.entry.key))),
        required("repeat", Count, |of| count(of.repeat.into())),
        column("subject", Text, |of| text(of.subject)),
    ]
}

fn gate() -> Vec<RecordColumn<GateVerdict>> {
    vec![
        column("gate_value", Number, |of: &GateVerdict| num(of.value)),
        column("gate_passed", Flag, |of| of.is_passed.map(RecordCell::Flag)),
        column("gate_declared_passed", Flag, |of| of.declared_passed.map(RecordCell::Flag)),
        column("gate_reason", Text, |of| text(Some(&of.reason))),
    ]
}
