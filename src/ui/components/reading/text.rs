//! Texts: with their label and ways to see them, line by line, and what somebody said.

use super::choices::{ViewState, copy_button};
use super::find::find;
use super::leading::Leading;
use super::part::{opened, opening};
use super::rows::{DrawRow, LongView, TargetRow, long_view};
use super::tree::tree;
use crate::browser;
use crate::reading::{
    BlockShown, LineMark, LineShown, LinesBody, LinesShown, PartShown, Piece, PlaceShown, SaidBody,
    SaidShown, TextKind, TextShown, Way,
};
use crate::ui::components::inserted_markup::stretched;
use crate::ui::components::report::paced;
use crate::ui::state::{handler, live, memo, use_store};
use crate::words::ui::case as words;
use leptos::html::Span;
use leptos::prelude::*;
use std::sync::Arc;

/// Elements of a text with all that is around it, about.
const ELEMENTS: usize = 40;

/// A text with its label.
pub fn block(shown: &BlockShown) -> AnyView {
    let seen = ViewState::new(shown.clone(), |piece| match piece {
        Piece::Block(block) => Some(*block),
        _ => None,
    });
    let (label, copy) = (shown.label.clone(), shown.copy.clone());
    let size = move || {
        let size = seen.shown.with(|shown| shown.size.clone());
        (!size.is_empty()).then(|| view! { <span class="block__size">{size}</span> }.into_any())
    };
    let copied = copy_button(move || copy.clone(), &label);
    let text = move || {
        let shown = seen.shown.get();
        paced(ELEMENTS, move || match &shown.text {
            TextShown::Empty => empty(),
            TextShown::Tree(one) => tree(one),
            TextShown::Lines(one) => lines(one),
        })
    };
    view! {
        <div class="block">
            <div class="block__head">
                <h3 class="block__label" dir="auto">{label}</h3>
                {live(size)}
                {seen.choices(|shown| &shown.choices)}
                {copied}
            </div>
            {seen.failure()}
            {live(text)}
        </div>
    }
    .into_any()
}

fn empty() -> AnyView {
    view! { <p class="block__empty">{words::EMPTY_TEXT}</p> }.into_any()
}

/// A short text; `label` says what it is.
pub fn short(label: &str, text: &str) -> AnyView {
    let (label, text) = (label.to_owned(), text.to_owned());
    view! { <pre class="text text--short" role="group" aria-label=label tabindex="0">{text}</pre> }
        .into_any()
}

/// What somebody said.
pub fn said(shown: &SaidShown) -> AnyView {
    let seen = ViewState::new(shown.clone(), |piece| match piece {
        Piece::Said(said) => Some(*said),
        _ => None,
    });
    let copy = shown.copy.clone();
    let body = move || {
        match &seen.shown.get().body {
        SaidBody::Empty => empty(),
        SaidBody::Rendered(markup) => {
            view! { <div dir="auto">{stretched(markup, "markdown")}</div> }.into_any()
        }
        SaidBody::Written(text) => view! {
            <pre class="text text--said" tabindex="0" role="group" aria-label=words::AS_WRITTEN>{text.clone()}</pre>
        }
        .into_any(),
    }
    };
    let rest = shown.rest.clone().map(|(words, part)| {
        let (is_open, asked) = opening(false, part);
        let inner = view! { <div class="pieces">{asked.drawn()}</div> }.into_any();
        opened("fold", is_open, words.into_any(), inner)
    });
    view! {
        <div class="said">
            <div class="said__tools">
                {seen.choices(|shown| &shown.choices)}
                {copy_button(move || copy.clone(), words::A_MESSAGE)}
            </div>
            {seen.failure()}
            {live(body)}
            {rest}
        </div>
    }
    .into_any()
}

/// A text line by line.
pub fn lines(shown: &LinesShown) -> AnyView {
    let class = match shown.kind {
        TextKind::Plain => "text",
        TextKind::Diff => "text text--diff",
        TextKind::Failure => "text text--failure",
    };
    let body = match &shown.body {
        LinesBody::Whole(rows) => whole(shown, class, rows),
        LinesBody::View(view, field) => {
            let draw: DrawRow = Arc::new(|part, nth, found| match part {
                PartShown::Lines(rows) => rows.get(nth).map(|line| row(line, found)),
                _ => None,
            });
            let view = LongView { view, id: &shown.id, class, label: &shown.label, draw };
            view! { {find(field)}{long_view(view)} }.into_any()
        }
    };
    view! { {places(shown)}{body} }.into_any()
}

