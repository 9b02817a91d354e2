//! Asking the worker, as a signal.

use super::{Store, effect};
use crate::browser;
use crate::ui::state::{Newest, Panel};
use crate::worker::protocol::{Answer, Failure, Question};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;

/// The answer to `request`, asked again whenever what `request` reads changes, or the workspace.
/// Answers to older requests are dropped; until the new one comes, the old data stays.
///
/// `read` takes the data out of the answer; `Err` is why there is nothing to show.
pub fn ask<T: Send + Sync + 'static>(
    store: Store,
    request: impl Fn() -> Question + 'static,
    read: impl Fn(Answer) -> Result<T, String> + Copy + 'static,
) -> ReadSignal<Panel<T>> {
    ask_after(1, store, request, read)
}

/// The same for what stands below: it is asked after what others ask at the same moment.
pub fn ask_below<T: Send + Sync + 'static>(
    store: Store,
    request: impl Fn() -> Question + 'static,
    read: impl Fn(Answer) -> Result<T, String> + Copy + 'static,
) -> ReadSignal<Panel<T>> {
    ask_after(2, store, request, read)
}

fn ask_after<T: Send + Sync + 'static>(
    n_turns: usize,
    store: Store,
    request: impl Fn() -> Question + 'static,
    read: impl Fn(Answer) -> Result<T, String> + Copy + 'static,
) -> ReadSignal<Panel<T>> {
    let (panel, set_panel) = signal(Panel::Loading);
    let newest = StoredValue::new(Newest::default());
    effect(move || {
        store.version.track();
        let Some(asked) = newest.try_update_value(Newest::ask) else { return };
        let (question, waiting) = (request(), ArcStoredValue::new(None));
        let is_wanted = move || newest.try_get_value().is_some_and(|newest| newest.wants(asked));
        let answered = move |answer: Result<Answer, Failure>| {
            // The view may be gone by now, and its signal with it.
            if !is_wanted() {
                return;
            }
            let panel = match answer.map(read) {
                Ok(Ok(data)) => Panel::Data(Arc::new(data)),
                Ok(Err(reason)) => Panel::Empty(reason),
                Err(failure) => Panel::Failed(failure.to_string()),
            };
            set_panel.try_set(panel);
        };
        let asking = waiting.clone();
        spawn_local(async move {
            // When the page turns, views that are about to go hear of it first: the worker would begin what nobody wants.
            for _ in 0..n_turns {
                browser::turn().await;
            }
            if is_wanted() {
                asking.set_value(store.ask(question, answered));
            }
        });
        on_cleanup(move || store.withdraw(waiting.get_value()));
    });
    panel
}
