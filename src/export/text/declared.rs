//! An evaluation of which only totals are among the files: what its overview shows, as text.

use super::ExportContext;
use super::layout::TextLines;
use crate::export::words::{cell_words, headline_words};
use crate::report::{Table, Target, Topic, sections};
use crate::workspace::Entry;

/// Headlines and tables of declared figures.
pub(super) fn summary(cx: &ExportContext<'_>, entry: &Entry, lines: &mut TextLines) {
    let topic = Topic::Overview(Target::Evaluation(entry.id));
    let Some(page) = sections(cx.workspace, topic) else { return };
    lines.rule();
    lines.line(&format!("Evaluation: {} (declared)", entry.evaluation.label));
    lines.rule();
    if let Some(lead) = &page.lead {
        lines.line(lead);
        lines.gap();
    }
    let costs = page.sections.iter().flat_map(|section| &section.headlines);
    let facts: Vec<(&str, String)> = page
        .headlines
        .iter()
        .chain(costs)
        .map(|one| (one.label.as_str(), headline_words(one, cx.look)))
        .collect();
    lines.line("Results, as declared:");
    lines.facts("  ", &facts);
    lines.gap();
    let tables = page.sections.iter().flat_map(|section| &section.tables);
    for table in tables.filter(|table| table.id.starts_with("declared-")) {
        put(cx, table, lines);
    }
}

fn put(cx: &ExportContext<'_>, table: &Table, lines: &mut TextLines) {
    lines.line(&format!("{}:", table.caption));
    let head = table.columns.iter().map(|column| column.label.clone()).collect();
    let mut rows: Vec<Vec<String>> = vec![head];
    rows.extend(
        table
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell_words(cell, cx.look)).collect()),
    );
    lines.columns("  ", &rows);
    if let Some(note) = &table.footnote {
        lines.line(&format!("  {note}"));
    }
    lines.gap();
}
