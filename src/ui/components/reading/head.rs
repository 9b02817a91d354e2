//! The head of a case: where it is, its id, its outcome and what is known of it in one line.

use crate::format;
use crate::reading::CasePage;
use crate::ui::components::report::outcome_word;
use crate::words::ui::case as words;
use leptos::prelude::*;

/// Id of the heading.
pub const TITLE_ID: &str = "case-title";

/// The head.
pub fn head(page: &CasePage) -> AnyView {
    let [evaluation, run] = page.crumbs.clone().map(|(label, address)| {
        view! { <a class="link" href=address><bdi>{label}</bdi></a> }.into_any()
    });
    let score = match (&page.score, &page.score_reason) {
        (Some((score, address)), _) => Some(
            view! {
                <li>
                    {words::SCORE}" "
                    <a class="link" href=address.clone() title=words::BREAKDOWN>{score.clone()}</a>
                </li>
            }
            .into_any(),
        ),
        (None, Some(reason)) => Some(
            view! { <li>{words::SCORE}" "{format::UNKNOWN}" "{reason.clone()}</li> }.into_any(),
        ),
        (None, None) => None,
    };
    let facts = page.facts.iter().map(|fact| {
        let label = fact.label.to_lowercase();
        view! { <li>{label}" "<bdi>{fact.value.clone()}</bdi></li> }.into_any()
    });
    view! {
        <header class="case__head">
            <p class="case__crumbs">{evaluation}" / "{run}</p>
            <h1 class="page-head__title case__id" id=TITLE_ID tabindex="-1" dir="auto">{page.id.clone()}</h1>
            <ul class="page-head__facts">
                <li class="case__outcome">{outcome_word(page.outcome)}</li>
                {score}
                {facts.collect_view()}
            </ul>
        </header>
    }
    .into_any()
}
