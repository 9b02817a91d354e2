//! Rows of the table.

use super::ActiveCase;
use super::rows::{CaseRows, TextCell};
use crate::browser;
use crate::render::{CaseCell, Look, case_about, case_cell};
use crate::report::{CaseLine, Outcome, SortKey};
use crate::ui::columns::is_number;
use crate::ui::components::{Ends, outcome_mark, outcome_word};
use crate::ui::state::{handler, live, memo};
use crate::words::ui::cases as words;
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use std::sync::Arc;

/// A row with `cells`, in which somebody may click.
pub fn row(
    at: u64,
    active: ActiveCase,
    on_click: impl Fn(u64, &MouseEvent) + 'static,
    cells: AnyView,
) -> AnyView {
    let click = move |event: MouseEvent| {
        // A link in a row leads where it says.
        if browser::hit(&event, "a").is_none() {
            on_click(at, &event);
        }
    };
    let is_selected = move || {
        if active.selection.with(|selection| selection.holds(at)) { "true" } else { "false" }
    };
    view! {
        <div
            class="grid__row" class:is-active=live(move || active.row.get() == at) role="row" id=row_id(at)
            // The heading is the first row.
            aria-rowindex=at + 2 aria-selected=live(is_selected) on:click=handler(click)
        >{cells}</div>
    }
    .into_any()
}

/// The id of row `at`.
pub fn row_id(at: u64) -> String {
    format!("case-row-{at}")
}

/// The cells of the case in row `at` of `rows`, in `columns`.
pub fn cells(
    line: &Arc<CaseLine>,
    at: u64,
    rows: CaseRows,
    columns: Memo<Vec<SortKey>>,
    look: Look,
) -> AnyView {
    if look.is_narrow {
        return narrow(line, look);
    }
    let line = Arc::clone(line);
    live(move || {
        let columns = columns.get();
        let cells = columns.into_iter().zip(1_u32..).map(|(key, nth)| {
            let said = if key.is_sortable() { said(&line, key, look) } else { text(rows, at, key) };
            cell(key, nth, said)
        });
        cells.collect_view()
    })
    .into_any()
}

/// A cell. Behind its text stands a space, for one who reads the row as one.
fn cell(key: SortKey, nth: u32, said: AnyView) -> AnyView {
    let class = if is_number(key) { "grid__cell is-end" } else { "grid__cell" };
    view! { <div class=class role="gridcell" aria-colindex=nth>{said}" "</div> }.into_any()
}

/// A text of the case in row `at`, which may come later than the row.
fn text(rows: CaseRows, at: u64, key: SortKey) -> AnyView {
    let known = memo(move || rows.text(at, key));
    live(move || match known.get() {
        TextCell::Coming => faint(words::TEXT_COMING),
        TextCell::Missing => faint(crate::format::UNKNOWN),
        TextCell::Words(words) => cut(words),
    })
    .into_any()
}

fn faint(sign: &'static str) -> AnyView {
    view! { <span class="cell-missing">{sign}</span> }.into_any()
}

/// Words that may be longer than their cell.
fn cut(words: String) -> AnyView {
    view! { <span dir="auto" title=words.clone()>{words.clone()}</span> }.into_any()
}

fn said(line: &CaseLine, key: SortKey, look: Look) -> AnyView {
    match case_cell(line, key, look) {
        CaseCell::Case(id, outcome) => case(id, outcome),
        CaseCell::Outcome(outcome) => outcome_word(outcome),
        CaseCell::Name(name) => view! { <Ends name=name.to_owned()/> }.into_any(),
        CaseCell::Words(text) => cut(text),
        CaseCell::Number(text) => text.into_any(),
        CaseCell::Score(text, share) => score(text, share),
        CaseCell::Unknown => faint(crate::format::UNKNOWN),
        CaseCell::Nothing => ().into_any(),
    }
}

/// The case, behind the sign of how it came out.
fn case(id: &str, outcome: Outcome) -> AnyView {
    view! {
        <span class="grid__case">
            <span title=outcome.as_str()>{outcome_mark(outcome)}<span class="visually-hidden">{outcome.as_str()}" "</span></span>
            <span class="grid__id" dir="auto" title=id.to_owned()>{id.to_owned()}</span>
        </span>
    }
    .into_any()
}

fn score(text: String, share: f64) -> AnyView {
    view! {
        <span class="grid__score">
            {text}
            <span class="grid__bar" aria-hidden="true"><span class="grid__fill" style:width=format!("{share:.1}%")></span></span>
        </span>
    }
    .into_any()
}

/// The same for a narrow page: case and score above, where it belongs below.
fn narrow(line: &Arc<CaseLine>, look: Look) -> AnyView {
    let about = case_about(line, look);
    let has_score = line.score.is_some();
    view! {
        <div class="grid__cell" role="gridcell" aria-colindex="1">
            {case(&line.id, line.outcome)}
            " "
            <span class="grid__about" dir="auto" title=about.clone()>{about.clone()}</span>
        </div>
        <div class="grid__cell is-end" role="gridcell" aria-colindex="2">
            {has_score.then(|| said(line, SortKey::Score, look))}
            {(!has_score).then(|| line.outcome.as_str())}
            " "
        </div>
    }
    .into_any()
}
