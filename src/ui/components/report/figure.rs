//! Charts with their words, the table behind them, and what saves them.

use super::paced::paced;
use super::table::table;
use super::{Cx, Level, heading};
use crate::markup::Markup;
use crate::render::{NOTHING, PICTURES, file_stem, title_id};
use crate::report::Figure;
use crate::ui::components::drawn::stretched;
use crate::ui::state::handler;
use leptos::prelude::*;

/// Elements of a figure besides its chart, about.
const ELEMENTS: usize = 60;

/// Charts side by side.
pub fn figures(figures: &[Figure], level: Level, cx: &Cx) -> AnyView {
    let groups = figures.chunk_by(|left, right| left.is_small == right.is_small).map(|group| {
        let is_small = group.first().is_some_and(|figure| figure.is_small);
        let class = if is_small { "figures figures--small" } else { "figures" };
        let group = group.iter().map(|one| {
            let (one, cx) = (one.clone(), cx.clone());
            paced(ELEMENTS, move || figure(&one, level, &cx))
        });
        view! { <div class=class>{group.collect_view()}</div> }.into_any()
    });
    groups.collect_view().into_any()
}

fn figure(figure: &Figure, level: Level, cx: &Cx) -> AnyView {
    let lead = (!figure.lead.is_empty())
        .then(|| view! { <p class="figure__lead">{figure.lead.clone()}</p> }.into_any());
    let body = match cx.shown.picture(figure) {
        Some(picture) => plot(figure, picture, cx),
        None => {
            let reason = figure.empty.clone().unwrap_or_else(|| NOTHING.to_owned());
            view! { <p class="figure__empty">{reason}</p> }.into_any()
        }
    };
    view! {
        <figure class="figure" id=format!("figure-{}", figure.id)>
            <figcaption class="figure__head">
                {heading(level, "figure__title", Some(title_id(&figure.id)), figure.title.clone())}
                {lead}
            </figcaption>
            {body}
        </figure>
    }
    .into_any()
}

/// The chart, the table behind it, and what saves it.
fn plot(figure: &Figure, picture: &Markup, cx: &Cx) -> AnyView {
    let name = file_stem(&figure.title);
    let buttons = PICTURES.map(|(sort, words)| {
        let (store, id, name) = (cx.store, figure.id.clone(), name.clone());
        let save = move |_| store.save_figure(sort, id.clone(), &name);
        let label = format!("{words}: {}", figure.title);
        view! {
            <button type="button" class="button button--quiet" aria-label=label on:click=handler(save)>{words}</button>
        }
        .into_any()
    });
    view! {
        {stretched(picture, "figure__plot", || {})}
        <div class="figure__foot">
            <details class="figure__table">
                <summary>"Table"</summary>
                {table(&figure.table, Level::Four, cx)}
            </details>
            {buttons.collect_view()}
        </div>
    }
    .into_any()
}
