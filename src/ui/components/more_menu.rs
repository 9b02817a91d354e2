//! "⋯": a menu of a few things that can be done with what it stands on.

use super::{Icon, icon};
use crate::browser;
use crate::ui::state::{effect, handler, live, shown};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// One thing in the menu.
#[derive(Clone)]
pub struct MoreItem {
    /// Its words.
    pub label: &'static str,
    /// Whether it is on, of what can be turned on and off.
    pub is_on: Option<RwSignal<bool>>,
    /// What it does.
    pub act: Callback<()>,
}

/// A button with three dots, and the menu behind it. `id` is that of the button; its items have it with their
/// number behind it.
pub fn more_menu(id: String, label: String, items: Vec<MoreItem>) -> AnyView {
    let is_open = RwSignal::new(false);
    let n_items = items.len();
    let id_of = move |id: &str, nth: usize| format!("{id}-{nth}");
    let own = StoredValue::new(id.clone());
    let close = move || {
        is_open.set(false);
        own.with_value(|id| browser::focus(id));
    };
    effect(move || {
        if is_open.get() {
            own.with_value(|id| browser::focus(&id_of(id, 0)));
        }
    });
    let on_key = move |event: KeyboardEvent| {
        let focused = browser::focused_id();
        let at = own.with_value(|id| {
            (0..n_items).find(|nth| focused.as_deref() == Some(id_of(id, *nth).as_str()))
        });
        let Some(goal) = goal(&event.key(), at, n_items) else { return };
        event.prevent_default();
        event.stop_propagation();
        match goal {
            MenuGoal::Item(nth) => own.with_value(|id| browser::focus(&id_of(id, nth))),
            MenuGoal::Close => close(),
        }
    };
    let list = move || {
        let items = items.iter().enumerate().map(|(nth, MoreItem { label, is_on, act })| {
            let (label, is_on, act) = (*label, *is_on, *act);
            let role = if is_on.is_some() { "menuitemcheckbox" } else { "menuitem" };
            let checked = move || is_on.map(|is_on| if is_on.get() { "true" } else { "false" });
            let press = move |_| {
                close();
                act.run(());
            };
            view! {
                <button
                    type="button" role=role tabindex="-1" id=own.with_value(|id| id_of(id, nth)) class="menu__item"
                    aria-checked=live(checked) on:click=handler(press)
                >{label}</button>
            }
            .into_any()
        });
        view! {
            <div class="menu__veil" on:click=handler(move |_| is_open.set(false))></div>
            <div class="menu__list" role="menu" aria-labelledby=own.get_value() on:keydown=handler(on_key)>
                {items.collect_view()}
            </div>
        }
        .into_any()
    };
    view! {
        <div class="menu">
            <button
                type="button" class="icon-button" id=id aria-haspopup="menu" title=label
                aria-expanded=live(move || if is_open.get() { "true" } else { "false" })
                on:click=handler(move |_| is_open.update(|is_open| *is_open = !*is_open))
            >{icon(Icon::More)}</button>
            {shown(move || is_open.get(), list)}
        </div>
    }
    .into_any()
}

enum MenuGoal {
    Item(usize),
    Close,
}

/// Where `key` leads from item `at` of `n_items`; `None` when it means nothing here.
fn goal(key: &str, at: Option<usize>, n_items: usize) -> Option<MenuGoal> {
    let last = n_items.saturating_sub(1);
    Some(match (key, at) {
        ("Escape" | "Tab", _) => MenuGoal::Close,
        ("ArrowDown", Some(at)) if at < last => MenuGoal::Item(at + 1),
        ("ArrowUp", Some(at)) if at > 0 => MenuGoal::Item(at - 1),
        ("ArrowUp" | "End", _) => MenuGoal::Item(last),
        ("ArrowDown" | "Home", _) => MenuGoal::Item(0),
        _ => return None,
    })
}
