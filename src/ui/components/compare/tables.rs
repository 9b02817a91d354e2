//! Tables of words.

use crate::render::compare::{ConfigShown, TableShown};
use crate::words::ui::compare as words;
use leptos::prelude::*;

/// A table whose first column names the rows.
pub fn table(shown: &TableShown, name: &str) -> AnyView {
    let heads = shown.heads.iter().enumerate().map(|(at, head)| {
        let class = if at > 0 { "is-end" } else { "" };
        view! { <th scope="col" class=class>{head.clone()}</th> }.into_any()
    });
    let rows = shown.rows.iter().map(|row| {
        let cells = row.iter().enumerate().map(|(at, cell)| match at {
            0 => view! { <th scope="row">{cell.clone()}</th> }.into_any(),
            _ => view! { <td class="is-end">{cell.clone()}</td> }.into_any(),
        });
        view! { <tr>{cells.collect_view()}</tr> }.into_any()
    });
    view! {
        <div class="words-table__scroll" role="group" aria-label=name.to_owned() tabindex="0">
            <table class="words-table">
                <thead><tr>{heads.collect_view()}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// What differs between the files of the sides.
pub fn configuration(all: &[ConfigShown]) -> AnyView {
    if all.is_empty() {
        return view! { <p class="card__body card__note">{words::SAME_CONFIGURATION}</p> }
            .into_any();
    }
    let heads =
        words::CONFIGURATION_HEADS.map(|head| view! { <th scope="col">{head}</th> }.into_any());
    let rows = all.iter().map(|one| {
        let ConfigShown { path, baseline, candidate, about } = one.clone();
        let value = |value: Option<String>| match value {
            Some(value) => view! { <td dir="auto">{value}</td> }.into_any(),
            None => view! { <td class="is-faint">"–"</td> }.into_any(),
        };
        view! {
            <tr><th scope="row"><code>{path}</code></th><td class="is-faint words-table__about">{about}</td>{value(baseline)}{value(candidate)}</tr>
        }
        .into_any()
    });
    view! {
        <div class="words-table__scroll" role="group" aria-label=words::CONFIGURATION tabindex="0">
            <table class="words-table words-table--long">
                <thead><tr>{heads.collect_view()}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}
