//! Charts with their words, the table behind them, and what saves them.

use super::paced::paced;
use super::table::table;
use super::{HeadingLevel, ReportContext, heading};
use crate::browser;
use crate::markup::Markup;
use crate::render::{NOTHING, PICTURES, file_stem, title_id};
use crate::report::ChartFigure;
use crate::ui::components::inserted_markup::stretched;
use crate::ui::components::{MoreItem, more_menu};
use crate::ui::state::shown;
use crate::words::ui::overview as words;
use leptos::prelude::*;

/// From this width of the page on, in pixels, a table has room beside its chart: the style sheet says the same.
const WIDE: f64 = 1200.0;

/// Elements of a figure besides its chart, about.
const ELEMENTS: usize = 60;

/// Charts side by side. A lone one, with nothing else in its section (`is_all`), has its table beside it.
pub fn figures(
    figures: &[ChartFigure],
    is_all: bool,
    level: HeadingLevel,
    cx: &ReportContext,
) -> AnyView {
    let is_lone = is_all && figures.len() == 1;
    let groups = figures.chunk_by(|left, right| left.is_small == right.is_small).map(|group| {
        let is_small = group.first().is_some_and(|figure| figure.is_small);
        let class = match (is_small, is_lone) {
            (true, _) => "figures figures--small",
            (false, true) => "figures figures--lone",
            (false, false) => "figures",
        };
        let group = group.iter().map(|one| {
            let (one, cx) = (one.clone(), cx.clone());
            // Where the chart is larger than a frame's share, its first stretch comes with the figure.
            let n_elements = ELEMENTS + cx.shown.picture(&one).map_or(0, Markup::n_elements);
            paced(n_elements, move || figure(&one, is_lone, level, &cx))
        });
        view! { <div class=class>{group.collect_view()}</div> }.into_any()
    });
    groups.collect_view().into_any()
}

fn figure(figure: &ChartFigure, is_lone: bool, level: HeadingLevel, cx: &ReportContext) -> AnyView {
    let lead = (!figure.lead.is_empty())
        .then(|| view! { <p class="figure__lead">{figure.lead.clone()}</p> }.into_any());
    let has_table = RwSignal::new(is_lone && browser::width() >= WIDE);
    let picture = cx.shown.picture(figure);
    let menu = picture.is_some().then(|| menu(figure, has_table, cx));
    let body = match picture {
        Some(picture) => plot(figure, picture, has_table, cx),
        None => {
            let reason = figure.empty.clone().unwrap_or_else(|| NOTHING.to_owned());
            let behind = (!figure.table.rows.is_empty()).then(|| behind(figure, cx));
            view! {
                <p class="figure__empty">{reason}</p>
                {behind.map(|behind| view! { <div class="figure__foot">{behind}</div> }.into_any())}
            }
            .into_any()
        }
    };
    view! {
        <figure class="figure" id=format!("figure-{}", figure.id)>
            <figcaption class="figure__head">
                <div class="figure__words">
                    {heading(level, "figure__title", Some(title_id(&figure.id)), figure.title.clone())}
                    {lead}
                </div>
                {menu}
            </figcaption>
            {body}
        </figure>
    }
    .into_any()
}

/// The table behind the chart, and what saves it.
fn menu(figure: &ChartFigure, has_table: RwSignal<bool>, cx: &ReportContext) -> AnyView {
    let (id, name, store) = (figure.id.clone(), file_stem(&figure.title), cx.store);
    let table = MoreItem {
        label: words::CHART_TABLE,
        is_on: Some(has_table),
        act: Callback::new(move |()| has_table.update(|is_on| *is_on = !*is_on)),
    };
    let save = PICTURES.map(|(sort, label)| {
        let (id, name) = (id.clone(), name.clone());
        let act = Callback::new(move |()| store.save_figure(sort, id.clone(), &name));
        MoreItem { label, is_on: None, act }
    });
    let items = std::iter::once(table).chain(save).collect();
    more_menu(format!("more-{id}"), words::chart_menu(&figure.title), items)
}

/// The chart, and the table behind it when asked for.
fn plot(
    figure: &ChartFigure,
    picture: &Markup,
    has_table: RwSignal<bool>,
    cx: &ReportContext,
) -> AnyView {
    let (behind, cx) = (figure.table.clone(), cx.clone());
    view! {
        {stretched(picture, "figure__plot")}
        {shown(move || has_table.get(), move || view! {
            <div class="figure__table">{table(&behind, HeadingLevel::Four, &cx)}</div>
        }.into_any())}
    }
    .into_any()
}

/// The table where there is no chart.
fn behind(figure: &ChartFigure, cx: &ReportContext) -> AnyView {
    view! {
        <details class="figure__table">
            <summary>{words::CHART_TABLE}</summary>
            {table(&figure.table, HeadingLevel::Four, cx)}
        </details>
    }
    .into_any()
}
