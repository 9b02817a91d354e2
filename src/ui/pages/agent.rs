//! What the agent of a run did.

use crate::reading::AgentShown;
use crate::ui::components::{Leading, PanelView, agent_page};
use crate::ui::state::{Around, Panel, ask, effect, memo, use_store};
use crate::words::ui::shell as words;
use crate::worker::protocol::{Answer, Question};
use leptos::prelude::*;

/// The page about the run, or the runs, that the address names.
#[component]
pub fn AgentPage() -> impl IntoView {
    let store = use_store();
    Leading::provide();
    let target = memo(move || store.route.with(|route| route.target));
    // The first answer is to no version of the workspace that was asked before.
    let asked_at = StoredValue::new(u64::MAX);
    let question = move || {
        let target = target.get();
        store.n_turns.track();
        // What is drawn anew because the workspace has changed leads nowhere.
        let (before, now) = (asked_at.get_value(), store.version.get());
        let is_opened = before == u64::MAX || before == now;
        asked_at.set_value(now);
        let spot = store.route.with_untracked(|route| route.spot.clone());
        Question::Agent { target, spot: if is_opened { spot } else { String::new() } }
    };
    let panel = ask(store, question, |answer| match answer {
        Answer::Agent(page) => Ok(*page),
        _ => Err(words::OTHER_ANSWER.to_owned()),
    });
    effect(move || {
        store.around.set(panel.with(|panel| match panel {
            Panel::Data(shown) => match &**shown {
                AgentShown::Run(run) => Around::of_run(&run.around),
                AgentShown::Runs(_) => Around::default(),
            },
            _ => Around::default(),
        }));
    });
    on_cleanup(move || store.around.set(Around::default()));
    view! { <PanelView panel what=words::THE_AGENT draw=agent_page/> }
}
