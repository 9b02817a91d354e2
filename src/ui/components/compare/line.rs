//! What changed since the evaluation before, in a line.

use crate::ui::state::{Panel, ask, live, memo, use_store};
use crate::words::ui::compare as words;
use crate::worker::protocol::{Answer, CompareAnswer, CompareQuestion, Question};
use leptos::prelude::*;

/// The line with the way to the comparison; nothing where there is none before.
#[component]
pub fn CompareLine() -> impl IntoView {
    let store = use_store();
    let target = memo(move || store.route.with(|route| route.target));
    let panel = ask(
        store,
        move || Question::Compare(CompareQuestion::Line(target.get())),
        |answer| match answer {
            Answer::Compare(CompareAnswer::Line(line)) => Ok(line),
            _ => Err(String::new()),
        },
    );
    live(move || {
        let Panel::Data(line) = panel.get() else { return None };
        let [said, address] = line.as_ref().clone()?;
        Some(
            view! {
                <p class="card compare-line" id="compare-line">{said}" "<a class="link" href=address>{words::OPEN}</a></p>
            }
            .into_any(),
        )
    })
}
