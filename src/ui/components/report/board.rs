//! What stands on top of an overview: where it is, verdict, key figures, runs side by side, failures.

use super::ReportContext;
use super::headlines::headlines;
use super::outcome::outcome_mark;
use super::rates::rates;
use super::runs_strip::strip;
use super::verdict::verdict;
use crate::format;
use crate::report::{
    Board, FailureGroup, Link, Outcome, Sections, TallyPart, TopFailures, TrustMark,
};
use crate::ui::components::compare::CompareLine;
use crate::ui::components::{Icon, icon};
use crate::words::ui::overview as words;
use leptos::prelude::*;

/// All of it; `ways` are the links to other pages.
pub fn board(page: &Sections, board: &Board, ways: Option<AnyView>, cx: &ReportContext) -> AnyView {
    let has_both = board.failures.is_some() && board.rates.is_some();
    let failures = board.failures.as_ref().map(|one| top_failures(one, has_both, cx));
    let rates = board.rates.as_ref().map(|one| rates(one, has_both, cx));
    view! {
        {page.verdict.as_ref().map(|view| verdict(view, cx))}
        {ways}
        {has_several(cx).then(|| view! { <CompareLine/> }.into_any())}
        {key_figures(page, board, cx)}
        {board.strip.as_ref().map(|one| strip(one, cx))}
        <div class="cards overview__cards">{failures}{rates}</div>
    }
    .into_any()
}

/// Whether there may be something to compare with.
fn has_several(cx: &ReportContext) -> bool {
    cx.store.tree.with_untracked(|tree| tree.evaluations.len() > 1)
}

/// What the page's target lies in.
pub fn crumbs(board: &Board, cx: &ReportContext) -> Option<AnyView> {
    let items = board.crumbs.iter().map(|(name, link)| {
        let (name, address) = (name.clone(), cx.shown.address(link).to_owned());
        view! { <li><a href=address>{name}</a>{icon(Icon::Chevron)}</li> }.into_any()
    });
    let items = items.collect_view();
    (!board.crumbs.is_empty()).then(|| {
        view! { <nav aria-label=words::CRUMBS><ol class="crumbs">{items}</ol></nav> }.into_any()
    })
}

/// The headline numbers with the cases by outcome, and how far they can be relied on.
fn key_figures(page: &Sections, board: &Board, cx: &ReportContext) -> AnyView {
    let tally = (!board.tally.is_empty()).then(|| tally(&board.tally, cx));
    view! {
        <section class="card key-figures" aria-label=words::FIGURES>
            {headlines(&page.headlines, tally, cx)}
            {marks(&board.marks, cx)}
        </section>
    }
    .into_any()
}

/// The cases by outcome as a bar, with its parts in words.
fn tally(parts: &[TallyPart], cx: &ReportContext) -> AnyView {
    let bar: Vec<(Outcome, u64)> = parts.iter().map(|part| (part.outcome, part.n)).collect();
    let items = parts.iter().map(|TallyPart { outcome, n, link }| {
        let address = cx.shown.address(link).to_owned();
        let words = format!("{} {outcome}", format::count(*n));
        view! { <li><a href=address>{outcome_mark(*outcome)}{words}</a></li> }.into_any()
    });
    view! {
        {tally_bar(&bar)}
        <ul class="tally__legend" aria-label=words::OUTCOMES>{items.collect_view()}</ul>
    }
    .into_any()
}

/// A bar of which each part is as long as its number. It says nothing to assistive tools: words stand beside it.
pub fn tally_bar(parts: &[(Outcome, u64)]) -> AnyView {
    let parts = parts.iter().map(|(outcome, n)| {
        let class = format!("tally__part tally__part--{}", outcome.as_str());
        view! { <span class=class style:flex-grow=n.to_string()></span> }.into_any()
    });
    view! { <span class="tally" aria-hidden="true">{parts.collect_view()}</span> }.into_any()
}

fn marks(marks: &[TrustMark], cx: &ReportContext) -> Option<AnyView> {
    let items = marks.iter().map(|TrustMark { words, is_warning, link }| {
        let sign = icon(if *is_warning { Icon::Warn } else { Icon::Check });
        let words = words.clone();
        let body = match link {
            Some(link) => {
                let address = cx.shown.address(link).to_owned();
                view! { <a href=address>{words}</a> }.into_any()
            }
            None => words.into_any(),
        };
        let class = if *is_warning { "trust__mark trust__mark--warns" } else { "trust__mark" };
        view! { <li class=class>{sign}{body}</li> }.into_any()
    });
    let items = items.collect_view();
    (!marks.is_empty()).then(|| {
        view! { <ul class="card__foot trust" aria-label=words::TRUST>{items}</ul> }.into_any()
    })
}

/// The largest groups of failures with similar messages.
fn top_failures(failures: &TopFailures, has_neighbour: bool, cx: &ReportContext) -> AnyView {
    let note = match failures.n_unread {
        0 => words::failures_note(failures.n_cases),
        n => words::failures_note_more(failures.n_cases, n),
    };
    let more = failures.n_more.map(|(n_groups, n_cases)| {
        let words = words::other_messages(n_groups);
        view! {
            <li class="failure failure--more">
                <span class="failure__n">{format::count(n_cases)}</span>
                <span class="failure__shape">{words}</span>
            </li>
        }
        .into_any()
    });
    let class = if has_neighbour { "card is-two-thirds" } else { "card" };
    let all = cx.shown.address(&Link::Failures).to_owned();
    let groups = failures.groups.iter().map(|group| failure(group, cx));
    view! {
        <section class=class aria-labelledby="top-failures">
            <div class="card__head">
                <h2 class="card__title" id="top-failures">{words::TOP_FAILURES}</h2>
                <p class="card__note">{note}</p>
                <div class="card__end">
                    <a class="button button--quiet" href=all>{words::ALL_FAILURES}{icon(Icon::Chevron)}</a>
                </div>
            </div>
            <ul class="failures">{groups.collect_view()}{more}</ul>
        </section>
    }
    .into_any()
}

fn failure(group: &FailureGroup, cx: &ReportContext) -> AnyView {
    let FailureGroup { message, n_cases, outcome, place, link } = group;
    let address = cx.shown.address(link).to_owned();
    let (name, hint) = (message.clone(), message.clone());
    view! {
        <li class="failure">
            <span class="failure__n">{format::count(*n_cases)}</span>
            {outcome_mark(*outcome)}
            <a class="failure__shape" href=address title=hint>
                <span class="visually-hidden">{outcome.as_str()}": "</span>{name}
            </a>
            <span class="failure__place">{place.clone()}</span>
        </li>
    }
    .into_any()
}
