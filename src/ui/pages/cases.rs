//! The cases: filter, facets, table or heat map; or the one that is open.

use super::CasePage;
use crate::browser;
use crate::report::Across;
use crate::ui::components::ProgressView;
use crate::ui::components::cases::{
    ActiveCase, CaseRows, CaseTable, ColumnsButton, Constants, FacetPanel, FacetState, FilterField,
    Filtered, HeatLegend, Notice, Presets, PreviewPanel, copy, counted,
};
use crate::ui::selection::RowSelection;
use crate::ui::state::{handler, live, memo, shown, use_store};
use crate::words::ui::cases as words;
use leptos::prelude::*;
use std::sync::Arc;

/// The setting that keeps whether facets are shown.
const FACETS_SETTING: &str = "case-facets";

/// The setting that keeps whether a case stands beside the table.
const PREVIEW_SETTING: &str = "case-preview";

/// Facets are open from the start on pages that are at least so many pixels wide.
const WIDE: f64 = 1100.0;

/// The table, or the open case over it. The table keeps its rows while a case is open.
#[component]
pub fn CasesPage() -> impl IntoView {
    let store = use_store();
    let rows = CaseRows::new(store);
    let is_open = memo(move || store.route.with(|route| route.case.is_some()));
    live(move || {
        if is_open.get() {
            view! { <CasePage/> }.into_any()
        } else {
            view! { <CaseList rows/> }.into_any()
        }
    })
}

/// A switch that is kept for the next visit.
fn kept_switch(name: &'static str, otherwise: bool) -> RwSignal<bool> {
    let is_on = browser::remembered(name).map_or(otherwise, |word| word == "on");
    RwSignal::new(is_on)
}

fn turn(is_on: RwSignal<bool>, name: &str) {
    is_on.update(|is_on| *is_on = !*is_on);
    browser::remember(name, if is_on.get_untracked() { "on" } else { "off" });
}

fn word(is_so: bool) -> &'static str {
    if is_so { "true" } else { "false" }
}

/// Filter, facets and table.
#[component]
fn CaseList(
    /// The rows.
    rows: CaseRows,
) -> impl IntoView {
    let store = use_store();
    let has_facets = kept_switch(FACETS_SETTING, browser::width() >= WIDE);
    let facets = FacetState::new(rows);
    let selection = store.selection;
    let row = store.route.with_untracked(|route| route.case.as_ref().and_then(|case| case.at));
    let row = RwSignal::new(row.unwrap_or_default());
    let is_previewed = kept_switch(PREVIEW_SETTING, false);
    let active = ActiveCase { row, is_previewed, cell: RwSignal::new(None), selection };
    let goal = RwSignal::new(None::<u64>);
    on_cleanup(move || selection.set(RowSelection::default()));
    let is_searching = RwSignal::new(false);
    let found = move || {
        let count = rows.frame.with(|frame| frame.as_ref().map(|frame| counted(frame)));
        let n_selected = selection.with(RowSelection::n_rows);
        match (count, n_selected) {
            (None, _) => words::COUNT_COMING.to_owned(),
            (Some(count), 0) => count,
            (Some(count), n) => words::selected(&count, n),
        }
    };
    let heat = memo(move || store.route.with(|route| route.heat));
    let other_view = move |_| {
        store.go(|route| {
            route.heat = if route.heat.is_none() { Some(Across::Runs) } else { None };
            route.sort.clear();
        });
    };
    view! {
        <div class="cases">
            <header class="page-head page-head--line cases__head">
                <h1 class="page-head__title">{words::TITLE}</h1>
                <p class="page-head__count" aria-live="polite">{live(found)}</p>
                <Constants rows/>
            </header>
            <div class="cases__tools" role="group" aria-label=words::TOOLS>
                <FilterField filtered=Filtered::cases(store, rows)/>
                <Presets state=facets/>
                <div class="cases__views">
                    <button
                        type="button" class="button" aria-expanded=live(move || word(has_facets.get()))
                        on:click=handler(move |_| turn(has_facets, FACETS_SETTING))
                    >{words::FACETS}</button>
                    <button
                        type="button" class="button cases__preview" aria-expanded=live(move || word(is_previewed.get()))
                        on:click=handler(move |_| turn(is_previewed, PREVIEW_SETTING))
                    >{words::PREVIEW}</button>
                    <button
                        type="button" class="button"
                        aria-pressed=live(move || word(heat.get().is_some()))
                        on:click=handler(other_view)
                    >{words::HEAT_MAP}</button>
                    <button
                        type="button" class="button"
                        aria-pressed=live(move || word(store.look.with(|look| look.is_dense)))
                        on:click=handler(move |_| store.look.update(|look| look.is_dense = !look.is_dense))
                    >{words::DENSE}</button>
                    <ColumnsButton rows/>
                    <button
                        type="button" class="button" title=words::COPY_HINT
                        on:click=handler(move |_| copy(store, rows, selection))
                    >{words::COPY}</button>
                </div>
            </div>
            <div class="cases__body">
                <div class="cases__main">
                    <Notice rows is_searching/>
                    <HeatLegend rows/>
                    {shown(move || is_searching.get(), || view! { <ProgressView/> }.into_any())}
                    <CaseTable rows active goal/>
                </div>
                {shown(move || is_previewed.get() && heat.get().is_none(), move || {
                    let go = Arc::new(move |at| goal.set(Some(at)));
                    let close = Arc::new(move || turn(is_previewed, PREVIEW_SETTING));
                    view! { <PreviewPanel rows active go close/> }.into_any()
                })}
                {shown(move || has_facets.get(), move || view! { <FacetPanel state=facets/> }.into_any())}
            </div>
        </div>
    }
}
