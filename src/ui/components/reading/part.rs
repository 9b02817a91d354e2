//! Parts of a case that are asked for when they are needed: folds, and places for what comes near.

use super::pieces::pieces;
use super::settled;
use crate::browser;
use crate::render::case::{Body, Fold, Later, Piece, Room};
use crate::ui::state::{live, use_store};
use crate::ui::words::case as words;
use crate::worker::protocol::{Answer, Question};
use leptos::prelude::*;
use std::rc::Rc;
use std::sync::Arc;

/// What there is of a part.
#[derive(Clone)]
enum State {
    /// Nothing yet.
    Waiting,
    /// It.
    Here(Arc<Vec<Piece>>),
    /// Nothing, and why. It is asked for again when it is needed again.
    Failed(String),
}

/// The part `name`, asked for when it is needed for the first time.
fn part(name: String) -> RwSignal<State> {
    let store = use_store();
    let state = RwSignal::new(State::Waiting);
    let thens = StoredValue::new_local(Vec::<Box<dyn FnOnce()>>::new());
    let is_asked = StoredValue::new(false);
    let asked = name.clone();
    let bring = move |then: Box<dyn FnOnce()>| {
        match state.try_get_untracked() {
            None => return,
            Some(State::Here(_)) if !is_asked.get_value() => return browser::when_drawn(then),
            Some(_) => thens.update_value(|thens| thens.push(then)),
        }
        if is_asked.get_value() {
            return;
        }
        is_asked.set_value(true);
        store.ask(Question::Part(asked.clone()), move |answer| {
            // The view may be gone by now, and its signal with it.
            state.try_set(match answer {
                Ok(Answer::Pieces(pieces)) => State::Here(Arc::new(pieces)),
                Ok(Answer::Markup(markup)) => State::Here(Arc::new(vec![Piece::Drawn(markup)])),
                Ok(_) => State::Failed(words::OTHER_ANSWER.to_owned()),
                Err(failure) => State::Failed(failure.to_string()),
            });
            settled(2, move || {
                is_asked.try_set_value(false);
                let thens = thens.try_update_value(std::mem::take).unwrap_or_default();
                thens.into_iter().for_each(|then| then());
            });
        });
    };
    // It is served as long as the view lives.
    StoredValue::new_local(browser::serve_part(&name, Rc::new(bring)));
    state
}

fn drawn(state: RwSignal<State>) -> AnyView {
    live(move || match state.get() {
        State::Waiting => ().into_any(),
        State::Here(list) => pieces(&list),
        State::Failed(reason) => {
            view! { <p class="part-failed">{words::NOT_SHOWN}": "{reason}</p> }.into_any()
        }
    })
    .into_any()
}

/// A place for what comes when it is near.
pub fn later(later: &Later) -> AnyView {
    let state = part(later.part.clone());
    let (before, after) = match later.room {
        Room::Text => ("later", "pieces"),
        Room::Chunk => ("chunk later", "chunk"),
        Room::Chunks => ("chunk chunk--many later", "chunk chunk--many"),
    };
    let class =
        move || state.with(|state| if matches!(state, State::Here(_)) { after } else { before });
    view! { <div class=live(class) data-part=later.part.clone()>{drawn(state)}</div> }.into_any()
}

/// What is in something: here, or asked for when it comes into sight.
pub fn body(body: &Body) -> AnyView {
    match body {
        Body::Here(list) => view! { <div class="pieces">{pieces(list)}</div> }.into_any(),
        Body::Part(name) => later(&Later { part: name.clone(), room: Room::Text }),
    }
}

/// Something that can be opened.
pub fn fold(fold: &Fold) -> AnyView {
    let class = if fold.is_low { "fold fold--line" } else { "fold" };
    let said = |class: &'static str, text: &String| {
        let text = text.clone();
        (!text.is_empty()).then(|| view! { <bdi class=class>{text}</bdi> }.into_any())
    };
    let (name, inner) = match &fold.body {
        Body::Here(list) => (None, pieces(list)),
        Body::Part(name) => (Some(name.clone()), drawn(part(name.clone()))),
    };
    view! {
        <details class=class open=fold.is_open data-part=name>
            <summary>
                {said("fold__label", &fold.label)}
                {said("fold__preview", &fold.preview)}
                {said("fold__size", &fold.size)}
            </summary>
            <div class="pieces">{inner}</div>
        </details>
    }
    .into_any()
}
