//! The page about columns: each with its first cells, what it is read as and why; what follows beside.
//!
//! Controls stay while answers come, so that focus and scroll stay too: each follows its own value.

mod column;
mod line;
mod offered;

pub use line::ColumnsLine;
pub use offered::OfferedTables;

use crate::address::Page;
use crate::report::{ColumnsState, ColumnsView, MappingFile, Target};
use crate::ui::state::{Store, effect, handler, live, memo, shown, use_store};
use crate::words::ui::columns as words;
use crate::worker::protocol::ColumnsShown;
use leptos::prelude::*;
use std::sync::Arc;

/// What every part of the page draws from.
#[derive(Clone, Copy)]
struct ColumnsContext {
    shown: Signal<Arc<ColumnsShown>>,
    /// How the table is read, by the last answer.
    file: Memo<MappingFile>,
    store: Store,
}

impl ColumnsContext {
    /// What `read` finds in the page, followed.
    fn of<T: PartialEq + Send + Sync + 'static>(
        self,
        read: impl Fn(&ColumnsView) -> T + Send + Sync + 'static,
    ) -> Memo<T> {
        memo(move || self.shown.with(|shown| read(&shown.view)))
    }
}

/// The page, as panels draw it.
pub fn columns_page(shown: Signal<Arc<ColumnsShown>>) -> AnyView {
    let store = use_store();
    let file = memo(move || shown.with(|shown| store.columns_of(&shown.word)));
    let cx = ColumnsContext { shown, file, store };
    effect(move || {
        let file = file.get();
        store.choosing.update(|choosing| choosing.followed(&file));
    });
    let title = cx.of(|view| words::title(Page::Columns.title(), &view.label));
    let facts = cx.of(|view| [std::slice::from_ref(&view.file), &view.facts].concat());
    let facts = move || {
        let facts = facts.get().into_iter().map(|fact| view! { <li>{fact}</li> }.into_any());
        facts.collect_view()
    };
    let state = cx.of(|view| view.state.clone());
    let can_change = cx.of(|view| view.can_change);
    let lead = move || {
        if can_change.get() { lead_words(&state.get()) } else { words::NOT_OPEN.to_owned() }
    };
    view! {
        <div class="sections columns">
            <header class="page-head">
                <div class="page-head__about">
                    <h1 class="page-head__title">{live(move || title.get())}</h1>
                    <ul class="page-head__facts">{live(facts)}</ul>
                    <p class="page-head__lead">{live(lead)}</p>
                    {others(cx)}
                </div>
            </header>
            <div class="columns__desk">
                {follows(cx)}
                {tools(cx)}
            </div>
            {column::columns(cx)}
        </div>
    }
    .into_any()
}

/// What the page says first: how sure it is.
fn lead_words(state: &ColumnsState) -> String {
    match state {
        ColumnsState::Guessed => words::LEAD_GUESSED.to_owned(),
        ColumnsState::Draft => words::LEAD_DRAFT.to_owned(),
        ColumnsState::Chosen => words::LEAD_CHOSEN.to_owned(),
        ColumnsState::File(path) => words::lead_file(path),
    }
}

/// Links to the other tables that are open.
fn others(cx: ColumnsContext) -> AnyView {
    let others = cx.of(|view| view.others.clone());
    let links = move || {
        let link = |(id, label): (u32, String)| {
            let href = move || href(cx.store, Target::Evaluation(id));
            view! { <li><a class="link" href=live(href)>{label}</a></li> }.into_any()
        };
        others.get().into_iter().map(link).collect_view()
    };
    shown(
        move || others.with(|others| !others.is_empty()),
        move || {
            view! { <ul class="columns__others" aria-label=words::OTHERS>{live(links)}</ul> }
                .into_any()
        },
    )
}

/// Where the page about the columns of `target` is.
fn href(store: Store, target: Target) -> String {
    store.route.with(|route| {
        let mut route = route.clone();
        route.leave();
        (route.page, route.target) = (Page::Columns, target);
        store.tree.with(|tree| route.to_hash(tree))
    })
}

/// What follows from how the columns are read.
fn follows(cx: ColumnsContext) -> AnyView {
    let lines = cx.of(|view| {
        let alike = (!view.alike.is_empty()).then(|| words::alike(&view.alike));
        view.follows.iter().chain(&view.remarks).cloned().chain(alike).collect::<Vec<String>>()
    });
    let lines = move || {
        let line = |line: String| view! { <li>{line}</li> }.into_any();
        lines.get().into_iter().map(line).collect_view()
    };
    let is_reading = memo(move || cx.store.choosing.with(|choosing| choosing.is_reading()));
    view! {
        <section class="card columns__card" aria-labelledby="columns-follows" aria-busy=live(move || is_reading.get().then_some("true"))>
            <h2 class="section__title" id="columns-follows">{words::FOLLOWS}
                <span class="columns__reading" role="status">{live(move || if is_reading.get() { words::READING } else { "" })}</span>
            </h2>
            <ul class="columns__follows" class:is-stale=live(move || is_reading.get())>{live(lines)}</ul>
        </section>
    }
    .into_any()
}

/// What can be done with the choice.
fn tools(cx: ColumnsContext) -> AnyView {
    let ColumnsContext { store, file, .. } = cx;
    let state = cx.of(|view| view.state.clone());
    let can_change = cx.of(|view| view.can_change);
    let evaluation = cx.of(|view| view.evaluation);
    let is_settled =
        memo(move || matches!(state.get(), ColumnsState::Chosen | ColumnsState::File(_)));
    let is_by_page =
        memo(move || matches!(state.get(), ColumnsState::Chosen | ColumnsState::Draft));
    let use_these = move |_| file.with_untracked(|file| store.confirm_columns(file));
    let guess = move |_| file.with_untracked(|file| store.guess_columns(file));
    let save = move |_| store.save_columns(Target::Evaluation(evaluation.get_untracked()));
    let link = move |_| file.with_untracked(|file| store.copy_columns_link(file));
    view! {
        <section class="card columns__card" aria-label=words::TOOLS hidden=live(move || !can_change.get())>
            <div class="columns__tools">
                // Disabled buttons lose the focus, so these two only say so.
                <button
                    type="button" class="button button--main" id="columns-use"
                    aria-disabled=live(move || is_settled.get().then_some("true"))
                    on:click=handler(move |event| if !is_settled.get_untracked() { use_these(event) })
                >{words::USE}</button>
                <button
                    type="button" class="button" id="columns-guess"
                    aria-disabled=live(move || (!is_by_page.get()).then_some("true"))
                    on:click=handler(move |event| if is_by_page.get_untracked() { guess(event) })
                >{words::GUESS}</button>
                <button type="button" class="button" on:click=handler(save)>{words::SAVE}</button>
                <button type="button" class="button" on:click=handler(link)>{words::LINK}</button>
            </div>
            <p class="field__hint">{words::HINT}</p>
        </section>
    }
    .into_any()
}
