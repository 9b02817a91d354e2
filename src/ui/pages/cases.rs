//! The cases: filter, facets, table or heat map; or the one that is open.

use super::case_columns::choose;
use super::case_rows::CaseRows;
use super::case_table::{CaseTable, copy};
use super::filter_field::FilterField;
use super::{CasePage, GRID_ID};
use crate::address::columns_of;
use crate::browser;
use crate::report::{Across, CaseQuery, Refinement};
use crate::ui::components::ProgressView;
use crate::ui::selection::Selection;
use crate::ui::state::{effect, handler, live, memo, shown, use_store};
use crate::worker::protocol::{Answer, Failure, Question, Task};
use leptos::ev::{Event, MouseEvent};
use leptos::html::Div;
use leptos::prelude::*;

/// Id of the dialog in which columns are chosen.
const COLUMNS_DIALOG: &str = "case-columns";

/// The setting that keeps whether facets are shown.
const FACETS_SETTING: &str = "case-facets";

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
    let selection = store.selection;
    on_cleanup(move || selection.set(Selection::default()));
    let is_searching = RwSignal::new(false);
    let found = move || {
        let count = rows.frame.with(|frame| frame.as_ref().map(|frame| frame.count.clone()));
        let n_selected = selection.with(Selection::n_rows);
        match (count, n_selected) {
            (None, _) => "…".to_owned(),
            (Some(count), 0) => count,
            (Some(count), n) => format!("{count}, {} selected", crate::format::count(n)),
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
            <header class="page-head page-head--line">
                <h1 class="page-head__title">"Cases"</h1>
                <p class="page-head__count" aria-live="polite">{live(found)}</p>
            </header>
            <div class="cases__tools" role="group" aria-label="Filter and view">
                <FilterField/>
                <button
                    type="button" class="button" aria-expanded=live(move || word(has_facets.get()))
                    on:click=handler(move |_| turn(has_facets, FACETS_SETTING))
                >"Facets"</button>
                <button
                    type="button" class="button"
                    aria-pressed=live(move || word(heat.get().is_some()))
                    on:click=handler(other_view)
                >"Heat map"</button>
                <button
                    type="button" class="button"
                    aria-pressed=live(move || word(store.look.with(|look| look.is_dense)))
                    on:click=handler(move |_| store.look.update(|look| look.is_dense = !look.is_dense))
                >"Dense"</button>
                <ColumnsButton rows/>
                <button
                    type="button" class="button" title="As text with tabs: the selected rows, or all"
                    on:click=handler(move |_| copy(store, rows, selection))
                >"Copy"</button>
            </div>
            <div class="cases__body">
                <div class="cases__main">
                    <Notice rows is_searching/>
                    {shown(move || is_searching.get(), || view! { <ProgressView/> }.into_any())}
                    <CaseTable rows selection/>
                </div>
                {shown(move || has_facets.get(), move || view! { <FacetPanel rows/> }.into_any())}
            </div>
        </div>
    }
}

/// What must be known of the answer, with the button that has files searched.
#[component]
fn Notice(
    /// The rows.
    rows: CaseRows,
    /// Whether files are being searched.
    is_searching: RwSignal<bool>,
) -> impl IntoView {
    let store = use_store();
    let place = NodeRef::<Div>::new();
    effect(move || {
        if let (Some(place), Some(frame)) = (place.get(), rows.frame.get()) {
            browser::set_markup(&place, frame.notice.as_str());
        }
    });
    let search = move |event: MouseEvent| {
        let Some(button) = browser::hit(&event, "[data-search]") else { return };
        if is_searching.get_untracked() {
            return;
        }
        is_searching.set(true);
        let needle = button.get_attribute("data-search").unwrap_or_default();
        let target = store.route.with_untracked(|route| route.target);
        store.ask(Task::Search { target, needle }, move |answer| {
            is_searching.try_set(false);
            match answer {
                Ok(_) => {
                    rows.again.try_update(|again| *again += 1);
                }
                Err(Failure::Cancelled) => store.say("Stopped. Not all files were searched."),
                Err(failure) => store.say(failure.to_string()),
            }
            browser::focus(GRID_ID);
        });
    };
    let failure = move || {
        rows.failure.get().map(|reason| {
            let words = format!("The cases could not be read: {reason}");
            view! { <p class="panel panel--empty">{words}</p> }.into_any()
        })
    };
    view! {
        {live(failure)}
        <div class="cases__notice" node_ref=place on:click=handler(search)></div>
    }
}

