//! Tables.

use super::View;
use super::cell::{cell, link};
use crate::markup::Markup;
use crate::report::{Align, Cell, Column, Row, Table, TableShape};

/// A table with its caption and footnote; rows that open something have a link as their name.
/// `heading` is the element of the caption: `h2` under the page's title, `h3` under a part's.
pub fn table(table: &Table, heading: &'static str, view: View<'_>, out: &mut Markup) {
    out.open("div").class(table_class(table)).attr("id", &place_id(&table.id)).body(|out| {
        out.open(heading).class("data-table__caption").text(&table.caption);
        match &table.empty {
            Some(reason) if table.rows.is_empty() => {
                out.open("p").class("data-table__empty").text(reason);
            }
            _ => grid(table, view, out),
        }
        if let Some(text) = &table.footnote {
            out.open("p").class("data-table__footnote").text(text);
        }
    });
}

/// How a table stands in the page.
pub fn table_class(table: &Table) -> &'static str {
    match table.shape {
        TableShape::Plain => "data-table",
        TableShape::Entries => "data-table data-table--entries",
        TableShape::Matrix => "data-table data-table--matrix",
    }
}

/// Id of the caption of the table `id`, which is the table's name.
pub fn caption_id(id: &str) -> String {
    format!("caption-{id}")
}

/// Id of the table `id` in the document.
fn place_id(id: &str) -> String {
    format!("table-{id}")
}

fn grid(table: &Table, view: View<'_>, out: &mut Markup) {
    out.open("div")
        .class("data-table__scroll")
        .attr("id", &format!("rows-{}", table.id))
        .attr("role", "group")
        .attr("aria-label", &table.caption)
        .attr("tabindex", "0")
        .body(|out| {
            out.open("table").attr("aria-label", &table.caption).body(|out| {
                out.open("thead").body(|out| {
                    out.open("tr").body(|out| {
                        table.columns.iter().for_each(|column| column_heading(column, out));
                    });
                });
                out.open("tbody").body(|out| {
                    for row in &table.rows {
                        body_row(row, &table.columns, view, out);
                    }
                });
            });
        });
}

fn column_heading(column: &Column, out: &mut Markup) {
    out.open("th")
        .attr("scope", "col")
        .class(align_class(column.align))
        .attr_if("title", column.hint.as_deref())
        .text(&column.label);
}

/// How a column stands.
pub fn align_class(align: Align) -> &'static str {
    match align {
        Align::Start => "is-start",
        Align::End => "is-end",
    }
}

/// Characters from which on a text is given room on a narrow screen, where it would be a word wide.
const LONG_TEXT: usize = 40;

/// How a cell stands in its column.
pub fn cell_class(cell: &Cell, column: Option<&Column>) -> &'static str {
    match (cell, column.map_or(Align::Start, |column| column.align)) {
        (Cell::Text(text), Align::Start) if text.chars().nth(LONG_TEXT).is_some() => {
            "is-start is-long"
        }
        // A number and its unit stay together.
        (Cell::Bytes(_) | Cell::Secs(_) | Cell::Usd { .. }, Align::End) => "is-end is-unit",
        (_, align) => align_class(align),
    }
}

fn body_row(row: &Row, columns: &[Column], view: View<'_>, out: &mut Markup) {
    out.open("tr").body(|out| {
        for (idx, one) in row.cells.iter().enumerate() {
            let class = cell_class(one, columns.get(idx));
            match (idx, one, &row.link) {
                (0, Cell::Text(text), Some(to)) => {
                    out.open("th").attr("scope", "row").class(class).body(|out| {
                        link(to, view, out, |out| {
                            out.text(text);
                        });
                    });
                }
                (0, Cell::Text(text), None) => {
                    out.open("th").attr("scope", "row").class(class).text(text);
                }
                _ => out.open("td").class(class).body(|out| cell(one, view, out)),
            }
        }
    });
}
