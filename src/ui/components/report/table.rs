//! Tables whose rows a click on the head of a column sorts.

use super::cell::{cell, link};
use super::paced::paced;
use super::{HeadingLevel, ReportContext, heading};
use crate::render::{align_class, caption_id, cell_class, table_class};
use crate::report::{Align, Cell, Column, Row, Table, TableShape};
use crate::ui::state::{handler, live, memo};
use crate::words::ui::report as words;
use leptos::prelude::*;
use std::sync::Arc;

/// Cells that come into the document between two frames, about.
const MAX_CELLS: usize = 100;

/// Elements of a cell, about.
const ELEMENTS: usize = 3;

/// A table with its caption and footnote; rows that open something have a link as their name.
pub fn table(table: &Table, level: HeadingLevel, cx: &ReportContext) -> AnyView {
    let body = match &table.empty {
        Some(reason) if table.rows.is_empty() => {
            view! { <p class="data-table__empty">{reason.clone()}</p> }.into_any()
        }
        _ => grid(table, cx),
    };
    let footnote = table.footnote.clone();
    view! {
        <div class=table_class(table) id=format!("table-{}", table.id)>
            {heading(level, "data-table__caption", Some(caption_id(&table.id)), table.caption.clone())}
            {body}
            {footnote.map(|words| view! { <p class="data-table__footnote">{words}</p> }.into_any())}
        </div>
    }
    .into_any()
}

fn grid(table: &Table, cx: &ReportContext) -> AnyView {
    let id = format!("rows-{}", table.id);
    let n_rows = cx.shown.n_rows(table);
    let table = Arc::new(table.clone());
    let more = n_rows.map(|n_rows| more(&table.id, n_rows, cx));
    let heads = (0..table.columns.len()).filter_map(|at| head(at, &table, n_rows.is_some(), cx));
    let heads = heads.collect_view();
    let (caption, name) = (caption_id(&table.id), caption_id(&table.id));
    view! {
        <div class="data-table__scroll" id=id role="group" aria-labelledby=caption tabindex="0">
            <table role="table" aria-labelledby=name>
                <thead role="rowgroup"><tr role="row">{heads}</tr></thead>
                <tbody role="rowgroup">{body(&table, cx)}</tbody>
            </table>
        </div>
        {more}
    }
    .into_any()
}

/// The rows in the order that the reader has chosen.
fn body(table: &Arc<Table>, cx: &ReportContext) -> AnyView {
    let (table, cx) = (Arc::clone(table), cx.clone());
    let (store, id) = (cx.store, table.id.clone());
    let sorting = memo(move || store.sorting(&id));
    live(move || {
        let order: Vec<usize> = match sorting.get() {
            Some(sorting) => sorting.order(&table),
            None => (0..table.rows.len()).collect(),
        };
        let per_row = table.columns.len().max(1);
        let chunks = order.chunks((MAX_CELLS / per_row).max(1)).map(|rows| {
            let (rows, table, cx) = (rows.to_vec(), Arc::clone(&table), cx.clone());
            paced(rows.len() * per_row * ELEMENTS, move || {
                let rows = rows.iter().filter_map(|at| table.rows.get(*at));
                rows.map(|one| row(one, &table, &cx)).collect_view().into_any()
            })
        });
        chunks.collect_view()
    })
    .into_any()
}

/// What shows the rows that are not there yet.
fn more(id: &str, n_rows: u64, cx: &ReportContext) -> AnyView {
    let (id, store) = (id.to_owned(), cx.store);
    let words = words::show_all(n_rows);
    let show = move |_| store.show_whole(&id);
    view! { <button type="button" class="button button--small" on:click=handler(show)>{words}</button> }
        .into_any()
}

/// The head of a column. A table that is not here whole is asked for before it is sorted: its first rows
/// are not the first ones of another order.
fn head(at: usize, table: &Table, is_cut: bool, cx: &ReportContext) -> Option<AnyView> {
    let column = table.columns.get(at)?;
    let (class, hint) = (align_class(column.align), column.hint.clone());
    let label = column.label.clone();
    if label.is_empty() || table.rows.len() < 2 {
        return Some(
            view! { <th scope="col" role="columnheader" class=class title=hint>{label}</th> }
                .into_any(),
        );
    }
    let (store, id) = (cx.store, table.id.clone());
    let is_largest_first = column.align == Align::End;
    let press = move |_| {
        store.sort(&id, at, is_largest_first);
        if is_cut {
            store.show_whole(&id);
        }
    };
    let id = table.id.clone();
    let sorted = live(move || {
        let sorting = store.sorting(&id).filter(|sorting| sorting.column == at)?;
        Some(if sorting.is_descending { "descending" } else { "ascending" })
    });
    let hint = hint.unwrap_or_else(|| words::SORT.to_owned());
    Some(
        view! {
            <th scope="col" role="columnheader" class=class aria-sort=sorted>
                <button type="button" class="sort" title=hint on:click=handler(press)>{label}</button>
            </th>
        }
        .into_any(),
    )
}

fn row(row: &Row, table: &Table, cx: &ReportContext) -> AnyView {
    let cells = row.cells.iter().enumerate().map(|(at, one)| {
        let column = table.columns.get(at);
        let class = cell_class(one, column);
        let body = cell(one, cx);
        let label = entry_label(one, table, column);
        if at > 0 || !matches!(one, Cell::Text(_)) {
            return view! { <td role="cell" class=class>{label}{body}</td> }.into_any();
        }
        let body = match &row.link {
            Some(to) => link(to, cx, body),
            None => body,
        };
        view! { <th scope="row" role="rowheader" class=class>{label}{body}</th> }.into_any()
    });
    view! { <tr role="row">{cells.collect_view()}</tr> }.into_any()
}

/// The name of the column beside a cell, seen where rows are entries. The head says it to assistive tools. A blank
/// cell has none.
fn entry_label(one: &Cell, table: &Table, column: Option<&Column>) -> Option<AnyView> {
    let is_blank = matches!(one, Cell::Text(text) if text.is_empty());
    let label = column.filter(|_| table.shape == TableShape::Entries && !is_blank)?.label.clone();
    Some(view! { <span class="entry-label" aria-hidden="true">{label}</span> }.into_any())
}
