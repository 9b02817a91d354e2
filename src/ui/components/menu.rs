//! The export menu.

use crate::browser;
use crate::ui::state::{act, effect, handler, live, shown, use_store};
use crate::worker::protocol::{EXPORTS, Export};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// Id of the item that turns between everything and what is shown.
const SCOPE: &str = "export-scope";

/// Number of the last item, which opens the dialog for sealed reports.
const LAST: usize = EXPORTS.len() + 1;

/// Id of item `at`: the scope, the exports, the sealed report.
fn id_of(at: usize) -> String {
    match at.checked_sub(1).and_then(|at| EXPORTS.get(at)) {
        Some(export) => format!("export-{}", export.name),
        None if at == LAST => "export-sealed".to_owned(),
        None => SCOPE.to_owned(),
    }
}

/// "Export", with its items.
#[component]
pub fn ExportMenu() -> impl IntoView {
    let store = use_store();
    let is_open = RwSignal::new(false);
    let is_view = RwSignal::new(false);
    let close = move || {
        is_open.set(false);
        browser::focus("export-menu-button");
    };
    effect(move || {
        if is_open.get() {
            browser::focus(&id_of(1));
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
            let at = (0..=LAST).find(|at| focused.as_deref() == Some(&id_of(*at)));
            let goal = match (key, at) {
                ("ArrowDown", Some(at)) if at < LAST => at + 1,
                ("ArrowUp", Some(at)) if at > 0 => at - 1,
                ("ArrowUp" | "End", _) => LAST,
                _ => 0,
            };
            browser::focus(&id_of(goal));
        }
        _ => {}
    };
    let items = move || {
        let item = |at: usize, export: &'static Export| {
            let choose = move |_| {
                close();
                store.export(export.kind, is_view.get_untracked());
            };
            view! {
                <button type="button" role="menuitem" tabindex="-1" id=id_of(at) class="menu__item" on:click=handler(choose)>
                    {export.label}
                </button>
            }
            .into_any()
        };
        (1..).zip(&EXPORTS).map(|(at, export)| item(at, export)).collect_view()
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
                "Export"
            </button>
            {shown(move || is_open.get(), move || view! {
                <div class="menu__veil" on:click=handler(move |_| is_open.set(false))></div>
                <div class="menu__list" role="menu" aria-labelledby="export-menu-button" on:keydown=handler(on_menu_key)>
                    <button
                        type="button" role="menuitemcheckbox" tabindex="-1" id=SCOPE class="menu__item menu__item--scope"
                        aria-checked=live(move || if is_view.get() { "true" } else { "false" })
                        on:click=handler(move |_| is_view.update(|is_view| *is_view = !*is_view))
                    >"Only what is selected and filtered"</button>
                    {live(items)}
                    <button
                        type="button" role="menuitem" tabindex="-1" id=id_of(LAST) class="menu__item menu__item--apart"
                        on:click=handler(move |_| {
                            close();
                            act(store, "seal");
                        })
                    >"Save as HTML …"</button>
                </div>
            }.into_any())}
        </div>
    }
}
