//! The pairs, one line each.

use super::card;
use super::matrix::came;
use crate::browser;
use crate::format::count;
use crate::render::compare::{OneShown, PairShown, PairsShown};
use crate::report::compare::{Change, PairOrder};
use crate::ui::state::{Panel, ask, effect, handler, live, memo, shown, use_store};
use crate::ui::words::compare as words;
use crate::worker::protocol::{Answer, CompareAnswer, CompareQuestion, Question};
use leptos::prelude::*;
use std::sync::Arc;

/// Pairs that are shown first, and that come when more are asked for.
const FIRST: usize = 50;
const FURTHER: usize = 200;

/// Id of the head of the list.
const HEAD_ID: &str = "pairs";

/// The orders in the order of their words.
const ORDERS: [(PairOrder, &str); 3] = [
    (PairOrder::WorstFirst, "worst"),
    (PairOrder::BestFirst, "best"),
    (PairOrder::AsPaired, "file"),
];

/// The list; nothing of fewer than two sides.
#[component]
pub fn ComparePairs() -> impl IntoView {
    let store = use_store();
    let has_two = memo(move || store.route.with(|route| route.compare.sides.len() > 1));
    shown(move || has_two.get(), || view! { <Pairs/> }.into_any())
}

#[component]
fn Pairs() -> impl IntoView {
    let store = use_store();
    let view = memo(move || store.route.with(|route| route.compare.clone()));
    let target = memo(move || store.route.with(|route| route.target));
    let n_wanted = RwSignal::new(FIRST);
    // A reader who chooses a list is led to it.
    let list = memo(move || view.with(|view| (view.change, view.within.clone())));
    let seen = StoredValue::new(list.get_untracked());
    effect(move || {
        let now = list.get();
        if seen.get_value() != now {
            let is_chosen = now.0 != Change::Any || now.1.is_some();
            seen.set_value(now);
            n_wanted.set(FIRST);
            if is_chosen {
                request_animation_frame(|| browser::focus(HEAD_ID));
            }
        }
    });
    let panel = ask(
        store,
        move || Question::Compare(CompareQuestion::Pairs(view.get(), target.get(), n_wanted.get())),
        |answer| match answer {
            Answer::Compare(CompareAnswer::Pairs(pairs)) => Ok(*pairs),
            _ => Err("The worker gave another answer.".to_owned()),
        },
    );
    let data: Memo<Arc<PairsShown>> =
        Memo::new(move |old: Option<&Arc<PairsShown>>| match panel.get() {
            Panel::Data(data) => data,
            _ => old.cloned().unwrap_or_default(),
        });
    let note = move || {
        let n = data.with(|data| data.n_all);
        let words = view.with(|view| view.list_words());
        format!("{}{}{words}", count(n), if words.is_empty() { "" } else { ": " })
    };
    let is_filtered =
        memo(move || list.with(|(change, within)| *change != Change::Any || within.is_some()));
    let order = memo(move || view.with(|view| view.order));
    let options = ORDERS.iter().zip(words::ORDERS).map(|((own, value), label)| {
        let (own, value) = (*own, *value);
        view! { <option value=value prop:selected=live(move || order.get() == own)>{label}</option> }
            .into_any()
    });
    let rows = move || {
        let lines = data.get();
        let drawn = lines.lines.iter().map(row);
        drawn.collect_view()
    };
    let n_more = memo(move || data.with(|data| data.n_all > data.lines.len() as u64));
    let is_empty = memo(move || data.with(|data| data.lines.is_empty()));
    let heads = words::PAIR_HEADS.map(|head| {
        let class = if matches!(head, "Difference" | "Adds") { "is-end" } else { "" };
        view! { <th scope="col" class=class>{head}</th> }.into_any()
    });
    let body = view! {
        <div class="pairs__tools">
            <input
                class="field__input" id="find-pair" type="search" aria-label=words::FIND placeholder=words::FIND autocomplete="off"
                prop:value=live(move || view.with(|view| view.find.clone()))
                on:change:target=move |event| {
                    let find = event.target().value();
                    store.adjust(|route| route.compare.find = find);
                }
            />
            <select class="field__input" id="pair-order" aria-label=words::ORDER on:change:target=move |event| {
                let chosen = event.target().value();
                let order = ORDERS.iter().find(|(_, word)| *word == chosen).map(|(order, _)| *order);
                store.adjust(|route| route.compare.order = order.unwrap_or_default());
            }>{options.collect_view()}</select>
            <button
                type="button" class="button button--quiet" hidden=live(move || !is_filtered.get())
                on:click=handler(move |_| store.go(|route| route.compare = route.compare.unfiltered()))
            >{words::ALL_PAIRS}</button>
        </div>
        <div class="words-table__scroll" role="group" aria-label=words::PAIRS tabindex="0" hidden=live(move || is_empty.get())>
            <table class="words-table pairs">
                <thead><tr>{heads.collect_view()}</tr></thead>
                <tbody>{live(rows)}</tbody>
            </table>
        </div>
        <p class="card__body card__note" hidden=live(move || !is_empty.get())>{words::NO_PAIRS}</p>
        <p class="card__body" hidden=live(move || !n_more.get())>
            <button
                type="button" class="button" id="more-pairs"
                on:click=handler(move |_| n_wanted.update(|n| *n += FURTHER))
            >{words::MORE}</button>
        </p>
    }
    .into_any();
    let end = view! { <span class="card__note" id="pairs-count" role="status">{live(note)}</span> }
        .into_any();
    card("card pairs-card", HEAD_ID, words::PAIRS.to_owned(), String::new(), Some(end), body)
}

fn row(pair: &PairShown) -> AnyView {
    let PairShown { id, place, baseline, candidate, difference, adds, address } = pair.clone();
    let name = match (&baseline, &candidate) {
        (Some(_), Some(_)) => {
            view! { <a class="link" dir="auto" href=address>{id.clone()}</a> }.into_any()
        }
        (Some(one), None) | (None, Some(one)) => {
            view! { <a class="link" dir="auto" href=one.address.clone()>{id.clone()}</a> }
                .into_any()
        }
        (None, None) => id.clone().into_any(),
    };
    let one = |one: Option<OneShown>| {
        match one {
        Some(one) => view! { <td><span class="pairs__one">{came(&one.came)}<span>{one.value}</span></span></td> }.into_any(),
        None => view! { <td class="is-faint">"–"</td> }.into_any(),
    }
    };
    view! {
        <tr>
            <th scope="row" class="pairs__case">{name}<span class="pairs__place">{place}</span></th>
            {one(baseline)}
            {one(candidate)}
            <td class="is-end"><b>{difference}</b></td>
            <td class="is-end is-faint">{adds}</td>
        </tr>
    }
    .into_any()
}
