//! Tables as `report` gives them.

use super::CellView;
use super::LinkButton;
use crate::format;
use crate::report::{Align, Cell, Link, Row, Table};
use crate::ui::state::{handler, live};
use leptos::prelude::*;

/// Rows that are drawn before the reader asks for the rest.
const FIRST_ROWS: usize = 300;

/// A table with its caption and footnote; rows that open something are links.
#[component]
pub fn DataTable(
    /// What to draw.
    table: Table,
) -> impl IntoView {
    let Table { id, caption, columns, rows, empty, footnote } = table;
    let aligns: Vec<_> = columns.iter().map(|column| column.align).collect();
    let head = columns
        .into_iter()
        .map(|column| {
            view! {
                <th scope="col" class=align_class(column.align) title=column.hint>{column.label}</th>
            }
            .into_any()
        })
        .collect_view();
    let body = match empty {
        Some(reason) if rows.is_empty() => {
            view! { <p class="data-table__empty">{reason}</p> }.into_any()
        }
        _ => {
            let label = caption.clone();
            let n_rows = rows.len();
            let is_whole = RwSignal::new(n_rows <= FIRST_ROWS);
            let body = move || {
                let limit = if is_whole.get() { n_rows } else { FIRST_ROWS };
                rows.iter().take(limit).map(|row| table_row(row.clone(), &aligns)).collect_view()
            };
            let show_all = move || {
                (!is_whole.get()).then(|| {
                    let words = format!("Show all {}", format::count(n_rows as u64));
                    view! { <button type="button" class="button button--small" on:click=handler(move |_| is_whole.set(true))>{words}</button> }
                        .into_any()
                })
            };
            view! {
                <div class="data-table__scroll" role="group" aria-label=label tabindex="0">
                    <table>
                        <thead><tr>{head}</tr></thead>
                        <tbody>{live(body)}</tbody>
                    </table>
                </div>
                {live(show_all)}
            }
            .into_any()
        }
    };
    let heading_id = format!("table-{id}");
    view! {
        <div class="data-table">
            <h2 class="data-table__caption" id=heading_id>{caption}</h2>
            {body}
            {footnote.map(|text| view! { <p class="data-table__footnote">{text}</p> }.into_any())}
        </div>
    }
}

fn align_class(align: Align) -> &'static str {
    match align {
        Align::Start => "is-start",
        Align::End => "is-end",
    }
}

fn table_row(row: Row, aligns: &[Align]) -> AnyView {
    let link = row.link;
    let cells = row
        .cells
        .into_iter()
        .enumerate()
        .map(|(idx, cell)| {
            let class = align_class(aligns.get(idx).copied().unwrap_or(Align::Start));
            match (idx, cell) {
                (0, Cell::Text(text)) => {
                    view! { <th scope="row" class=class>{first_cell(text, link.clone())}</th> }
                        .into_any()
                }
                (_, cell) => view! { <td class=class><CellView cell/></td> }.into_any(),
            }
        })
        .collect_view();
    view! { <tr>{cells}</tr> }.into_any()
}

/// The name of a row, as a link when it opens something.
fn first_cell(text: String, link: Option<Link>) -> AnyView {
    let Some(link) = link else { return text.into_any() };
    view! { <LinkButton link body=text.into_any()/> }.into_any()
}
