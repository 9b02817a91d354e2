//! Parts of what the worker has drawn: they are asked for when somebody opens them, comes near them,
//! looks for something in them, or scrolls through their rows.
//!
//! What is acted on is said by attributes, which `render::case` writes and lists. Listeners and
//! observers are those of the whole page, so whatever comes into the document works at once.

mod viewer;

use super::document::{document, focus, root};
use super::drawing::{draw_anew, draw_into, redraw, when_drawn};
use crate::markup::Markup;
use js_sys::Reflect;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use viewer::Viewer;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{
    Element, Event, HtmlElement, HtmlInputElement, IntersectionObserver, IntersectionObserverEntry,
    IntersectionObserverInit, MutationObserver, MutationObserverInit, ScrollIntoViewOptions,
    ScrollLogicalPosition,
};

/// What receives a part: its markup, or why there is none.
pub type OnPart = Box<dyn FnOnce(Result<Markup, String>)>;

/// What the page does for its parts.
pub struct Hooks {
    /// Asks for a part by its name.
    pub part: Box<dyn Fn(String, OnPart)>,
    /// Copies the text of this name.
    pub copy: Box<dyn Fn(String)>,
    /// Which rows of a view to draw.
    pub rows: fn(n_rows: u64, row_height: f64, view_height: f64, scroll_top: f64) -> Rows,
    /// Where to scroll so that a row is in view.
    pub scroll_to: fn(row: u64, n_rows: u64, row_height: f64, view_height: f64, top: f64) -> f64,
}

/// Rows to draw, and where.
pub struct Rows {
    /// First row.
    pub first: u64,
    /// Row after the last one.
    pub end: u64,
    /// Where the first one begins, in pixels from the top of the whole.
    pub top: f64,
    /// Height of the whole in pixels.
    pub height: f64,
}

/// Milliseconds after the last letter before something is looked for.
const PAUSE: i32 = 150;

/// Id of what scrolls.
const SCROLLED: &str = "main";

/// How far from sight a part is asked for.
const NEAR: &str = "1200px 0px";

/// What somebody was led to last.
const MARKED: &str = "[aria-current=location]";

/// Frames in which what is around a place that somebody was led to may still be drawn.
const N_SETTLING: u32 = 12;

struct Parts {
    hooks: Hooks,
    /// Made when it is first needed: before that there is nothing to scroll.
    near: OnceCell<Option<IntersectionObserver>>,
    viewers: RefCell<Vec<Rc<Viewer>>>,
    typed: Cell<u64>,
}

/// Brings a part that a component draws, then calls what it is given.
pub type Bring = Rc<dyn Fn(Box<dyn FnOnce()>)>;

#[derive(Default)]
struct Served {
    all: HashMap<String, (u64, Bring)>,
    n: u64,
    parts: Option<Rc<Parts>>,
}

thread_local! {
    static SERVED: RefCell<Served> = RefCell::default();
}

/// A part that a component draws, until this is dropped.
pub struct ServedPart {
    name: String,
    nth: u64,
}

/// Has the element whose `data-part` is `name` filled by `bring`.
pub fn serve_part(name: &str, bring: Bring) -> ServedPart {
    SERVED.with_borrow_mut(|served| {
        served.n += 1;
        served.all.insert(name.to_owned(), (served.n, bring));
        ServedPart { name: name.to_owned(), nth: served.n }
    })
}

impl Drop for ServedPart {
    fn drop(&mut self) {
        SERVED.with_borrow_mut(|served| {
            // Another one may have come in its place.
            if served.all.get(&self.name).is_some_and(|(nth, _)| *nth == self.nth) {
                served.all.remove(&self.name);
            }
        });
    }
}

/// Opens the parts `through`, outermost first, then goes to the element `id`.
pub fn lead(id: &str, through: &[String]) {
    let parts = SERVED.with_borrow(|served| served.parts.clone());
    if let Some(parts) = parts {
        let way = through.iter().rev().cloned().collect();
        parts.walk(way, Goal { id: id.to_owned(), row: None });
    }
}

/// Where a way leads.
struct Goal {
    id: String,
    row: Option<u64>,
}

