//! The audit as a page.

use super::audit;
use crate::format::{apart, non_finite};
use crate::report::table::Column;
use crate::report::{
    AuditRow, AuditValue, Cell, Link, Row, Section, Sections, Severity, Switch, Table, TableShape,
};
use crate::words::report::audit as words;
use crate::workspace::Workspace;

/// Every declared figure beside the computed one, or only those that differ, then what could not be
/// compared.
pub(in crate::report) fn audit_page(workspace: &Workspace, is_whole: bool) -> Sections {
    let report = audit(workspace);
    let mut table = Table::new(
        "audit",
        &report.words,
        vec![
            Column::words(words::FIGURE),
            Column::words(words::COMPARISON),
            Column::numbers(words::DECLARED, words::DECLARED_HINT),
            Column::numbers(words::COMPUTED, words::COMPUTED_HINT),
            Column::numbers(words::DIFFERENCE, words::DIFFERENCE_HINT),
            Column::words(words::REASON),
            Column::words(words::ABOUT),
            Column::words(words::FILE),
        ],
    );
    table.shape = TableShape::Entries;
    let shown = report.rows.iter().filter(|row| is_whole || !row.agrees);
    table.rows = shown.map(audit_row).collect();
    if table.rows.is_empty() {
        let empty = match report.n_agreeing {
            0 => words::NOTHING_DECLARED,
            _ => words::NO_DIFFERENCES,
        };
        table.empty = Some(empty.to_owned());
    }
    let mut tables = vec![table];
    if !report.unchecked.rows.is_empty() {
        tables.push(report.unchecked);
    }
    Sections {
        title: words::TITLE.to_owned(),
        lead: Some(report.lead),
        switch: Some(Switch { label: words::ONLY_DIFFERENCES.to_owned(), is_on: !is_whole }),
        sections: vec![Section { tables, ..Section::default() }],
        ..Sections::default()
    }
}

fn audit_row(row: &AuditRow) -> Row {
    let word = match row.severity {
        Severity::Agrees => words::AGREES,
        Severity::Expected => words::EXPECTED,
        Severity::Minor => words::MINOR,
        Severity::Major => words::MAJOR,
    };
    let difference = match row.difference {
        Some(difference) => Cell::Text(short(difference.0)),
        None => value(&AuditValue::Missing, &AuditValue::Missing),
    };
    let is_bad = row.severity == Severity::Major;
    let cells = vec![
        Cell::Text(row.field.clone()),
        Cell::Tag { text: word.to_owned(), is_bad },
        value(&row.declared, &row.computed),
        value(&row.computed, &row.declared),
        difference,
        Cell::Text(row.why.clone().unwrap_or_default()),
        Cell::Text(row.about.clone()).opening(Some(Link::Target(row.target))),
        Cell::Text(row.file.clone()),
    ];
    Row { cells, link: None }
}

/// A difference in six digits that count: what lies behind them is rounding.
fn short(value: f64) -> String {
    if let Some(word) = non_finite(value) {
        return word.to_owned();
    }
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    let size = rounded.abs();
    let is_far = size.is_finite() && size > 0.0 && !(1e-5..1e15).contains(&size);
    let text = if is_far { format!("{rounded:e}") } else { rounded.to_string() };
    text.replace('-', "−")
}

/// Decimals of a compared value, unless more of them tell it from the other one.
const DECIMALS: usize = 4;

/// A compared value; a difference from `other` is seen however small it is.
fn value(value: &AuditValue, other: &AuditValue) -> Cell {
    match value {
        AuditValue::Number(number) => {
            let other = if let AuditValue::Number(other) = other { other.0 } else { number.0 };
            Cell::Text(apart(number.0, other, DECIMALS))
        }
        AuditValue::Flag(true) => Cell::Text(words::YES.to_owned()),
        AuditValue::Flag(false) => Cell::Text(words::NO.to_owned()),
        AuditValue::Text(text) => Cell::Text(text.clone()),
        AuditValue::Missing => Cell::Missing(words::MISSING.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn differences_are_short_and_small_ones_are_seen() {
        assert_eq!(short(-0.339_999_999_999_999_97), "−0.34");
        assert_eq!(short(200.000_005), "200");
        assert_eq!(short(-5.0), "−5");
        assert_eq!(short(1.110_223e-16), "1.11022e−16");
        assert_eq!(short(0.0), "0");
        assert_eq!(short(f64::NEG_INFINITY), "−∞");
        assert_eq!(short(f64::NAN), "NaN");
    }
}
