//! Checkpoints, repeats or evaluations side by side.

use super::ReportContext;
use super::board::tally_bar;
use super::cell::cell;
use super::outcome::outcome_mark;
use super::paced::paced;
use crate::report::{RunStrip, StripCell, StripRow};
use crate::ui::components::Lines;
use leptos::prelude::*;

/// Elements of a cell, about.
const ELEMENTS: usize = 24;

/// The strip, row by row.
pub fn strip(strip: &RunStrip, cx: &ReportContext) -> AnyView {
    let is_named = strip.rows.iter().any(|row| !row.name.is_empty());
    let has_sums = is_named && strip.rows.iter().any(|row| !row.sums.is_empty());
    let class = if is_named { "runs" } else { "runs runs--unnamed" };
    let n_columns = strip.n_columns;
    let rows = strip.rows.iter().map(|one| {
        let (one, cx) = (one.clone(), cx.clone());
        let n_elements = (one.cells.len() + 1) * ELEMENTS;
        paced(n_elements, move || row(&one, n_columns, (is_named, has_sums), &cx))
    });
    let more = strip.more.clone();
    view! {
        <section class="card" aria-labelledby="runs-title">
            <div class="card__head">
                <h2 class="card__title" id="runs-title">{strip.title.clone()}</h2>
                <p class="card__note">{strip.note.clone()}</p>
            </div>
            <div class=class>{rows.collect_view()}</div>
            {more.map(|words| view! { <p class="card__foot">{words}</p> }.into_any())}
        </section>
    }
    .into_any()
}

fn row(
    row: &StripRow,
    n_columns: usize,
    (is_named, has_sums): (bool, bool),
    cx: &ReportContext,
) -> AnyView {
    let StripRow { name, note, cells, sums } = row;
    let who = is_named.then(|| {
        view! {
            <div class="runs__who"><h3 class="runs__name">{name.clone()}</h3><p>{note.clone()}</p></div>
        }
        .into_any()
    });
    let sums = has_sums.then(|| {
        let sums = sums.iter().map(|one| view! { <li>{cell(one, cx)}</li> }.into_any());
        view! { <ul class="runs__sums">{sums.collect_view()}</ul> }.into_any()
    });
    // Few stand below one another in columns; many take what room there is.
    let class = if n_columns <= 6 { "runs__cells runs__cells--even" } else { "runs__cells" };
    let columns = n_columns.max(1).to_string();
    let cells = cells.iter().map(|one| run(one, cx));
    view! {
        <div class="runs__row">
            {who}
            <ul class=class style=("--columns", columns)>{cells.collect_view()}</ul>
            {sums}
        </div>
    }
    .into_any()
}

fn run(run: &StripCell, cx: &ReportContext) -> AnyView {
    let StripCell { name, link, outcome, aside, score, change, passed, tally, core, cost } = run;
    let address = cx.shown.address(link).to_owned();
    let mark = if aside.is_some() { "runs__mark so-far" } else { "runs__mark" };
    let aside = aside.clone().map(|words| format!(" {words}"));
    let change = change.map(|change| {
        view! { <span class="runs__change">{cx.look.change(change.0)}</span> }.into_any()
    });
    let core = core.clone().map(|(words, holds)| {
        let class = if holds { "runs__core" } else { "runs__core runs__core--fails" };
        view! { <span class=class>{words}</span> }.into_any()
    });
    let passed = passed.as_ref();
    let passed = passed
        .map(|passed| view! { <span class="runs__passed">{cell(passed, cx)}</span> }.into_any());
    let cost = cost.as_ref().map(|cost| view! { <span>{cell(cost, cx)}</span> }.into_any());
    view! {
        <li class="run">
            <p class="run__head">
                <span class=mark>{outcome_mark(*outcome)}<span class="visually-hidden">{outcome.as_str()}{aside}" "</span></span>
                <a class="run__name" href=address><Lines name=name.clone()/></a>
                {change}
            </p>
            <p class="run__figures"><strong class="run__score">{cell(score, cx)}</strong>{passed}</p>
            {tally_bar(tally)}
            <p class="run__foot">{core}{cost}</p>
        </li>
    }
    .into_any()
}
