//! Has what is drawn come into the document a stretch at a time, so that no task of the main thread parses,
//! styles and lays out more than a window of it.
//!
//! All of the page's drawing shares one queue. What is small goes in at once as long as there is room
//! in the present frame; the rest goes on with the next ones, from top to bottom.

use super::clock::later;
use super::document::document;
use crate::markup::{Markup, MarkupStretch, stretches};
use std::cell::RefCell;
use std::collections::VecDeque;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::Element;

/// Elements that come into the document between two frames, about: ten messages, or half of a screen
/// full of table rows. Each is made by a component, which takes three times as long as reading it from markup.
const MAX_ELEMENTS: usize = 300;

/// What waits for room.
enum WaitingDrawing {
    /// Something that is to be put somewhere.
    Drawing(PendingDrawing),
    /// Something that others draw, once it is their turn.
    Turn(DrawingTurn),
}

/// Something that others draw.
pub struct DrawingTurn {
    /// Its elements, about.
    pub n_elements: usize,
    /// Whether it is still wanted.
    pub is_alive: Box<dyn Fn() -> bool>,
    /// Called when it is its turn.
    pub then: Box<dyn FnOnce()>,
}

/// What is to be put somewhere.
struct PendingDrawing {
    place: Element,
    markup: Markup,
    stretches: VecDeque<MarkupStretch>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<WaitingDrawing>,
    /// Elements that have been put in since the last frame.
    n_drawn: usize,
    is_waiting: bool,
    /// Being worked on: what is called meanwhile is put behind.
    is_busy: bool,
}

thread_local! {
    static QUEUE: RefCell<Queue> = RefCell::default();
}

/// Draws the rest of something in the place where its beginning is.
pub type DrawRest = Box<dyn FnOnce(&Element)>;

/// `markup` for a place that is not in the document yet: what goes in with it, and what draws the rest
/// once it is there, when there is any.
pub fn draw_first(markup: &Markup) -> (String, Option<DrawRest>) {
    let mut stretches: VecDeque<MarkupStretch> = stretches(markup, MAX_ELEMENTS).into();
    let Some(first) = stretches.pop_front() else { return (String::new(), None) };
    QUEUE.with_borrow_mut(|queue| queue.n_drawn += first.n_elements);
    let first = markup.as_str().get(first.markup).unwrap_or_default().to_owned();
    if stretches.is_empty() {
        return (first, None);
    }
    let markup = markup.clone();
    let rest: DrawRest = Box::new(move |place| {
        wait(WaitingDrawing::Drawing(PendingDrawing { place: place.clone(), markup, stretches }));
    });
    (first, Some(rest))
}

fn wait(waiting: WaitingDrawing) {
    QUEUE.with_borrow_mut(|queue| queue.waiting.push_back(waiting));
    work();
}

/// Whether about `n_elements` may come into the document now; then they are counted.
pub fn has_room(n_elements: usize) -> bool {
    let is_hidden = is_hidden();
    let has_room = QUEUE.with_borrow_mut(|queue| {
        let is_next = queue.waiting.is_empty() && !queue.is_full(n_elements, is_hidden);
        queue.n_drawn += if is_next { n_elements } else { 0 };
        is_next
    });
    // The next frame has room again.
    work();
    has_room
}

/// Has `turn` come once there is room, after all that was asked for before.
pub fn wait_for_room(turn: DrawingTurn) {
    wait(WaitingDrawing::Turn(turn));
}

/// A page begins: what was left of the one before is not waited for, and a frame's share comes with it.
pub fn begin_page() {
    QUEUE.with_borrow_mut(|queue| {
        queue.forget_gone();
        if queue.waiting.is_empty() {
            queue.n_drawn = 0;
        }
    });
}

/// Nobody waits for frames that are not shown, and none come.
fn is_hidden() -> bool {
    document().is_some_and(|document| document.hidden())
}

/// Calls `then` when everything that waits now has been drawn.
pub fn when_drawn(then: impl FnOnce() + 'static) {
    wait_for_room(DrawingTurn { n_elements: 0, is_alive: Box::new(|| true), then: Box::new(then) });
}

/// Calls `then` when what is in the document now has been laid out, and what is in it knows whether it is near.
pub fn when_seen(then: impl FnOnce() + 'static) {
    // Observers are told between two frames.
    frame(move || frame(then));
}

