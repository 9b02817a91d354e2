//! Outcomes: a shape each, so that colour is never alone.

use crate::report::Outcome;
use leptos::prelude::*;

/// The shape of an outcome. Says nothing to assistive tools: a word stands beside it.
#[component]
pub fn OutcomeMark(
    /// Which.
    outcome: Outcome,
) -> impl IntoView {
    // On a 12 × 12 grid: disc with a tick, square with a cross, triangle, bar, ring.
    let (body, sign) = match outcome {
        Outcome::Passed => {
            ("M6 .5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11Z", "M3.4 6.2l1.8 1.8l3.4-3.7")
        }
        Outcome::Failed => (
            "M2 .5h8a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8a1.5 1.5 0 0 1-1.5-1.5v-8a1.5 1.5 0 0 1 1.5-1.5Z",
            "M3.8 3.8l4.4 4.4m0-4.4l-4.4 4.4",
        ),
        Outcome::Error => ("M6 .3l5.9 11h-11.8Z", "M6 4.2v3.4m0 1.3v1"),
        Outcome::Skipped => ("", "M2 6h8"),
        Outcome::Unscored => ("", "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9Z"),
    };
    let class = format!("outcome-mark outcome-mark--{}", outcome.as_str());
    view! {
        <svg class=class viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
            <path class="outcome-mark__body" d=body></path>
            <path class="outcome-mark__sign" d=sign></path>
        </svg>
    }
}
