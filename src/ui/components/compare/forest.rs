//! Differences with their intervals, each beside its numbers.

use super::sign;
use crate::render::compare::{MarkShown, PlotShown, RowShown};
use crate::ui::components::Ends;
use crate::words::ui::compare as words;
use leptos::prelude::*;

/// Plots below each other as one table with `heads`.
pub fn forest(plots: &[PlotShown], heads: &[&'static str], name: &'static str) -> AnyView {
    let heads = heads.iter().map(|head| {
        let class = head_class(head);
        let hint = match *head {
            words::HEAD_P => Some(words::P_HINT),
            words::HEAD_ADDS => Some(words::ADDS_HINT),
            _ => None,
        };
        let head = *head;
        if head.is_empty() {
            return view! { <td class=class></td> }.into_any();
        }
        view! { <th scope="col" class=class title=hint>{head}</th> }.into_any()
    });
    let heads = heads.collect_view();
    let plots = plots.iter().map(plot);
    view! {
        <div class="forest__scroll" role="group" aria-label=name tabindex="0">
            <table class="forest">
                <thead><tr>{heads}</tr></thead>
                {plots.collect_view()}
            </table>
        </div>
    }
    .into_any()
}

fn head_class(head: &str) -> &'static str {
    match head {
        "" => "forest__plot",
        words::HEAD_PAIRS | words::HEAD_P => "is-end forest__rare",
        words::HEAD_A | words::HEAD_B | words::HEAD_CANDIDATE => "is-end forest__value",
        words::HEAD_ADDS | words::HEAD_DIFFERENCE => "is-end",
        words::HEAD_SAYS => "forest__rare",
        _ => "",
    }
}

fn plot(plot: &PlotShown) -> AnyView {
    let rows = plot.rows.iter().map(|one| row(one, plot));
    let has_values = plot.rows.iter().any(|row| !row.values.is_empty());
    let has_parts = plot.rows.iter().any(|row| row.adds.is_some());
    let before = if has_parts || !has_values { 2 } else { 4 };
    let ticks = plot.ticks.iter().map(|tick| {
        let (at, x, words) = (tick.at.clone(), tick.at.clone(), tick.words.clone());
        view! {
            <line class="forest__grid" x1=at.clone() x2=at y1="0" y2="4"></line>
            <text x=x y="16" text-anchor="middle">{words}</text>
        }
        .into_any()
    });
    let [low, high] = plot.ends.clone();
    view! {
        <tbody>
            {rows.collect_view()}
            <tr class="forest__axis" aria-hidden="true">
                {(0..before).map(|at| view! { <td class=axis_class(at)></td> }.into_any()).collect_view()}
                <td class="forest__plot">
                    <svg width="100%" height="36">
                        {ticks.collect_view()}
                        <text x="0" y="32">{low}</text>
                        <text x="50%" y="32" text-anchor="middle">{plot.unit.clone()}</text>
                        <text x="100%" y="32" text-anchor="end">{high}</text>
                    </svg>
                </td>
                <td></td><td class="forest__rare"></td><td class=if has_parts { "" } else { "forest__rare" }></td>
            </tr>
        </tbody>
    }
    .into_any()
}

fn axis_class(at: usize) -> &'static str {
    match at {
        0 => "",
        1 => "forest__rare",
        _ => "forest__value",
    }
}

fn row(row: &RowShown, plot: &PlotShown) -> AnyView {
    let RowShown { name, is_code, address, n, values, mark, difference, interval, says, p, adds } =
        row.clone();
    let class = if is_code { "forest__name forest__name--code" } else { "forest__name" };
    let hint = name.clone();
    let name = match address {
        Some(address) => view! { <a class="link" href=address><Ends name/></a> }.into_any(),
        None => name.into_any(),
    };
    // Where there is no room for what a row says, its reason for having no interval stands here.
    let why = mark.as_ref().is_some_and(|mark| mark.ends.is_none()).then(|| {
        let words = says.1.clone();
        view! { <span class="forest__why">{words}</span> }.into_any()
    });
    let values = values
        .into_iter()
        .map(|value| view! { <td class="is-end forest__value">{value}</td> }.into_any());
    let last = match adds {
        Some(adds) => view! { <td class="is-end">{adds}</td> }.into_any(),
        None => {
            let (kind, words) = says;
            let mark = (!words.is_empty()).then(|| sign(kind));
            view! { <td class="forest__rare"><span class="forest__says">{mark}{words}</span></td> }
                .into_any()
        }
    };
    view! {
        <tr>
            <th scope="row" class=class title=hint>{name}</th>
            <td class="is-end forest__rare">{n}</td>
            {values.collect_view()}
            <td class="forest__plot">{picture(plot, mark)}</td>
            <td class="is-end forest__difference"><b>{difference}</b>" "<span>{interval}</span>{why}</td>
            <td class="is-end forest__rare">{p}</td>
            {last}
        </tr>
    }
    .into_any()
}

/// The plot of one row.
fn picture(plot: &PlotShown, mark: Option<MarkShown>) -> AnyView {
    let band = plot.band.clone().map(|[x, width]| {
        view! { <rect class="forest__band" x=x y="0" width=width height="100%"></rect> }.into_any()
    });
    let grid = plot.ticks.iter().map(|tick| {
        let at = tick.at.clone();
        view! { <line class="forest__grid" x1=at.clone() x2=at y1="0" y2="100%"></line> }.into_any()
    });
    let zero = plot.zero.clone();
    let mark = mark.map(|MarkShown { dot, ends, is_hollow }| {
        let ends = ends.map(|[low, high]| {
            view! { <line class="forest__interval" x1=low x2=high y1="50%" y2="50%"></line> }
                .into_any()
        });
        let class = if is_hollow { "forest__dot forest__dot--hollow" } else { "forest__dot" };
        view! { {ends}<circle class=class cx=dot cy="50%" r="4.5"></circle> }.into_any()
    });
    view! {
        <svg width="100%" height="34" aria-hidden="true">
            {band}{grid.collect_view()}
            <line class="forest__zero" x1=zero.clone() x2=zero y1="0" y2="100%"></line>
            {mark}
        </svg>
    }
    .into_any()
}

/// The deciding difference alone, as a picture.
pub fn alone(plot: &PlotShown) -> AnyView {
    let Some(row) = plot.rows.first() else { return ().into_any() };
    let ticks = plot.ticks.iter().map(|tick| {
        let (at, words) = (tick.at.clone(), tick.words.clone());
        view! { <text x=at y="12" text-anchor="middle">{words}</text> }.into_any()
    });
    let [low, high] = plot.ends.clone();
    view! {
        <div class="verdict-plot" aria-hidden="true">
            <p class="verdict-plot__words"><b>{row.difference.clone()}</b>" "{row.interval.clone()}</p>
            {picture(plot, row.mark.clone())}
            <svg class="verdict-plot__axis" width="100%" height="32">
                {ticks.collect_view()}
                <text x="0" y="28">{low}</text>
                <text x="100%" y="28" text-anchor="end">{high}</text>
            </svg>
        </div>
    }
    .into_any()
}
