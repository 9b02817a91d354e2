//! What changes by the rules in force: it stays beside what they are set with.

use super::RulesContext;
use crate::browser;
use crate::format;
use crate::report::{RuleChange, RuleChanges};
use crate::ui::components::report::outcome_mark;
use crate::ui::state::{handler, live, memo, shown};
use crate::words::ui::rules as words;
use leptos::prelude::*;

/// Id of the heading.
const TITLE: &str = "changes-title";
/// Ids of the tables that name every change, the first one that is there.
const TABLES: [&str; 3] = ["rows-flips", "rows-flipped-cases", "rows-moved-scores"];

/// The counts, the first changes by name, and what can be done with the rules in force.
pub fn changes(cx: RulesContext) -> AnyView {
    let own = cx.of(|rules| rules.changes.clone());
    let addresses = memo(move || cx.shown.with(|shown| shown.addresses.clone()));
    let is_changed = memo(move || own.with(|own| !own.rules.is_empty()));
    let copy = move |_| {
        let command = cx.shown.with_untracked(|shown| shown.command.clone());
        cx.store.copy_saying(command, words::COMMAND_COPIED.to_owned());
    };
    let back = move || {
        let back = move |_| cx.store.go(|route| route.rules.clear());
        view! { <button type="button" class="button button--small" on:click=handler(back)>{words::BACK}</button> }
            .into_any()
    };
    view! {
        <div class="rules__beside">
            <section class="card rules__card changes" aria-labelledby=TITLE>
                <h2 class="section__title" id=TITLE>{words::CHANGES}</h2>
                <div aria-live="polite">{live(move || own.with(counts))}</div>
                {live(move || own.with(|own| addresses.with(|addresses| list(own, addresses))))}
            </section>
            <div class="changes__tools">
                {shown(move || is_changed.get(), back)}
                <button type="button" class="button button--small" on:click=handler(copy)>{words::COPY_COMMAND}</button>
            </div>
        </div>
    }
    .into_any()
}

/// How much changes, or why nothing does.
fn counts(changes: &RuleChanges) -> AnyView {
    let RuleChanges { rules, n_verdicts, n_groups, n_cases, nothing, .. } = changes;
    let in_force = (!rules.is_empty())
        .then(|| view! { <p class="changes__rules">{rules.join("; ")}</p> }.into_any());
    if changes.n_all() == 0 {
        return view! { {in_force}<p class="changes__nothing">{nothing.clone()}</p> }.into_any();
    }
    let count = |n: u64, [one, many]: [&'static str; 2]| {
        let word = if n == 1 { one } else { many };
        let class = if n == 0 { "changes__count is-none" } else { "changes__count" };
        view! { <li class=class><strong>{format::count(n)}</strong>" "{word}</li> }.into_any()
    };
    view! {
        {in_force}
        <ul class="changes__counts">
            {count(*n_verdicts, words::VERDICTS)}
            {count(*n_cases, words::CASES)}
            {count(*n_groups, words::GROUPS)}
        </ul>
    }
    .into_any()
}

/// The first changes, and what leads to the rest.
fn list(changes: &RuleChanges, addresses: &[String]) -> Option<AnyView> {
    let all = changes.first.iter().zip(addresses).map(|(one, address)| change(one, address));
    let all = all.collect_view();
    let show = move |_| {
        for id in TABLES.iter().rev() {
            browser::focus(id);
        }
    };
    (!changes.first.is_empty()).then(|| {
        view! {
            <ul class="changes__list">{all}</ul>
            <button type="button" class="button button--small changes__all" on:click=handler(show)>{words::ALL_CHANGES}</button>
        }
        .into_any()
    })
}

fn change(change: &RuleChange, address: &str) -> AnyView {
    let RuleChange { name, what, from, to, .. } = change;
    let name = if address.is_empty() {
        name.clone().into_any()
    } else {
        view! { <a class="link" href=address.to_owned()>{name.clone()}</a> }.into_any()
    };
    view! {
        <li class="changes__one">
            <span class="changes__turn">
                {outcome_mark(*from)}
                <span class="visually-hidden">{format!("{} {} ", from.as_str(), words::BECOMES)}</span>
                <span aria-hidden="true">"→"</span>
                {outcome_mark(*to)}
                <span class="visually-hidden">{format!("{}: ", to.as_str())}</span>
            </span>
            <span class="changes__name"><bdi>{name}</bdi>" "<span class="changes__what">{what.clone()}</span></span>
        </li>
    }
    .into_any()
}
