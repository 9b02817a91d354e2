//! Rows that the worker has drawn, in the document: blocks of them come and go as the table scrolls,
//! and events find the row or the control that they happened on.

use super::document::{document, element};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement};

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

/// Marks the rows of `body` that are active or selected.
pub fn mark_rows(body: &Element, active: u64, is_selected: impl Fn(u64) -> bool) {
    each(body, "[data-row]", |row| {
        let Some(at) = number(row, "data-row") else { return };
        // Neither name is refused.
        let _ = row.class_list().toggle_with_force("is-active", at == active);
        let _ = row.set_attribute("aria-selected", if is_selected(at) { "true" } else { "false" });
    });
}

/// Marks the cell of `body` with this id as active, and no other.
pub fn mark_cell(body: &Element, id: Option<&str>) {
    const ACTIVE: &str = "is-active-cell";
    each(body, ".is-active-cell", |cell| {
        // The name is not refused.
        let _ = cell.class_list().remove_1(ACTIVE);
    });
    if let Some(cell) = id.and_then(element) {
        // As above.
        let _ = cell.class_list().add_1(ACTIVE);
    }
}

/// Scrolls the element with this id into view, as little as need be.
pub fn show(id: &str) {
    if let Some(element) = element(id) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        options.set_inline(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
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

/// The element that `selector` means, at or around the place of an event.
pub fn hit(event: &Event, selector: &str) -> Option<Element> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    target.closest(selector).ok().flatten()
}

/// The attribute `name` as a number.
pub fn number(element: &Element, name: &str) -> Option<u64> {
    element.get_attribute(name)?.parse().ok()
}

/// Sets a property of the element's own style.
pub fn set_style(element: &Element, name: &str, value: &str) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        // Fails for properties that may not be set.
        let _ = element.style().set_property(name, value);
    }
}

/// Puts `markup` into `element`. What had the focus in it has it again, when it is still there.
pub fn set_markup(element: &Element, markup: &str) {
    let focused = super::focused_id();
    element.set_inner_html(markup);
    if let Some(id) = focused {
        super::refocus(&id, "");
    }
}

/// The value of the input called `name` within `form`.
pub fn value_in(form: &Element, name: &str) -> String {
    let found = form.query_selector(&format!("[name={name}]")).ok().flatten();
    let input = found.and_then(|input| input.dyn_into::<HtmlInputElement>().ok());
    input.map(|input| input.value()).unwrap_or_default()
}

/// Where the cursor of the text field with this id is, in units of UTF-16.
pub fn cursor(id: &str) -> u32 {
    let input = element(id).and_then(|input| input.dyn_into::<HtmlInputElement>().ok());
    input.and_then(|input| input.selection_start().ok().flatten()).unwrap_or(u32::MAX)
}

/// Writes `text` into the text field with this id, and puts the cursor there.
pub fn write_field(id: &str, text: &str, cursor: u32) {
    if let Some(input) = element(id).and_then(|input| input.dyn_into::<HtmlInputElement>().ok()) {
        input.set_value(text);
        // Fails for inputs that hold no text.
        let _ = input.set_selection_range(cursor, cursor);
    }
}

/// Marks option `nth` of the list box with this id as the one that would be taken; gives what it
/// says in `data-text` and `data-at`.
pub fn pick_option(list: &str, nth: Option<u32>) -> Option<(String, u32)> {
    let options = element(list)?.query_selector_all("[role=option]").ok()?;
    let mut marked = None;
    for at in 0..options.length() {
        let Some(option) = options.item(at).and_then(|node| node.dyn_into::<Element>().ok()) else {
            continue;
        };
        let is_it = nth == Some(at);
        // The name is not refused.
        let _ = option.set_attribute("aria-selected", if is_it { "true" } else { "false" });
        if is_it {
            option.scroll_into_view_with_bool(false);
            let text = option.get_attribute("data-text").unwrap_or_default();
            marked = Some((text, number(&option, "data-at").unwrap_or(0) as u32));
        }
    }
    marked
}

/// The words in `data-column` of the items of the list within the element with this id whose box is
/// ticked, in their order.
pub fn ticked_columns(id: &str) -> Vec<String> {
    let words = std::cell::RefCell::new(Vec::new());
    if let Some(list) = element(id) {
        each(&list, "[data-column]:has(input:checked)", |item| {
            words.borrow_mut().extend(item.get_attribute("data-column"));
        });
    }
    words.into_inner()
}

/// Moves `item` before its neighbour or behind the next one.
pub fn move_item(item: &Element, is_forward: bool) {
    let neighbour =
        if is_forward { item.next_element_sibling() } else { item.previous_element_sibling() };
    let Some(neighbour) = neighbour else { return };
    let focused = document().and_then(|document| document.active_element());
    // Both are in the document.
    let _ = if is_forward {
        neighbour.after_with_node_1(item)
    } else {
        neighbour.before_with_node_1(item)
    };
    // What moves in the document loses the focus.
    if let Some(focused) = focused.and_then(|focused| focused.dyn_into::<HtmlElement>().ok()) {
        // It is still there.
        let _ = focused.focus();
    }
}
