//! "On this device" in the settings: everything that is kept, each with a button that removes it, and the switch.

use crate::browser::{self, Memory, MemoryState};
use crate::ui::state::{Store, handler, live, use_store};
use crate::words::ui::memory as words;
use leptos::ev::Event;
use leptos::prelude::*;

/// Id of the switch, which gets the focus when a button has gone.
const SWITCH: &str = "memory-switch";

/// All that is kept, once somebody has asked.
#[component]
pub fn MemoryView() -> impl IntoView {
    let store = use_store();
    let drawn = move || store.kept.memory.get().map(|memory| list(store, &memory));
    view! { <div id="memory" class="memory">{live(drawn)}</div> }
}

fn list(store: Store, memory: &Memory) -> AnyView {
    let reason = match memory.state {
        MemoryState::On => words::ON,
        MemoryState::Off => words::OFF,
        MemoryState::Forbidden => words::FORBIDDEN,
    };
    let [recent, settings, copies, page] = words::KEPT;
    let has_settings = !memory.settings.is_empty();
    let rows = [
        memory.n_recent.map(|n| {
            let forget: Forget = |store| {
                store.forget_kept(browser::forget_recent(None), refocus("memory-recent"));
            };
            row(store, recent, words::references(n), (n > 0).then_some(("memory-recent", forget)))
        }),
        Some(row(
            store,
            settings,
            words::settings(&memory.settings),
            has_settings.then_some(("memory-settings", |store| {
                store.forget_kept(async { browser::forget_settings() }, refocus("memory-settings"));
            })),
        )),
        Some(row(
            store,
            copies,
            words::copies(memory.n_copies, memory.copied_bytes),
            (memory.n_copies > 0).then_some(("memory-results", |store| {
                store.forget_kept(browser::forget_results(), refocus("memory-results"));
            })),
        )),
        Some(row(
            store,
            page,
            if memory.has_page { words::PAGE_KEPT } else { words::PAGE_NOT_KEPT }.to_owned(),
            None,
        )),
    ];
    let turn = move |event: Event| {
        store.forget_kept(browser::set_memory(event_target_checked(&event)), refocus(SWITCH));
    };
    view! {
        <h3 class="memory__title">{words::ON_DEVICE}</h3>
        <label class="memory__switch">
            <input
                type="checkbox" role="switch" id=SWITCH aria-describedby="memory-reason"
                prop:checked=memory.state == MemoryState::On
                disabled=memory.state == MemoryState::Forbidden
                on:change=handler(turn)
            />
            {words::SWITCH}
        </label>
        <p class="field__hint" id="memory-reason">{reason}</p>
        <ul class="memory__list">{rows.into_iter().flatten().collect_view()}</ul>
    }
    .into_any()
}

type Forget = fn(Store);

fn row(
    store: Store,
    name: &'static str,
    what: String,
    forget: Option<(&'static str, Forget)>,
) -> AnyView {
    let remove = forget.map(|(id, forget)| {
        let label = words::remove_kept(name);
        view! {
            <button
                type="button" class="button button--quiet" id=id aria-label=label
                on:click=handler(move |_| forget(store))
            >{words::REMOVE}</button>
        }
        .into_any()
    });
    view! {
        <li class="memory__item"><span>{name}</span><span class="memory__what">{what}</span>{remove}</li>
    }
    .into_any()
}

/// Where the focus goes once something was forgotten: it stays, or goes to the switch.
fn refocus(id: &'static str) -> impl FnOnce() + 'static {
    move || browser::refocus(id, SWITCH)
}
