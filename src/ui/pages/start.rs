//! The first screen: what this is, and the ways in.

use super::SectionsPage;
use crate::report::{KNOWN_TOOLS, Topic};
use crate::ui::components::{
    Example, Icon, LostLink, OfferedTables, OpenButtons, ProgressView, RecentFiles, icon,
};
use crate::ui::state::{PagePhase, handler, live, memo, shown, use_store};
use crate::words::ui::start as words;
use leptos::prelude::*;

/// Drop area, buttons, formats; progress while something is opened, and what failed.
#[component]
pub fn StartPage() -> impl IntoView {
    let store = use_store();
    let is_loading = memo(move || store.phase() == PagePhase::Loading);
    let is_lost =
        memo(move || !is_loading.get() && store.route.with(|route| route.missing.is_some()));
    let formats: Vec<AnyView> = KNOWN_TOOLS
        .iter()
        .map(|tool| {
            view! {
                <div class="start__format">
                    <dt>{tool.name}</dt>
                    <dd>{tool.what}<span class="start__files">{tool.files}</span></dd>
                </div>
            }
            .into_any()
        })
        .collect();
    let failure = move || store.failure.get().map(|reason| view! { <Failure reason/> }.into_any());
    let chips: Vec<AnyView> = KNOWN_TOOLS
        .iter()
        .map(|tool| view! { <li class="chip">{tool.name}</li> }.into_any())
        .collect();
    view! {
        <div class="start">
            <div class="start__columns">
                <div>
                    <h1 class="start__title">{words::TITLE}</h1>
                    <p class="start__lead">{words::LEAD}</p>
                    <div class="start__drop">
                        {icon(Icon::Folder)}
                        <p class="start__drop-words">{words::DROP}</p>
                        <p class="start__drop-hint">{words::DROP_HINT}</p>
                        <div class="start__buttons"><OpenButtons/></div>
                        {shown(move || is_loading.get(), move || view! {
                            <ProgressView/>
                        }.into_any())}
                    </div>
                    {shown(move || is_lost.get(), || view! { <LostLink/> }.into_any())}
                    {live(failure)}
                    <p class="start__promise">{icon(Icon::Lock)}<span><strong>{words::TRUST}</strong>" "{words::TRUST_WHY}</span></p>
                    <div class="start__reads"><span>{words::READS}</span><ul class="start__chips">{chips}</ul></div>
                    <details class="start__more">
                        <summary>{words::FORMATS}</summary>
                        <dl class="start__formats">{formats}</dl>
                        <p class="start__footnote">{words::FORMATS_NOTE}</p>
                    </details>
                </div>
                <div class="start__sample">
                    <Example/>
                    <div class="start__go">
                        <p>{words::SAMPLES_HINT}</p>
                        <button type="button" class="button" on:click=handler(move |_| store.open_samples())>
                            {icon(Icon::Eye)}{words::SAMPLES}
                        </button>
                    </div>
                </div>
            </div>
            <RecentFiles/>
        </div>
    }
}

/// Why nothing was loaded, file by file.
#[component]
fn Failure(
    /// In one sentence.
    reason: String,
) -> impl IntoView {
    let store = use_store();
    // Without a worker there is nobody to ask.
    let notes = (!store.is_gone.get_untracked()).then(|| {
        let topic = Signal::derive(|| Topic::NotesAlone);
        view! { <SectionsPage topic/> }.into_any()
    });
    view! {
        <div class="start__failure" role="alert">
            <h2 class="start__heading">{reason}</h2>
            <OfferedTables/>
            {notes}
        </div>
    }
}
