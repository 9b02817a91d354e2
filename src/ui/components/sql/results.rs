//! The rows of an answer, as a table of any length or as bars.

use crate::format;
use crate::render::Look;
use crate::sql::{SqlAnswer, SqlBars, SqlCell, SqlColumn};
use crate::ui::components::{LongList, LongRows};
use crate::ui::state::{SQL_BLOCK, effect, handler, live, memo, use_store};
use crate::ui::window::RowWindow;
use crate::words::ui::sql as words;
use leptos::ev::Event;
use leptos::prelude::*;
use std::sync::Arc;

/// Height of a row and of the heading in pixels; the style sheet says the same.
const ROW_HEIGHT: f64 = 32.0;
/// Rows that are drawn together.
const DRAWN_ROWS: u64 = 8;
/// Rows in sight at the most.
const ROWS_IN_SIGHT: u64 = 18;

/// The result of the last query.
#[component]
pub fn SqlResults() -> impl IntoView {
    let store = use_store();
    let is_chart = RwSignal::new(false);
    let result = move || {
        store.sql.epoch.track();
        let answer = Arc::new(store.sql.with(|shown| shown.answer.clone())?);
        let drawn = match (answer.n_rows, is_chart.get()) {
            (0, _) => view! { <p class="sql__empty">{words::NO_ROWS}</p> }.into_any(),
            (_, true) => view! { <Bars/> }.into_any(),
            (_, false) => view! { <Rows answer=Arc::clone(&answer)/> }.into_any(),
        };
        Some(view! {
            <div class="sql__bar">
                <p class="sql__answered" role="status">{answered(&answer)}</p>
                {shapes(is_chart)}
                <button type="button" class="button" on:click=handler(move |_| store.save_sql())>{words::SAVE}</button>
            </div>
            {drawn}
        }
        .into_any())
    };
    view! { <section class="sql__result" aria-label=words::RESULT>{live(result)}</section> }
}

/// What is said of an answer.
fn answered(answer: &SqlAnswer) -> String {
    let SqlAnswer { n_rows, is_cut, millis, n_bytes, n_requests, .. } = *answer;
    let rows = if is_cut { words::first_rows(n_rows) } else { words::rows(n_rows) };
    match n_requests {
        0 => words::answered(&rows, millis),
        _ => words::answered_fetched(&rows, millis, n_bytes, n_requests),
    }
}

/// The choice between table and bars.
fn shapes(is_chart: RwSignal<bool>) -> AnyView {
    let choice = |is_bars: bool, name: &'static str| {
        let pressed = move || if is_chart.get() == is_bars { "true" } else { "false" };
        view! {
            <button type="button" class="presets__one" aria-pressed=live(pressed) on:click=handler(move |_| is_chart.set(is_bars))>{name}</button>
        }
        .into_any()
    };
    view! {
        <div class="presets" role="group" aria-label=words::SHOWN_AS>
            {choice(false, words::AS_TABLE)}
            {choice(true, words::AS_BARS)}
        </div>
    }
    .into_any()
}

#[component]
fn Rows(
    /// The answer.
    answer: Arc<SqlAnswer>,
) -> impl IntoView {
    let store = use_store();
    let sql = store.sql;
    let n_rows = answer.n_rows;
    let list = LongList::new(Signal::stored(n_rows), Signal::stored(ROW_HEIGHT), ROW_HEIGHT);
    effect(move || {
        let RowWindow { first, end, .. } = list.wanted();
        sql.epoch.track();
        store.want_sql_rows(first, end);
    });
    let tracks: Vec<&str> = answer.columns.iter().map(|column| track(column)).collect();
    let least: u32 =
        answer.columns.iter().map(|column| if column.is_number { 112 } else { 160 }).sum();
    let columns: Arc<[SqlColumn]> = answer.columns.clone().into();
    let heads = columns.iter().zip(1_u32..).map(|(column, nth)| {
        let class = if column.is_number { "grid__cell sql__head is-end" } else { "grid__cell sql__head" };
        view! { <div class=class role="columnheader" aria-colindex=nth title=column.name.clone()>{column.name.clone()}</div> }.into_any()
    });
    let heads = heads.collect_view();
    let draw = move |first: u64, end: u64| {
        let columns = Arc::clone(&columns);
        let is_here = memo(move || {
            sql.n_come.track();
            sql.around(first).is_some()
        });
        live(move || {
            let cells = is_here.get().then(|| sql.around(first)).flatten()?;
            let look = store.look.get();
            let width = columns.len().max(1);
            let at = usize::try_from(first % SQL_BLOCK).unwrap_or_default();
            let n = usize::try_from(end.saturating_sub(first)).unwrap_or_default();
            let rows = cells.chunks_exact(width).skip(at).take(n).zip(first..);
            Some(rows.map(|(cells, at)| row(cells, &columns, at, look)).collect_view())
        })
        .into_any()
    };
    view! {
        <div
            class="grid sql__rows" node_ref=list.place role="table" tabindex="0" aria-label=words::RESULT
            aria-rowcount=n_rows + 1 aria-colcount=answer.columns.len()
            style=("--tracks", tracks.join(" "))
            style=("--least-width", format!("{least}px"))
            style=("--rows", (n_rows.min(ROWS_IN_SIGHT) + 1).to_string())
            on:scroll=handler(move |_: Event| list.scrolled())
        >
            <div class="grid__head" role="rowgroup"><div class="grid__row" role="row" aria-rowindex="1">{heads}</div></div>
            <div class="grid__body" role="rowgroup"><LongRows list n_at_once=DRAWN_ROWS epoch=sql.epoch.into() draw=Arc::new(draw)/></div>
        </div>
    }
}

