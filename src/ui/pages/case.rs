//! One case, whole: checks, failure, input, expected and actual, transcript, raw records.

use super::case_rows::CaseRows;
use super::checks::checks;
use super::{NEXT_ID, PREVIOUS_ID};
use crate::address::Route;
use crate::format;
use crate::report::{
    CaseDetail, CaseLine, CaseView, Content, ContentFormat, Fact, How, RawRecord, RunRef,
};
use crate::ui::components::{ContentBlock, Fold, OutcomeWord, PanelView, Transcript};
use crate::ui::state::{ask, effect, handler, live, memo, use_store};
use crate::worker::protocol::{Answer, Request};
use leptos::prelude::*;
use std::sync::Arc;

/// The case that the address names, between its neighbours in the table.
#[component]
pub fn CasePage(
    /// The table's rows.
    rows: CaseRows,
) -> impl IntoView {
    let store = use_store();
    let place = memo(move || store.route.with(|route| route.case));
    let panel = ask(
        store,
        move || {
            // While the page closes there is no case any more; the last answer is dropped then.
            let run = RunRef { evaluation: 0, run: 0 };
            let (run, case_idx) = place.get().map_or((run, 0), |place| (place.run, place.case_idx));
            Request::Case { run, case_idx }
        },
        |answer| match answer {
            Answer::Case(case) => Ok(*case),
            _ => Err("The worker gave another answer.".to_owned()),
        },
    );
    let at = memo(move || place.get().and_then(|place| place.at));
    effect(move || {
        rows.epoch.track();
        if let Some(at) = at.get() {
            rows.want(at.saturating_sub(1), at + 2);
        }
    });
    let n_rows = move || rows.n_matching();
    let position = move || {
        at.get()
            .filter(|at| *at < n_rows())
            .map(|at| format!("{} of {}", format::count(at + 1), format::count(n_rows())))
    };
    let previous = move || at.get().and_then(|at| at.checked_sub(1));
    let next = move || at.get().map(|at| at + 1).filter(|at| *at < n_rows());
    let step = move |goal: Option<u64>| {
        if let Some(goal) = goal {
            rows.open(goal);
        }
    };
    view! {
        <article class="case">
            <nav class="case__nav" aria-label="Case">
                <button type="button" class="button button--quiet" on:click=handler(move |_| store.go(|route| route.case = None))>
                    "← All cases"
                </button>
                <span class="case__position">{live(position)}</span>
                <button
                    type="button" class="button button--small" title="k" id=PREVIOUS_ID
                    disabled=live(move || previous().is_none())
                    on:click=handler(move |_| step(previous()))
                >"Previous"</button>
                <button
                    type="button" class="button button--small" title="j" id=NEXT_ID
                    disabled=live(move || next().is_none())
                    on:click=handler(move |_| step(next()))
                >"Next"</button>
            </nav>
            <PanelView panel what="the case" draw=draw/>
        </article>
    }
}

fn draw(case: Arc<CaseView>) -> AnyView {
    let CaseView { line, evaluation_label, score_reason, detail } = case.as_ref();
    let score = match (&line.score, score_reason) {
        (Some(score), _) => {
            let how = Some(How::Case { run: line.run, case_idx: line.case_idx });
            let href = Route { how, ..Route::default() }.to_hash();
            Some(view! { <a class="link" href=href>{format::score(score.0, 3)}</a> }.into_any())
        }
        (None, Some(reason)) => Some(format!("{} {reason}", format::UNKNOWN).into_any()),
        (None, None) => None,
    };
    let score = score.map(|score| {
        view! { <div class="facts__item"><dt>"Score"</dt><dd>{score}</dd></div> }.into_any()
    });
    let facts = std::iter::empty()
        .chain(line.group.clone().map(|group| ("Group", group)))
        .chain(line.kind.map(|kind| ("Kind", kind.as_str().to_owned())))
        .chain(line.n_attempts.map(|n| ("Attempts", format::count(n.into()))))
        .chain(line.duration_secs.map(|secs| ("Time", format::secs(secs.0))))
        .chain(line.tokens.map(|n| ("Tokens", format::number(n.0, 0))))
        .chain(line.cost_usd.map(|usd| ("Cost", format::usd(usd.0, false))))
        .map(|(label, value)| {
            view! { <div class="facts__item"><dt>{label}</dt><dd>{value}</dd></div> }.into_any()
        })
        .collect_view();
    view! {
        <header class="page-head">
            <p class="case__crumbs">{evaluation_label.clone()} " / " {line.run_label.clone()}</p>
            <h1 class="page-head__title case__id">{line.id.clone()}</h1>
            <p class="case__outcome"><OutcomeWord outcome=line.outcome/></p>
        </header>
        <dl class="facts">{score}{facts}</dl>
        {sections(line, detail)}
    }
    .into_any()
}

