//! The sides as tokens: added, taken away, put in another order.

use super::token;
use crate::render::compare::{CompareShown, CompareSideShown};
use crate::report::Target;
use crate::ui::components::{Ends, Icon, icon};
use crate::ui::state::{Store, handler, live, memo, use_store};
use crate::words::ui::compare as words;
use leptos::prelude::*;
use std::sync::Arc;

/// Changes the sides.
fn change(store: Store, change: impl FnOnce(&mut Vec<Vec<Target>>)) {
    store.go(|route| {
        change(&mut route.compare.sides);
        route.compare = route.compare.unfiltered();
        route.compare.against = 0;
        route.leave();
    });
}

/// The sides, and what adds one.
#[component]
pub fn SidesBar(
    /// The comparison.
    data: Memo<Arc<CompareShown>>,
) -> impl IntoView {
    let store = use_store();
    let sides = memo(move || data.with(|data| data.sides.clone()));
    let only = memo(move || {
        data.with(|data| if data.sides.is_empty() { data.members.first().cloned() } else { None })
    });
    let tokens = move || {
        let sides = sides.get();
        let n_sides = sides.len();
        let alone = only.get().filter(|_| n_sides == 0).map(|members| alone(store, &members));
        let sides = sides.iter().enumerate().map(|(at, one)| side(store, at, n_sides, one));
        view! { {alone}{sides.collect_view()} }.into_any()
    };
    let has_two = memo(move || sides.with(|sides| sides.len() > 1));
    let swap = move |_| {
        change(store, |sides| {
            if sides.len() > 1 {
                sides.swap(0, 1);
            }
        })
    };
    view! {
        <section class="sides-bar" aria-label=words::SIDES>
            <ol class="sides-bar__list">{live(tokens)}</ol>
            <div class="sides-bar__tools">
                <button
                    type="button" class="button" id="swap-sides" hidden=live(move || !has_two.get())
                    on:click=handler(swap)
                >{icon(Icon::Swap)}{words::SWAP}</button>
                <AddSide data/>
            </div>
        </section>
    }
}

/// The only side that was chosen.
fn alone(store: Store, members: &[Target]) -> AnyView {
    let first = members.first().copied().unwrap_or_default();
    let name = store.tree.with_untracked(|tree| crate::ui::state::target_name(tree, first));
    view! {
        <li class="card side-card">{token("A")}<div class="side-card__words"><b class="side-card__name">{name}</b></div></li>
    }
    .into_any()
}

fn side(store: Store, at: usize, n_sides: usize, side: &CompareSideShown) -> AnyView {
    let CompareSideShown { letter, label, note, remark } = side.clone();
    let role = (at == 0).then_some(words::BASELINE);
    let button = |sign: Icon, words: &'static str, act: Callback<()>| {
        let name = words::of_side(words, &letter, &label);
        view! {
            <button
                type="button" class="icon-button" aria-label=name title=words on:click=handler(move |_| act.run(()))
            >{icon(sign)}</button>
        }
        .into_any()
    };
    let to = move |goal: usize| {
        Callback::new(move |()| {
            change(store, |sides| {
                if at < sides.len() && goal < sides.len() {
                    let moved = sides.remove(at);
                    sides.insert(goal, moved);
                }
            })
        })
    };
    let remove = Callback::new(move |()| {
        change(store, |sides| {
            if at < sides.len() {
                sides.remove(at);
            }
        })
    });
    let tools = view! {
        {(at > 0).then(|| button(Icon::First, words::MAKE_BASELINE, to(0)))}
        {(at > 1).then(|| button(Icon::Up, words::EARLIER, to(at - 1)))}
        {(at > 0 && at + 1 < n_sides).then(|| button(Icon::Down, words::LATER, to(at + 1)))}
        {button(Icon::Close, words::REMOVE, remove)}
    }
    .into_any();
    view! {
        <li class="card side-card">
            {token(&letter)}
            <div class="side-card__words">
                <b class="side-card__name"><Ends name=label.clone()/></b>
                <span class="side-card__note">{role}{role.map(|_| " · ")}{note}</span>
                {remark.map(|remark| view! { <span class="side-card__note">{remark}</span> }.into_any())}
            </div>
            <span class="side-card__tools">{tools}</span>
        </li>
    }
    .into_any()
}

/// A choice of all that can be a side.
#[component]
fn AddSide(
    /// The comparison.
    data: Memo<Arc<CompareShown>>,
) -> impl IntoView {
    let store = use_store();
    let offers = memo(move || data.with(|data| data.offers.clone()));
    let lead = memo(move || {
        if data.with(|data| data.members.len() == 1) { words::ADD_SECOND } else { words::ADD }
    });
    let options = move || {
        let offers = offers.get();
        let groups = offers.chunk_by(|one, two| {
            one.members.first().map(evaluation) == two.members.first().map(evaluation)
        });
        let mut at = 0_usize;
        let groups = groups.map(|group| {
            let label = group.first().map(|one| one.evaluation.clone()).unwrap_or_default();
            let options = group.iter().map(|one| {
                let value = at.to_string();
                at += 1;
                let words =
                    if one.label.is_empty() { one.evaluation.clone() } else { one.label.clone() };
                view! { <option value=value>{words}</option> }.into_any()
            });
            view! { <optgroup label=label>{options.collect_view()}</optgroup> }.into_any()
        });
        groups.collect_view()
    };
    let choose = move |value: String| {
        let at = value.parse::<usize>().ok();
        let members = at
            .and_then(|at| offers.with_untracked(|all| all.get(at).map(|one| one.members.clone())));
        if let Some(members) = members {
            change(store, |sides| sides.push(members));
        }
    };
    view! {
        <select
            class="field__input sides-bar__add" id="add-side" aria-label=live(move || lead.get())
            on:change:target=move |event| {
                let field = event.target();
                choose(field.value());
                field.set_value("");
            }
        >
            <option value="" selected>{live(move || lead.get())}</option>
            {live(options)}
        </select>
    }
}

fn evaluation(target: &Target) -> u32 {
    match target {
        Target::All => u32::MAX,
        Target::Evaluation(id) => *id,
        Target::Run(run) => run.evaluation,
    }
}
