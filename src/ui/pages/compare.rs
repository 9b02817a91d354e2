//! Sides against each other.

use crate::report::{Name, RunRef, Target};
use crate::ui::components::PanelView;
use crate::ui::components::compare::{CompareFrame, ComparePairs, CompareRanks, pair_page};
use crate::ui::state::{Panel, ask, effect, live, memo, use_store};
use crate::words::ui::{compare as words, shell};
use crate::worker::protocol::{Answer, CompareAnswer, CompareQuestion, Question};
use leptos::prelude::*;

/// The comparison that the address names, or the pair of it that is open.
#[component]
pub fn ComparePage() -> impl IntoView {
    let store = use_store();
    let is_open = memo(move || store.route.with(|route| route.case.is_some()));
    live(move || {
        if is_open.get() {
            view! { <PairPageView/> }.into_any()
        } else {
            view! { <Comparison/> }.into_any()
        }
    })
}

/// Case against case.
#[component]
fn PairPageView() -> impl IntoView {
    let store = use_store();
    let view = memo(move || store.route.with(|route| route.compare.clone()));
    let place = memo(move || {
        // While the page closes there is no case any more; the last answer is dropped then.
        let run = RunRef { evaluation: 0, run: 0 };
        store.route.with(|route| {
            let case = route.case.as_ref();
            case.map_or((run, Name::default()), |case| (case.run, case.case.clone()))
        })
    });
    let target = memo(move || store.route.with(|route| route.target));
    let panel = ask(
        store,
        move || {
            let (run, case) = place.get();
            Question::Compare(CompareQuestion::Pair(view.get(), target.get(), run, case))
        },
        |answer| match answer {
            Answer::Compare(CompareAnswer::Pair(page)) => Ok(*page),
            _ => Err(shell::OTHER_ANSWER.to_owned()),
        },
    );
    view! { <PanelView panel what=shell::THE_PAIR draw=pair_page/> }
}

/// Sides against each other.
#[component]
fn Comparison() -> impl IntoView {
    let store = use_store();
    // Which pairs are listed changes nothing of the rest.
    let view = memo(move || store.route.with(|route| route.compare.unfiltered()));
    let target = memo(move || {
        let has_sides = view.with(|view| !view.sides.is_empty());
        if has_sides { Target::All } else { store.route.with(|route| route.target) }
    });
    let further = RwSignal::new(());
    let panel = ask(
        store,
        move || {
            further.track();
            Question::Compare(CompareQuestion::Page(view.get(), target.get()))
        },
        |answer| match answer {
            Answer::Compare(CompareAnswer::Page(page)) => Ok(*page),
            _ => Err(shell::OTHER_ANSWER.to_owned()),
        },
    );
    // Of many cases the measures come one after the other.
    effect(move || {
        let is_pending = panel.with(|panel| match panel {
            Panel::Data(page) => page.versus.as_ref().is_some_and(|one| one.pending.is_some()),
            _ => false,
        });
        if is_pending {
            let question = CompareQuestion::Further(view.get_untracked());
            let waiting = store.ask(Question::Compare(question), move |answer| {
                // The page may be gone by now, and its signal with it.
                if answer.is_ok() {
                    further.try_update(|()| ());
                }
            });
            on_cleanup(move || store.withdraw(waiting));
        }
    });
    // What suggested itself is named, so that the address means the same for one who gets it.
    effect(move || {
        let members = panel.with(|panel| match panel {
            Panel::Data(page) => page.members.clone(),
            _ => Vec::new(),
        });
        let is_unnamed = store.route.with_untracked(|route| route.compare.sides.is_empty());
        if is_unnamed && !members.is_empty() {
            store.adjust(|route| route.compare.sides = members);
        }
    });
    view! {
        <article class="compare">
            <h1 class="visually-hidden">{words::TITLE}</h1>
            <CompareFrame panel/>
            <CompareRanks/>
            <ComparePairs/>
        </article>
    }
}
