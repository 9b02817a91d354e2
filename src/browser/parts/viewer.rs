//! A view of very many rows, of which those in sight are in the document.

use super::{Hooks, Rows};
use crate::browser::document::document;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement};

/// Height of a row in pixels, as the style sheet has it.
const ROW_HEIGHT: f64 = 20.0;

/// Rows that are asked for at once.
const BLOCK_ROWS: u64 = 100;

/// Blocks that are kept.
const MAX_BLOCKS: usize = 40;

pub(super) struct Viewer(Rc<Inner>);

struct Inner {
    element: HtmlElement,
    /// As high as all rows together.
    space: HtmlElement,
    /// The rows that are drawn.
    rows: HtmlElement,
    name: String,
    n_rows: u64,
    blocks: RefCell<BTreeMap<u64, Option<String>>>,
    /// First and last block that are drawn.
    drawn: Cell<Option<(u64, u64)>>,
    /// The row that somebody was led to.
    goal: Cell<Option<u64>>,
}

impl Viewer {
    /// Fills `element`, which says its rows' name, their number and their width.
    pub(super) fn new(element: &HtmlElement) -> Option<Self> {
        let n_rows = element.get_attribute("data-n")?.parse().ok()?;
        let n_columns: u32 = element.get_attribute("data-columns")?.parse().ok()?;
        let (space, rows) = (child(element, "viewer__space")?, child(element, "viewer__rows")?);
        // Fails only on words that CSS does not know.
        let _ = rows.style().set_property("min-width", &format!("calc({n_columns}ch + 96px)"));
        let _ = space.append_child(&rows);
        Some(Self(Rc::new(Inner {
            name: element.get_attribute("data-lines")?,
            element: element.clone(),
            space,
            rows,
            n_rows,
            blocks: RefCell::default(),
            drawn: Cell::new(None),
            goal: Cell::new(None),
        })))
    }

    pub(super) fn is(&self, element: &Element) -> bool {
        self.0.element.is_same_node(Some(element))
    }

    pub(super) fn is_in_document(&self) -> bool {
        self.0.element.is_connected()
    }

    /// Draws what is in sight, as far as it is here, and asks for the rest.
    pub(super) fn draw(&self, hooks: &Hooks) {
        let inner = &self.0;
        let rows = inner.rows_in_sight(hooks);
        inner.lay_out(&rows);
        for block in rows.first / BLOCK_ROWS..=rows.end.saturating_sub(1) / BLOCK_ROWS {
            if inner.blocks.borrow().contains_key(&block) {
                continue;
            }
            inner.blocks.borrow_mut().insert(block, None);
            let first = block * BLOCK_ROWS;
            let end = (first + BLOCK_ROWS).min(inner.n_rows);
            let (viewer, rows_of) = (Rc::clone(inner), hooks.rows);
            let take = move |answer: Result<String, String>| viewer.take(block, answer, rows_of);
            (hooks.part)(format!("{}:{first}:{end}", inner.name), Box::new(take));
        }
    }

    /// Scrolls to `row` and marks it.
    pub(super) fn go_to(&self, row: u64, hooks: &Hooks) {
        let inner = &self.0;
        // The height has to be there before it can be scrolled through.
        inner.lay_out(&inner.rows_in_sight(hooks));
        let view_height = inner.view_height();
        // With as many rows in view before it as after it, as far as there are any.
        let n_around = (view_height / ROW_HEIGHT / 2.0) as u64;
        let last = (row + n_around).min(inner.n_rows.saturating_sub(1));
        let to =
            |row: u64, top: f64| (hooks.scroll_to)(row, inner.n_rows, ROW_HEIGHT, view_height, top);
        let top = to(last, f64::from(inner.element.scroll_top()));
        let top = to(row.saturating_sub(n_around), top);
        inner.element.set_scroll_top(top as i32);
        inner.goal.set(Some(row));
        inner.drawn.set(None);
        self.draw(hooks);
    }
}

type RowsOf = fn(u64, f64, f64, f64) -> Rows;

impl Inner {
    fn view_height(&self) -> f64 {
        f64::from(self.element.client_height())
    }

    fn rows_in_sight(&self, hooks: &Hooks) -> Rows {
        self.rows_of(hooks.rows)
    }

    fn rows_of(&self, rows_of: RowsOf) -> Rows {
        let top = f64::from(self.element.scroll_top());
        rows_of(self.n_rows, ROW_HEIGHT, self.view_height(), top)
    }

    /// Puts the rows in sight into the document, when all of them are here.
    fn lay_out(&self, rows: &Rows) {
        // Fails only on words that CSS does not know; so with the others below.
        let _ = self.space.style().set_property("height", &format!("{}px", rows.height));
        let (from, to) = (rows.first / BLOCK_ROWS, rows.end.saturating_sub(1) / BLOCK_ROWS);
        if self.drawn.get() != Some((from, to)) {
            let blocks = self.blocks.borrow();
            let here: Vec<&str> =
                (from..=to).filter_map(|block| blocks.get(&block)?.as_deref()).collect();
            if here.len() as u64 != to - from + 1 {
                return;
            }
            self.rows.set_inner_html(&here.concat());
            self.drawn.set(Some((from, to)));
            self.mark(from);
        }
        let top = rows.top - (rows.first - from * BLOCK_ROWS) as f64 * ROW_HEIGHT;
        let _ = self.rows.style().set_property("top", &format!("{top}px"));
    }

    fn mark(&self, from: u64) {
        let Some(goal) = self.goal.get() else { return };
        let place = goal.checked_sub(from * BLOCK_ROWS).and_then(|place| u32::try_from(place).ok());
        if let Some(row) = place.and_then(|place| self.rows.children().item(place)) {
            let _ = row.class_list().add_1("is-found");
        }
    }

    fn take(&self, block: u64, answer: Result<String, String>, rows_of: RowsOf) {
        let mut blocks = self.blocks.borrow_mut();
        match answer {
            Ok(markup) => {
                blocks.insert(block, Some(markup));
                if blocks.len() > MAX_BLOCKS {
                    let farthest = blocks.keys().copied().max_by_key(|known| known.abs_diff(block));
                    farthest.and_then(|farthest| blocks.remove(&farthest));
                }
            }
            // It is asked for again with the next scroll.
            Err(_) => {
                blocks.remove(&block);
            }
        }
        drop(blocks);
        self.lay_out(&self.rows_of(rows_of));
    }
}

fn child(parent: &HtmlElement, class: &str) -> Option<HtmlElement> {
    let element: HtmlElement = document()?.create_element("div").ok()?.dyn_into().ok()?;
    element.set_class_name(class);
    parent.append_child(&element).ok()?;
    Some(element)
}
