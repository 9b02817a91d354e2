//! The dialog that saves a sealed report.

mod form;
mod summary;

use super::ProgressView;
use crate::browser;
use crate::ui::sealing::Stage;
use crate::ui::state::{SEAL_DIALOG, handler, live, memo, shown, use_store};
use crate::words::ui::seal as words;
use crate::worker::protocol::SealComplaint;
use leptos::prelude::*;

/// Id of its title.
const TITLE: &str = "seal-title";

/// The dialog, closed until it is asked for.
#[component]
pub fn SealDialog() -> impl IntoView {
    let store = use_store();
    let dialog = store.sealing;
    let offer = memo(move || dialog.with(|dialog| dialog.offer.clone()));
    let is_busy = memo(move || dialog.with(|dialog| dialog.stage == Stage::Busy));
    let close = move |_| browser::show_dialog(SEAL_DIALOG, false);
    let actions = move || {
        view! {
            <div class="seal__actions">
                <button
                    type="button" class="button button--main" id="seal-prepare"
                    on:click=handler(move |_| store.prepare_seal())
                >{words::PREPARE}</button>
                <button type="button" class="button" on:click=handler(close)>{words::CLOSE}</button>
                <span class="field__hint">{words::NOT_YET}</span>
            </div>
        }
        .into_any()
    };
    let body = move || {
        let offer = offer.get()?;
        Some(
            view! {
                <h2 class="keys__title" id=TITLE>{words::TITLE}</h2>
                <p class="seal__lead">{words::LEAD}</p>
                {form::form(dialog, &offer)}
                {actions()}
            }
            .into_any(),
        )
    };
    let outcome = memo(move || {
        dialog.with(|dialog| match &dialog.stage {
            Stage::Refused(complaints) => SealOutcome::Refused(complaints.clone()),
            Stage::Failed(reason) => SealOutcome::Failed(reason.clone()),
            stage => SealOutcome::Prepared(matches!(stage, Stage::Ready(_) | Stage::Stale(_))),
        })
    });
    let outcome = move || match outcome.get() {
        SealOutcome::Refused(complaints) => Some(refused(&complaints)),
        SealOutcome::Failed(reason) => {
            Some(view! { <p class="seal__complaints" role="alert">{reason}</p> }.into_any())
        }
        SealOutcome::Prepared(is_there) => is_there.then(|| summary::summary(store)),
    };
    view! {
        <dialog class="keys seal" id=SEAL_DIALOG aria-labelledby=TITLE on:close=handler(move |_| store.end_seal())>
            {live(body)}
            {shown(move || is_busy.get(), move || view! { <ProgressView/> }.into_any())}
            <div aria-live="polite">{live(outcome)}</div>
        </dialog>
    }
}

/// What stands under the form.
#[derive(Clone, PartialEq)]
enum SealOutcome {
    Prepared(bool),
    Refused(Vec<SealComplaint>),
    Failed(String),
}

/// Patterns that are none: line, pattern, reason.
fn refused(complaints: &[SealComplaint]) -> AnyView {
    let line = |SealComplaint { line, pattern, reason }: &SealComplaint| {
        view! {
            <li>{words::complaint_line(*line)}<code>{pattern.clone()}</code>{words::complaint_reason(reason)}</li>
        }
        .into_any()
    };
    view! {
        <div class="seal__complaints" role="alert">
            <p>{words::NO_PATTERNS}</p>
            <ul>{complaints.iter().map(line).collect_view()}</ul>
        </div>
    }
    .into_any()
}
