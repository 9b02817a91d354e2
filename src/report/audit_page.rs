//! The audit as a page.

use super::audit::audit;
use super::table::Column;
use super::workspace::Workspace;
use super::{AuditRow, AuditValue, Cell, Row, Section, Sections, Switch, Table};

/// Every declared figure beside the computed one; only those that differ unless `is_whole`.
pub(super) fn audit_page(workspace: &Workspace, is_whole: bool) -> Sections {
    let report = audit(workspace);
    let total = report.n_agreeing + report.n_differing;
    let caption = match report.n_differing {
        0 => format!("All {total} figures agree"),
        n => format!("{n} of {total} figures differ"),
    };
    let mut table = Table::new(
        "audit",
        &caption,
        vec![
            Column::words("Figure"),
            Column::words("Of"),
            Column::numbers("Declared", "What the file says"),
            Column::numbers("Computed", "What the cases give"),
            Column::words("Comparison"),
            Column::words("Why"),
        ],
    );
    let shown = report.rows.iter().filter(|row| is_whole || !row.agrees);
    table.rows = shown.map(audit_row).collect();
    if table.rows.is_empty() {
        table.empty =
            Some("No differences. Untick the box to see the figures that agree.".to_owned());
    }
    Sections {
        title: "Audit".to_owned(),
        lead: Some(
            "What the files declare about their totals, beside what their cases give.".to_owned(),
        ),
        switch: Some(Switch { label: "Only differences".to_owned(), is_on: !is_whole }),
        sections: vec![Section { tables: vec![table], ..Section::default() }],
        empty: (total == 0).then(|| {
            "The files declare no figures of their own, so there is nothing to compare.".to_owned()
        }),
        ..Sections::default()
    }
}

fn audit_row(row: &AuditRow) -> Row {
    let of: Vec<String> = [Some(row.evaluation.clone()), row.run.clone(), row.subject.clone()]
        .into_iter()
        .flatten()
        .chain(row.repeat.map(|repeat| format!("repeat {repeat}")))
        .collect();
    let word = if row.agrees { "= same" } else { "≠ differs" };
    let cells = vec![
        Cell::Text(row.field.clone()),
        Cell::Text(of.join(" · ")),
        value(&row.declared),
        value(&row.computed),
        Cell::Tag { text: word.to_owned(), is_bad: !row.agrees },
        Cell::Text(row.why.clone().unwrap_or_default()),
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
        AuditValue::Missing => Cell::Missing("not stated, or not defined".to_owned()),
    }
}
