//! Policies, gates, weights, strategies, and what they change.

use crate::ui::components::{PanelStays, rules_page};
use crate::ui::state::{ask, memo, use_store};
use crate::words::ui::shell as words;
use crate::worker::protocol::{Answer, Question};
use leptos::prelude::*;

/// The rules in force, and what they change.
#[component]
pub fn RulesPage() -> impl IntoView {
    let store = use_store();
    let target = memo(move || store.route.with(|route| route.target));
    let panel = ask(
        store,
        move || Question::RulesView { target: target.get(), whole: store.whole.get() },
        |answer| match answer {
            Answer::Rules(shown) => Ok(*shown),
            _ => Err(words::OTHER_ANSWER.to_owned()),
        },
    );
    view! { <PanelStays panel what=words::THE_RULES draw=rules_page/> }
}
