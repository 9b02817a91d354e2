//! Shares that pass, as dots with their intervals.

use super::ReportContext;
use crate::format;
use crate::render::percent;
use crate::report::{RateRow, Rates};
use crate::words::ui::overview as words;
use leptos::prelude::*;

/// Where lines stand behind the dots, in per cent.
const GRID: [&str; 5] = ["0%", "25%", "50%", "75%", "100%"];

/// The shares, one below the other on one scale.
pub fn rates(rates: &Rates, has_neighbour: bool, cx: &ReportContext) -> AnyView {
    let class = if has_neighbour { "card is-third" } else { "card" };
    let rows = rates.rows.iter().map(|one| row(one, cx));
    view! {
        <section class=class aria-labelledby="rates">
            <div class="card__head"><h2 class="card__title" id="rates">{rates.title.clone()}</h2></div>
            <ul class="rates">{rows.collect_view()}</ul>
            <p class="rates__axis" aria-hidden="true"><span>"0"</span><span>"50"</span><span>{words::RATES_END}</span></p>
            <p class="rates__note">{words::RATES_NOTE}</p>
        </section>
    }
    .into_any()
}

fn row(row: &RateRow, cx: &ReportContext) -> AnyView {
    let RateRow { name, passed, total, rate, low, high, link } = row;
    let name = match link {
        Some(link) => {
            let address = cx.shown.address(link).to_owned();
            view! { <a class="rates__name" href=address>{name.clone()}</a> }.into_any()
        }
        None => view! { <span class="rates__name">{name.clone()}</span> }.into_any(),
    };
    let grid =
        GRID.map(|at| view! { <line class="rates__grid" x1=at x2=at y2="32"></line> }.into_any());
    let (left, right) = (percent(low.0), percent(high.0));
    let interval = words::rate_interval(&cx.look.rate(low.0), &cx.look.rate(high.0));
    view! {
        <li class="rates__row" title=interval>
            {name}
            <svg class="rates__plot" width="100%" height="32" aria-hidden="true">
                {grid.collect_view()}
                <line class="rates__interval" x1=left x2=right y1="16" y2="16"></line>
                <circle class="rates__dot" cx=percent(rate.0) cy="16" r="4"></circle>
            </svg>
            <span class="rates__value">
                <strong>{cx.look.rate(rate.0)}</strong>
                <span>{format::count(*passed)}" / "{format::count(*total)}</span>
            </span>
        </li>
    }
    .into_any()
}
