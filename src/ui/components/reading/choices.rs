//! Ways to see something otherwise, and to copy it.

use super::leading::Leading;
use super::part::{failed, part_of};
use crate::reading::{Choices, PartShown, Piece};
use crate::ui::state::{Store, handler, live, memo, use_store};
use crate::words::ui::case as words;
use crate::worker::protocol::Question;
use leptos::prelude::*;
use std::sync::Arc;

/// Something that can be seen in several ways. Copies are the same.
pub struct ViewState<T: 'static> {
    /// As it is seen now.
    pub shown: RwSignal<Arc<T>>,
    failure: RwSignal<Option<String>>,
    take: fn(Piece) -> Option<T>,
    store: Store,
    /// Where somebody is led.
    pub leading: Leading,
}

impl<T: 'static> Clone for ViewState<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: 'static> Copy for ViewState<T> {}

impl<T: Send + Sync + 'static> ViewState<T> {
    /// At first `shown`; `take` takes it out of a piece.
    pub fn new(shown: T, take: fn(Piece) -> Option<T>) -> Self {
        Self {
            shown: RwSignal::new(Arc::new(shown)),
            failure: RwSignal::new(None),
            take,
            store: use_store(),
            leading: expect_context(),
        }
    }

    /// Shows what the part `name` is in its place, then calls `then`.
    pub fn turn(self, name: String, then: impl FnOnce() + 'static) {
        self.leading.asks();
        self.store.ask(Question::Part(name), move |answer| {
            self.leading.has();
            let found = part_of(answer).and_then(|part| {
                let pieces = if let PartShown::Pieces(pieces) = part { pieces } else { Vec::new() };
                let found = pieces.into_iter().next().and_then(self.take);
                found.ok_or_else(|| words::OTHER_ANSWER.to_owned())
            });
            // The view may be gone by now, and its signals with it.
            match found {
                Ok(found) => {
                    self.failure.try_set(None);
                    self.shown.try_set(Arc::new(found));
                    then();
                }
                Err(reason) => {
                    self.failure.try_set(Some(reason));
                }
            }
        });
    }

    /// Why another way could not be shown.
    pub fn failure(self) -> AnyView {
        live(move || self.failure.get().map(|reason| failed(&reason))).into_any()
    }

    /// The ways, as `choices` says them. Buttons stay as long as there are such ways.
    pub fn choices(self, choices: fn(&T) -> &[Choices]) -> AnyView {
        let all = memo(move || self.shown.with(|shown| choices(shown).to_vec()));
        let words = memo(move || {
            let of = |one: &Choices| one.all.iter().map(|choice| choice.word.clone()).collect();
            all.with(|all| all.iter().map(of).collect::<Vec<Vec<String>>>())
        });
        let choice =
            move |group: usize, nth: usize| all.with(|all| all.get(group)?.all.get(nth).cloned());
        let button = move |group: usize, nth: usize, word: String| {
            let is_on = move || choice(group, nth).is_some_and(|choice| choice.is_on);
            let press = move |_| {
                if let Some(choice) = untrack(|| choice(group, nth)) {
                    self.turn(choice.part, || {});
                }
            };
            view! {
                <button
                    type="button" class="way"
                    aria-pressed=live(move || if is_on() { "true" } else { "false" })
                    on:click=handler(press)
                >{word}</button>
            }
            .into_any()
        };
        let group = move |group: usize| {
            let label = all.with_untracked(|all| all.get(group).map(|one| one.label.clone()));
            let own =
                memo(move || words.with(|words| words.get(group).cloned().unwrap_or_default()));
            let buttons = move || {
                let buttons = own.get().into_iter().enumerate();
                buttons.map(|(nth, word)| button(group, nth, word)).collect_view()
            };
            view! { <span class="ways" role="group" aria-label=label>{live(buttons)}</span> }
                .into_any()
        };
        let n_groups = memo(move || words.with(Vec::len));
        view! {
            <For each=move || 0..n_groups.get() key=|nth| *nth children=group/>
        }
        .into_any()
    }
}

/// A button that copies the text `name`, which is `what`.
pub fn copy_button(name: impl Fn() -> String + 'static, what: &str) -> AnyView {
    let store = use_store();
    view! {
        <button
            type="button" class="button button--quiet button--copy" aria-label=words::copy(what)
            on:click=handler(move |_| store.copy_text(name()))
        >{words::COPY}</button>
    }
    .into_any()
}
