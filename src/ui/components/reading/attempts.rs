//! The attempts of a case, one at a time.

use super::part::body;
use crate::reading::AttemptShown;
use crate::ui::components::report::outcome_mark;
use crate::words::ui::case as words;
use leptos::prelude::*;

/// Tabs, which are radio buttons: arrow keys go through them.
pub fn attempts(all: &[AttemptShown]) -> AnyView {
    let tabs = all.iter().enumerate().map(|(idx, one)| {
        let id = format!("attempt-{idx}");
        let of = id.clone();
        view! {
            <div class="tabs__tab">
                <input type="radio" name="attempts" class="visually-hidden tabs__input" id=id checked=one.is_chosen/>
                <label class="tabs__label" for=of>{outcome_mark(one.outcome)}{one.title.clone()}</label>
                <div class="tabs__panel">{body(&one.body)}</div>
            </div>
        }
        .into_any()
    });
    view! { <div class="tabs" role="radiogroup" aria-label=words::ATTEMPTS>{tabs.collect_view()}</div> }
        .into_any()
}