impl Goal {
    fn of(button: &Element) -> Option<Self> {
        let row = button.get_attribute("data-row").and_then(|row| row.parse().ok());
        Some(Self { id: button.get_attribute("data-jump")?, row })
    }
}

/// Begins to serve parts, as long as the page lives.
pub fn start_parts(hooks: Hooks) {
    let parts = Rc::new(Parts {
        hooks,
        near: OnceCell::new(),
        viewers: RefCell::default(),
        typed: Cell::new(0),
    });
    parts.listen("click", |parts, target| parts.clicked(&target));
    // These two do not bubble.
    parts.listen("toggle", |parts, target| parts.opened(&target));
    parts.listen("scroll", |parts, target| parts.scrolled(&target));
    parts.listen("input", |parts, target| parts.wrote(target));
    parts.observe();
    SERVED.with_borrow_mut(|served| served.parts = Some(parts));
}

impl Parts {
    fn listen(self: &Rc<Self>, name: &str, heard: fn(&Rc<Self>, Element)) {
        let parts = Rc::clone(self);
        let callback = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            if let Some(Ok(target)) = event.target().map(|target| target.dyn_into::<Element>()) {
                heard(&parts, target);
            }
        });
        if let Some(document) = document() {
            let listener = callback.as_ref().unchecked_ref();
            // Fails for no event name.
            let _ = document.add_event_listener_with_callback_and_bool(name, listener, true);
        }
        callback.forget();
    }

    /// Watches for parts that come into sight.
    ///
    /// What scrolls is the page's main part: a margin around the window would be cut off by it.
    fn observer(self: &Rc<Self>) -> Option<IntersectionObserver> {
        let parts = Rc::clone(self);
        let seen = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            for entry in entries.iter().filter_map(|entry| entry.dyn_into().ok()) {
                let entry: IntersectionObserverEntry = entry;
                if entry.is_intersecting() {
                    parts.came_near(&entry.target());
                }
            }
        });
        let options = IntersectionObserverInit::new();
        options.set_root(by_id(SCROLLED).as_ref());
        options.set_root_margin(NEAR);
        let callback = seen.as_ref().unchecked_ref();
        let observer = IntersectionObserver::new_with_options(callback, &options).ok();
        seen.forget();
        observer
    }

    /// Watches for parts that come into the document.
    fn observe(self: &Rc<Self>) {
        let parts = Rc::clone(self);
        let changed = Closure::<dyn Fn(js_sys::Array)>::new(move |records: js_sys::Array| {
            // Only where something came: a long document is not looked through each time.
            let targets = records.iter().filter_map(|record| {
                Reflect::get(&record, &"target".into()).ok()?.dyn_into::<Element>().ok()
            });
            targets.for_each(|target| parts.scan(&target));
        });
        let options = MutationObserverInit::new();
        options.set_child_list(true);
        options.set_subtree(true);
        let observer = MutationObserver::new(changed.as_ref().unchecked_ref());
        let body = document().and_then(|document| document.body());
        if let (Ok(observer), Some(body)) = (observer, body) {
            // Fails only for options that observe nothing.
            let _ = observer.observe_with_options(&body, &options);
        }
        changed.forget();
    }

    /// Looks in `place` for parts and views that were not there before.
    fn scan(self: &Rc<Self>, place: &Element) {
        let new = ".later[data-part]:not([data-seen]),[data-lines]:not([data-seen])";
        let found = place.query_selector_all(new).ok();
        let Some(found) = found.filter(|found| found.length() > 0) else { return };
        self.viewers.borrow_mut().retain(|viewer| viewer.is_in_document());
        let elements = (0..found.length()).filter_map(|idx| found.item(idx)?.dyn_into().ok());
        for element in elements {
            let element: HtmlElement = element;
            set(&element, "data-seen");
            if element.has_attribute("data-lines") {
                self.viewers.borrow_mut().extend(Viewer::new(&element).map(Rc::new));
            }
            if let Some(near) = self.near.get_or_init(|| self.observer()) {
                near.observe(&element);
            }
        }
    }

    fn came_near(self: &Rc<Self>, element: &Element) {
        match self.viewer(element) {
            Some(viewer) => viewer.draw(&self.hooks),
            None => self.load(element, Box::new(|| {})),
        }
    }

    fn viewer(&self, element: &Element) -> Option<Rc<Viewer>> {
        self.viewers.borrow().iter().find(|viewer| viewer.is(element)).cloned()
    }

    fn opened(self: &Rc<Self>, target: &Element) {
        if target.has_attribute("open") && target.has_attribute("data-part") {
            self.load(target, Box::new(|| {}));
        }
    }

    fn scrolled(self: &Rc<Self>, target: &Element) {
        if let Some(viewer) = self.viewer(target) {
            viewer.draw(&self.hooks);
        }
    }

    /// Puts the part of `element` into it, once; `then` is called when it is there.
    fn load(self: &Rc<Self>, element: &Element, then: Box<dyn FnOnce()>) {
        let name =
            element.get_attribute("data-part").filter(|_| !element.has_attribute("data-done"));
        // It may be there in part.
        let Some(name) = name else { return when_drawn(then) };
        let served = SERVED.with_borrow(|served| served.all.get(&name).cloned());
        if let Some((_, bring)) = served {
            return bring(then);
        }
        let element = element.clone();
        let put = move |answer: Result<Markup, String>| {
            // Two ways may lead here at the same time.
            if element.has_attribute("data-done") {
                return when_drawn(then);
            }
            match answer {
                Ok(markup) => {
                    set(&element, "data-done");
                    let place = element.clone();
                    draw_into(&element, markup, move || {
                        // What was kept free for it is no longer needed.
                        let _ = place.class_list().remove_1("later");
                        then();
                    });
                }
                Err(reason) => {
                    fail(&element, &reason);
                    then();
                }
            }
        };
        (self.hooks.part)(name, Box::new(put));
    }

    fn clicked(self: &Rc<Self>, target: &Element) {
        let found = target.closest("[data-copy],[data-into],[data-jump]").ok().flatten();
        let Some(button) = found.filter(|found| matches!(&*found.tag_name(), "BUTTON" | "A"))
        else {
            return;
        };
        if let Some(name) = button.get_attribute("data-copy") {
            (self.hooks.copy)(name);
        } else if let Some(into) = button.get_attribute("data-into") {
            self.swap(&button, into);
        } else {
            self.jump(&button);
        }
    }

    /// Puts the part of `button` in the place of the element `into`, which it brings anew.
    fn swap(self: &Rc<Self>, button: &Element, into: String) {
        let Some(name) = button.get_attribute("data-part") else { return };
        let (parts, button) = (Rc::clone(self), button.clone());
        let put = move |answer: Result<Markup, String>| {
            let Some(element) = by_id(&into) else { return };
            let then = move || {
                if button.has_attribute("data-jump") {
                    if let Some(root) = root() {
                        parts.scan(&root);
                    }
                    if let Some(goal) = Goal::of(&button) {
                        parts.arrive(&goal);
                    }
                } else {
                    // The button has gone with what it stood in; another one stands in its place.
                    focus(&button.id());
                }
            };
            match answer {
                Ok(markup) => draw_anew(&element, markup, then),
                Err(reason) => fail(&element, &reason),
            }
        };
        (self.hooks.part)(name, Box::new(put));
    }

    /// Opens what lies on the way, then goes to where `button` leads.
    fn jump(self: &Rc<Self>, button: &Element) {
        let through = button.get_attribute("data-through").unwrap_or_default();
        let way: Vec<String> = through.split(' ').rev().map(str::to_owned).collect();
        if let Some(goal) = Goal::of(button) {
            self.walk(way, goal);
        }
    }

    fn walk(self: &Rc<Self>, mut way: Vec<String>, goal: Goal) {
        let Some(name) = way.pop() else { return self.arrive(&goal) };
        let parts = Rc::clone(self);
        let then: Box<dyn FnOnce()> = Box::new(move || parts.walk(way, goal));
        let selector = format!("[data-part=\"{name}\"]:not(button)");
        let found =
            document().and_then(|document| document.query_selector(&selector).ok().flatten());
        match found {
            Some(element) => {
                if element.tag_name() == "DETAILS" {
                    set(&element, "open");
                }
                self.load(&element, then);
            }
            // It was drawn with what it stands in.
            None => then(),
        }
    }

    fn arrive(&self, Goal { id, row }: &Goal) {
        let Some(goal) = by_id(id) else { return };
        let mut around = goal.parent_element();
        while let Some(element) = around {
            if element.tag_name() == "DETAILS" {
                set(&element, "open");
            }
            around = element.parent_element();
        }
        if let (Some(row), Some(viewer)) = (row, self.viewer(&goal)) {
            viewer.go_to(*row, &self.hooks);
        }
        let old = document().and_then(|document| document.query_selector(MARKED).ok().flatten());
        // Neither fails for a name that is an attribute's.
        let _ = old.map(|old| old.remove_attribute("aria-current"));
        let _ = goal.set_attribute("aria-current", "location");
        into_view(&goal, N_SETTLING);
        let goal = match goal.tag_name().as_str() {
            "DETAILS" => goal.query_selector("summary").ok().flatten(),
            _ => Some(goal),
        };
        if let Some(goal) = goal.and_then(|goal| goal.dyn_into::<HtmlElement>().ok()) {
            // Fails for no element that has a focus method.
            let _ = goal.focus();
        }
    }

    /// Looks for what has been written, once nothing more is written for a moment.
    fn wrote(self: &Rc<Self>, target: Element) {
        let Ok(field) = target.dyn_into::<HtmlInputElement>() else { return };
        let Some(stem) = field.get_attribute("data-find") else { return };
        let typed = self.typed.get() + 1;
        self.typed.set(typed);
        let parts = Rc::clone(self);
        let look = Closure::once_into_js(move || {
            if parts.typed.get() != typed {
                return;
            }
            let into = field.get_attribute("data-into").unwrap_or_default();
            let needle = field.value();
            let name = format!("{stem}:find:{needle}");
            let put = move |answer: Result<Markup, String>| {
                let found = by_id(&into).filter(|_| field.value() == needle);
                match (found, answer) {
                    (Some(element), Ok(markup)) => redraw(&element, markup),
                    (Some(element), Err(reason)) => fail(&element, &reason),
                    (None, _) => {}
                }
            };
            (parts.hooks.part)(name, Box::new(put));
        });
        if let Some(window) = web_sys::window() {
            // Fails for no function.
            let _ = window
                .set_timeout_with_callback_and_timeout_and_arguments_0(look.unchecked_ref(), PAUSE);
        }
    }
}

