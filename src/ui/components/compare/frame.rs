//! The sides, how they are compared, and the candidate that is looked at.

use super::card;
use super::forest::forest;
use super::settings::CompareSettings;
use super::sides::SidesBar;
use super::versus::versus;
use crate::render::compare::CompareShown;
use crate::ui::components::PanelView;
use crate::ui::state::{Panel, live, memo};
use crate::words::ui::compare as words;
use crate::words::ui::shell::THE_COMPARISON;
use leptos::prelude::*;
use std::sync::Arc;

/// All that does not depend on which pairs are listed.
#[component]
pub fn CompareFrame(
    /// What there is.
    panel: ReadSignal<Panel<CompareShown>>,
) -> impl IntoView {
    // What is drawn stays while the next answer comes.
    let data: Memo<Arc<CompareShown>> =
        Memo::new(move |old: Option<&Arc<CompareShown>>| match panel.get() {
            Panel::Data(data) => data,
            _ => old.cloned().unwrap_or_default(),
        });
    let is_data = memo(move || panel.with(|panel| matches!(panel, Panel::Data(_))));
    live(move || {
        if !is_data.get() {
            return view! { <PanelView panel what=THE_COMPARISON draw=|_data| ().into_any()/> }
                .into_any();
        }
        view! {
            <SidesBar data/>
            <CompareSettings data/>
            {body(data)}
        }
        .into_any()
    })
}

fn body(data: Memo<Arc<CompareShown>>) -> AnyView {
    let shown = memo(move || data.with(|data| data.versus.clone()));
    let candidates = memo(move || data.with(|data| data.candidates.clone()));
    let n_members = memo(move || data.with(|data| data.members.len()));
    let are_figures_open = RwSignal::new(false);
    let versus = move || match shown.get() {
        Some(one) => versus(&one, are_figures_open),
        None => {
            let reason = if n_members.get() == 1 { words::ONE_SIDE } else { words::NO_SIDES };
            view! { <p class="panel panel--empty">{reason}</p> }.into_any()
        }
    };
    let candidates = move || {
        candidates.get().map(|plot| {
            let body = forest(&[plot], words::CANDIDATE_HEADS.as_slice(), words::CANDIDATES);
            let note = words::CANDIDATES_NOTE.to_owned();
            card("card", "candidates", words::CANDIDATES.to_owned(), note, None, body)
        })
    };
    view! { <div class="compare__parts">{live(candidates)}{live(versus)}</div> }.into_any()
}
