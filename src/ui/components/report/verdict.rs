//! The verdict with its reason.

use super::ReportContext;
use super::outcome::outcome_mark;
use crate::report::{Decider, Deciding, VerdictOrigin, VerdictView};
use crate::words::ui::overview as words;
use leptos::prelude::*;

/// The verdict, or why there is none.
pub fn verdict(view: &VerdictView, cx: &ReportContext) -> AnyView {
    let VerdictView { outcome, rule, proviso, standing, in_part, .. } = view;
    let is_open = proviso.is_some() || in_part.is_some();
    let so_far = if is_open { " so-far" } else { "" };
    let class = format!("verdict card verdict--{}{so_far}", outcome.as_str());
    let mark = if *standing == VerdictOrigin::Declared { ';' } else { ':' };
    let line = |class: &'static str, words: String| view! { <p class=class>{words}</p> }.into_any();
    let proviso = proviso.clone().map(|words| line("verdict__proviso", words));
    let rule =
        (*standing == VerdictOrigin::Judged).then(|| line("verdict__rule", words::rule(rule)));
    let declared =
        view.otherwise().map(|declared| line("verdict__declared", words::recorded(declared)));
    view! {
        <section class=class aria-label=words::VERDICT>
            {outcome_mark(*outcome)}
            <div class="verdict__body">
                <p class="verdict__line">
                    <strong class="verdict__word">{format!("{}{mark}", view.word())}</strong>
                    " "
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

/// The first cases that decide it, run by run.
fn deciding(all: &Deciding, cx: &ReportContext) -> Option<AnyView> {
    let groups = all.named.chunk_by(|left, right| left.run == right.run).map(|group| {
        let run = group.first().and_then(|first| first.run.clone());
        let run = run.map(|run| view! { <span class="verdict__run">{run}</span> }.into_any());
        let cases = group.iter().map(|one| decider(one, cx));
        view! { <li class="verdict__group">{run}<ul class="verdict__cases">{cases.collect_view()}</ul></li> }
            .into_any()
    });
    let groups = groups.collect_view();
    let n_more = all.n_cases.saturating_sub(all.named.len() as u64);
    let more = words::and_more(n_more);
    let more = (n_more > 0).then(|| view! { <li class="verdict__run">{more}</li> }.into_any());
    (!all.named.is_empty()).then(|| {
        view! { <ul class="verdict__deciding" aria-label=words::DECIDING>{groups}{more}</ul> }
            .into_any()
    })
}

fn decider(decider: &Decider, cx: &ReportContext) -> AnyView {
    let Decider { case, outcome, link, .. } = decider;
    let address = cx.shown.address(link).to_owned();
    view! {
        <li>
            {outcome_mark(*outcome)}
            <span class="visually-hidden">{outcome.as_str()}" "</span>
            <a class="link verdict__case" href=address>{case.clone()}</a>
        </li>
    }
    .into_any()
}