fn sections(line: &CaseLine, detail: &CaseDetail) -> AnyView {
    let turns = detail.transcript.clone();
    view! {
        {section("Checks", (!detail.checks.is_empty()).then(|| checks(line, &detail.checks)))}
        {section("Failure", blocks(&detail.failure))}
        {section("Input", blocks(&detail.input))}
        {section("Expected", blocks(&detail.expected))}
        {section("Actual", blocks(&detail.actual))}
        {section("Attempts", attempts(detail))}
        {section("Transcript", (!turns.is_empty()).then(|| view! { <Transcript messages=turns/> }.into_any()))}
        {section("Further facts", (!detail.facts.is_empty()).then(|| further(&detail.facts)))}
        {section("Raw JSON", (!detail.raw.is_empty()).then(|| raw(&detail.raw)))}
    }
    .into_any()
}

/// A part of the page; absent when the files hold nothing for it.
fn section(title: &'static str, body: Option<AnyView>) -> Option<AnyView> {
    body.map(|body| {
        view! { <section class="case__section"><h2 class="case__heading">{title}</h2>{body}</section> }
            .into_any()
    })
}

fn blocks(contents: &[Content]) -> Option<AnyView> {
    (!contents.is_empty()).then(|| {
        contents
            .iter()
            .cloned()
            .map(|content| view! { <ContentBlock content/> }.into_any())
            .collect_view()
            .into_any()
    })
}

fn attempts(detail: &CaseDetail) -> Option<AnyView> {
    (!detail.attempts.is_empty()).then(|| {
        detail
            .attempts
            .iter()
            .map(|attempt| {
                let time = attempt.duration_secs.map(|secs| format!(", {}", format::secs(secs)));
                let title = format!("Attempt {}{}", attempt.attempt, time.unwrap_or_default());
                view! {
                    <div class="attempt">
                        <h3 class="attempt__title">{title}</h3>
                        {blocks(&attempt.output)}
                    </div>
                }
                .into_any()
            })
            .collect_view()
            .into_any()
    })
}

fn raw(records: &[RawRecord]) -> AnyView {
    records
        .iter()
        .map(|record| {
            let RawRecord { file, at, json } = record.clone();
            let label = format!("{file}, {at}");
            let summary = view! {
                <span class="raw__file">{file}</span>
                <span class="raw__at">{at}</span>
            }
            .into_any();
            // Indenting is work, so it is done when somebody looks.
            let body = Box::new(move || {
                let content = Content {
                    label: label.clone(),
                    body: json.clone(),
                    format: ContentFormat::Json,
                };
                view! { <ContentBlock content/> }.into_any()
            });
            view! { <Fold class="raw" summary body/> }.into_any()
        })
        .collect_view()
        .into_any()
}

/// What the files say beyond the columns of the table.
fn further(facts: &[Fact]) -> AnyView {
    let facts = facts
        .iter()
        .cloned()
        .map(|Fact { label, value }| {
            view! { <div class="facts__item"><dt>{label}</dt><dd>{value}</dd></div> }.into_any()
        })
        .collect_view();
    view! { <dl class="facts facts--further">{facts}</dl> }.into_any()
}
