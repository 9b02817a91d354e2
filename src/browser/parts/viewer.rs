//! A view of very many rows, of which those in sight are in the document.

use super::{Hooks, Rows};
use crate::browser::blocks::{Block, each, show_blocks};
use crate::browser::document::document;
use crate::markup::Markup;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement};

/// Height of a row in pixels, as the style sheet has it.
const ROW_HEIGHT: f64 = 20.0;

/// Rows that are asked for, and drawn, at once.
const BLOCK_ROWS: u64 = 50;

/// Blocks that are kept.
const MAX_BLOCKS: usize = 80;

pub(super) struct Viewer(Rc<Inner>);

struct Inner {
    element: HtmlElement,
    /// As high as all rows together.
    space: HtmlElement,
    /// The blocks of rows that are drawn.
    rows: HtmlElement,
    name: String,
    n_rows: u64,
    blocks: RefCell<BTreeMap<u64, Option<Markup>>>,
    /// Whether it will be laid out again with the next frame.
    is_waiting: Cell<bool>,
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
            is_waiting: Cell::new(false),
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
        let rows = inner.rows_of(hooks.rows);
        inner.lay_out(hooks.rows);
        for block in rows.first / BLOCK_ROWS..=rows.end.saturating_sub(1) / BLOCK_ROWS {
            if inner.blocks.borrow().contains_key(&block) {
                continue;
            }
            inner.blocks.borrow_mut().insert(block, None);
            let first = block * BLOCK_ROWS;
            let end = (first + BLOCK_ROWS).min(inner.n_rows);
            let (viewer, rows_of) = (Rc::clone(inner), hooks.rows);
            let take = move |answer: Result<Markup, String>| viewer.take(block, answer, rows_of);
            (hooks.part)(format!("{}:{first}:{end}", inner.name), Box::new(take));
        }
    }

    /// Scrolls to `row` and marks it.
    pub(super) fn go_to(&self, row: u64, hooks: &Hooks) {
        let inner = &self.0;
        // The height has to be there before it can be scrolled through.
        inner.lay_out(hooks.rows);
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
        each(&inner.rows, ".is-found", |old| {
            // The name is not refused; so with the others below.
            let _ = old.class_list().remove_1("is-found");
        });
        self.draw(hooks);
    }
}

type RowsOf = fn(u64, f64, f64, f64) -> Rows;

impl Inner {
    fn view_height(&self) -> f64 {
        f64::from(self.element.client_height())
    }

    fn rows_of(&self, rows_of: RowsOf) -> Rows {
        let top = f64::from(self.element.scroll_top());
        rows_of(self.n_rows, ROW_HEIGHT, self.view_height(), top)
    }

    /// Puts the rows in sight into the document, as far as they are here; those of one block, the others
    /// with the next frames.
    fn lay_out(self: &Rc<Self>, rows_of: RowsOf) {
        let rows = self.rows_of(rows_of);
        // Fails only on words that CSS does not know; so with the other below.
        let _ = self.space.style().set_property("height", &format!("{}px", rows.height));
        let (from, to) = (rows.first / BLOCK_ROWS, rows.end.saturating_sub(1) / BLOCK_ROWS);
        let wanted: Vec<Block> = (from..=to)
            .map(|block| Block {
                name: block.to_string(),
                height: (self.n_rows - block * BLOCK_ROWS).min(BLOCK_ROWS) as f64 * ROW_HEIGHT,
            })
            .collect();
        let markup = |nth: usize| {
            let blocks = self.blocks.borrow();
            Some(blocks.get(&(from + nth as u64))?.as_ref()?.as_str().to_owned())
        };
        let is_more = show_blocks(&self.rows, &wanted, markup);
        self.mark(from);
        let top = rows.top - (rows.first - from * BLOCK_ROWS) as f64 * ROW_HEIGHT;
        let _ = self.rows.style().set_property("top", &format!("{top}px"));
        if is_more && !self.is_waiting.replace(true) {
            let viewer = Rc::clone(self);
            let go_on = Closure::once_into_js(move || {
                viewer.is_waiting.set(false);
                if viewer.element.is_connected() {
                    viewer.lay_out(rows_of);
                }
            });
            if let Some(window) = web_sys::window() {
                // Fails for no function.
                let _ = window.request_animation_frame(go_on.unchecked_ref());
            }
        }
    }

    fn mark(&self, from: u64) {
        let Some(goal) = self.goal.get() else { return };
        let at = |list: &Element, place: u64| list.children().item(u32::try_from(place).ok()?);
        let block = (goal / BLOCK_ROWS).checked_sub(from).and_then(|nth| at(&self.rows, nth));
        if let Some(row) = block.and_then(|block| at(&block, goal % BLOCK_ROWS)) {
            let _ = row.class_list().add_1("is-found");
        }
    }

    fn take(self: &Rc<Self>, block: u64, answer: Result<Markup, String>, rows_of: RowsOf) {
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
        self.lay_out(rows_of);
    }
}

fn child(parent: &HtmlElement, class: &str) -> Option<HtmlElement> {
    let element: HtmlElement = document()?.create_element("div").ok()?.dyn_into().ok()?;
    element.set_class_name(class);
    parent.append_child(&element).ok()?;
    Some(element)
}
