//! The headings of the table: they sort, are moved and made wider. Nothing is sorted by texts: their headings are no buttons.

use super::columns::{HEAT_COLUMNS, TableColumns};
use super::rows::CaseRows;
use crate::address::column_word;
use crate::browser;
use crate::report::SortKey;
use crate::ui::columns::is_number;
use crate::ui::components::{Ends, Icon, icon};
use crate::ui::sorting::sorting;
use crate::ui::state::{effect, handler, live, memo, use_store};
use leptos::ev::{DragEvent, KeyboardEvent, MouseEvent, PointerEvent};
use leptos::html::Div;
use leptos::prelude::*;

/// The row of headings.
#[component]
pub fn Head(
    /// The rows below.
    rows: CaseRows,
    /// The columns.
    columns: TableColumns,
) -> impl IntoView {
    let is_heat = memo(move || {
        rows.frame.with(|frame| frame.as_ref().is_some_and(|frame| frame.heat.is_some()))
    });
    // A heading that changes its place keeps the focus.
    effect(move || {
        columns.shown.track();
        if let Some(key) = columns.focused.get_untracked() {
            columns.focused.set(None);
            browser::focus_soon(&name_id(key));
        }
    });
    let keys = move || {
        let is_heat = is_heat.get();
        let title = |key: SortKey| {
            let heat = HEAT_COLUMNS.iter().find(|(known, _)| is_heat && *known == key);
            heat.map_or_else(|| rows.heading(key), |(_, title)| (*title).to_owned())
        };
        columns.shown.get().into_iter().map(|key| (key, title(key))).collect::<Vec<_>>()
    };
    let heading =
        move |(key, title): (SortKey, String)| view! { <Heading key title columns/> }.into_any();
    let heat = move || {
        rows.frame.with(|frame| {
            let heat = frame.as_ref().and_then(|frame| frame.heat.as_ref());
            let names = heat.map(|heat| heat.columns.clone()).unwrap_or_default();
            let cells = names.into_iter().zip(HEAT_COLUMNS.len() + 1..).map(|(name, nth)| {
                view! {
                    <div class="grid__cell heat__head" role="columnheader" aria-colindex=nth><Ends name/></div>
                }
                .into_any()
            });
            cells.collect_view()
        })
    };
    view! {
        <div class="grid__head" role="rowgroup">
            <div class="grid__row" role="row" aria-rowindex="1">
                <For each=keys key=|key| key.clone() children=heading/>
                {live(heat)}
            </div>
        </div>
    }
}

fn name_id(key: SortKey) -> String {
    format!("case-sort-{}", column_word(key))
}

#[component]
fn Heading(
    /// What it sorts by.
    key: SortKey,
    /// What it says.
    title: String,
    /// The columns.
    columns: TableColumns,
) -> impl IntoView {
    let store = use_store();
    let place = NodeRef::<Div>::new();
    let state = memo(move || store.route.with(|route| sorting(key, &route.sort)));
    let width =
        move || place.get_untracked().map_or(0, |place| place.client_width().unsigned_abs());
    let sort = move |event: MouseEvent| {
        let state = state.get_untracked();
        let order = if event.shift_key() { state.also } else { state.alone };
        store.go(|route| route.sort = order);
    };
    let arrow = move || {
        let is_descending = state.with(|state| state.is_descending)?;
        Some(icon(if is_descending { Icon::Down } else { Icon::Up }))
    };
    let nth = move || {
        let nth = state.with(|state| state.nth)?;
        Some(view! { <span class="grid__nth" aria-hidden="true">{nth}</span> }.into_any())
    };
    let words = move || {
        key.is_sortable().then(|| match state.with(|state| state.is_descending) {
            None => "none",
            Some(false) => "ascending",
            Some(true) => "descending",
        })
    };
    let name = view! { <span class="grid__title">{title}</span> };
    let name = if key.is_sortable() {
        view! {
            <button type="button" class="grid__sort" id=name_id(key) on:click=handler(sort)>
                {name}
                {live(arrow)}
                {live(nth)}
            </button>
        }
        .into_any()
    } else {
        // Nothing to press, but a place for the keys.
        view! { <span class="grid__sort grid__sort--none" id=name_id(key) tabindex="0">{name}</span> }.into_any()
    };
    let at = memo(move || {
        let at = columns.shown.with(|shown| shown.iter().position(|known| *known == key));
        at.map(|at| at + 1)
    });
    view! {
        <div
            class="grid__cell" class:is-end=is_number(key) role="columnheader" node_ref=place draggable="true"
            aria-colindex=live(move || at.get()) aria-sort=live(words)
            on:keydown=handler(move |event: KeyboardEvent| columns.on_key(key, width(), &event))
            on:dragstart=handler(move |event: DragEvent| columns.drag_start(key, &event))
            on:dragover=handler(move |event: DragEvent| columns.drag_over(&event))
            on:drop=handler(move |event: DragEvent| columns.drop(key, &event))
        >
            {name}
            <span
                class="grid__handle" id=format!("case-edge-{}", column_word(key))
                on:pointerdown:target=move |event| {
                    columns.hold(key, width(), &event);
                    // Refused for a pointer that is gone already.
                    let _ = event.target().set_pointer_capture(event.pointer_id());
                }
                on:pointermove=handler(move |event: PointerEvent| columns.pull(&event, false))
                on:pointerup=handler(move |event: PointerEvent| columns.pull(&event, true))
                on:pointercancel=handler(move |event: PointerEvent| columns.pull(&event, true))
            ></span>
        </div>
    }
}
