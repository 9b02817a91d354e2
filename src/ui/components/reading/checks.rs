//! The checks of a case.

use super::pieces::pieces;
use crate::reading::CheckShown;
use crate::report::Outcome;
use crate::ui::components::report::{outcome_mark, paced};
use leptos::prelude::*;

/// Checks that come into the document at once.
const MAX_AT_ONCE: usize = 20;

/// Elements of a check, about.
const ELEMENTS: usize = 14;

/// A list of checks.
pub fn checks(all: &[CheckShown]) -> AnyView {
    let chunks = all.chunks(MAX_AT_ONCE).map(|chunk| {
        let chunk = chunk.to_vec();
        paced(chunk.len() * ELEMENTS, move || chunk.iter().map(check).collect_view().into_any())
    });
    view! { <ul class="checks">{chunks.collect_view()}</ul> }.into_any()
}

fn check(check: &CheckShown) -> AnyView {
    // What failed is what is looked for; of the others the sign says it.
    let is_wrong = matches!(check.outcome, Outcome::Failed | Outcome::Error);
    let class = if is_wrong { "check check--wrong" } else { "check" };
    let word = format!("check__word outcome-word--{}", check.outcome.as_str());
    let notes = check
        .notes
        .iter()
        .map(|note| view! { <span class="check__note">{note.clone()}</span> }.into_any());
    let reason = check.reason.clone();
    let reason =
        reason.map(|words| view! { <p class="check__reason" dir="auto">{words}</p> }.into_any());
    view! {
        <li class=class>
            {outcome_mark(check.outcome)}
            <p class="check__line">
                <bdi class="check__name">{check.name.clone()}</bdi>" "
                <span class=word>{check.word.clone()}</span>
                {notes.collect_view()}
            </p>
            <span class="check__score">{check.score.clone()}</span>
            <div class="check__more pieces">
                {reason}
                {sides(&check.sides)}
                {pieces(&check.below)}
            </div>
        </li>
    }
    .into_any()
}

/// Texts that fit into a line, each with its word.
pub fn sides(sides: &[(String, String)]) -> Option<AnyView> {
    let items = sides.iter().map(|(word, text)| {
        view! {
            <span class="check__side">{word.clone()}</span>" "
            <code dir="auto">{text.clone()}</code>" "
        }
        .into_any()
    });
    let items = items.collect_view();
    (!sides.is_empty()).then(|| view! { <p class="check__sides">{items}</p> }.into_any())
}
