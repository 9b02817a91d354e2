//! One cell of a table, or one headline number.

use super::ReportContext;
use super::outcome::outcome_word;
use crate::format;
use crate::render::{CellForm, DECLARED, form, hint_of};
use crate::report::{Cell, Link};
use crate::words::ui::report as words;
use leptos::prelude::*;

/// Draws `cell` by what it means.
pub fn cell(cell: &Cell, cx: &ReportContext) -> AnyView {
    match form(cell, cx.look) {
        CellForm::Words(words) => words.into_any(),
        // A line that is too short for it ends behind a folder, not within a name.
        CellForm::Path(path) => {
            let parts = path.split_inclusive('/').map(str::to_owned);
            parts.map(|part| view! { {part}<wbr /> }).collect_view().into_any()
        }
        CellForm::Hinted(words, hint) => view! { <span title=hint>{words}</span> }.into_any(),
        CellForm::Interval(words, hint) => {
            view! { <span class="cell-interval" title=hint>{words}</span> }.into_any()
        }
        CellForm::Bar(words, width) => bar(words, width),
        CellForm::Outcome(outcome) => outcome_word(outcome),
        CellForm::Tag(text, is_bad) => {
            let class = if is_bad { "tag tag--bad" } else { "tag" };
            view! { <span class=class>{text.to_owned()}</span> }.into_any()
        }
        CellForm::Declared(inner) => view! {
            {self::cell(inner, cx)}
            " "
            <span class="cell-declared" title=DECLARED>{words::DECLARED}</span>
        }
        .into_any(),
        CellForm::Folded(words, text) => view! {
            <details class="fold">
                <summary>{words}</summary>
                <pre>{text.to_owned()}</pre>
            </details>
        }
        .into_any(),
        CellForm::Missing(reason) => view! {
            <span class="cell-missing" title=reason.to_owned()>
                <span aria-hidden="true">{format::UNKNOWN}</span>
                <span class="visually-hidden">{words::not_known(reason)}</span>
            </span>
        }
        .into_any(),
        CellForm::Linked(inner, to) => link(to, cx, self::cell(inner, cx)),
    }
}

/// What a click opens something from.
pub fn link(to: &Link, cx: &ReportContext, body: AnyView) -> AnyView {
    let address = cx.shown.address(to).to_owned();
    view! { <a class="link" href=address title=hint_of(to)>{body}</a> }.into_any()
}

/// Words with a bar that is filled to `width` per cent.
fn bar(words: String, width: String) -> AnyView {
    view! {
        <span class="cell-bar">
            <span class="cell-bar__text">{words}</span>
            <svg class="cell-bar__track" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect class="cell-bar__fill" width=width height="4"></rect>
            </svg>
        </span>
    }
    .into_any()
}
