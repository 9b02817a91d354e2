//! A JSON text as a tree.

use super::find::find;
use super::leading::Leading;
use super::part::{open_for, opened, opening};
use crate::reading::{GroupShown, KeyShown, NodeShown, NodesShown, TreeShown, ValueShown};
use crate::ui::components::report::paced;
use leptos::html::Div;
use leptos::prelude::*;

/// Values that come into the document together, and elements of one.
const MAX_AT_ONCE: usize = 25;
const ELEMENTS: usize = 12;

/// The tree.
pub fn tree(shown: &TreeShown) -> AnyView {
    let label = shown.label.clone();
    view! {
        {shown.find.as_ref().map(find)}
        <div class="json" role="group" aria-label=label>{node(&shown.root)}</div>
    }
    .into_any()
}

/// Values of a tree.
pub fn nodes(shown: &NodesShown) -> AnyView {
    let inner = match shown {
        NodesShown::Nodes(all) => {
            let chunks = all.chunks(MAX_AT_ONCE).map(|chunk| {
                let chunk = chunk.to_vec();
                paced(chunk.len() * ELEMENTS, move || {
                    chunk.iter().map(node).collect_view().into_any()
                })
            });
            chunks.collect_view().into_any()
        }
        NodesShown::Ranges(all) => all.iter().map(range).collect_view().into_any(),
    };
    view! { <div class="json__children">{inner}</div> }.into_any()
}

/// Very many values.
fn range((words, part): &(String, String)) -> AnyView {
    let (is_open, asked) = opening(false, part.clone());
    let words = words.clone();
    let summary = view! { <span class="json__range">{words}</span> }.into_any();
    opened("json__node", is_open, summary, asked.drawn())
}

/// A value with its key. The reader who is led to it comes to its line.
fn node(one: &NodeShown) -> AnyView {
    let leading: Leading = expect_context();
    let key = one.key.as_ref().map(key);
    let (inner, class) = match &one.value {
        ValueShown::Text(text) => {
            let text = text.clone();
            (view! { {key}<bdi class="json__text">{text}</bdi> }.into_any(), "json__leaf")
        }
        ValueShown::Word(word) => {
            let word = word.clone();
            (view! { {key}<span class="json__word">{word}</span> }.into_any(), "json__leaf")
        }
        ValueShown::Empty(contents) => (view! { {key}{kind(contents)} }.into_any(), "json__leaf"),
        ValueShown::Group(one) => (group(one, key), "json__place"),
        ValueShown::Long { preview, size, part } => {
            let text = preview.clone();
            let line =
                view! { {key}<bdi class="json__text">{text}</bdi>" "{kind(size)} }.into_any();
            match part {
                None => (line, "json__leaf"),
                Some(part) => {
                    let (is_open, asked) = opening(false, part.clone());
                    (opened("json__node", is_open, line, asked.drawn()), "json__place")
                }
            }
        }
    };
    let place = NodeRef::<Div>::new();
    let current = leading.brings(&one.id, place);
    view! {
        <div class=class id=one.id.clone() tabindex="-1" node_ref=place aria-current=current>{inner}</div>
    }
    .into_any()
}

fn key(key: &KeyShown) -> AnyView {
    let name = match key {
        KeyShown::Name(name) => {
            let name = name.clone();
            view! { <bdi class="json__key">{name}</bdi> }.into_any()
        }
        KeyShown::Place(place) => {
            let place = place.clone();
            view! { <span class="json__index">{place}</span> }.into_any()
        }
    };
    view! { {name}<span class="json__colon">": "</span> }.into_any()
}

fn kind(words: &str) -> AnyView {
    let words = words.to_owned();
    view! { <span class="json__kind">{words}</span> }.into_any()
}

/// An object or an array; its values come when it is opened, where they are not here.
fn group(shown: &GroupShown, key: Option<AnyView>) -> AnyView {
    let preview = shown.preview.clone();
    let summary = view! {
        {key}
        {kind(&shown.contents)}
        " "
        <bdi class="json__preview" aria-hidden="true">{preview}</bdi>
    }
    .into_any();
    let part = shown.part.clone();
    match &shown.inside {
        Some(inside) => opened("json__node", open_for(shown.is_open, part), summary, nodes(inside)),
        None => {
            let (is_open, asked) = opening(shown.is_open, part);
            opened("json__node", is_open, summary, asked.drawn())
        }
    }
}
