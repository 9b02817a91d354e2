//! Parts of a page that are asked for when they are needed: folds, and places for what comes near.

use super::leading::Leading;
use super::pieces::pieces;
use crate::browser;
use crate::reading::{Body, Fold, Later, PartShown, Piece, ReservedRoom};
use crate::ui::state::{Store, effect, handler, live, use_store};
use crate::words::ui::case as words;
use crate::worker::protocol::{Answer, Failure, Question};
use leptos::html::{Details, Div};
use leptos::prelude::*;
use std::sync::Arc;

/// What there is of a part.
#[derive(Clone)]
enum PartState {
    /// Nothing yet.
    Waiting,
    /// It.
    Here(Arc<Vec<Piece>>),
    /// Nothing, and why. It is asked for again when it is needed again.
    Failed(String),
}

/// A part that is asked for when it is needed for the first time. Copies are the same.
#[derive(Clone, Copy)]
pub struct LazyPart {
    store: Store,
    leading: Leading,
    name: StoredValue<String>,
    state: RwSignal<PartState>,
    is_asked: StoredValue<bool>,
}

/// The part `name`. The reader who is led through it needs it.
pub fn part(name: String) -> LazyPart {
    let (store, leading) = (use_store(), expect_context::<Leading>());
    let asked = LazyPart {
        store,
        leading,
        name: StoredValue::new(name.clone()),
        state: RwSignal::new(PartState::Waiting),
        is_asked: StoredValue::new(false),
    };
    effect(move || {
        if leading.is_through(&name) {
            asked.ask();
        }
    });
    asked
}

impl LazyPart {
    /// It is needed.
    pub fn ask(self) {
        let is_here = self.state.with_untracked(|state| matches!(state, PartState::Here(_)));
        if is_here || self.is_asked.get_value() {
            return;
        }
        self.is_asked.set_value(true);
        self.leading.asks();
        self.store.ask(Question::Part(self.name.get_value()), move |answer| {
            // The view may be gone by now, and its signals with it.
            self.state.try_set(match part_of(answer) {
                Ok(PartShown::Pieces(pieces)) => PartState::Here(Arc::new(pieces)),
                Ok(_) => PartState::Failed(words::OTHER_ANSWER.to_owned()),
                Err(reason) => PartState::Failed(reason),
            });
            self.is_asked.try_set_value(false);
            self.leading.has();
        });
    }

    fn is_here(self) -> bool {
        self.state.with(|state| matches!(state, PartState::Here(_)))
    }

    /// What there is of it.
    pub fn drawn(self) -> AnyView {
        live(move || match self.state.get() {
            PartState::Waiting => ().into_any(),
            PartState::Here(list) => pieces(&list),
            PartState::Failed(reason) => failed(&reason),
        })
        .into_any()
    }
}

/// The part that was asked for; why there is none.
pub fn part_of(answer: Result<Answer, Failure>) -> Result<PartShown, String> {
    match answer {
        Ok(Answer::Part(part)) => Ok(*part),
        Ok(_) => Err(words::OTHER_ANSWER.to_owned()),
        Err(failure) => Err(failure.to_string()),
    }
}

/// Why something is not here.
pub fn failed(reason: &str) -> AnyView {
    let reason = reason.to_owned();
    view! { <p class="part-failed">{words::NOT_SHOWN}": "{reason}</p> }.into_any()
}

/// Has `came` called whenever the element in `place` comes near to what is in sight.
pub fn when_near(place: NodeRef<Div>, came: impl Fn() + Clone + 'static) {
    let near = StoredValue::new_local(None);
    effect(move || {
        let found = place.get().and_then(|place| browser::near(&place, came.clone()));
        near.set_value(found);
    });
}

/// A place for what comes when it is near.
pub fn later(later: &Later) -> AnyView {
    let asked = part(later.part.clone());
    let (before, after) = match later.room {
        ReservedRoom::Text => ("later", "pieces"),
        ReservedRoom::Chunk => ("chunk later", "chunk"),
        ReservedRoom::Chunks => ("chunk chunk--many later", "chunk chunk--many"),
    };
    let class = move || if asked.is_here() { after } else { before };
    let place = NodeRef::<Div>::new();
    when_near(place, move || asked.ask());
    view! { <div class=live(class) node_ref=place>{asked.drawn()}</div> }.into_any()
}

/// What is in something: here, or asked for when it comes into sight.
pub fn body(body: &Body) -> AnyView {
    match body {
        Body::Here(list) => view! { <div class="pieces">{pieces(list)}</div> }.into_any(),
        Body::Part(name) => later(&Later { part: name.clone(), room: ReservedRoom::Text }),
    }
}

/// Something that can be opened.
pub fn fold(fold: &Fold) -> AnyView {
    let class = if fold.is_low { "fold fold--line" } else { "fold" };
    let said = |class: &'static str, text: &String| {
        let text = text.clone();
        (!text.is_empty()).then(|| view! { <bdi class=class>{text}</bdi> }.into_any())
    };
    let summary = view! {
        {said("fold__label", &fold.label)}
        {said("fold__preview", &fold.preview)}
        {said("fold__size", &fold.size)}
    }
    .into_any();
    let inner = |inner: AnyView| view! { <div class="pieces">{inner}</div> }.into_any();
    match &fold.body {
        Body::Here(list) => {
            opened(class, RwSignal::new(fold.is_open), summary, inner(pieces(list)))
        }
        Body::Part(name) => {
            let (is_open, asked) = opening(fold.is_open, name.clone());
            opened(class, is_open, summary, inner(asked.drawn()))
        }
    }
}

/// Whether what holds the part `name` is open, and the part: it is asked for when it is opened, and opened for
/// the reader who is led through it.
pub fn opening(is_open: bool, name: String) -> (RwSignal<bool>, LazyPart) {
    let (is_open, asked) = (open_for(is_open, name.clone()), part(name));
    effect(move || {
        if is_open.get() {
            asked.ask();
        }
    });
    (is_open, asked)
}

/// Whether something is open, which opens for the reader who is led through the part `name`.
pub fn open_for(is_open: bool, name: String) -> RwSignal<bool> {
    let leading: Leading = expect_context();
    let is_open = RwSignal::new(is_open);
    effect(move || {
        if leading.is_through(&name) {
            is_open.set(true);
        }
    });
    is_open
}

/// What can be opened: a summary, and what is in it.
pub fn opened(
    class: &'static str,
    is_open: RwSignal<bool>,
    summary: AnyView,
    inner: AnyView,
) -> AnyView {
    let place = NodeRef::<Details>::new();
    let toggled = move |_| {
        if let Some(place) =
            place.get_untracked().filter(|place| place.open() != is_open.get_untracked())
        {
            is_open.set(place.open());
        }
    };
    view! {
        <details class=class node_ref=place open=live(move || is_open.get()) on:toggle=handler(toggled)>
            <summary>{summary}</summary>
            {inner}
        </details>
    }
    .into_any()
}
