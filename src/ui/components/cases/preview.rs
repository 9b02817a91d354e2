//! The case of the active row beside the table: why it came out so, its checks, where it belongs.

use super::ActiveCase;
use super::rows::CaseRows;
use crate::render::{Look, case_words};
use crate::report::{Name, Outcome, Preview, PreviewCheck, RunRef, SortKey};
use crate::ui::components::{Icon, icon, outcome_mark};
use crate::ui::state::{effect, handler, live, memo, use_store};
use crate::words::ui::overview::rule as rule_words;
use crate::words::ui::{case, cases as words};
use crate::worker::protocol::{Answer, Question};
use leptos::prelude::*;
use std::sync::Arc;

/// What is told of the case below its checks.
const FACTS: [SortKey; 12] = [
    SortKey::Run,
    SortKey::Suite,
    SortKey::Variant,
    SortKey::Model,
    SortKey::Repeat,
    SortKey::Group,
    SortKey::Kind,
    SortKey::Tags,
    SortKey::Attempts,
    SortKey::Duration,
    SortKey::Tokens,
    SortKey::Cost,
];

/// The panel.
#[component]
pub fn PreviewPanel(
    /// The rows.
    rows: CaseRows,
    /// Where in them somebody is.
    active: ActiveCase,
    /// Goes to another row.
    go: Arc<dyn Fn(u64) + Send + Sync>,
    /// Closes the panel.
    close: Arc<dyn Fn() + Send + Sync>,
) -> impl IntoView {
    let store = use_store();
    let shown = RwSignal::new(None::<Arc<Preview>>);
    // The row is known once its block is here.
    let case = memo(move || {
        rows.n_come.track();
        rows.epoch.track();
        rows.case(active.row.get())
    });
    let newest = StoredValue::new(0_u64);
    effect(move || {
        newest.update_value(|n| *n += 1);
        let number = newest.get_value();
        let Some((run, key)): Option<(RunRef, String)> = case.get() else {
            return shown.set(None);
        };
        store.version.track();
        store.ask(Question::Preview { run, case: Name::Key(key) }, move |answer| {
            if newest.try_get_value() != Some(number) {
                return;
            }
            match answer {
                Ok(Answer::Preview(preview)) => shown.try_set(Some(Arc::new(*preview))),
                _ => shown.try_set(None),
            };
        });
    });
    let at = move || {
        let n_rows = rows.n_matching();
        let at = active.row.get().min(n_rows.saturating_sub(1));
        (n_rows > 0).then(|| case::position(at + 1, n_rows))
    };
    let last = move || rows.n_matching().saturating_sub(1);
    let (back, forth) = (Arc::clone(&go), go);
    let previous = move |_| back(active.row.get_untracked().saturating_sub(1));
    let next = move |_| forth((active.row.get_untracked() + 1).min(untrack(last)));
    let open = move |_| rows.open(active.row.get_untracked());
    let [opens, steps] = words::PREVIEW_KEYS;
    let body = move || {
        let preview = shown.get()?;
        Some(drawn(&preview, store.look.get()))
    };
    view! {
        <aside class="preview" aria-label=words::PREVIEW>
            <div class="preview__bar">
                <span class="preview__at">{live(at)}</span>
                <button
                    type="button" class="icon-button" title=words::PREVIOUS
                    disabled=live(move || active.row.get() == 0) on:click=handler(previous)
                >{icon(Icon::Up)}</button>
                <button
                    type="button" class="icon-button" title=words::NEXT
                    disabled=live(move || active.row.get() >= last()) on:click=handler(next)
                >{icon(Icon::Down)}</button>
                <button
                    type="button" class="icon-button" title=words::CLOSE_PREVIEW
                    on:click=handler(move |_| close())
                >{icon(Icon::Close)}</button>
            </div>
            <div class="preview__body" tabindex="0" role="group" aria-label=words::PREVIEW>{live(body)}</div>
            <div class="preview__foot">
                <button
                    type="button" class="button" disabled=live(move || shown.with(Option::is_none)) on:click=handler(open)
                >{words::OPEN_CASE}</button>
                <span class="preview__keys"><kbd>"Enter"</kbd>{opens}<kbd>"J"</kbd>" "<kbd>"K"</kbd>{steps}</span>
            </div>
        </aside>
    }
}

fn drawn(preview: &Preview, look: Look) -> AnyView {
    let line = &preview.line;
    let outcome = line.outcome;
    let score = case_words(line, SortKey::Score, look).map(|score| words::score(&score));
    let message = preview
        .message
        .clone()
        .map(|text| view! { <pre class="preview__message" dir="auto">{text}</pre> }.into_any());
    let facts = FACTS.iter().filter_map(|key| {
        let words = case_words(line, *key, look)?;
        Some(view! { <dt>{key.title()}</dt><dd dir="auto">{words}</dd> }.into_any())
    });
    let facts = facts.collect_view();
    view! {
        <h2 class="preview__title" dir="auto">{outcome_mark(outcome)}<span>{line.id.clone()}</span></h2>
        <p class="preview__why">
            <strong class=format!("preview__outcome outcome-word--{}", outcome.as_str())>{named(outcome)}</strong>
            {preview.reason.clone().or(score).map(|reason| words::reason(&reason))}
        </p>
        {preview.rule.clone().map(|rule| view! { <p class="preview__rule">{rule_words(&rule)}</p> })}
        {message}
        {checks(preview, look)}
        <h3 class="preview__head">{words::METADATA}</h3>
        <dl class="preview__facts">{facts}</dl>
    }
    .into_any()
}

fn named(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => words::PASSED,
        Outcome::Failed => words::FAILED,
        Outcome::Error => words::ERROR,
        Outcome::Skipped => words::SKIPPED,
        Outcome::Scored => words::SCORED,
        Outcome::Unscored => words::UNSCORED,
    }
}

fn checks(preview: &Preview, look: Look) -> Option<AnyView> {
    if preview.checks.is_empty() {
        return None;
    }
    let line = &preview.line;
    let n_right = line.n_checks.saturating_sub(line.n_failed_checks);
    let counted = (line.n_checks > 0).then(|| words::checks_passed(n_right, line.n_checks));
    let more = (preview.n_more > 0)
        .then(|| view! { <li class="preview__more">{words::more(preview.n_more)}</li> });
    let list = preview.checks.iter().map(|one| check(one, look)).collect_view();
    Some(
        view! {
            <h3 class="preview__head">{words::CHECKS}<span>{counted}</span></h3>
            <ul class="preview__checks">{list}{more}</ul>
        }
        .into_any(),
    )
}

fn check(check: &PreviewCheck, look: Look) -> AnyView {
    let mark = check.outcome.map(|outcome| {
        view! { <span role="img" aria-label=outcome.as_str()>{outcome_mark(outcome)}</span> }
            .into_any()
    });
    let attempt = check.attempt.map(words::attempt);
    let score = check.score.map(|score| look.score(score.0));
    let weight = check.weight.map(|weight| words::weight(weight.0));
    let about: Vec<String> = [attempt, score, weight].into_iter().flatten().collect();
    view! {
        <li class="preview__check">
            {mark}
            <span class="preview__name" dir="auto" title=check.name.clone()>{check.name.clone()}</span>
            <span class="preview__about">{about.join(" · ")}</span>
        </li>
    }
    .into_any()
}
