//! The workspace beside the page, and what is loaded and goes on at its foot.

use super::{FreshnessTools, Icon, ProgressView, WorkspaceTree, icon};
use crate::ui::state::{PagePhase, act, effect, handler, live, memo, shown, use_store};
use crate::words::ui::{compare, shell as words};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// The tree and its tools. On a narrow screen it comes over the page when asked for.
#[component]
pub fn Sidebar(
    /// Whether it lies over the page, where it has no room beside it.
    is_open: RwSignal<bool>,
) -> impl IntoView {
    let store = use_store();
    let selected = memo(move || store.selected());
    let has_several = memo(move || store.tree.with(|tree| tree.evaluations.len() > 1));
    let remove_words =
        move || if selected.get().is_some() { words::REMOVE } else { words::REMOVE_ALL };
    // What was chosen lies behind it.
    let target = memo(move || store.route.with(|route| route.target));
    effect(move || {
        target.track();
        is_open.set(false);
    });
    let on_key = move |event: KeyboardEvent| {
        if event.key() == "Escape" && is_open.get_untracked() {
            event.stop_propagation();
            is_open.set(false);
        }
    };
    view! {
        <aside class="side" class:is-open=is_open aria-label=words::WORKSPACE on:keydown=handler(on_key)>
            <WorkspaceTree/>
            <div class="side__tools">
                <button type="button" class="button button--quiet" on:click=handler(move |_| act(store, "remove"))>{live(remove_words)}</button>
                <button type="button" class="button button--quiet" on:click=handler(move |_| act(store, "rename")) hidden=live(move || selected.get().is_none())>{words::RENAME}</button>
                <button type="button" class="button button--quiet" id="compare-previous" on:click=handler(move |_| act(store, "compare-previous")) hidden=live(move || !has_several.get())>{compare::PREVIOUS}</button>
                <button type="button" class="button button--quiet" on:click=handler(move |_| act(store, "compare-with")) hidden=live(move || selected.get().is_none())>{compare::WITH}</button>
                <button type="button" class="button button--quiet" on:click=handler(move |_| act(store, "copy-link"))>{words::COPY_LINK}</button>
                <FreshnessTools/>
            </div>
        </aside>
        <div class="side__veil" on:click=handler(move |_| is_open.set(false))></div>
    }
}

/// What is loaded, and what goes on.
#[component]
pub fn StatusBar(
    /// State of the page.
    phase: Memo<PagePhase>,
) -> impl IntoView {
    let store = use_store();
    let words = move || {
        let (n_evaluations, n_runs, n_cases) =
            store.tree.with(|tree| (tree.evaluations.len() as u64, tree.n_runs, tree.n_cases));
        match phase.get() {
            PagePhase::Loading if n_runs == 0 => words::READING.to_owned(),
            PagePhase::Loading => words::loading_more(n_evaluations, n_runs, n_cases),
            PagePhase::Ready => words::loaded(n_evaluations, n_runs, n_cases),
            PagePhase::Idle => words::NOTHING_YET.to_owned(),
            PagePhase::Failed => words::NOTHING_LOADED.to_owned(),
        }
    };
    let is_opening = move || phase.get() == PagePhase::Loading && !store.is_empty();
    let is_busy = memo(move || is_opening() || store.is_fetching.get());
    view! {
        <footer class="status" class:is-busy=is_busy>
            <p class="status__line" role="status">{live(words)}</p>
            {shown(move || is_busy.get(), move || view! {
                <ProgressView/>
            }.into_any())}
            <p class="status__promise">{icon(Icon::Lock)}{words::PROMISE}</p>
        </footer>
    }
}
