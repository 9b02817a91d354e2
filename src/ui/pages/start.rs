//! The first screen: what this is, and the ways in.

use super::SectionsPage;
use crate::browser;
use crate::report::Topic;
use crate::ui::components::{LostLink, OpenButtons, ProgressView};
use crate::ui::state::{Phase, effect, handler, live, memo, shown, use_store};
use leptos::prelude::*;

/// The formats that are read: producer, what it is, which files.
const FORMATS: [(&str, &str, &str); 4] = [
    (
        "slop-code",
        "checkpoint runs of a coding benchmark",
        "evaluation.json, reports.parquet, report.json, result.json, or a whole output folder",
    ),
    (
        "letta-evals",
        "agent evaluations with gates, several models, repeated runs",
        "header.json, summary.json, results.jsonl, or a whole output folder",
    ),
    ("REBEL", "attempts judged by metrics", "test_results_*.json"),
    (
        "Evalglass",
        "its own reports, opened again",
        "evalglass-report.json, evalglass-cases.parquet",
    ),
];

/// Drop area, buttons, formats; progress while something is opened, and what failed.
#[component]
pub fn StartPage() -> impl IntoView {
    let store = use_store();
    let is_loading = memo(move || store.phase() == Phase::Loading);
    let is_lost =
        memo(move || !is_loading.get() && store.route.with(|route| route.missing.is_some()));
    let formats = FORMATS
        .map(|(name, what, files)| {
            view! {
                <div class="start__format">
                    <dt>{name}</dt>
                    <dd>{what}<span class="start__files">{files}</span></dd>
                </div>
            }
            .into_any()
        })
        .collect_view();
    let failure = move || store.failure.get().map(|reason| view! { <Failure reason/> }.into_any());
    effect(browser::show_recent);
    view! {
        <div class="start">
            <h1 class="start__title">"Evaluation results, read in your browser"</h1>
            <p class="start__lead">
                "Drop the output of an LLM or agent benchmark here: scores, gates, every case, every transcript."
            </p>
            <div class="start__drop">
                <p class="start__drop-words">"Drop files or a folder"</p>
                <div class="start__buttons">
                    <OpenButtons is_large=true/>
                    <button type="button" class="button button--large" on:click=handler(move |_| store.open_samples())>
                        "Try sample results"
                    </button>
                </div>
                {shown(move || is_loading.get(), move || view! {
                    <ProgressView/>
                }.into_any())}
            </div>
            {shown(move || is_lost.get(), || view! { <LostLink/> }.into_any())}
            {live(failure)}
            // Filled by the scripts of the page, where the browser lets them keep what is listed.
            <div id="recent" class="recent"></div>
            <p class="start__promise">
                "Nothing leaves this page. The files are read and computed in your browser; there is no server behind it."
            </p>
            <section aria-labelledby="start-formats">
                <h2 class="start__heading" id="start-formats">"What it reads"</h2>
                <dl class="start__formats">{formats}</dl>
                <p class="start__footnote">
                    "Told apart by what is in them, not by their names. Also inside .zip, .tar, .gz and .zst."
                </p>
            </section>
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
            {notes}
        </div>
    }
}