/// Scrolls to `goal`, and again when what is drawn around it in the next frames moves it out of sight.
fn into_view(goal: &Element, n_frames: u32) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(match n_frames {
        N_SETTLING => ScrollLogicalPosition::Center,
        // Where it is in sight, nothing moves.
        _ => ScrollLogicalPosition::Nearest,
    });
    goal.scroll_into_view_with_scroll_into_view_options(&options);
    if n_frames == 0 {
        return;
    }
    let goal = goal.clone();
    let again = Closure::once_into_js(move || into_view(&goal, n_frames - 1));
    if let Some(window) = web_sys::window() {
        // Fails for no function.
        let _ = window.request_animation_frame(again.unchecked_ref());
    }
}

/// Says in `element` why there is nothing. It is asked for again when it is opened again.
fn fail(element: &Element, reason: &str) {
    let old = element.query_selector(":scope > .part-failed").ok().flatten();
    let line = old.or_else(|| document()?.create_element("p").ok());
    if let Some(line) = line {
        line.set_class_name("part-failed");
        line.set_text_content(Some(&format!("This could not be shown: {reason}")));
        // Fails only where no element may stand.
        let _ = element.append_child(&line);
    }
}

fn by_id(id: &str) -> Option<Element> {
    document()?.get_element_by_id(id)
}

fn set(element: &Element, name: &str) {
    // Fails only for names that are no attribute names.
    let _ = element.set_attribute(name, "");
}