/// Calls `then` behind the next frame. What asks where something is finds everything laid out there; in the frame itself the
/// browser would lay out all that is new for it, and again when that frame has changed more.
pub fn behind_frame(then: impl FnOnce() + 'static) {
    frame(move || later(0, then));
}

/// Calls `then` with the next frame.
pub fn frame(then: impl FnOnce() + 'static) {
    frame_of(Box::new(then));
}

/// In one copy for all that is called.
fn frame_of(then: Box<dyn FnOnce()>) {
    let then = Closure::once_into_js(then);
    if let Some(window) = web_sys::window() {
        // Fails for no function.
        let _ = window.request_animation_frame(then.unchecked_ref());
    }
}

/// Draws what there is room for; goes on with the next frame.
fn work() {
    let is_free = QUEUE.with_borrow_mut(|queue| {
        let is_free = !queue.is_busy;
        queue.is_busy = true;
        is_free
    });
    if !is_free {
        return;
    }
    let is_hidden = is_hidden();
    loop {
        let next = QUEUE.with_borrow_mut(|queue| queue.next(is_hidden));
        match next {
            Some(DrawingStep::Put { place, within, markup }) => put(&place, &within, &markup),
            Some(DrawingStep::Done(then)) => then(),
            None => break,
        }
    }
    let waits = QUEUE.with_borrow_mut(|queue| {
        queue.is_busy = false;
        let waits = (!queue.waiting.is_empty() || queue.n_drawn > 0) && !queue.is_waiting;
        queue.is_waiting |= waits;
        waits
    });
    if waits {
        next_frame();
    }
}

enum DrawingStep {
    Put { place: Element, within: Vec<String>, markup: String },
    Done(Box<dyn FnOnce()>),
}

impl Queue {
    /// Forgets what nobody would see.
    fn forget_gone(&mut self) {
        self.waiting.retain(|waiting| match waiting {
            WaitingDrawing::Drawing(drawing) => drawing.place.is_connected(),
            WaitingDrawing::Turn(turn) => (turn.is_alive)(),
        });
    }

    fn is_full(&self, n_elements: usize, is_hidden: bool) -> bool {
        self.n_drawn > 0 && self.n_drawn + n_elements > MAX_ELEMENTS && !is_hidden
    }

    fn next(&mut self, is_hidden: bool) -> Option<DrawingStep> {
        let n_elements = match self.waiting.front()? {
            WaitingDrawing::Drawing(drawing) => drawing.stretches.front().map(|one| one.n_elements),
            WaitingDrawing::Turn(turn) => Some(turn.n_elements),
        };
        if n_elements.is_some_and(|n_elements| self.is_full(n_elements, is_hidden)) {
            return None;
        }
        self.n_drawn += n_elements.unwrap_or_default();
        if let Some(WaitingDrawing::Drawing(first)) = self.waiting.front_mut()
            && let Some(stretch) = first.stretches.pop_front()
        {
            let text = first.markup.as_str().get(stretch.markup).unwrap_or_default();
            return Some(DrawingStep::Put {
                place: first.place.clone(),
                within: stretch.within,
                markup: text.to_owned(),
            });
        }
        self.waiting.pop_front().map(|done| match done {
            WaitingDrawing::Drawing(_) => DrawingStep::Done(Box::new(|| {})),
            WaitingDrawing::Turn(turn) => DrawingStep::Done(turn.then),
        })
    }
}

/// Puts `markup` at the end of the last of the elements `within` in `place`.
fn put(place: &Element, within: &[String], markup: &str) {
    let mut at = place.clone();
    for name in within {
        // What has been changed meanwhile still gets all of it.
        let Some(inner) = last(&at, name) else { break };
        at = inner;
    }
    // Fails for no position that HTML knows.
    let _ = at.insert_adjacent_html("beforeend", markup);
}

/// The last element in `place`. It is called `name`, or it was put around one by the parser.
fn last(place: &Element, name: &str) -> Option<Element> {
    let inner = place.last_element_child()?;
    match inner.local_name() == name {
        true => Some(inner),
        false => last(&inner, name),
    }
}

fn next_frame() {
    frame(|| {
        QUEUE.with_borrow_mut(|queue| {
            queue.is_waiting = false;
            queue.n_drawn = 0;
            queue.forget_gone();
        });
        work();
    });
}
