//! The virtual table of cases: as many rows as fit the screen, whatever their number; what is selected,
//! and what keys and clicks do.

use super::ActiveCase;
use super::columns::{HEAT_COLUMNS, TableColumns};
use super::head::Head;
use super::heat::{cell_id, heat_cells};
use super::row::{cells, row, row_id};
use super::rows::{BLOCK_ROWS, CaseRows};
use crate::browser;
use crate::report::CaseQuery;
use crate::ui::components::{LongList, LongRows, paced};
use crate::ui::pages::GRID_ID;
use crate::ui::selection::RowSelection;
use crate::ui::state::{Store, effect, handler, live, memo, use_store};
use crate::ui::window::RowWindow;
use crate::words::ui::cases as words;
use crate::worker::protocol::{Answer, GridRows, Question};
use leptos::ev::{Event, KeyboardEvent, MouseEvent};
use leptos::prelude::*;
use std::sync::Arc;

/// Height of the heading in pixels; the style sheet says the same.
const HEAD_HEIGHT: f64 = 32.0;
/// Heights of a row in pixels: as a rule, dense, and on a narrow page, which has no heading.
const ROW_HEIGHT: f64 = 32.0;
const DENSE_HEIGHT: f64 = 24.0;
const NARROW_HEIGHT: f64 = 56.0;

/// Rows that are drawn together.
const DRAWN_ROWS: u64 = 8;

/// Elements of a cell, about.
const ELEMENTS: usize = 3;

