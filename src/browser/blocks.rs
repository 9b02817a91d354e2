//! Rows that the worker has drawn, in the document: blocks of them come and go as the view scrolls.

use super::document::document;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement};

/// A block of rows to be in the document.
pub struct Block {
    /// Tells it from every other one, older answers included.
    pub name: String,
    /// Its height in pixels, whether its rows are here or not.
    pub height: f64,
}

/// Puts `wanted` into `body` in their order and takes every other one out. `rows` gives the markup of
/// a block, once it is here; until then its place is kept.
///
/// Of those that are here one is drawn, the one nearest to the middle: rows of several are more than a
/// frame should have to lay out. Says whether others are left for the next frame.
pub fn show_blocks(
    body: &Element,
    wanted: &[Block],
    rows: impl Fn(usize) -> Option<String>,
) -> bool {
    const NAME: &str = "data-block";
    const WAITING: &str = "is-waiting";
    let mut next = body.first_element_child();
    let mut waiting = Vec::new();
    for (nth, block) in wanted.iter().enumerate() {
        while let Some(old) = next.clone() {
            let name = old.get_attribute(NAME);
            if wanted.iter().any(|block| name.as_deref() == Some(&block.name)) {
                break;
            }
            next = old.next_element_sibling();
            old.remove();
        }
        let here = next.clone().filter(|old| old.get_attribute(NAME).as_ref() == Some(&block.name));
        let place = if let Some(old) = here {
            next = old.next_element_sibling();
            old
        } else {
            let Some(new) = document().and_then(|document| document.create_element("div").ok())
            else {
                return false;
            };
            // None of these names and values is refused.
            let _ = new.set_attribute(NAME, &block.name);
            let _ = new.set_attribute("role", "presentation");
            let _ = new.set_attribute("class", WAITING);
            let _ = body.insert_before(&new, next.as_ref().map(AsRef::as_ref));
            new
        };
        set_style(&place, "height", &format!("{}px", block.height));
        if place.class_list().contains(WAITING)
            && let Some(rows) = rows(nth)
        {
            waiting.push((nth, place, rows));
        }
    }
    while let Some(old) = next {
        next = old.next_element_sibling();
        old.remove();
    }
    let middle = wanted.len() / 2;
    let nearest = waiting.iter().min_by_key(|(nth, _, _)| nth.abs_diff(middle));
    if let Some((_, place, rows)) = nearest {
        place.set_inner_html(rows);
        // The name is not refused.
        let _ = place.class_list().remove_1(WAITING);
    }
    waiting.len() > 1
}

/// Calls `take` with every element of `body` that `selector` means.
pub(super) fn each(body: &Element, selector: &str, take: impl Fn(&Element)) {
    let Ok(found) = body.query_selector_all(selector) else { return };
    for at in 0..found.length() {
        if let Some(element) = found.item(at).and_then(|node| node.dyn_into::<Element>().ok()) {
            take(&element);
        }
    }
}

/// Sets a property of the element's own style.
fn set_style(element: &Element, name: &str, value: &str) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        // Fails for properties that may not be set.
        let _ = element.style().set_property(name, value);
    }
}
