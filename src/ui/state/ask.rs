//! Asking the worker, as a signal.

use super::{Panel, Store, effect};
use crate::markup::Markup;
use crate::worker::protocol::{Answer, Question};
use leptos::prelude::*;
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
    let (panel, set_panel) = signal(Panel::Loading);
    let newest = StoredValue::new(0_u64);
    effect(move || {
        store.version.track();
        let number = newest.get_value() + 1;
        newest.set_value(number);
        store.ask(request(), move |answer| {
            if newest.try_get_value() != Some(number) {
                return;
            }
            let panel = match answer.map(read) {
                Ok(Ok(data)) => Panel::Data(Arc::new(data)),
                Ok(Err(reason)) => Panel::Empty(reason),
                Err(failure) => Panel::Failed(failure.to_string()),
            };
            // The view may be gone by now, and its signal with it.
            set_panel.try_set(panel);
        });
    });
    panel
}

/// The same for what the worker draws.
pub fn ask_markup(
    store: Store,
    request: impl Fn() -> Question + 'static,
) -> ReadSignal<Panel<Markup>> {
    let request: Box<dyn Fn() -> Question> = Box::new(request);
    ask(store, request, |answer| match answer {
        Answer::Markup(markup) => Ok(markup),
        _ => Err("The worker gave another answer.".to_owned()),
    })
}