/// Files and parts that a failure text names, each as a way to its line.
fn places(shown: &LinesShown) -> Option<AnyView> {
    let (store, leading): (_, Leading) = (use_store(), expect_context());
    let items = shown.places.iter().map(|place| {
        let PlaceShown { words, row } = place.clone();
        let way = Way { id: shown.id.clone(), row: Some(row), ..Way::default() };
        view! {
            <li><button type="button" class="jump place" dir="auto" on:click=handler(move |_| leading.go(store, &way))>{words}</button></li>
        }
        .into_any()
    });
    let items = items.collect_view();
    let more = shown
        .has_more_places
        .then(|| view! { <li class="places__more">{words::MORE_BELOW}</li> }.into_any());
    (!shown.places.is_empty()).then(|| {
        view! { <ul class="places" aria-label=words::PLACES>{items}{more}</ul> }.into_any()
    })
}

/// All lines: what stands out in elements of its own, all between as text.
fn whole(shown: &LinesShown, class: &'static str, rows: &[LineShown]) -> AnyView {
    let leading: Leading = expect_context();
    let id = shown.id.clone();
    let row = memo(move || leading.row_of(&id));
    let mut out = Vec::new();
    let mut plain = String::new();
    for (at, line) in rows.iter().enumerate() {
        if at > 0 && !line.is_continued {
            plain.push('\n');
        }
        let class = line_class(line.mark);
        if class.is_empty() {
            plain.push_str(&line.text);
        } else {
            out.push(std::mem::take(&mut plain).into_any());
            out.push(marked(line, class, &shown.id, TargetRow { row, at: at as u64 }));
        }
    }
    out.push(plain.into_any());
    let label = shown.label.clone();
    view! { <pre class=class role="group" aria-label=label tabindex="0">{out}</pre> }.into_any()
}

/// A line that stands out; there may be a way to those that name something.
fn marked(line: &LineShown, class: &'static str, id: &str, found: TargetRow) -> AnyView {
    if !matches!(line.mark, LineMark::Place | LineMark::Section) {
        return view! { <span class=class>{line_text(line)}</span> }.into_any();
    }
    let leading: Leading = expect_context();
    let place = NodeRef::<Span>::new();
    leading.on_arrival(id.to_owned(), move || {
        let Some(place) = place.get().filter(|_| found.is_it()) else { return false };
        browser::arrive(&place);
        true
    });
    let current = live(move || found.is_it().then_some("location"));
    view! { <span class=class tabindex="-1" node_ref=place aria-current=current>{line_text(line)}</span> }
        .into_any()
}

/// A row of a view.
fn row(line: &LineShown, found: TargetRow) -> AnyView {
    let class = format!("row {}", line_class(line.mark));
    let number = line.number.clone();
    view! {
        <div class=class class:is-found=live(move || found.is_it())>
            <span class="row__number" aria-hidden="true">{number}</span>
            <span class="row__text">{line_text(line)}</span>
        </div>
    }
    .into_any()
}

fn line_class(mark: LineMark) -> &'static str {
    match mark {
        LineMark::Plain => "",
        LineMark::Removed => "line line--removed",
        LineMark::Added => "line line--added",
        LineMark::Hunk => "line line--hunk",
        LineMark::Error => "line line--error",
        LineMark::Current => "line line--current",
        LineMark::Place => "line line--place",
        LineMark::Section => "line line--section",
    }
}

/// What stands in a line, with the place that it names set apart.
fn line_text(line: &LineShown) -> AnyView {
    match line.parts() {
        [text, "", ""] => text.to_owned().into_any(),
        [before, place, after] => {
            let [before, place, after] = [before, place, after].map(str::to_owned);
            view! { {before}<span class="place">{place}</span>{after} }.into_any()
        }
    }
}
