//! A line above the figures of tables: whether their columns are guessed, and the way to change that.

use super::href;
use crate::address::Page;
use crate::report::{ColumnsState, Target};
use crate::ui::state::{live, memo, use_store};
use crate::words::ui::columns as words;
use leptos::prelude::*;

/// How the columns of what is looked at are read; nothing where no table is.
#[component]
pub fn ColumnsLine() -> impl IntoView {
    let store = use_store();
    let tables = memo(move || {
        let is_here = store.route.with(|route| {
            matches!(route.page, Page::Overview | Page::Cases) && route.missing.is_none()
        });
        let selected = store.selected();
        store.tree.with(|tree| {
            let all = tree.evaluations.iter();
            let here = all.filter(|node| is_here && selected.is_none_or(|id| id == node.id));
            let tables = here.filter_map(|node| Some((node.id, node.columns.clone()?)));
            tables.collect::<Vec<(u32, ColumnsState)>>()
        })
    });
    let line = move || {
        let (words, link, target) = match tables.get().as_slice() {
            [] => return None,
            [(id, state)] => {
                let [words, link] = state_words(state);
                (words, link, Target::Evaluation(*id))
            }
            several => {
                let is_open = |state: &ColumnsState| {
                    matches!(state, ColumnsState::Guessed | ColumnsState::Draft)
                };
                let mut open = several.iter().filter(|(_, state)| is_open(state));
                // Where all are confirmed there is nothing to warn of.
                let (first, _) = open.next()?;
                (
                    words::several(open.count() + 1),
                    words::GUESSED[1].to_owned(),
                    Target::Evaluation(*first),
                )
            }
        };
        let href = move || href(store, target);
        Some(
            view! { <p class="columns-line">{words}" "<a class="link" href=live(href)>{link}</a></p> }
                .into_any(),
        )
    };
    view! { {live(line)} }
}

/// What is said of the columns of an evaluation, and the link to their page.
fn state_words(state: &ColumnsState) -> [String; 2] {
    match state {
        ColumnsState::Guessed => words::GUESSED.map(str::to_owned),
        ColumnsState::Draft => words::DRAFT.map(str::to_owned),
        ColumnsState::Chosen => words::CHOSEN.map(str::to_owned),
        ColumnsState::File(path) => [words::as_in_file(path), words::CHANGE.to_owned()],
    }
}
