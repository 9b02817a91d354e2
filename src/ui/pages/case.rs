//! One case, between its neighbours in the table.

use crate::report::{Name, Neighbours, NeighboursQuery, RunRef};
use crate::ui::components::{CaseBar, Leading, PanelView, SectionLinks, case_page};
use crate::ui::state::{Around, Neighbour, Panel, ask, effect, handler, live, memo, use_store};
use crate::words::ui::{case as words, shell};
use crate::worker::protocol::{Answer, CaseShown, Question};
use leptos::prelude::*;

/// A case by its run and its name there.
type CaseTarget = (RunRef, Name);

/// The case that the address names.
#[component]
pub fn CasePage() -> impl IntoView {
    let store = use_store();
    // The place of a case and the key that its answer gave: the address takes the key, and the case stays.
    let named: StoredValue<Option<(CaseTarget, CaseTarget)>> = StoredValue::new(None);
    let place = Memo::new(move |before: Option<&CaseTarget>| {
        // While the page closes there is no case any more; the last answer is dropped then.
        let run = RunRef { evaluation: 0, run: 0 };
        let now = store.route.with(|route| {
            route.case.as_ref().map_or((run, Name::default()), |case| (case.run, case.case.clone()))
        });
        let before = before
            .filter(|before| named.get_value().as_ref() == Some(&((*before).clone(), now.clone())));
        before.cloned().unwrap_or(now)
    });
    let bar = CaseBar::provide();
    Leading::provide();
    // The first answer is to no version of the workspace that was asked before.
    let asked_at = StoredValue::new(u64::MAX);
    let panel = ask(
        store,
        move || {
            let asked = place.get();
            // Rows may have moved since: what its key says holds.
            let known = named.get_value().filter(|(place, _)| *place == asked);
            let (run, case) = known.map_or(asked, |(_, key)| key);
            store.n_turns.track();
            // What is drawn anew because the workspace has changed leads nowhere.
            let (before, now) = (asked_at.get_value(), store.version.get());
            let is_opened = before == u64::MAX || before == now;
            asked_at.set_value(now);
            bar.is_opened.set_value(is_opened);
            let spot = store.route.with_untracked(|route| {
                let case = route.case.as_ref().filter(|_| is_opened);
                case.map(|case| case.spot.clone()).unwrap_or_default()
            });
            Question::Case { run, case, spot }
        },
        move |answer| match answer {
            Answer::Case(shown) => {
                let key = match &*shown {
                    CaseShown::Case(page) => page.key.as_str(),
                    CaseShown::Lost(_) => "",
                };
                let (run, case) = place.get_untracked();
                named.set_value(Some(((run, case), (run, Name::Key(key.to_owned())))));
                store.name_case(key);
                Ok(*shown)
            }
            _ => Err(shell::OTHER_ANSWER.to_owned()),
        },
    );
    view! {
        <div class="case">
            <CaseNav place bar/>
            <PanelView panel what=shell::THE_CASE draw=case_page/>
        </div>
    }
}

/// Back to the table, to the case before, to the case after.
#[component]
fn CaseNav(
    /// The case.
    place: Memo<CaseTarget>,
    /// Its sections.
    bar: CaseBar,
) -> impl IntoView {
    let store = use_store();
    let is_failures_only = RwSignal::new(false);
    let table = memo(move || store.route.with(|route| route.case_query()));
    let panel = ask(
        store,
        move || {
            let (run, case) = place.get();
            let is_failures_only = is_failures_only.get();
            let query = table.get();
            Question::Neighbours(NeighboursQuery { query, run, case, is_failures_only })
        },
        |answer| match answer {
            Answer::Neighbours(neighbours) => Ok(neighbours),
            _ => Err(String::new()),
        },
    );
    let neighbours = memo(move || match panel.get() {
        Panel::Data(neighbours) => (*neighbours).clone(),
        _ => Neighbours::default(),
    });
    let position = move || {
        let Neighbours { at, n_matching, .. } = neighbours.get();
        at.map(|at| words::position(at + 1, n_matching))
    };
    let around = memo(move || neighbours.with(|neighbours| Around::from(neighbours)));
    effect(move || store.around.set(around.get()));
    on_cleanup(move || store.around.set(Around::default()));
    let step =
        move |goal: Option<Neighbour>| goal.into_iter().for_each(|goal| store.go_beside(goal));
    view! {
        <div class="case__bar">
            <button type="button" class="button button--quiet case__back" on:click=handler(move |_| store.go(|route| route.case = None))>
                "← "<span class="case__back-words">{words::ALL_CASES}</span>
            </button>
            <SectionLinks bar/>
            <nav class="case__nav" aria-label=words::CASE>
                <span class="case__position">{live(position)}</span>
                <button
                    type="button" class="button button--small button--toggle"
                    aria-pressed=live(move || if is_failures_only.get() { "true" } else { "false" })
                    on:click=handler(move |_| is_failures_only.update(|is_on| *is_on = !*is_on))
                >{words::FAILURES_ONLY}</button>
                <button
                    type="button" class="button button--small" title="k"
                    disabled=live(move || around.with(|around| around.previous.is_none()))
                    on:click=handler(move |_| step(around.get_untracked().previous))
                >{words::PREVIOUS}</button>
                <button
                    type="button" class="button button--small" title="j"
                    disabled=live(move || around.with(|around| around.next.is_none()))
                    on:click=handler(move |_| step(around.get_untracked().next))
                >{words::NEXT}</button>
            </nav>
        </div>
    }
}
