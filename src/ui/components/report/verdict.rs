//! The verdict with its reason.

use super::Cx;
use super::outcome::outcome_mark;
use crate::format;
use crate::report::{Decider, Deciding, Standing, VerdictView};
use leptos::prelude::*;

/// The verdict, or why there is none.
pub fn verdict(view: &VerdictView, cx: &Cx) -> AnyView {
    let VerdictView { outcome, rule, proviso, standing, .. } = view;
    let so_far = if proviso.is_some() { " so-far" } else { "" };
    let class = format!("verdict verdict--{}{so_far}", outcome.as_str());
    let mark = if *standing == Standing::Declared { ';' } else { ':' };
    let line = |class: &'static str, words: String| view! { <p class=class>{words}</p> }.into_any();
    let proviso = proviso.clone().map(|words| line("verdict__proviso", words));
    let rule =
        (*standing == Standing::Judged).then(|| line("verdict__rule", format!("Rule: {rule}")));
    let declared = view
        .otherwise()
        .map(|declared| line("verdict__declared", format!("Recorded in the file: {declared}")));
    view! {
        <section class=class aria-label="Verdict">
            {outcome_mark(*outcome)}
            <div>
                <p class="verdict__line">
                    <strong class="verdict__word">{format!("{}{mark}", view.word())}</strong>
                    <span class="verdict__reason">{view.why()}</span>
                </p>
                {proviso}
                {rule}
                {declared}
                {deciding(&view.deciding, cx)}
            </div>
        </section>
    }
    .into_any()
}

/// The first cases that decide it.
fn deciding(all: &Deciding, cx: &Cx) -> Option<AnyView> {
    let items = all.named.iter().map(|Decider { run, case, outcome, link }| {
        let address = cx.shown.address(link).to_owned();
        let run = run.clone();
        let run = run.map(|run| view! { <span class="verdict__run">{run}" "</span> }.into_any());
        view! {
            <li>
                {outcome_mark(*outcome)}
                <span class="visually-hidden">{outcome.as_str()}" "</span>
                {run}
                <a class="link verdict__case" href=address>{case.clone()}</a>
            </li>
        }
        .into_any()
    });
    let items = items.collect_view();
    let n_more = all.n_cases.saturating_sub(all.named.len() as u64);
    let more = format!("and {} more", format::count(n_more));
    let more = (n_more > 0).then(|| view! { <li class="verdict__run">{more}</li> }.into_any());
    (!all.named.is_empty()).then(|| {
        view! {
            <ul class="verdict__deciding" aria-label="Cases that decide it">{items}{more}</ul>
        }
        .into_any()
    })
}
