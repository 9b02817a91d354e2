//! The checks of a case: what is wrong comes first and is open, the rest is folded.

use crate::format;
use crate::report::{CaseLine, CheckDetail, Content, ContentFormat, Outcome};
use crate::ui::components::{ContentBlock, DiffView, Fold, OutcomeMark};
use leptos::prelude::*;

/// All checks of a case.
pub fn checks(line: &CaseLine, checks: &[CheckDetail]) -> AnyView {
    let names_attempt = checks.iter().any(|check| check.attempt > 1);
    let (wrong, right): (Vec<_>, Vec<_>) = checks.iter().partition(|check| is_wrong(check));
    let count = (line.n_checks > 0).then(|| {
        let (n_wrong, n_checks) = (line.n_failed_checks, line.n_checks);
        let words = format!("{} of {} wrong", format::count(n_wrong), format::count(n_checks));
        view! { <p class="checks__count">{words}</p> }.into_any()
    });
    let checks = wrong
        .into_iter()
        .chain(right)
        .map(|check| check_view(check.clone(), names_attempt))
        .collect_view();
    view! { {count} <div class="checks">{checks}</div> }.into_any()
}

fn is_wrong(check: &CheckDetail) -> bool {
    matches!(outcome(check), Outcome::Failed | Outcome::Error)
}

/// One check: its line, the judge's reason, and folded below what was compared.
fn check_view(check: CheckDetail, names_attempt: bool) -> AnyView {
    let outcome = outcome(&check);
    let facts: Vec<String> = names_attempt
        .then(|| format!("attempt {}", check.attempt))
        .into_iter()
        .chain(check.weight.map(|weight| format!("weight {}", format::number(weight, 3))))
        .chain(check.verdict.clone().filter(|verdict| verdict != outcome.as_str()))
        .chain(check.score.map(|score| format!("score {}", format::number(score, 3))))
        .collect();
    let reason = check
        .reason
        .clone()
        .filter(|reason| !reason.is_empty())
        .map(|reason| view! { <span class="check__reason">{reason}</span> }.into_any());
    let class = format!("check check--{}", outcome.as_str());
    let summary = view! {
        <OutcomeMark outcome/>
        <strong class="check__name">{check.name.clone()}</strong>
        " "
        <span class="check__word">{word(&check, outcome)}</span>
        " "
        <span class="check__facts">{facts.join(" · ")}</span>
        " "
        {reason}
    }
    .into_any();
    let has_texts = check.expected.is_some()
        || check.actual.is_some()
        || check.diff.is_some()
        || check.metadata.is_some();
    let head = if has_texts {
        let is_open = is_wrong(&check);
        let body = Box::new(move || texts(&check));
        view! { <Fold class="check__fold" is_open summary body/> }.into_any()
    } else {
        view! { <div class="check__line">{summary}</div> }.into_any()
    };
    view! { <div class=class>{head}</div> }.into_any()
}

/// What was compared: the difference, both sides, further data.
fn texts(check: &CheckDetail) -> AnyView {
    let block = |label: &str, body: &Option<String>, format| {
        body.clone().map(|body| {
            let content = Content { label: label.to_owned(), body, format };
            view! { <ContentBlock content/> }.into_any()
        })
    };
    let diff = check.diff.clone().filter(|diff| !matches!(diff.trim(), "" | "null"));
    let sides = (check.expected.is_some() || check.actual.is_some()).then(|| {
        view! {
            <div class="check__sides">
                {block("Expected", &check.expected, ContentFormat::Text)}
                {block("Actual", &check.actual, ContentFormat::Text)}
            </div>
        }
        .into_any()
    });
    view! {
        <div class="check__texts">
            {diff.map(|diff| view! { <DiffView diff/> }.into_any())}
            {sides}
            {block("Metadata", &check.metadata, ContentFormat::Json)}
        </div>
    }
    .into_any()
}

fn outcome(check: &CheckDetail) -> Outcome {
    match (check.is_correct, check.verdict.as_deref()) {
        (_, Some("error")) => Outcome::Error,
        (Some(true), _) => Outcome::Passed,
        (Some(false), _) => Outcome::Failed,
        (None, Some(verdict)) => Outcome::from_text(verdict).unwrap_or(Outcome::Unscored),
        (None, None) => Outcome::Unscored,
    }
}

fn word(check: &CheckDetail, outcome: Outcome) -> &'static str {
    match (outcome, check.is_correct) {
        (Outcome::Unscored, None) if check.score.is_some() => "scored",
        (Outcome::Unscored, None) => "not verified",
        _ => outcome.as_str(),
    }
}
