//! The export menu.

use super::{Icon, icon};
use crate::browser;
use crate::ui::selection::RowSelection;
use crate::ui::state::{ExportScope, act, effect, handler, live, shown, use_store};
use crate::words::ui::shell as words;
use crate::worker::protocol::{EXPORTS, Export};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// Id of the item that turns between everything and what is shown.
const VIEW: &str = "export-scope";

/// Id of the item that turns between everything and selected rows.
const ROWS: &str = "export-rows";

/// Id of the item that opens the dialog for sealed reports.
const SEALED: &str = "export-sealed";

fn id_of(export: &Export) -> String {
    format!("export-{}", export.name)
}

/// Ids of the items in their order; that of selected rows only where there are some.
fn ids(has_rows: bool) -> Vec<String> {
    let scopes = [VIEW, ROWS].into_iter().filter(|id| has_rows || *id != ROWS);
    let items = EXPORTS.iter().map(id_of).chain([SEALED.to_owned()]);
    scopes.map(str::to_owned).chain(items).collect()
}

/// "Export", with its items.
#[component]
pub fn ExportMenu() -> impl IntoView {
    let store = use_store();
    let is_open = RwSignal::new(false);
    let (is_view, is_rows) = (RwSignal::new(false), RwSignal::new(false));
    let n_selected = move || store.selection.with(RowSelection::n_rows);
    let scope = move || match (is_rows.get() && n_selected() > 0, is_view.get()) {
        (true, _) => ExportScope::Rows,
        (false, true) => ExportScope::View,
        (false, false) => ExportScope::Everything,
    };
    let close = move || {
        is_open.set(false);
        browser::focus("export-menu-button");
    };
    effect(move || {
        if is_open.get() {
            EXPORTS.first().into_iter().for_each(|export| browser::focus(&id_of(export)));
        }
    });
    let on_button_key = move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "ArrowDown" | "ArrowUp") {
            event.prevent_default();
            is_open.set(true);
        }
    };
    let on_menu_key = move |event: KeyboardEvent| match event.key().as_str() {
        "Escape" => {
            event.prevent_default();
            close();
        }
        "Tab" => is_open.set(false),
        key @ ("ArrowDown" | "ArrowUp" | "Home" | "End") => {
            event.prevent_default();
            let focused = browser::focused_id();
            let ids = ids(untrack(n_selected) > 0);
            let at = ids.iter().position(|id| focused.as_ref() == Some(id));
            let last = ids.len().saturating_sub(1);
            let goal = match (key, at) {
                ("ArrowDown", Some(at)) if at < last => at + 1,
                ("ArrowUp", Some(at)) if at > 0 => at - 1,
                ("ArrowUp" | "End", _) => last,
                _ => 0,
            };
            browser::focus(ids.get(goal).map_or(VIEW, String::as_str));
        }
        _ => {}
    };
    let items = move || {
        let item = |export: &'static Export| {
            let choose = move |_| {
                close();
                store.export(export.kind, untrack(scope));
            };
            view! {
                <button type="button" role="menuitem" tabindex="-1" id=id_of(export) class="menu__item" on:click=handler(choose)>
                    {export.label}
                </button>
            }
            .into_any()
        };
        EXPORTS.iter().map(item).collect_view()
    };
    let rows_words = move || {
        let is_heat = store.route.with(|route| route.heat.is_some());
        let n = n_selected();
        if is_heat { words::only_rows(n) } else { words::only_cases(n) }
    };
    let scopes = move || {
        let item = |id: &'static str, own: RwSignal<bool>, other: RwSignal<bool>| {
            let turn = move |_| {
                own.update(|is_on| *is_on = !*is_on);
                other.set(false);
            };
            let words = move || match id {
                ROWS => rows_words(),
                _ => words::ONLY_VIEW.to_owned(),
            };
            view! {
                <button
                    type="button" role="menuitemcheckbox" tabindex="-1" id=id class="menu__item menu__item--scope"
                    aria-checked=live(move || if own.get() { "true" } else { "false" })
                    on:click=handler(turn)
                    hidden=live(move || id == ROWS && n_selected() == 0)
                >{live(words)}</button>
            }
            .into_any()
        };
        [item(VIEW, is_view, is_rows), item(ROWS, is_rows, is_view)].collect_view()
    };
    view! {
        <div class="menu">
            <button
                type="button"
                class="button"
                id="export-menu-button"
                aria-haspopup="menu"
                aria-expanded=live(move || if is_open.get() { "true" } else { "false" })
                on:click=handler(move |_| is_open.update(|is_open| *is_open = !*is_open))
                on:keydown=handler(on_button_key)
            >
                {icon(Icon::Export)}<span class="bar__word">{words::EXPORT}</span>
            </button>
            {shown(move || is_open.get(), move || view! {
                <div class="menu__veil" on:click=handler(move |_| is_open.set(false))></div>
                <div class="menu__list" role="menu" aria-labelledby="export-menu-button" on:keydown=handler(on_menu_key)>
                    {live(scopes)}
                    {live(items)}
                    <button
                        type="button" role="menuitem" tabindex="-1" id=SEALED class="menu__item menu__item--apart"
                        on:click=handler(move |_| {
                            close();
                            act(store, "seal");
                        })
                    >{words::SEALED}</button>
                </div>
            }.into_any())}
        </div>
    }
}
