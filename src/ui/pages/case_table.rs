//! The virtual table of cases: as many rows as fit the screen, whatever their number. The worker draws
//! them; here is where they stand, what is selected, and what keys and clicks do.

use super::GRID_ID;
use super::case_columns::{Columns, Grip};
use super::case_rows::{BLOCK_ROWS, CaseRows};
use crate::address::sort_of;
use crate::browser::{self, Block};
use crate::ui::selection::Selection;
use crate::ui::state::{Store, effect, handler, live, memo, use_store};
use crate::ui::window::{Window, scroll_to, window};
use crate::worker::protocol::{Answer, Question};
use leptos::ev::{Event, KeyboardEvent, MouseEvent};
use leptos::html::Div;
use leptos::prelude::*;

/// Heights of the heading and of a row in pixels; the style sheet says the same.
const HEAD_HEIGHT: f64 = 32.0;
const ROW_HEIGHTS: [f64; 2] = [32.0, 24.0];

/// Columns of the heat map before its cells.
const N_HEAT_COLUMNS: u64 = 4;

/// The table. Row click or Enter opens a case.
#[component]
pub fn CaseTable(
    /// The rows.
    rows: CaseRows,
    /// Selected rows.
    selection: RwSignal<Selection>,
) -> impl IntoView {
    let store = use_store();
    let (grid, head, body) = (NodeRef::<Div>::new(), NodeRef::<Div>::new(), NodeRef::<Div>::new());
    let view_height = RwSignal::new(0.0);
    let scroll_top = RwSignal::new(0.0);
    let active = RwSignal::new(
        store
            .route
            .with_untracked(|route| route.case.as_ref().and_then(|case| case.at))
            .unwrap_or_default(),
    );
    let columns = Columns::new(store, rows);
    // The cell of the heat map that the arrow keys have reached.
    let active_cell = RwSignal::new(None::<u64>);
    let is_dense = memo(move || store.look.with(|look| look.is_dense));
    let row_height = memo(move || ROW_HEIGHTS[usize::from(is_dense.get())]);
    let n_rows = memo(move || rows.n_matching());
    let drawn =
        memo(move || window(n_rows.get(), row_height.get(), view_height.get(), scroll_top.get()));
    let blocks = memo(move || {
        let Window { first, end, top, .. } = drawn.get();
        let (from, to) = (first / BLOCK_ROWS, end.div_ceil(BLOCK_ROWS));
        (from, to, top - (first - from * BLOCK_ROWS) as f64 * row_height.get())
    });
    effect(move || {
        let Window { first, end, .. } = drawn.get();
        rows.epoch.track();
        rows.want(first, end);
    });
    effect(move || {
        let (from, to, top) = blocks.get();
        let (epoch, n_rows, height) = (rows.epoch.get(), n_rows.get(), row_height.get());
        rows.n_come.track();
        let Some(body) = body.get() else { return };
        let wanted: Vec<Block> = (from..to)
            .map(|block| Block {
                name: format!("{epoch}.{block}"),
                height: (n_rows - block * BLOCK_ROWS).min(BLOCK_ROWS) as f64 * height,
            })
            .collect();
        if browser::show_blocks(&body, &wanted, |nth| rows.markup(from + nth as u64)) {
            // The page may have gone on.
            request_animation_frame(move || {
                rows.n_come.try_update(|n| *n += 1);
            });
        }
        browser::set_style(&body, "transform", &format!("translateY({top}px)"));
        let active = active.get().min(n_rows.saturating_sub(1));
        selection.with(|selection| browser::mark_rows(&body, active, |at| selection.holds(at)));
        browser::mark_cell(&body, active_cell.get().map(|nth| cell_id(active, nth)).as_deref());
    });
    effect(move || {
        if let (Some(head), Some(frame)) = (head.get(), rows.frame.get()) {
            browser::set_markup(&head, frame.head.as_str());
        }
    });
    effect(move || {
        if let Some(grid) = grid.get() {
            browser::on_resize(&grid, move |height| {
                // The page may have gone on.
                view_height.try_set((height - HEAD_HEIGHT).max(HEAD_HEIGHT));
            });
        }
    });
    let show_row = move |at: u64| {
        active.set(at);
        if let Some(grid) = grid.get_untracked() {
            let (height, top) = (view_height.get_untracked(), scroll_top.get_untracked());
            let row_height = row_height.get_untracked();
            let wanted = scroll_to(at, n_rows.get_untracked(), row_height, height, top);
            grid.set_scroll_top(wanted.ceil() as i32);
        }
    };
    // Another order or filter begins at the top; coming back from a case begins at that case.
    let seen = StoredValue::new(rows.turn.get_untracked());
    effect(move || {
        let turn = rows.turn.get();
        if seen.get_value() != turn {
            seen.set_value(turn);
            selection.set(Selection::default());
            show_row(0);
        }
    });
    Effect::new(move |has_shown: Option<bool>| {
        let is_laid_out = view_height.get() > 0.0 && n_rows.get() > 0;
        if is_laid_out && has_shown != Some(true) {
            show_row(active.get_untracked());
        }
        is_laid_out
    });
    let is_heat = move || store.route.with_untracked(|route| route.heat.is_some());
    let on_key = move |event: KeyboardEvent| {
        if columns.on_key(&event) {
            return event.prevent_default();
        }
        let last = n_rows.get_untracked().saturating_sub(1);
        let page = (view_height.get_untracked() / row_height.get_untracked()) as u64;
        let at = active.get_untracked();
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
                return match active_cell.get_untracked() {
                    Some(nth) => browser::press(&cell_id(at, nth)),
                    None => rows.open(at),
                };
            }
            key @ ("ArrowRight" | "ArrowLeft") if is_heat() && !is_in_head => {
                let last = (columns.count() as u64).saturating_sub(N_HEAT_COLUMNS + 1);
                active_cell.update(|nth| {
                    *nth = match (*nth, key) {
                        (None, "ArrowRight") => Some(0),
                        (Some(nth), "ArrowRight") => Some((nth + 1).min(last)),
                        (Some(nth), _) => nth.checked_sub(1),
                        (None, _) => None,
                    };
                });
                if let Some(nth) = active_cell.get_untracked() {
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
    let on_click = move |event: MouseEvent| {
        if let Some(button) = browser::hit(&event, "[data-by]") {
            let name = if event.shift_key() { "data-also" } else { "data-by" };
            let words = button.get_attribute(name).unwrap_or_default();
            return store.go(|route| route.sort = sort_of(&words));
        }
        let row =
            browser::hit(&event, "[data-row]").and_then(|row| browser::number(&row, "data-row"));
        // A link in a row leads where it says.
        let (Some(at), None) = (row, browser::hit(&event, "a")) else { return };
        active.set(at);
        if event.shift_key() {
            selection.update(|selection| selection.extend_to(at));
        } else if event.ctrl_key() || event.meta_key() {
            selection.update(|selection| selection.toggle(at));
        } else {
            rows.open(at);
        }
    };
    view! {
        <div
            class="grid"
            class:grid--dense=is_dense
            id=GRID_ID
            node_ref=grid
            role="grid"
            aria-label="Cases"
            aria-multiselectable="true"
            aria-rowcount=live(move || n_rows.get() + 1)
            aria-colcount=live(move || columns.count())
            aria-activedescendant=live(move || match active_cell.get() {
                Some(nth) => cell_id(active.get(), nth),
                None => format!("case-row-{}", active.get()),
            })
            tabindex="0"
            style=("--tracks", live(move || columns.tracks()))
            style=("--least-width", live(move || columns.least_width()))
            on:scroll=handler(move |_: Event| {
                if let Some(grid) = grid.get_untracked() {
                    scroll_top.set(f64::from(grid.scroll_top()));
                }
            })
            on:keydown=handler(on_key)
            on:click=handler(on_click)
            on:pointerdown=handler(move |event| columns.grip(Grip::Down, &event))
            on:pointermove=handler(move |event| columns.grip(Grip::Move, &event))
            on:pointerup=handler(move |event| columns.grip(Grip::Up, &event))
            on:pointercancel=handler(move |event| columns.grip(Grip::Up, &event))
            on:dragstart=handler(move |event| columns.drag_start(&event))
            on:dragover=handler(move |event| columns.drag_over(&event))
            on:drop=handler(move |event| columns.drop(&event))
        >
            <div class="grid__head" role="rowgroup">
                <div class="grid__row" role="row" aria-rowindex="1" node_ref=head></div>
            </div>
            <div
                class="grid__body"
                role="rowgroup"
                style:height=live(move || format!("{}px", drawn.get().height))
            >
                <div class="grid__window" role="presentation" node_ref=body></div>
            </div>
        </div>
    }
}

/// The id of a cell of the heat map.
fn cell_id(row: u64, nth: u64) -> String {
    format!("case-cell-{row}-{nth}")
}

/// Copies the selected rows; without any, all.
pub fn copy(store: Store, rows: CaseRows, selection: RwSignal<Selection>) {
    let ranges = selection.with_untracked(|selection| selection.ranges().to_vec());
    let request = Question::Copy { query: rows.query.get_untracked(), ranges };
    store.ask(request, move |answer| match answer {
        Ok(Answer::Copied { text, said }) => store.copy_saying(text, said),
        Ok(_) => {}
        Err(failure) => store.say(failure.to_string()),
    });
}
