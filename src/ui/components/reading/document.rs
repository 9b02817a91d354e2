//! Files that changed and rows of a document's table.

use super::leading::Leading;
use crate::reading::FileShown;
use crate::ui::components::report::paced;
use crate::ui::state::{handler, use_store};
use crate::words::ui::case as words;
use leptos::prelude::*;

/// Cells that come into the document at once, about.
const MAX_CELLS: usize = 300;

/// The files that changed.
pub fn files(all: &[FileShown]) -> AnyView {
    let (store, leading): (_, Leading) = (use_store(), expect_context());
    let lines = all.iter().map(|file| {
        let path = file.path.clone();
        let name = match file.way.clone() {
            Some(way) => {
                let press = move |_| leading.go(store, &way);
                view! { <button type="button" class="jump place" dir="auto" on:click=handler(press)>{path}</button> }
                    .into_any()
            }
            None => view! { <bdi>{path}</bdi> }.into_any(),
        };
        let [change, added, removed, sizes] = file.cells.clone();
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td>{change}</td>
                <td class="is-end document__added">{added}</td>
                <td class="is-end document__removed">{removed}</td>
                <td class="is-end">{sizes}</td>
            </tr>
        }
        .into_any()
    });
    let heads = words::FILE_COLUMNS.iter().enumerate().map(|(at, title)| {
        let class = if at < 2 { "" } else { "is-end" };
        view! { <th scope="col" class=class>{*title}</th> }.into_any()
    });
    view! {
        <div class="data-table__scroll" tabindex="0" role="group" aria-label=words::FILES>
            <table class="document__files" aria-label=words::FILES>
                <thead><tr>{heads.collect_view()}</tr></thead>
                <tbody>{lines.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// Rows of a table.
pub fn rows(columns: &[String], all: &[Vec<String>]) -> AnyView {
    let heads = columns
        .iter()
        .map(|column| view! { <th scope="col" dir="auto">{column.clone()}</th> }.into_any());
    let per_row = columns.len().max(1);
    let chunks = all.chunks((MAX_CELLS / per_row).max(1)).map(|rows| {
        let rows = rows.to_vec();
        paced(rows.len() * per_row * 2, move || {
            rows.iter().map(|cells| row(cells)).collect_view().into_any()
        })
    });
    view! {
        <div class="data-table__scroll" tabindex="0" role="group" aria-label=words::ROWS>
            <table aria-label=words::ROWS>
                <thead><tr>{heads.collect_view()}</tr></thead>
                <tbody>{chunks.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn row(cells: &[String]) -> AnyView {
    let cells = cells.iter().map(|cell| view! { <td><bdi>{cell.clone()}</bdi></td> }.into_any());
    view! { <tr>{cells.collect_view()}</tr> }.into_any()
}