fn track(column: &SqlColumn) -> &'static str {
    if column.is_number { "minmax(112px, 1fr)" } else { "minmax(160px, 2fr)" }
}

fn row(cells: &[SqlCell], columns: &[SqlColumn], at: u64, look: Look) -> AnyView {
    let cells = cells.iter().zip(columns).zip(1_u32..).map(|((cell, column), nth)| {
        let class = if column.is_number { "grid__cell is-end" } else { "grid__cell" };
        view! { <div class=class role="cell" aria-colindex=nth>{said(cell, look)}" "</div> }
            .into_any()
    });
    view! { <div class="grid__row" role="row" aria-rowindex=at + 2>{cells.collect_view()}</div> }
        .into_any()
}

fn said(cell: &SqlCell, look: Look) -> AnyView {
    match cell {
        SqlCell::Null => view! { <span class="cell-missing">{format::UNKNOWN}</span> }.into_any(),
        SqlCell::Flag(is) => is.to_string().into_any(),
        SqlCell::Number(number) => {
            view! { <span title=number.to_string()>{shown_number(*number, look)}</span> }.into_any()
        }
        SqlCell::Text(text) => {
            view! { <span dir="auto" title=text.clone()>{text.clone()}</span> }.into_any()
        }
    }
}

/// Whole numbers as they are, others as long as numbers are to be.
fn shown_number(number: f64, look: Look) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        format::number(number, 0)
    } else {
        look.number(number)
    }
}

#[component]
fn Bars() -> impl IntoView {
    let store = use_store();
    store.want_sql_bars();
    live(move || {
        store.sql.n_come.track();
        let look = store.look.get();
        store.sql.with(|shown| {
            let bars = shown.bars.as_ref()?;
            Some(match bars.bars.is_empty() {
                true => view! { <p class="sql__empty">{words::NO_BARS}</p> }.into_any(),
                false => drawn(bars, look),
            })
        })
    })
}

fn drawn(bars: &SqlBars, look: Look) -> AnyView {
    let rows = bars.bars.iter().map(|bar| {
        let value = if bar.value.is_finite() { shown_number(bar.value, look) } else { format::UNKNOWN.to_owned() };
        let (from, length) = bar.span;
        view! {
            <tr>
                <th scope="row" class="sql__bar-name" dir="auto" title=bar.name.clone()>{bar.name.clone()}</th>
                <td class="sql__bar-value">{value}</td>
                <td class="sql__bar-place" aria-hidden="true"><span class="sql__fill" style:margin-inline-start=format!("{from}%") style:width=format!("{length}%")></span></td>
            </tr>
        }
        .into_any()
    });
    let more = (bars.n_more > 0)
        .then(|| view! { <p class="sql__hint">{words::more_bars(bars.n_more)}</p> }.into_any());
    view! {
        <table class="sql__bars">
            <thead><tr><th scope="col">{bars.label.clone()}</th><th scope="col" class="sql__bar-value">{bars.value.clone()}</th><td></td></tr></thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
        {more}
    }
    .into_any()
}
