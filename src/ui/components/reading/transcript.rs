//! A conversation: its outline, a field to search it, and its messages in chunks that come when they are near.

use super::checks::sides;
use super::find::find;
use super::leading::Leading;
use super::message::message;
use super::part::{later, opened};
use super::pieces::pieces;
use crate::reading::{EntryItem, OutlineLine, OutlineShown, TranscriptShown, TurnShown};
use crate::ui::components::report::paced;
use crate::ui::state::{handler, use_store};
use crate::words::ui::case as words;
use leptos::prelude::*;

/// Elements of a message, about.
const ELEMENTS: usize = 30;

/// All of it.
pub fn transcript(shown: &TranscriptShown) -> AnyView {
    let class = match &shown.outline {
        Some(_) => "transcript transcript--outlined",
        None => "transcript",
    };
    let places = shown.later.iter().map(later);
    view! {
        <div class=class>
            {shown.outline.as_ref().map(outline)}
            <div class="transcript__main">
                <div class="transcript__find">{shown.find.as_ref().map(find)}</div>
                <div class="chunk">{entries(&shown.first)}</div>
                {places.collect_view()}
            </div>
        </div>
    }
    .into_any()
}

fn outline(outline: &OutlineShown) -> AnyView {
    let summary = outline.words.clone().into_any();
    view! {
        <nav class="outline" aria-label=words::OUTLINE>
            {opened("", RwSignal::new(outline.is_open), summary, pieces(&outline.pieces))}
        </nav>
    }
    .into_any()
}

/// Lines of the outline.
pub fn outline_lines(all: &[OutlineLine]) -> AnyView {
    let (store, leading): (_, Leading) = (use_store(), expect_context());
    let lines = all.iter().map(|line| {
        let (way, words) = (line.way.clone(), line.words.clone());
        let press = move |_| leading.go(store, &way);
        let (class, body) = match &line.turn {
            Some(turn) => (
                "jump outline__line",
                view! { <span class="outline__turn">{turn.clone()}</span>" "<bdi>{words}</bdi> }.into_any(),
            ),
            None => (
                "jump outline__line outline__line--error",
                view! { "✕ "<bdi>{words}</bdi>{words::OUTLINE_FAILED} }.into_any(),
            ),
        };
        view! { <li><button type="button" class=class dir="auto" on:click=handler(press)>{body}</button></li> }
            .into_any()
    });
    view! { <ol class="outline__list">{lines.collect_view()}</ol> }.into_any()
}

/// Messages as a list.
pub fn entries(all: &[EntryItem]) -> AnyView {
    let all = all.to_vec();
    paced(all.len() * ELEMENTS, move || {
        let items = all.iter().map(|item| match item {
            EntryItem::Turn(head) => turn(head),
            EntryItem::Entry(entry) => view! { <li>{message(entry)}</li> }.into_any(),
        });
        view! { <ol class="turns">{items.collect_view()}</ol> }.into_any()
    })
}

fn turn(turn: &TurnShown) -> AnyView {
    let usage = turn.usage.clone();
    let usage = (!usage.is_empty())
        .then(|| view! { <span class="turn-head__usage">{usage}</span> }.into_any());
    let grades = turn.grades.iter().map(|grade| {
        view! {
            <div class="turn-head__grade">
                <bdi>{grade.grader.clone()}</bdi>" "<strong>{grade.score.clone()}</strong>
                {sides(&grade.sides)}
                {pieces(&grade.below)}
            </div>
        }
        .into_any()
    });
    view! {
        <li class="turn-head">
            <h3 class="turn-head__title">{turn.title.clone()}</h3>
            {usage}
            {grades.collect_view()}
        </li>
    }
    .into_any()
}
