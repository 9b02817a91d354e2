//! Values that differ, as a table.

use super::part::opened;
use crate::format;
use crate::reading::{ChangeShown, ChangedValue, DiffSign};
use crate::ui::components::report::paced;
use crate::words::ui::case as words;
use leptos::prelude::*;

/// Rows that come into the document together, and elements of one.
const MAX_AT_ONCE: usize = 40;
const ELEMENTS: usize = 8;

/// The table.
pub fn changes(all: &[ChangeShown]) -> AnyView {
    let heads =
        words::CHANGE_COLUMNS.iter().map(|head| view! { <th scope="col">{*head}</th> }.into_any());
    let chunks = all.chunks(MAX_AT_ONCE).map(|chunk| {
        let chunk = chunk.to_vec();
        paced(chunk.len() * ELEMENTS, move || chunk.iter().map(row).collect_view().into_any())
    });
    view! {
        <div class="changes" role="group" tabindex="0" aria-label=words::CHANGES>
            <table aria-label=words::CHANGES>
                <thead><tr>{heads.collect_view()}</tr></thead>
                <tbody>{chunks.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn row(change: &ChangeShown) -> AnyView {
    let class = match change.sign {
        DiffSign::Removed => "changes__kind changes__kind--missing",
        DiffSign::Added => "changes__kind changes__kind--extra",
        DiffSign::Same => "changes__kind",
    };
    let (path, word) = (change.path.clone(), change.word.clone());
    let values = change
        .values
        .iter()
        .map(|one| view! { <td class="changes__value">{value(one)}</td> }.into_any());
    view! {
        <tr>
            <th scope="row" class="changes__path"><bdi>{path}</bdi></th>
            <td class=class>{word}</td>
            {values.collect_view()}
        </tr>
    }
    .into_any()
}

fn value(value: &ChangedValue) -> AnyView {
    match value {
        ChangedValue::Nothing => view! {
            <span aria-hidden="true">{format::UNKNOWN}</span>
            <span class="visually-hidden">{words::NOTHING}</span>
        }
        .into_any(),
        ChangedValue::Short(text) => {
            let text = text.clone();
            view! { <bdi>{text}</bdi> }.into_any()
        }
        ChangedValue::Long { preview, size, text, is_cut } => {
            let (preview, size, text) = (preview.clone(), size.clone(), text.clone());
            let summary =
                view! { <bdi>{preview}</bdi>" "<span class="fold__size">{size}</span> }.into_any();
            let cut =
                is_cut.then(|| view! { <p class="diff__note">{words::CUT_VALUE}</p> }.into_any());
            let inner = view! { <pre class="text" tabindex="0">{text}</pre>{cut} }.into_any();
            opened("", RwSignal::new(false), summary, inner)
        }
    }
}
