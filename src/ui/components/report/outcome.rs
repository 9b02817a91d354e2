//! Outcomes: a shape, so that colour is never alone, and a word.

use crate::render::outcome_shape;
use crate::report::Outcome;
use leptos::prelude::*;

/// The shape. It says nothing to assistive tools: a word stands beside it.
pub fn outcome_mark(outcome: Outcome) -> AnyView {
    let [body, sign] = outcome_shape(outcome);
    let class = format!("outcome-mark outcome-mark--{}", outcome.as_str());
    view! {
        <svg class=class viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
            <path class="outcome-mark__body" d=body></path>
            <path class="outcome-mark__sign" d=sign></path>
        </svg>
    }
    .into_any()
}

/// The shape and the word.
pub fn outcome_word(outcome: Outcome) -> AnyView {
    let class = format!("outcome-word outcome-word--{}", outcome.as_str());
    view! { <span class=class>{outcome_mark(outcome)}{outcome.as_str()}</span> }.into_any()
}
