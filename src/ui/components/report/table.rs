//! Tables.

use super::cell::{cell, link};
use super::paced::paced;
use super::{Cx, Level, heading};
use crate::format;
use crate::render::{align_class, cell_class};
use crate::report::{Cell, Column, Row, Table};
use crate::ui::state::handler;
use leptos::prelude::*;
use std::sync::Arc;

/// Cells that come into the document between two frames, about.
const MAX_CELLS: usize = 300;

/// Elements of a cell, about.
const ELEMENTS: usize = 2;

/// A table with its caption and footnote; rows that open something have a link as their name.
pub fn table(table: &Table, level: Level, cx: &Cx) -> AnyView {
    let body = match &table.empty {
        Some(reason) if table.rows.is_empty() => {
            view! { <p class="data-table__empty">{reason.clone()}</p> }.into_any()
        }
        _ => grid(table, cx),
    };
    let footnote = table.footnote.clone();
    view! {
        <div class="data-table" id=format!("table-{}", table.id)>
            {heading(level, "data-table__caption", None, table.caption.clone())}
            {body}
            {footnote.map(|words| view! { <p class="data-table__footnote">{words}</p> }.into_any())}
        </div>
    }
    .into_any()
}

fn grid(table: &Table, cx: &Cx) -> AnyView {
    let id = format!("rows-{}", table.id);
    let columns: Arc<[Column]> = table.columns.clone().into();
    let per_row = columns.len().max(1);
    let chunks = table.rows.chunks((MAX_CELLS / per_row).max(1)).map(|rows| {
        let (rows, columns, cx) = (rows.to_vec(), Arc::clone(&columns), cx.clone());
        paced(rows.len() * per_row * ELEMENTS, move || {
            rows.iter().map(|one| row(one, &columns, &cx)).collect_view().into_any()
        })
    });
    let more = cx.shown.n_rows(table).map(|n_rows| more(&table.id, n_rows, cx));
    view! {
        <div class="data-table__scroll" id=id role="group" aria-label=table.caption.clone() tabindex="0">
            <table>
                <thead><tr>{columns.iter().map(column).collect_view()}</tr></thead>
                <tbody>{chunks.collect_view()}</tbody>
            </table>
        </div>
        {more}
    }
    .into_any()
}

/// What shows the rows that are not there yet.
fn more(id: &str, n_rows: u64, cx: &Cx) -> AnyView {
    let (id, store) = (id.to_owned(), cx.store);
    let words = format!("Show all {}", format::count(n_rows));
    let show = move |_| store.show_whole(&id);
    view! { <button type="button" class="button button--small" on:click=handler(show)>{words}</button> }
        .into_any()
}

fn column(column: &Column) -> AnyView {
    let (class, hint) = (align_class(column.align), column.hint.clone());
    view! { <th scope="col" class=class title=hint>{column.label.clone()}</th> }.into_any()
}

fn row(row: &Row, columns: &[Column], cx: &Cx) -> AnyView {
    let cells = row.cells.iter().enumerate().map(|(at, one)| {
        let class = cell_class(one, columns.get(at));
        let body = cell(one, cx);
        if at > 0 || !matches!(one, Cell::Text(_)) {
            return view! { <td class=class>{body}</td> }.into_any();
        }
        let body = match &row.link {
            Some(to) => link(to, cx, body),
            None => body,
        };
        view! { <th scope="row" class=class>{body}</th> }.into_any()
    });
    view! { <tr>{cells.collect_view()}</tr> }.into_any()
}
