//! How numbers and charts look: kept for the next visit, told to the worker.

use super::{Store, effect};
use crate::browser;
use crate::render::Look;
use crate::ui::state::LastSent;
use crate::worker::protocol::Question;
use leptos::prelude::*;

/// Name under which it is kept.
const NAME: &str = "look";

/// What was chosen last: `fraction 2 dense`, in any order.
pub fn remembered() -> Look {
    let words = browser::remembered(NAME).unwrap_or_default();
    let mut look = Look { is_narrow: browser::is_narrow(), ..Look::default() };
    for word in words.split(' ') {
        match word {
            "fraction" => look.is_fraction = true,
            "dense" => look.is_dense = true,
            _ => look.digits = word.parse().ok().or(look.digits),
        }
    }
    look
}

/// Keeps the choice, and tells the worker, now and whenever it changes.
pub fn keep(store: Store) {
    browser::on_narrow(move |is_narrow| store.look.update(|look| look.is_narrow = is_narrow));
    let told = StoredValue::new(LastSent::<Look>::default());
    effect(move || {
        let look = store.look.get();
        if told.try_update_value(|told| told.is_news(&look)) != Some(true) {
            return;
        }
        let digits = look.digits.map(|digits| digits.to_string());
        let words = [
            look.is_fraction.then_some("fraction"),
            look.is_dense.then_some("dense"),
            digits.as_deref(),
        ];
        browser::remember(NAME, &words.into_iter().flatten().collect::<Vec<_>>().join(" "));
        store.change(Question::Look(look));
    });
}
