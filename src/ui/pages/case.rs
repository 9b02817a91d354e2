//! One case, as the worker draws it, between its neighbours in the table.

use super::{NEXT_ID, PREVIOUS_ID, SPOT_ID};
use crate::address::CasePlace;
use crate::browser;
use crate::format;
use crate::report::{CaseAt, Name, Neighbours, NeighboursQuery, RunRef};
use crate::ui::components::{PanelView, drawn};
use crate::ui::state::{Panel, ask, handler, live, memo, use_store};
use crate::worker::protocol::{Answer, CaseShown, Question};
use leptos::prelude::*;
use std::sync::Arc;

/// The case that the address names.
#[component]
pub fn CasePage() -> impl IntoView {
    let store = use_store();
    let place = memo(move || {
        // While the page closes there is no case any more; the last answer is dropped then.
        let run = RunRef { evaluation: 0, run: 0 };
        store.route.with(|route| {
            route.case.as_ref().map_or((run, Name::default()), |case| (case.run, case.case.clone()))
        })
    });
    // The first answer is to no version of the workspace that was asked before.
    let asked_at = StoredValue::new(u64::MAX);
    let panel = ask(
        store,
        move || {
            let (run, case) = place.get();
            store.n_turns.track();
            // What is drawn anew because the workspace has changed leads nowhere.
            let (before, now) = (asked_at.get_value(), store.version.get());
            let is_opened = before == u64::MAX || before == now;
            asked_at.set_value(now);
            let spot = store.route.with_untracked(|route| {
                let case = route.case.as_ref().filter(|_| is_opened);
                case.map(|case| case.spot.clone()).unwrap_or_default()
            });
            Question::Case { run, case, spot }
        },
        move |answer| match answer {
            Answer::Case(case) => {
                store.name_case(&case.key);
                Ok(*case)
            }
            _ => Err("The worker gave another answer.".to_owned()),
        },
    );
    view! {
        <article class="case">
            <CaseNav place/>
            <PanelView panel what="the case" draw=draw/>
        </article>
    }
}

fn draw(case: Arc<CaseShown>) -> AnyView {
    // It is there only where the address leads to a part of the case.
    request_animation_frame(|| browser::when_drawn(|| browser::press(SPOT_ID)));
    drawn(&case.body)
}

/// Back to the table, to the case before, to the case after.
#[component]
fn CaseNav(
    /// The case.
    place: Memo<(RunRef, Name)>,
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
        at.map(|at| format!("{} of {}", format::count(at + 1), format::count(n_matching)))
    };
    let step = move |goal: Option<CaseAt>| {
        if let Some(CaseAt { run, key, at }) = goal {
            let (case, spot) = (Name::Key(key), String::new());
            store.go(|route| route.case = Some(CasePlace { run, case, at: Some(at), spot }));
            browser::focus("main");
        }
    };
    view! {
        <nav class="case__nav" aria-label="Case">
            <button type="button" class="button button--quiet" on:click=handler(move |_| store.go(|route| route.case = None))>
                "← All cases"
            </button>
            <span class="case__position">{live(position)}</span>
            <button
                type="button" class="button button--small button--toggle"
                aria-pressed=live(move || if is_failures_only.get() { "true" } else { "false" })
                on:click=handler(move |_| is_failures_only.update(|is_on| *is_on = !*is_on))
            >"Failures only"</button>
            <button
                type="button" class="button button--small" title="k" id=PREVIOUS_ID
                disabled=live(move || neighbours.get().previous.is_none())
                on:click=handler(move |_| step(neighbours.get_untracked().previous))
            >"Previous"</button>
            <button
                type="button" class="button button--small" title="j" id=NEXT_ID
                disabled=live(move || neighbours.get().next.is_none())
                on:click=handler(move |_| step(neighbours.get_untracked().next))
            >"Next"</button>
        </nav>
    }
}