/// The table. Row click or Enter opens a case.
#[component]
pub fn CaseTable(
    /// The rows.
    rows: CaseRows,
    /// Where in it somebody is.
    active: ActiveCase,
    /// A row that somebody goes to from outside.
    goal: RwSignal<Option<u64>>,
) -> impl IntoView {
    let store = use_store();
    let selection = active.selection;
    let columns = TableColumns::new(rows);
    let look = memo(move || store.look.get());
    let is_narrow = look.get_untracked().is_narrow;
    let row_height = memo(move || {
        let look = look.get();
        match (look.is_narrow && !rows.is_heat(), look.is_dense) {
            (true, _) => NARROW_HEIGHT,
            (false, true) => DENSE_HEIGHT,
            (false, false) => ROW_HEIGHT,
        }
    });
    let n_rows = memo(move || rows.n_matching());
    let head_height = if is_narrow { 0.0 } else { HEAD_HEIGHT };
    let list = LongList::new(n_rows.into(), row_height.into(), head_height);
    effect(move || {
        let RowWindow { first, end, .. } = list.wanted();
        rows.epoch.track();
        rows.want(first, end);
    });
    // They come after the rows, once a column shows them.
    effect(move || {
        let RowWindow { first, end, .. } = list.wanted();
        rows.n_come.track();
        if columns.has_texts() && !look.get().is_narrow {
            rows.want_texts(first, end);
        }
    });
    let show_row = move |at: u64| {
        active.row.set(at);
        list.show(at);
    };
    effect(move || {
        if let Some(at) = goal.get() {
            goal.set(None);
            show_row(at);
        }
    });
    let click = move |at: u64, event: &MouseEvent| {
        // Beside an open preview the first click shows the case there, the next one opens it.
        let is_shown_first = active.is_previewed.get_untracked()
            && !rows.is_heat_untracked()
            && active.row.get_untracked() != at;
        active.row.set(at);
        if event.shift_key() {
            selection.update(|selection| selection.extend_to(at));
        } else if event.ctrl_key() || event.meta_key() {
            selection.update(|selection| selection.toggle(at));
        } else if !is_shown_first {
            rows.open(at);
        }
    };
    let draw = move |first: u64, end: u64| {
        // They come with the block that they lie in.
        let is_here = memo(move || {
            rows.n_come.track();
            rows.around(first).is_some()
        });
        live(move || {
            let grid = is_here.get().then(|| rows.around(first)).flatten()?;
            let frame = rows.frame.get_untracked();
            let look = look.get();
            let n_cells = untrack(|| columns.count()) * ELEMENTS + 2;
            let at = usize::try_from(first % BLOCK_ROWS).unwrap_or_default();
            let n_drawn = usize::try_from(end.saturating_sub(first)).unwrap_or_default();
            let names = frame.and_then(|frame| Some(frame.heat.as_ref()?.columns.clone()));
            let names: Arc<[String]> = names.unwrap_or_default().into();
            let shown = columns.shown;
            Some(match &grid.rows {
                GridRows::Cases(found) => {
                    let found: Vec<_> = found.iter().skip(at).take(n_drawn).cloned().collect();
                    paced(found.len() * n_cells, move || {
                        let drawn = found.into_iter().zip(first..).map(|(one, at)| {
                            let line = Arc::new(one.line);
                            row(at, active, click, cells(&line, at, rows, shown, look))
                        });
                        drawn.collect_view().into_any()
                    })
                }
                // A row may have a hundred cells.
                GridRows::Heat(found) => {
                    let found = found.iter().skip(at).take(n_drawn).cloned().zip(first..);
                    let drawn = found.map(|(one, at)| {
                        let names = Arc::clone(&names);
                        paced(n_cells, move || {
                            row(at, active, click, heat_cells(&one, at, &names, active, look))
                        })
                    });
                    drawn.collect_view().into_any()
                }
            })
        })
        .into_any()
    };
    // Another order or filter begins at the top; coming back from a case begins at that case.
    let seen = StoredValue::new(rows.turn.get_untracked());
    effect(move || {
        let turn = rows.turn.get();
        if seen.get_value() != turn {
            seen.set_value(turn);
            selection.set(RowSelection::default());
            show_row(0);
        }
    });
    Effect::new(move |has_shown: Option<bool>| {
        let is_laid_out = list.is_laid_out();
        if is_laid_out && has_shown != Some(true) {
            show_row(active.row.get_untracked());
        }
        is_laid_out
    });
    let is_heat = move || store.route.with_untracked(|route| route.heat.is_some());
    let on_key = move |event: KeyboardEvent| {
        let last = n_rows.get_untracked().saturating_sub(1);
        let page = list.n_in_view();
        let at = active.row.get_untracked();
        let is_command = event.ctrl_key() || event.meta_key();
        // On a heading, these are the keys of its button.
        let is_in_head = browser::hit(&event, "[role=columnheader]").is_some();
        let goal = match event.key().as_str() {
            "a" if is_command => {
                selection.update(|selection| selection.all(n_rows.get_untracked()));
                return event.prevent_default();
            }
            "c" if is_command => {
                event.prevent_default();
                return copy(store, rows, selection);
            }
            _ if is_command || event.alt_key() => return,
            " " if !is_in_head => {
                selection.update(|selection| selection.toggle(at));
                return event.prevent_default();
            }
            "Escape" if selection.with_untracked(|selection| selection.n_rows() > 0) => {
                selection.update(|selection| selection.clear(at));
                return event.prevent_default();
            }
            "Enter" if !is_in_head => {
                return match active.cell.get_untracked() {
                    Some(nth) => rows.open_cell(at, nth),
                    None => rows.open(at),
                };
            }
            key @ ("ArrowRight" | "ArrowLeft") if is_heat() && !is_in_head => {
                let last = columns.count().saturating_sub(HEAT_COLUMNS.len() + 1) as u64;
                active.cell.update(|nth| {
                    *nth = match (*nth, key) {
                        (None, "ArrowRight") => Some(0),
                        (Some(nth), "ArrowRight") => Some((nth + 1).min(last)),
                        (Some(nth), _) => nth.checked_sub(1),
                        (None, _) => None,
                    };
                });
                if let Some(nth) = active.cell.get_untracked() {
                    browser::show(&cell_id(at, nth));
                }
                return event.prevent_default();
            }
            "ArrowDown" | "j" => at.saturating_add(1).min(last),
            "ArrowUp" | "k" => at.saturating_sub(1),
            "PageDown" => at.saturating_add(page).min(last),
            "PageUp" => at.saturating_sub(page),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        if event.shift_key() {
            selection.update(|selection| {
                if selection.n_rows() == 0 {
                    selection.clear(at);
                }
                selection.extend_to(goal);
            });
        } else if selection.with_untracked(|selection| selection.n_rows() == 0) {
            selection.update(|selection| selection.clear(goal));
        }
        show_row(goal);
    };
    view! {
        <div
            class="grid"
            class:grid--dense=live(move || look.get().is_dense)
            class:grid--narrow=live(move || look.get().is_narrow && !rows.is_heat())
            class:is-stale=live(move || rows.is_stale.get() || rows.has_error())
            id=GRID_ID
            node_ref=list.place
            role="grid"
            aria-label=words::TITLE
            aria-multiselectable="true"
            aria-rowcount=live(move || n_rows.get() + 1)
            aria-colcount=live(move || columns.count())
            aria-activedescendant=live(move || match active.cell.get() {
                Some(nth) => cell_id(active.row.get(), nth),
                None => row_id(active.row.get()),
            })
            tabindex="0"
            style=("--tracks", live(move || columns.tracks()))
            style=("--least-width", live(move || columns.least_width()))
            on:scroll=handler(move |_: Event| list.scrolled())
            on:keydown=handler(on_key)
        >
            <Head rows columns/>
            <div class="grid__body" role="rowgroup">
                <LongRows list n_at_once=DRAWN_ROWS epoch=rows.epoch.into() draw=Arc::new(draw)/>
            </div>
        </div>
    }
}

/// Copies the selected rows; without any, all.
pub fn copy(store: Store, rows: CaseRows, selection: RwSignal<RowSelection>) {
    let ranges = selection.with_untracked(|selection| selection.ranges().to_vec());
    let columns = untrack(|| rows.shown_columns());
    let query = CaseQuery { columns, ..rows.query.get_untracked() };
    let request = Question::Copy { query, ranges };
    store.ask(request, move |answer| match answer {
        Ok(Answer::Copied { text, said }) => store.copy_saying(text, said),
        Ok(_) => {}
        Err(failure) => store.say(failure.to_string()),
    });
}
