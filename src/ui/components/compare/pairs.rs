//! The pairs, one line each.

use super::matrix::came;
use super::pairs_tools::{PairTools, PairToolsView, ROWS_ID};
use super::{card, token};
use crate::browser;
use crate::render::compare::{CameShown, OneShown, PairShown, PairsShown};
use crate::report::compare::Change;
use crate::ui::components::outcome_mark;
use crate::ui::state::{Panel, ask_below, effect, handler, live, memo, shown, use_store};
use crate::words::ui::{compare, pairs as words, shell};
use crate::worker::protocol::{Answer, CompareAnswer, CompareQuestion, Question};
use leptos::prelude::*;
use std::sync::Arc;

/// Pairs that are shown first, and that come when more are asked for.
const FIRST: usize = 50;
const FURTHER: usize = 200;

/// Id of the head of the list.
const HEAD_ID: &str = "pairs";

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
    let tools = PairTools::default();
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
                browser::focus_soon(HEAD_ID);
            }
        }
    });
    let panel = ask_below(
        store,
        move || {
            tools.again.track();
            Question::Compare(CompareQuestion::Pairs(view.get(), target.get(), n_wanted.get()))
        },
        |answer| match answer {
            Answer::Compare(CompareAnswer::Pairs(pairs)) => Ok(*pairs),
            _ => Err(shell::OTHER_ANSWER.to_owned()),
        },
    );
    let data: Memo<Arc<PairsShown>> =
        Memo::new(move |old: Option<&Arc<PairsShown>>| match panel.get() {
            Panel::Data(data) => data,
            _ => old.cloned().unwrap_or_default(),
        });
    let note = move || data.with(|data| data.count.clone());
    let rows = move || {
        let lines = data.get();
        let drawn = lines.lines.iter().map(row);
        drawn.collect_view()
    };
    let n_more = memo(move || data.with(|data| data.n_all > data.lines.len() as u64));
    let is_empty = memo(move || data.with(|data| data.lines.is_empty()));
    let is_stale = move || {
        let is_broken = data.with(|data| data.filter.error.is_some());
        is_broken || tools.is_stale.get()
    };
    let heads = move || {
        let ([left, right], difference, others) = data
            .with(|data| (data.letters.clone(), data.difference_of.clone(), data.others.clone()));
        let others = others.into_iter().map(|letter| {
            view! { <th scope="col" class="pairs__other">{token(&letter)}</th> }.into_any()
        });
        let [case, adds] = words::HEADS;
        view! {
            <th scope="col">{case}</th>
            <th scope="col" class="pairs__side">{token(&left)}</th>
            <th scope="col" class="pairs__side">{token(&right)}</th>
            <th scope="col" class="is-end pairs__difference">{difference}</th>
            <th scope="col" class="is-end pairs__adds">{adds}</th>
            {others.collect_view()}
        }
        .into_any()
    };
    let body = view! {
        <PairToolsView tools data/>
        <div
            class="words-table__scroll" id=ROWS_ID role="group" aria-label=compare::PAIRS tabindex="0"
            class:is-stale=live(is_stale)
            hidden=live(move || is_empty.get())
        >
            <table class="words-table pairs">
                <thead><tr class="pairs__heads">{live(heads)}</tr></thead>
                <tbody>{live(rows)}</tbody>
            </table>
        </div>
        <p class="card__body card__note" hidden=live(move || !is_empty.get())>{words::NO_MATCH}</p>
        <p class="card__body" hidden=live(move || !n_more.get())>
            <button
                type="button" class="button" id="more-pairs"
                on:click=handler(move |_| n_wanted.update(|n| *n += FURTHER))
            >{compare::MORE}</button>
        </p>
    }
    .into_any();
    let end = view! { <span class="card__note" id="pairs-count" role="status">{live(note)}</span> }
        .into_any();
    card("card pairs-card", HEAD_ID, compare::PAIRS.to_owned(), String::new(), Some(end), body)
}

fn row(pair: &PairShown) -> AnyView {
    let PairShown { id, place, baseline, candidate, others, difference, adds, address } =
        pair.clone();
    let others = others.into_iter().map(other);
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
    let one = |one: Option<OneShown>| match one {
        Some(one) => {
            let value = (!one.value.is_empty()).then(|| view! { <b>{one.value}</b> }.into_any());
            view! { <td><span class="pairs__one">{came(&one.came)}{value}<span>{one.score}</span></span></td> }.into_any()
        }
        None => view! { <td class="is-faint">"–"</td> }.into_any(),
    };
    view! {
        <tr>
            <th scope="row" class="pairs__case">{name}<span class="pairs__place">{place}</span></th>
            {one(baseline)}
            {one(candidate)}
            <td class="is-end pairs__difference"><b>{difference}</b></td>
            <td class="is-end is-faint pairs__adds">{adds}</td>
            {others.collect_view()}
        </tr>
    }
    .into_any()
}

/// How a pair came out on a side that is not looked at: a shape, and its word for who cannot see that.
fn other(came: Option<CameShown>) -> AnyView {
    let Some(CameShown { outcome, word }) = came else {
        return view! { <td class="pairs__other is-faint">"–"</td> }.into_any();
    };
    let mark = match outcome {
        Some(outcome) => outcome_mark(outcome),
        None => view! { <span aria-hidden="true">"±"</span> }.into_any(),
    };
    let hint = word.clone();
    view! { <td class="pairs__other" title=hint>{mark}<span class="visually-hidden">{word}</span></td> }
        .into_any()
}