/// Values and ranges to choose from, each with its number of cases.
#[component]
fn FacetPanel(
    /// The rows.
    rows: CaseRows,
) -> impl IntoView {
    let store = use_store();
    let place = NodeRef::<Div>::new();
    let newest = StoredValue::new(0_u64);
    effect(move || {
        // The rows come first: they are waited for.
        rows.epoch.track();
        newest.update_value(|n| *n += 1);
        let number = newest.get_value();
        let query = CaseQuery { offset: 0, limit: 0, ..rows.query.get_untracked() };
        store.ask(Question::Facets(query), move |answer| {
            if newest.try_get_value() != Some(number) {
                return;
            }
            if let (Ok(Answer::Markup(markup)), Some(place)) = (answer, place.get_untracked()) {
                browser::set_markup(&place, markup.as_str());
            }
        });
    });
    let refine = move |event: Event| {
        let Some(form) = browser::hit(&event, "form[data-range]") else { return };
        let refinement = Refinement {
            filter: store.route.with_untracked(|route| route.text.clone()),
            field: form.get_attribute("data-range").unwrap_or_default(),
            low: browser::value_in(&form, "low"),
            high: browser::value_in(&form, "high"),
        };
        store.ask(Question::Refine(refinement), move |answer| match answer {
            Ok(Answer::Text(text)) => store.go(|route| route.text = text),
            Ok(_) => {}
            Err(failure) => store.say(failure.to_string()),
        });
    };
    view! {
        <div
            class="facets" role="region" aria-label="Facets" tabindex="0" node_ref=place
            on:change=handler(refine)
            on:submit=handler(move |event: leptos::ev::SubmitEvent| event.prevent_default())
        ></div>
    }
}

/// "Columns", and the dialog in which they are chosen and put in order.
#[component]
fn ColumnsButton(
    /// The rows.
    rows: CaseRows,
) -> impl IntoView {
    let store = use_store();
    let list = NodeRef::<Div>::new();
    let open = move |_| {
        if let (Some(list), Some(frame)) = (list.get_untracked(), rows.frame.get_untracked()) {
            browser::set_markup(&list, frame.chooser.as_str());
            browser::show_dialog(COLUMNS_DIALOG, true);
        }
    };
    let apply = move || {
        let words = browser::ticked_columns(COLUMNS_DIALOG);
        choose(store, rows, &columns_of(&words.join(",")));
    };
    let close = move || browser::show_dialog(COLUMNS_DIALOG, false);
    let on_click = move |event: MouseEvent| {
        let button = browser::hit(&event, "[data-move]");
        if let (Some(button), Some(item)) = (button, browser::hit(&event, "[data-column]")) {
            browser::move_item(&item, button.get_attribute("data-move").as_deref() == Some("1"));
            apply();
        }
    };
    let reset = move |_| {
        choose(store, rows, &[]);
        close();
    };
    let has_choice = move || {
        rows.frame.with(|frame| frame.as_ref().is_some_and(|frame| !frame.chooser.is_empty()))
    };
    view! {
        <button type="button" class="button" aria-haspopup="dialog" disabled=live(move || !has_choice()) on:click=handler(open)>"Columns"</button>
        <dialog class="keys chooser" id=COLUMNS_DIALOG aria-labelledby="case-columns-title">
            <h2 class="keys__title" id="case-columns-title">"Columns"</h2>
            <div node_ref=list on:change=handler(move |_: Event| apply()) on:click=handler(on_click)></div>
            <div class="chooser__end">
                <button type="button" class="button" on:click=handler(move |_| close())>"Close"</button>
                <button type="button" class="button button--quiet" on:click=handler(reset)>"Reset"</button>
            </div>
        </dialog>
    }
}
