//! How two texts differ: row by row, or by their values.

use super::choices::{ViewState, copy_button};
use super::part::{opened, opening};
use super::pieces::pieces;
use super::rows::{DrawRow, LongView, TargetRow, long_view};
use crate::reading::{
    DiffBody, DiffLayout, DiffLine, DiffPart, DiffRowShown, DiffShown, DiffSign, Ink, LetterRun,
    PartShown, Piece, Way,
};
use crate::ui::components::report::paced;
use crate::ui::state::{handler, live};
use crate::words::ui::case as words;
use leptos::prelude::*;
use std::sync::Arc;

/// Rows that come into the document together, and elements of one.
const MAX_AT_ONCE: usize = 40;
const ELEMENTS: usize = 9;

/// The difference, with the ways to see it otherwise.
pub fn diff(shown: &DiffShown) -> AnyView {
    let seen = ViewState::new(shown.clone(), |piece| match piece {
        Piece::Diff(diff) => Some(*diff),
        _ => None,
    });
    let copied = copy_button(
        move || seen.shown.with_untracked(|shown| shown.copy.clone()),
        words::THE_DIFFERENCE,
    );
    let body = move || {
        let shown = seen.shown.get();
        let notes = shown.notes.iter().map(|note| {
            let note = note.clone();
            view! { <p class="diff__note">{note}</p> }.into_any()
        });
        let body = match &shown.body {
            DiffBody::Values(list) => view! { <div class="pieces">{pieces(list)}</div> }.into_any(),
            DiffBody::Whole(arranged, parts) => whole(*arranged, parts),
            DiffBody::View(arranged, view) => {
                let draw: DrawRow = Arc::new(move |part, nth, found| match part {
                    PartShown::DiffRows(parts) => {
                        parts.get(nth).map(|part| row_of_view(part, seen, found))
                    }
                    _ => None,
                });
                let (id, label) = (shown.id.as_str(), words::DIFFERENCE);
                long_view(LongView { view, id, class: class(*arranged), label, draw })
            }
        };
        view! { {notes.collect_view()}{body} }
    };
    view! {
        <div class="diff">
            <div class="diff__head">
                <span class="diff__count">{live(move || seen.shown.with(|shown| shown.count.clone()))}</span>
                {seen.choices(|shown| &shown.choices)}
                {copied}
            </div>
            {seen.failure()}
            {live(body)}
        </div>
    }
    .into_any()
}

fn class(arranged: DiffLayout) -> &'static str {
    match arranged {
        DiffLayout::Unified => "rows",
        DiffLayout::SideBySide => "rows rows--two",
    }
}

fn whole(arranged: DiffLayout, parts: &[DiffPart]) -> AnyView {
    let class = format!("{} rows--whole", class(arranged));
    view! {
        <div class=class role="group" aria-label=words::DIFFERENCE tabindex="0">{diff_parts(parts)}</div>
    }
    .into_any()
}

/// Rows of a difference, and what is folded between them.
pub fn diff_parts(parts: &[DiffPart]) -> AnyView {
    let chunks = parts.chunks(MAX_AT_ONCE).map(|chunk| {
        let chunk = chunk.to_vec();
        paced(chunk.len() * ELEMENTS, move || chunk.iter().map(part).collect_view().into_any())
    });
    chunks.collect_view().into_any()
}

fn part(part: &DiffPart) -> AnyView {
    match part {
        DiffPart::Row(shown) => row(shown, None),
        DiffPart::Fold { words, part } => {
            let (is_open, asked) = opening(false, part.clone());
            opened("rows__fold", is_open, words.clone().into_any(), asked.drawn())
        }
        // Only views have such rows.
        DiffPart::Jump { words, .. } => words.clone().into_any(),
    }
}

fn row_of_view(part: &DiffPart, seen: ViewState<DiffShown>, found: TargetRow) -> AnyView {
    match part {
        DiffPart::Row(shown) => row(shown, Some(found)),
        DiffPart::Fold { words, .. } => words.clone().into_any(),
        DiffPart::Jump { words, part, row } => {
            let (part, row) = (part.clone(), Some(*row));
            let press = move |_| {
                let id = seen.shown.with_untracked(|shown| shown.id.clone());
                let way = Way { id, row, ..Way::default() };
                seen.turn(part.clone(), move || seen.leading.lead(way));
            };
            let words = words.clone();
            view! {
                <div class="row row--fold"><button type="button" class="jump" on:click=handler(press)>{words}</button></div>
            }
            .into_any()
        }
    }
}

fn row(shown: &DiffRowShown, found: Option<TargetRow>) -> AnyView {
    let class = match shown.sign {
        DiffSign::Same => "row",
        DiffSign::Removed => "row row--removed",
        DiffSign::Added => "row row--added",
    };
    let cells = match (shown.numbers.as_slice(), shown.lines.as_slice()) {
        ([old, new], [left, right]) => {
            view! { {number(old)}{line(left.as_ref())}{number(new)}{line(right.as_ref())} }
                .into_any()
        }
        (numbers, lines) => {
            let lines = lines.iter().map(|one| line(one.as_ref()));
            view! { {numbers.iter().map(|one| number(one)).collect_view()}{lines.collect_view()} }
                .into_any()
        }
    };
    match found {
        None => view! { <div class=class>{cells}</div> }.into_any(),
        Some(found) => {
            view! { <div class=class class:is-found=live(move || found.is_it())>{cells}</div> }
                .into_any()
        }
    }
}

fn number(number: &str) -> AnyView {
    let number = number.to_owned();
    view! { <span class="row__number" aria-hidden="true">{number}</span> }.into_any()
}

fn line(line: Option<&DiffLine>) -> AnyView {
    let Some(line) = line else {
        return view! { <span class="row__sign"></span><span class="row__text row__text--none"></span> }
            .into_any();
    };
    let (mark, class, word) = match line.sign {
        DiffSign::Same => (" ", "row__text", ""),
        DiffSign::Removed => ("−", "row__text row__text--removed", words::EXPECTED_LINE),
        DiffSign::Added => ("+", "row__text row__text--added", words::ACTUAL_LINE),
    };
    let word = (!word.is_empty())
        .then(|| view! { <span class="visually-hidden">{word}": "</span> }.into_any());
    let runs = line.runs.chunk_by(|one, next| one.is_changed == next.is_changed);
    let runs = runs.map(|runs| {
        let inner = runs.iter().map(run).collect_view();
        let is_changed = runs.first().is_some_and(|run| run.is_changed);
        match line.sign {
            DiffSign::Removed if is_changed => view! { <del class="word">{inner}</del> }.into_any(),
            DiffSign::Added if is_changed => view! { <ins class="word">{inner}</ins> }.into_any(),
            _ => inner.into_any(),
        }
    });
    view! {
        <span class="row__sign" aria-hidden="true">{mark}</span>
        <span class=class>{word}{runs.collect_view()}</span>
    }
    .into_any()
}

fn run(run: &LetterRun) -> AnyView {
    let text = run.text.clone();
    let class = match run.ink {
        Ink::Letters => return text.into_any(),
        Ink::Spaces => "blank blank--space",
        Ink::Tab => "blank blank--tab",
        Ink::Sign => "sign",
    };
    view! { <span class=class>{text}</span> }.into_any()
}
