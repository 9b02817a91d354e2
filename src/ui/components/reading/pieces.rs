//! Whatever a section is made of.

use super::attempts::attempts;
use super::changes::changes;
use super::checks::checks;
use super::diff::{diff, diff_parts};
use super::document::{files, rows};
use super::leading::Leading;
use super::part::{body, fold, later};
use super::text::{block, lines, said, short};
use super::transcript::{entries, outline_lines, transcript};
use super::tree::{nodes, tree};
use crate::reading::{Body, FactShown, LineKind, Piece, RequestShown, SideShown};
use crate::ui::components::report::paced;
use crate::words::ui::case as words;
use leptos::html::Div;
use leptos::prelude::*;

/// Elements of a text besides what is paced by itself, about.
const ELEMENTS: usize = 40;

/// All of them, one after the other.
pub fn pieces(list: &[Piece]) -> AnyView {
    list.iter().map(piece).collect_view().into_any()
}

fn piece(piece: &Piece) -> AnyView {
    match piece {
        Piece::Line(kind, words) => line(*kind, words.clone()),
        Piece::Facts(all) => facts(all),
        Piece::Fold(one) => fold(one),
        Piece::Later(one) => later(one),
        Piece::Checks(all) => checks(all),
        Piece::Sides(all) => sides(all),
        Piece::Attempts(all) => attempts(all),
        Piece::Request(one) => request(one),
        Piece::Transcript(one) => transcript(one),
        Piece::Entries(all) => entries(all),
        Piece::Outline(all) => outline_lines(all),
        Piece::Files(all) => files(all),
        Piece::Place(id, list) => place(id.clone(), list),
        Piece::Rows(columns, all) => rows(columns, all),
        Piece::Block(one) => paced_text(one, |one| block(one)),
        Piece::Said(one) => paced_text(one, |one| said(one)),
        Piece::Lines(one) => paced_text(one, |one| lines(one)),
        Piece::Short(label, text) => short(label, text),
        Piece::Tree(one) => paced_text(one, |one| tree(one)),
        Piece::Nodes(all) => nodes(all),
        Piece::Diff(one) => paced_text(one, |one| diff(one)),
        Piece::DiffParts(all) => diff_parts(all),
        Piece::Changes(all) => changes(all),
    }
}

/// Something with a text in it, in its turn.
fn paced_text<T: Clone + 'static>(one: &T, draw: fn(&T) -> AnyView) -> AnyView {
    let one = one.clone();
    paced(ELEMENTS, move || draw(&one))
}

/// Pieces that there is a way to.
fn place(id: String, list: &[Piece]) -> AnyView {
    let leading: Leading = expect_context();
    let place = NodeRef::<Div>::new();
    let current = leading.brings(&id, place);
    view! { <div id=id tabindex="-1" node_ref=place aria-current=current>{pieces(list)}</div> }
        .into_any()
}

fn line(kind: LineKind, words: String) -> AnyView {
    let class = match kind {
        LineKind::Empty => "block__empty",
        LineKind::Count => "checks__count",
        LineKind::Attempt => "attempt__title",
        LineKind::Same => "attempt__same",
        LineKind::Note => "diff__note",
        LineKind::Failed => "part-failed",
    };
    view! { <p class=class>{words}</p> }.into_any()
}

/// Names with short values.
pub fn facts(all: &[FactShown]) -> AnyView {
    let items = all.iter().map(|fact| {
        let value = match fact.value.as_str() {
            "" => view! { <span class="block__empty">{words::EMPTY_TEXT}</span> }.into_any(),
            value => view! { <bdi title=fact.written.clone()>{value.to_owned()}</bdi> }.into_any(),
        };
        view! {
            <div class="facts__item"><dt dir="auto">{fact.label.clone()}</dt><dd>{value}</dd></div>
        }
        .into_any()
    });
    view! { <dl class="facts facts--further">{items.collect_view()}</dl> }.into_any()
}

fn sides(all: &[SideShown]) -> AnyView {
    let sides = all.iter().map(|side| {
        let title = side.title.clone();
        let title = title.map(|title| view! { <p class="sides__title">{title}</p> }.into_any());
        view! {
            <div class="sides__side">{title}{body(&Body::Here(side.pieces.clone()))}</div>
        }
        .into_any()
    });
    view! { <div class="sides">{sides.collect_view()}</div> }.into_any()
}

fn request(shown: &RequestShown) -> AnyView {
    let lists = shown.pairs.iter().map(|(label, pairs)| {
        let pairs = pairs.iter().map(|(key, value)| {
            view! { <dt dir="auto">{key.clone()}</dt><dd dir="auto">{value.clone()}</dd> }
                .into_any()
        });
        view! {
            <p class="request__label">{label.clone()}</p>
            <dl class="request__pairs">{pairs.collect_view()}</dl>
        }
        .into_any()
    });
    view! {
        <div class="request">
            <p class="request__line">
                <bdi class="request__method">{shown.method.clone()}</bdi>" "
                <bdi class="request__path">{shown.path.clone()}</bdi>
            </p>
            {lists.collect_view()}
            {pieces(&shown.pieces)}
        </div>
    }
    .into_any()
}
