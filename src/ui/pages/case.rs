//! One case, whole: checks, failure, input, expected and actual, transcript, raw records.

use super::case_rows::CaseRows;
use crate::report::{
    CaseDetail, CaseView, CheckDetail, Content, ContentFormat, Outcome, RawRecord, RunRef,
};
use crate::ui::components::{
    ContentBlock, CopyButton, DiffView, LongText, OutcomeMark, OutcomeWord, PanelView, Transcript,
};
use crate::ui::state::{ask, use_store};
use crate::ui::{format, json_text};
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
    let place = Memo::new(move |_| store.route.with(|route| route.case));
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
    let at = Memo::new(move |_| place.get().and_then(|place| place.at));
    Effect::new(move |_| {
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
                <button type="button" class="button button--quiet" on:click=move |_| store.go(|route| route.case = None)>
                    "← All cases"
                </button>
                <span class="case__position">{position}</span>
                <button
                    type="button" class="button button--small" title="k"
                    disabled=move || previous().is_none()
                    on:click=move |_| step(previous())
                >"Previous"</button>
                <button
                    type="button" class="button button--small" title="j"
                    disabled=move || next().is_none()
                    on:click=move |_| step(next())
                >"Next"</button>
            </nav>
            <PanelView panel what="the case" draw=draw/>
        </article>
    }
}

fn draw(case: Arc<CaseView>) -> AnyView {
    let CaseView { line, evaluation_label, score_reason, detail } = case.as_ref();
    let score = match (&line.score, score_reason) {
        (Some(score), _) => Some(("Score", format::score(score.0))),
        (None, Some(reason)) => Some(("Score", format!("{} {reason}", format::UNKNOWN))),
        (None, None) => None,
    };
    let facts = score
        .into_iter()
        .chain(line.group.clone().map(|group| ("Group", group)))
        .chain(line.kind.map(|kind| ("Kind", kind.as_str().to_owned())))
        .chain(line.n_attempts.map(|n| ("Attempts", format::count(n.into()))))
        .chain(line.duration_secs.map(|secs| ("Time", format::secs(secs.0))))
        .chain(line.tokens.map(|n| ("Tokens", format::number(n.0, 0))))
        .chain(line.cost_usd.map(|usd| ("Cost", format::usd(usd.0, false))))
        .map(|(label, value)| (label.to_owned(), value))
        .chain(detail.facts.iter().map(|fact| (fact.label.clone(), fact.value.clone())))
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
        <dl class="facts">{facts}</dl>
        {sections(detail)}
    }
    .into_any()
}

fn sections(detail: &CaseDetail) -> AnyView {
    let turns = detail.transcript.clone();
    view! {
        {section("Checks", (!detail.checks.is_empty()).then(|| checks(&detail.checks)))}
        {section("Failure", blocks(&detail.failure))}
        {section("Input", blocks(&detail.input))}
        {section("Expected", blocks(&detail.expected))}
        {section("Actual", blocks(&detail.actual))}
        {section("Attempts", attempts(detail))}
        {section("Transcript", (!turns.is_empty()).then(|| view! { <Transcript messages=turns/> }.into_any()))}
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

fn checks(checks: &[CheckDetail]) -> AnyView {
    let n_attempts = checks.iter().map(|check| check.attempt).max().unwrap_or(1);
    checks.iter().map(|check| check_view(check, n_attempts > 1)).collect_view().into_any()
}

/// One check: its line, and below it what the judge said and what differs.
fn check_view(check: &CheckDetail, names_attempt: bool) -> AnyView {
    let outcome = check_outcome(check);
    let facts: Vec<String> = names_attempt
        .then(|| format!("attempt {}", check.attempt))
        .into_iter()
        .chain(check.score.map(|score| format!("score {}", format::number(score, 4))))
        .chain(check.weight.map(|weight| format!("weight {}", format::number(weight, 4))))
        .chain(check.verdict.clone().filter(|verdict| verdict != outcome.as_str()))
        .collect();
    let text = |label: &str, body: &Option<String>, format| {
        body.clone().map(|body| {
            let content = Content { label: label.to_owned(), body, format };
            view! { <ContentBlock content/> }.into_any()
        })
    };
    let sides = (check.expected.is_some() || check.actual.is_some()).then(|| {
        view! {
            <div class="check__sides">
                {text("Expected", &check.expected, ContentFormat::Text)}
                {text("Actual", &check.actual, ContentFormat::Text)}
            </div>
        }
        .into_any()
    });
    let class = format!("check check--{}", outcome.as_str());
    view! {
        <div class=class>
            <p class="check__line">
                <OutcomeMark outcome/>
                <strong class="check__name">{check.name.clone()}</strong>
                <span class="check__word">{outcome_word(check, outcome)}</span>
                <span class="check__facts">{facts.join(" · ")}</span>
            </p>
            {check.reason.clone().map(|reason| view! { <p class="check__reason">{reason}</p> }.into_any())}
            {check.diff.clone().filter(|_| check.is_correct != Some(true)).map(|diff| view! { <DiffView diff/> }.into_any())}
            {sides}
            {text("Metadata", &check.metadata, ContentFormat::Json)}
        </div>
    }
    .into_any()
}

fn check_outcome(check: &CheckDetail) -> Outcome {
    match (check.is_correct, check.verdict.as_deref()) {
        (_, Some("error")) => Outcome::Error,
        (Some(true), _) => Outcome::Passed,
        (Some(false), _) => Outcome::Failed,
        (None, Some(verdict)) => Outcome::from_text(verdict).unwrap_or(Outcome::Unscored),
        (None, None) => Outcome::Unscored,
    }
}

fn outcome_word(check: &CheckDetail, outcome: Outcome) -> &'static str {
    match (outcome, check.is_correct) {
        (Outcome::Unscored, None) if check.score.is_some() => "scored",
        (Outcome::Unscored, None) => "not verified",
        _ => outcome.as_str(),
    }
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
            let is_open = RwSignal::new(false);
            let (shown, title) = (json.clone(), label.clone());
            // Indenting is work, so it is done when somebody looks.
            let body = move || {
                is_open.get().then(|| {
                    view! { <LongText text=json_text::indented(&shown) label=title.clone()/> }.into_any()
                })
            };
            view! {
                <details class="raw" on:toggle=move |_| is_open.set(true)>
                    <summary><span class="raw__file">{file}</span><span class="raw__at">{at}</span></summary>
                    <CopyButton text=json what=label/>
                    {body}
                </details>
            }
            .into_any()
        })
        .collect_view()
        .into_any()
}
