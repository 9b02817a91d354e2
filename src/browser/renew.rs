//! What the worker has drawn anew, in the place of what it had drawn before, while somebody uses it.
//!
//! Elements that are there again stay: with the focus, the cursor, what is being typed, an open list,
//! and whether a `<details>` is open.

use super::blocks::each;
use super::document::{document, focused_id, refocus};
use js_sys::Reflect;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Element, Node};

/// Makes what is in `place` the same as `markup`. Elements are the same when name and id are.
///
/// A field shows what is drawn, but for one in which somebody has typed and which still has the focus.
/// Whether a `<details>` is open is the reader's affair once it is there. When what had the focus is
/// no more, the element gets it whose id stands in `data-focus` around it.
pub fn renew_markup(place: &Element, markup: &str) {
    let Some(document) = document() else { return };
    let Ok(fresh) = document.create_element("div") else { return };
    fresh.set_inner_html(markup);
    let active = document.active_element();
    let focused = focused_id();
    let around = active.as_ref().and_then(|at| at.closest("[data-focus]").ok().flatten());
    let other = around.and_then(|around| around.get_attribute("data-focus"));
    let typing = active.filter(|field| value(field) != drawn_value(field));
    renew_children(place, &fresh);
    each(place, "input[value]", |field| {
        if typing.as_ref() != Some(field) && value(field) != drawn_value(field) {
            set(field, "value", drawn_value(field).unwrap_or_default().into());
        }
    });
    each(place, "option[selected]", |option| set(option, "selected", JsValue::TRUE));
    if let Some(id) = focused {
        refocus(&id, other.as_deref().unwrap_or("main"));
    }
}

/// Moves what is new out of `fresh` into `old`, and takes out of `old` what is no more.
fn renew_children(old: &Node, fresh: &Node) {
    let mut next = old.first_child();
    while let Some(wanted) = fresh.first_child() {
        let here = find(next.clone(), &wanted);
        if let Some(here) = here {
            while let Some(gone) = next.take().filter(|node| *node != here) {
                next = gone.next_sibling();
                let _ = old.remove_child(&gone);
            }
            next = here.next_sibling();
            renew(&here, &wanted);
            let _ = fresh.remove_child(&wanted);
        } else {
            // Neither this nor the removals can fail: each node is a child where it is said to be.
            let _ = old.insert_before(&wanted, next.as_ref());
        }
    }
    while let Some(gone) = next {
        next = gone.next_sibling();
        let _ = old.remove_child(&gone);
    }
}

/// The node from `next` on that `wanted` is drawn for: the very next one, or a later one of the same id.
fn find(next: Option<Node>, wanted: &Node) -> Option<Node> {
    let is_same = |node: &Node| node.node_name() == wanted.node_name() && id(node) == id(wanted);
    let mut node = next?;
    if !is_same(&node) {
        id(wanted)?;
        while !is_same(&node) {
            node = node.next_sibling()?;
        }
    }
    Some(node)
}

fn id(node: &Node) -> Option<String> {
    node.dyn_ref::<Element>()?.get_attribute("id")
}

fn renew(old: &Node, wanted: &Node) {
    if old.is_equal_node(Some(wanted)) {
        return;
    }
    let (Some(element), Some(fresh)) = (old.dyn_ref::<Element>(), wanted.dyn_ref::<Element>())
    else {
        return old.set_node_value(wanted.node_value().as_deref());
    };
    for name in fresh.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        let value = fresh.get_attribute(&name);
        if name != "open" && element.get_attribute(&name) != value {
            // The name was that of an attribute.
            let _ = element.set_attribute(&name, &value.unwrap_or_default());
        }
    }
    for name in element.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        if name != "open" && !fresh.has_attribute(&name) {
            // As above.
            let _ = element.remove_attribute(&name);
        }
    }
    renew_children(old, wanted);
}

/// What stands in a field, whoever put it there; `None` for what is no field.
fn value(field: &Element) -> Option<String> {
    Reflect::get(field, &"value".into()).ok()?.as_string()
}

/// What was drawn in a text field.
fn drawn_value(field: &Element) -> Option<String> {
    field.get_attribute("value")
}

/// Sets a property that every field of its kind has.
fn set(field: &Element, name: &str, value: JsValue) {
    // Fails for frozen objects alone.
    let _ = Reflect::set(field, &name.into(), &value);
}
