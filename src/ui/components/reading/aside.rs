//! What stands beside a case's sections: the verdict, what it took, where else it is.

use crate::reading::{CasePage, ElsewhereShown, FactShown};
use crate::ui::components::report::outcome_mark;
use crate::ui::state::use_store;
use crate::words::ui::case as words;
use leptos::prelude::*;

/// The verdict with the rule that decided.
pub fn verdict(page: &CasePage) -> AnyView {
    let rule = page
        .rule
        .as_ref()
        .map(|rule| view! { <p class="case__rule">{words::RULE}": "{rule.clone()}</p> }.into_any());
    let class = format!("case__verdict case__verdict--{}", page.outcome.as_str());
    view! {
        <section class=class aria-label=words::VERDICT>
            {outcome_mark(page.outcome)}
            <div>
                <p class="case__why">{page.verdict.clone()}</p>
                {rule}
            </div>
        </section>
    }
    .into_any()
}

/// Time, tokens, cost; nothing where nothing is known.
pub fn usage(usage: &[FactShown]) -> Option<AnyView> {
    let items = usage.iter().map(|fact| {
        view! { <div class="case__pair"><dt>{fact.label.clone()}</dt><dd>{fact.value.clone()}</dd></div> }
            .into_any()
    });
    let items = items.collect_view();
    (!usage.is_empty()).then(|| {
        view! {
            <section class="case__panel">
                <h2 class="case__panel-title">{words::USAGE}</h2>
                <dl class="case__pairs">{items}</dl>
            </section>
        }
        .into_any()
    })
}

/// The same case in other runs.
pub fn elsewhere(all: &[ElsewhereShown]) -> Option<AnyView> {
    let look = use_store().look.get_untracked();
    let items = all.iter().map(|one| {
        let before = one
            .is_before
            .then(|| view! { " "<span class="case__before">{words::BEFORE}</span> }.into_any());
        let score = one.score.map(|score| look.score(score.0));
        view! {
            <li class="case__other">
                {outcome_mark(one.outcome)}
                <span class="visually-hidden">{one.outcome.as_str()}" "</span>
                <span class="case__other-name">
                    <a class="link" href=one.address.clone() dir="auto">{one.label.clone()}</a>
                    {before}
                </span>
                <span class="case__other-score">{score}</span>
                <a class="link case__other-compare" href=one.compared.clone() aria-label=words::compare_with(&one.label)>{words::COMPARE}</a>
            </li>
        }
        .into_any()
    });
    let items = items.collect_view();
    (!all.is_empty()).then(|| {
        view! {
            <section class="case__panel">
                <h2 class="case__panel-title">{words::ELSEWHERE}</h2>
                <ul class="case__others">{items}</ul>
            </section>
        }
        .into_any()
    })
}
