//! What the agent of a run did: its documents, or the runs of which one is to be chosen.

use super::leading::Leading;
use super::page::heading;
use super::part::{body, fold};
use super::pieces::facts;
use crate::browser;
use crate::reading::{AgentRunPage, AgentRunShown, AgentShown, DocumentShown};
use crate::reading::{Body, Fold, Later, ReservedRoom, Way};
use crate::ui::components::inserted_markup::{kept_height, release, steady};
use crate::ui::components::reading::part::later;
use crate::ui::state::{handler, use_store};
use crate::words::ui::case as words;
use leptos::prelude::*;
use std::sync::Arc;

/// The ways to the runs before and after: key and words.
const AROUND: [(&str, &str); 2] = [("k", words::PREVIOUS_RUN), ("j", words::NEXT_RUN)];

/// Which of the columns of runs holds a number.
const COUNT_COLUMN: usize = 2;

/// The page, as panels draw it.
pub fn agent_page(shown: Arc<AgentShown>) -> AnyView {
    browser::begin_page();
    let height = kept_height();
    let (page, spot) = match &*shown {
        AgentShown::Runs(runs) => (list(runs), None),
        AgentShown::Run(run) => (of_run(run), run.spot.clone()),
    };
    let leading: Leading = expect_context();
    leading.when_whole(move || release(height));
    if let Some(way) = spot {
        leading.lead(way);
    }
    steady(height, view! { <div class="case case--agent">{page}</div> }.into_any())
}

fn list(runs: &[AgentRunShown]) -> AnyView {
    let lead = if runs.is_empty() { words::NO_DOCUMENTS } else { words::CHOOSE_RUN };
    let heads = words::RUN_COLUMNS.iter().enumerate().map(|(at, title)| {
        let class = if at == COUNT_COLUMN { "is-end" } else { "is-start" };
        view! { <th scope="col" class=class>{*title}</th> }.into_any()
    });
    let lines = runs.iter().map(|line| {
        let [evaluation, run] = line.labels.clone();
        let failed = line.failed.clone().map(|address| {
            view! { <a class="link" href=address>{words::LAST_STEP_AND_ERROR}</a> }.into_any()
        });
        view! {
            <tr>
                <th scope="row" class="is-start"><a class="link" href=line.address.clone() dir="auto">{run}</a></th>
                <td><bdi>{evaluation}</bdi></td>
                <td class="is-end">{line.n_documents.clone()}</td>
                <td>{failed}</td>
            </tr>
        }
        .into_any()
    });
    let lines = lines.collect_view();
    let table = (!runs.is_empty()).then(|| {
        view! {
            <div class="data-table__scroll">
                <table aria-label=words::AGENT>
                    <thead><tr>{heads.collect_view()}</tr></thead>
                    <tbody>{lines}</tbody>
                </table>
            </div>
        }
        .into_any()
    });
    view! {
        <header class="page-head">
            <div>
                <h1 class="page-head__title">{words::AGENT}</h1>
                <p class="page-head__lead">{lead}</p>
            </div>
        </header>
        {table}
    }
    .into_any()
}

fn of_run(run: &AgentRunPage) -> AnyView {
    let [evaluation, label] = run.labels.clone();
    let around = AROUND.iter().zip(&run.around).map(|((key, words), address)| {
        address.clone().map(|address| {
            view! { <a class="button button--small" title=*key href=address>{*words}</a> }
                .into_any()
        })
    });
    let used = (!run.facts.is_empty()).then(|| facts(&run.facts));
    let documents = match run.documents.is_empty() {
        true => view! { <p class="panel panel--empty">{words::NO_DOCUMENTS_OF_RUN}</p> }.into_any(),
        false => {
            let sections = run.documents.iter().map(document);
            view! { {contents(run)}{sections.collect_view()} }.into_any()
        }
    };
    view! {
        <nav class="case__nav" aria-label=words::RUN>
            <a class="button button--quiet" href=run.overview.clone()>"← "{words::OVERVIEW_OF_RUN}</a>
            {around.collect_view()}
        </nav>
        <header class="case__head">
            <p class="case__crumbs"><bdi>{evaluation}</bdi>" / "<bdi>{label}</bdi></p>
            <h1 class="page-head__title">{words::WHAT_THE_AGENT_DID}</h1>
        </header>
        {used}
        {documents}
    }
    .into_any()
}

fn contents(run: &AgentRunPage) -> AnyView {
    let (store, leading): (_, Leading) = (use_store(), expect_context());
    let last = run.last_step.clone().map(|address| {
        view! { <a class="chip chip--link" href=address>{words::LAST_STEP}</a> }.into_any()
    });
    let buttons = run.documents.iter().map(|document| {
        let way =
            Way { id: document.id(), spot: document.place.to_string(), ..Way::default() };
        let press = move |_| leading.go(store, &way);
        let title = document.title.clone();
        view! { <button type="button" class="jump chip" dir="auto" on:click=handler(press)>{title}</button> }
            .into_any()
    });
    view! {
        <nav class="case__contents" aria-label=words::DOCUMENTS>{last}{buttons.collect_view()}</nav>
    }
    .into_any()
}

fn document(document: &DocumentShown) -> AnyView {
    let (file, len) = document.file.clone();
    let len = len.map(|len| format!(", {len}"));
    let inner = match (&document.body, document.is_open) {
        (Body::Part(name), true) => later(&Later { part: name.clone(), room: ReservedRoom::Chunk }),
        (Body::Part(_), false) => fold(&Fold {
            label: words::show_document(&document.title),
            preview: String::new(),
            size: String::new(),
            is_open: false,
            is_low: false,
            body: document.body.clone(),
        }),
        (Body::Here(_), _) => body(&document.body),
    };
    view! {
        <section class="case__section">
            {heading(document.id(), document.title.clone())}
            <p class="document__file"><bdi>{file}</bdi>{len}</p>
            {inner}
        </section>
    }
    .into_any()
}
