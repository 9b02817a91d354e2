//! The export menu.

use crate::browser;
use crate::ui::state::{effect, handler, live, shown, use_store};
use crate::worker::protocol::ExportKind;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// What can be exported: the words of the item, what it is, its id.
const ITEMS: [(&str, ExportKind, &str); 2] = [
    ("Report (JSON)", ExportKind::ReportJson, "export-report-json"),
    ("Flip list (CSV)", ExportKind::FlipsCsv, "export-flips-csv"),
];

/// "Export", with its items.
#[component]
pub fn ExportMenu() -> impl IntoView {
    let store = use_store();
    let is_open = RwSignal::new(false);
    let close = move || {
        is_open.set(false);
        browser::focus("export-menu-button");
    };
    effect(move || {
        if is_open.get() {
            browser::focus(ITEMS[0].2);
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
            let at = ITEMS.iter().position(|(.., id)| focused.as_deref() == Some(*id));
            let last = ITEMS.len() - 1;
            let goal = match (key, at) {
                ("ArrowDown", Some(at)) if at < last => at + 1,
                ("ArrowUp", Some(at)) if at > 0 => at - 1,
                ("ArrowUp" | "End", _) => last,
                _ => 0,
            };
            browser::focus(ITEMS[goal].2);
        }
        _ => {}
    };
    let items = move || {
        ITEMS
            .map(|(words, kind, id)| {
                let export = move |_| {
                    close();
                    store.export(kind);
                };
                view! {
                    <button type="button" role="menuitem" tabindex="-1" id=id class="menu__item" on:click=handler(export)>
                        {words}
                    </button>
                }
                .into_any()
            })
            .collect_view()
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
                    {live(items)}
                </div>
            }.into_any())}
        </div>
    }
}
