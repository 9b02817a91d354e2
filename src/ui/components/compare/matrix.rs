//! Outcomes on both sides: each number lists its pairs.

use super::versus::PairListState;
use crate::render::compare::{CameShown, CellKind, CellShown, MatrixShown};
use crate::ui::components::outcome_mark;
use crate::words::ui::compare as words;
use leptos::prelude::*;

/// The matrix.
pub fn matrix(shown: &MatrixShown, here: PairListState) -> AnyView {
    let heads =
        shown.columns.iter().map(|column| view! { <th scope="col">{came(column)}</th> }.into_any());
    let [all_a, all_b] = words::SUMS;
    let rows = shown.rows.iter().map(|(from, cells, sum)| {
        let cells = cells.iter().zip(&shown.columns).map(|(one, to)| cell(one.as_ref(), from, to, here));
        view! {
            <tr><th scope="row">{came(from)}</th>{cells.collect_view()}<td class="matrix__sum">{sum.clone()}</td></tr>
        }
        .into_any()
    });
    let sums = shown
        .sums
        .iter()
        .map(|sum| view! { <td class="matrix__sum">{sum.clone()}</td> }.into_any());
    view! {
        <div class="matrix__scroll" role="group" aria-label=words::MATRIX tabindex="0">
            <table class="matrix">
                <thead><tr><td></td>{heads.collect_view()}<th scope="col">{all_a}</th></tr></thead>
                <tbody>
                    {rows.collect_view()}
                    <tr><th scope="row">{all_b}</th>{sums.collect_view()}<td class="matrix__sum">{shown.all.clone()}</td></tr>
                </tbody>
            </table>
        </div>
    }
    .into_any()
}

fn cell(
    cell: Option<&CellShown>,
    from: &CameShown,
    to: &CameShown,
    here: PairListState,
) -> AnyView {
    let Some(CellShown { n, kind, address }) = cell.cloned() else {
        return view! { <td class="matrix__none">"0"</td> }.into_any();
    };
    let [same, regressed, fixed] = words::KINDS;
    let (class, kind) = match kind {
        CellKind::Same => ("", same),
        CellKind::Regressed => ("matrix__regressed", regressed),
        CellKind::Fixed => ("matrix__fixed", fixed),
        CellKind::Other => ("", ""),
    };
    let name = words::matrix_cell(&n, kind, &from.word, &to.word);
    let current = here.current(&address);
    view! {
        <td class=class><a href=address aria-label=name aria-current=current>{n}" "<small>{kind}</small></a></td>
    }
    .into_any()
}

/// Shape and word of how cases came out.
pub fn came(came: &CameShown) -> AnyView {
    let mark = came.outcome.map(outcome_mark);
    view! { <span class="came">{mark}{came.word.clone()}</span> }.into_any()
}
