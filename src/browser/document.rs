//! The document: its state for tools, its title, focus, sizes.

use gloo_events::EventListener;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{Document, Element, Event, HtmlDialogElement, HtmlElement, ResizeObserver};

/// The document.
pub(super) fn document() -> Option<Document> {
    web_sys::window()?.document()
}

/// The `<html>` element.
pub(super) fn root() -> Option<Element> {
    document()?.document_element()
}

/// Writes `<html data-evalglass="…">`, which tests and assistive tools wait for.
pub fn set_phase(phase: &str) {
    if let Some(root) = root() {
        // Fails only for names that are no attribute names.
        let _ = root.set_attribute("data-evalglass", phase);
    }
}

/// Writes the title of the document.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Moves the focus to the element with this id.
pub fn focus(id: &str) {
    if let Some(element) = element(id)
        && let Some(element) = element.dyn_ref::<HtmlElement>()
    {
        // Fails for no element that has a focus method.
        let _ = element.focus();
    }
}

/// Id of the element that has the focus; `None` when it has no id, or nothing has the focus.
pub fn focused_id() -> Option<String> {
    document()?.active_element().map(|element| element.id()).filter(|id| !id.is_empty())
}

/// Gives a lost focus to the element with this id, or to `other` when there is none any more.
pub fn refocus(id: &str, other: &str) {
    let is_lost = document()
        .and_then(|document| document.active_element())
        .is_none_or(|element| element.tag_name() == "BODY");
    if is_lost {
        focus(if element(id).is_some() { id } else { other });
    }
}

/// Width of the page's view in pixels.
pub fn width() -> f64 {
    let width = web_sys::window().and_then(|window| window.inner_width().ok());
    width.and_then(|width| width.as_f64()).unwrap_or(f64::INFINITY)
}

/// What stands in the field with this id.
pub fn field_value(id: &str) -> Option<String> {
    element(id)?.dyn_into::<web_sys::HtmlInputElement>().ok().map(|field| field.value())
}

/// Scrolls the element with this id back to its top.
pub fn scroll_to_top(id: &str) {
    if let Some(element) = element(id) {
        element.set_scroll_top(0);
    }
}

/// How high what is in the element with this id is, in pixels, when it has been scrolled.
pub fn scrolled_height(id: &str) -> Option<i32> {
    let element = element(id).filter(|element| element.scroll_top() > 0)?;
    Some(element.scroll_height())
}

/// Presses the button with this id, as a click would.
pub fn press(id: &str) {
    if let Some(element) = element(id)
        && let Some(element) = element.dyn_ref::<HtmlElement>()
    {
        element.click();
    }
}

/// Scrolls the element with this id to the top of what is in sight.
pub fn into_sight(id: &str) {
    if let Some(element) = element(id) {
        element.scroll_into_view();
    }
}

/// Brings the first element that `selector` selects into view, scrolling no more than that takes.
pub fn reveal(selector: &str) {
    if let Some(Ok(Some(element))) = document().map(|document| document.query_selector(selector)) {
        into_view(&element);
    }
}

fn into_view(element: &Element) {
    let nearest = web_sys::ScrollIntoViewOptions::new();
    nearest.set_block(web_sys::ScrollLogicalPosition::Nearest);
    nearest.set_inline(web_sys::ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&nearest);
}

/// Opens or closes the `<dialog>` with this id.
pub fn show_dialog(id: &str, is_open: bool) {
    let Some(element) = element(id) else { return };
    let Some(dialog) = element.dyn_ref::<HtmlDialogElement>() else { return };
    match is_open {
        true if !dialog.open() => {
            // Fails when it is not in the document, and then there is nothing to show.
            let _ = dialog.show_modal();
        }
        false => dialog.close(),
        true => {}
    }
}

/// Calls `changed` with the height of `element` now and whenever it changes, as long as the page lives.
pub fn on_resize(element: &Element, changed: impl Fn(f64) + 'static) {
    let target = element.clone();
    let callback = Closure::<dyn FnMut()>::new(move || changed(f64::from(target.client_height())));
    if let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) {
        observer.observe(element);
    }
    callback.forget();
}

/// Scrolls the element with this id into view, as little as need be.
pub fn show(id: &str) {
    if let Some(element) = element(id) {
        into_view(&element);
    }
}

/// The element that `selector` means, at or around the place of an event.
pub fn hit(event: &Event, selector: &str) -> Option<Element> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    target.closest(selector).ok().flatten()
}

/// What is a narrow page: the style sheets draw the line at the same place.
const NARROW: &str = "(max-width: 760px)";

/// Whether the page is narrow.
pub fn is_narrow() -> bool {
    narrow().is_some_and(|query| query.matches())
}

/// Calls `changed` whenever the page becomes narrow or wide, as long as it lives.
pub fn on_narrow(changed: impl Fn(bool) + 'static) {
    let Some(query) = narrow() else { return };
    EventListener::new(&query, "change", move |_event| changed(is_narrow())).forget();
    // Without anybody who holds it the browser may drop it, and the listener with it.
    std::mem::forget(query);
}

fn narrow() -> Option<web_sys::MediaQueryList> {
    web_sys::window()?.match_media(NARROW).ok().flatten()
}

/// The element with this id.
pub(super) fn element(id: &str) -> Option<Element> {
    document()?.get_element_by_id(id)
}
