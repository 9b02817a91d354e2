//! The audit as a page.

use super::audit;
use crate::report::table::Column;
use crate::report::workspace::Workspace;
use crate::report::{
    AuditRow, AuditValue, Cell, Link, Row, Section, Sections, Severity, Switch, Table,
};

/// Every declared figure beside the computed one, or only those that differ, then what could not be
/// compared.
pub(in crate::report) fn audit_page(workspace: &Workspace, is_whole: bool) -> Sections {
    let report = audit(workspace);
    let mut table = Table::new(
        "audit",
        &report.words,
        vec![
            Column::words("Figure"),
            Column::words("Comparison"),
            Column::numbers("Declared", "What the file says"),
            Column::numbers("Computed", "What the cases give"),
            Column::numbers("Difference", "Computed − declared"),
            Column::words("Why"),
            Column::words("Of"),
            Column::words("File"),
        ],
    );
    let shown = report.rows.iter().filter(|row| is_whole || !row.agrees);
    table.rows = shown.map(audit_row).collect();
    if table.rows.is_empty() {
        table.empty = Some(if report.n_agreeing == 0 {
            "The files declare no figures of their own, so there is nothing to compare.".to_owned()
        } else {
            "No differences. Untick the box to see the figures that agree.".to_owned()
        });
    }
    let mut tables = vec![table];
    if !report.unchecked.rows.is_empty() {
        tables.push(report.unchecked);
    }
    Sections {
        title: "Audit".to_owned(),
        lead: Some(report.lead),
        switch: Some(Switch { label: "Only differences".to_owned(), is_on: !is_whole }),
        sections: vec![Section { tables, ..Section::default() }],
        ..Sections::default()
    }
}

fn audit_row(row: &AuditRow) -> Row {
    let word = match row.severity {
        Severity::Agrees => "= same",
        Severity::Expected => "≠ as expected",
        Severity::Minor => "≈ nearly",
        Severity::Major => "≠ differs",
    };
    let difference = row.difference.map_or(AuditValue::Missing, AuditValue::Number);
    let is_bad = row.severity == Severity::Major;
    let cells = vec![
        Cell::Text(row.field.clone()),
        Cell::Tag { text: word.to_owned(), is_bad },
        value(&row.declared),
        value(&row.computed),
        value(&difference),
        Cell::Text(row.why.clone().unwrap_or_default()),
        Cell::Text(row.about.clone()).opening(Some(Link::Target(row.target))),
        Cell::Text(row.file.clone()),
    ];
    Row { cells, link: None }
}

/// A compared value, with all digits that it has: a small difference must be seen.
fn value(value: &AuditValue) -> Cell {
    match value {
        AuditValue::Number(number) => Cell::Text(number.0.to_string()),
        AuditValue::Flag(true) => Cell::Text("yes".to_owned()),
        AuditValue::Flag(false) => Cell::Text("no".to_owned()),
        AuditValue::Text(text) => Cell::Text(text.clone()),
        AuditValue::Missing => Cell::Missing("not stated, or no number".to_owned()),
    }
}
