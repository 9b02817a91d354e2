//! The heat map: its rows, and what its marks mean.

use super::ActiveCase;
use super::columns::HEAT_COLUMNS;
use super::rows::CaseRows;
use crate::format;
use crate::render::{Look, outcome_sign};
use crate::report::{Across, Outcome};
use crate::ui::state::{live, use_store};
use crate::words::ui::cases as words;
use crate::worker::protocol::{HeatFrame, HeatRow};
use leptos::prelude::*;

/// The cells of row `at`; `names` are those of the columns.
pub fn heat_cells(
    row: &HeatRow,
    at: u64,
    names: &[String],
    active: ActiveCase,
    look: Look,
) -> AnyView {
    let line = &row.line;
    let number = |value: Option<crate::report::Num>| {
        value.map_or_else(|| format::UNKNOWN.to_owned(), |value| look.score(value.0))
    };
    let group = line.group.clone().unwrap_or_else(|| format::UNKNOWN.to_owned());
    let first = view! {
        <div class="grid__cell" role="gridcell" aria-colindex="1">
            <span class="grid__id" dir="auto" title=line.id.clone()>{line.id.clone()}</span>" "
        </div>
        <div class="grid__cell" role="gridcell" aria-colindex="2"><span dir="auto" title=group.clone()>{group.clone()}</span>" "</div>
        <div class="grid__cell is-end" role="gridcell" aria-colindex="3">{number(line.instability)}" "</div>
        <div class="grid__cell is-end" role="gridcell" aria-colindex="4">{number(line.mean)}" "</div>
    };
    let cells = line.cells.iter().enumerate().map(|(nth, cell)| {
        let name = names.get(nth).map_or("", String::as_str);
        let body = match cell {
            None => view! { <span class="heat__none" title=words::NOT_IN_RUN></span> }.into_any(),
            Some(cell) => {
                let score = cell.score.map(|score| look.score(score.0));
                let said = match &score {
                    Some(score) => words::heat_cell_scored(name, cell.outcome, score),
                    None => words::heat_cell(name, cell.outcome),
                };
                let class = format!("heat__cell heat__cell--{}", cell.outcome.as_str());
                let place = (at, nth as u64);
                let is_active =
                    move || active.row.get() == place.0 && active.cell.get() == Some(place.1);
                let address = row.addresses.get(nth).cloned().unwrap_or_default();
                // Reached with the arrow keys, not with Tab: there are thousands.
                view! {
                    <a
                        class=class class:is-active-cell=live(is_active) href=address id=cell_id(at, place.1)
                        tabindex="-1" title=said
                    >
                        <span aria-hidden="true">{outcome_sign(cell.outcome)}</span>
                        {score.map(|score| view! { <span class="heat__score" aria-hidden="true">{score}</span> })}
                    </a>
                }
                .into_any()
            }
        };
        let nth = nth + HEAT_COLUMNS.len() + 1;
        view! { <div class="grid__cell heat__place" role="gridcell" aria-colindex=nth>{body}" "</div> }
            .into_any()
    });
    let cells = cells.collect_view();
    view! { {first}{cells} }.into_any()
}

/// The id of a cell.
pub fn cell_id(row: u64, nth: u64) -> String {
    format!("case-cell-{row}-{nth}")
}

/// What the marks mean, what is side by side, and what is left out.
#[component]
pub fn HeatLegend(
    /// The rows.
    rows: CaseRows,
) -> impl IntoView {
    live(move || {
        let frame = rows.frame.get()?;
        let heat = frame.heat.as_ref()?;
        Some(legend(heat))
    })
}

fn legend(heat: &HeatFrame) -> AnyView {
    let store = use_store();
    let keys = Outcome::ALL.iter().map(|outcome| {
        let class = format!("heat__mark heat__cell--{}", outcome.as_str());
        view! {
            <span class="heat__key"><span class=class aria-hidden="true">{outcome_sign(*outcome)}</span>{outcome.as_str()}</span>
        }
        .into_any()
    });
    let across = store.route.with_untracked(|route| route.heat.unwrap_or_default());
    let others = [
        (Across::Runs, heat.has_runs, words::ACROSS_RUNS),
        (Across::Attempts, heat.has_attempts, words::ACROSS_ATTEMPTS),
    ];
    let others = others.into_iter().filter(|(heat, is_there, _)| *is_there && *heat != across).map(
        |(heat, _, name)| {
            let go = move |_| store.go(|route| route.heat = Some(heat));
            view! { <button type="button" class="link" on:click=crate::ui::state::handler(go)>{name}</button> }
                .into_any()
        },
    );
    let hidden = (heat.n_hidden > 0).then(|| {
        let said = words::hidden_columns(heat.n_hidden);
        view! { <span class="heat__words">{said}</span> }.into_any()
    });
    view! {
        <div class="heat__legend">
            {keys.collect_view()}
            <span class="heat__words">{words::INSTABILITY}</span>
            {others.collect_view()}
            {hidden}
        </div>
    }
    .into_any()
}
