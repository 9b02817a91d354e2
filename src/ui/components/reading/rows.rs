//! A view of very many rows, of which those in sight are asked for.

use super::leading::Leading;
use super::part::{part_of, when_near};
use crate::browser;
use crate::reading::{PartShown, ViewShown};
use crate::ui::components::report::paced;
use crate::ui::components::{LongList, LongRows};
use crate::ui::state::{Store, effect, handler, live, memo, use_store};
use crate::ui::window::RowWindow;
use crate::words::ui::case as words;
use crate::worker::protocol::Question;
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Height of a row in pixels; the style sheet says the same.
const ROW_HEIGHT: f64 = 20.0;

/// Rows that are asked for at once.
const BLOCK_ROWS: u64 = 50;

/// Rows that are drawn together; a block has a whole number of such groups.
const DRAWN_ROWS: u64 = 25;

/// Blocks that are kept.
const MAX_BLOCKS: usize = 80;

/// Elements of a row, about.
const ELEMENTS: usize = 9;

/// Draws a row of a part by its place in the part. The last says whether it is the row that somebody was led to.
pub type DrawRow = Arc<dyn Fn(&PartShown, usize, TargetRow) -> Option<AnyView> + Send + Sync>;

/// Whether a row is the one that somebody was led to.
#[derive(Clone, Copy)]
pub struct TargetRow {
    /// The row that is.
    pub row: Memo<Option<u64>>,
    /// The row in question.
    pub at: u64,
}

impl TargetRow {
    /// Whether it is.
    pub fn is_it(self) -> bool {
        self.row.get() == Some(self.at)
    }
}

/// A view.
pub struct LongView<'a> {
    /// Its rows.
    pub view: &'a ViewShown,
    /// What ways to its rows lead to.
    pub id: &'a str,
    /// Its class besides that of all views.
    pub class: &'static str,
    /// What it shows.
    pub label: &'a str,
    /// Draws a row.
    pub draw: DrawRow,
}

/// The blocks of a view that are here. Copies are the same.
#[derive(Clone, Copy)]
struct Blocks {
    store: Store,
    rows: StoredValue<String>,
    n_rows: u64,
    all: StoredValue<BTreeMap<u64, Option<Arc<PartShown>>>>,
    n_come: RwSignal<u64>,
}

impl Blocks {
    fn new(view: &ViewShown) -> Self {
        Self {
            store: use_store(),
            rows: StoredValue::new(view.rows.clone()),
            n_rows: view.n_rows,
            all: StoredValue::new(BTreeMap::new()),
            n_come: RwSignal::new(0),
        }
    }

    fn block(self, block: u64) -> Option<Arc<PartShown>> {
        self.all.try_with_value(|all| all.get(&block).cloned().flatten()).flatten()
    }

    fn want(self, block: u64) {
        let is_asked = self.all.with_value(|all| all.contains_key(&block));
        if is_asked {
            return;
        }
        self.all.update_value(|all| {
            all.insert(block, None);
        });
        let first = block * BLOCK_ROWS;
        let end = (first + BLOCK_ROWS).min(self.n_rows);
        let name = format!("{}:{first}:{end}", self.rows.get_value());
        self.store.ask(Question::Part(name), move |answer| {
            // The view may be gone by now, and its values with it.
            self.all.try_update_value(|all| match part_of(answer) {
                Ok(part) => {
                    all.insert(block, Some(Arc::new(part)));
                    if all.len() > MAX_BLOCKS {
                        let farthest = all.keys().copied().max_by_key(|at| at.abs_diff(block));
                        farthest.and_then(|farthest| all.remove(&farthest));
                    }
                }
                // It is asked for again with the next scroll.
                Err(_) => {
                    all.remove(&block);
                }
            });
            self.n_come.try_update(|n| *n += 1);
        });
    }
}

/// The view.
pub fn long_view(shown: LongView<'_>) -> AnyView {
    let LongView { view, id, class, label, draw } = shown;
    let leading: Leading = expect_context();
    let (blocks, n_rows) = (Blocks::new(view), view.n_rows);
    let list = LongList::new(Signal::stored(n_rows), Signal::stored(ROW_HEIGHT), 0.0);
    let is_near = RwSignal::new(false);
    when_near(list.place, move || {
        is_near.try_set(true);
    });
    effect(move || {
        let RowWindow { first, end, .. } = list.wanted();
        if is_near.get() && list.is_laid_out() {
            let last = end.saturating_sub(1) / BLOCK_ROWS;
            (first / BLOCK_ROWS..=last).for_each(|block| blocks.want(block));
        }
    });
    let goal = id.to_owned();
    let row = memo(move || leading.row_of(&goal));
    leading.on_arrival(id.to_owned(), move || {
        let place = list.place.get().filter(|_| list.is_laid_out());
        let Some((place, row)) = place.zip(row.get()) else { return false };
        list.show_in_middle(row);
        browser::arrive(&place);
        true
    });
    let rows = move |first: u64, end: u64| {
        let block = first / BLOCK_ROWS;
        let is_here = memo(move || {
            blocks.n_come.track();
            blocks.block(block).is_some()
        });
        let draw = Arc::clone(&draw);
        live(move || {
            let part = is_here.get().then(|| blocks.block(block)).flatten()?;
            let draw = Arc::clone(&draw);
            Some(paced((end - first) as usize * ELEMENTS, move || {
                let row_at =
                    |at: u64| draw(&part, (at % BLOCK_ROWS) as usize, TargetRow { row, at });
                (first..end).filter_map(row_at).collect_view().into_any()
            }))
        })
        .into_any()
    };
    let label = words::rows(label, n_rows);
    let width = format!("calc({}ch + 96px)", view.n_columns);
    let goal = id.to_owned();
    view! {
        <div
            class=format!("viewer {class}") role="group" aria-label=label tabindex="0" node_ref=list.place
            aria-current=live(move || leading.current(&goal)) on:scroll=handler(move |_| list.scrolled())
        >
            <div class="viewer__rows" style:min-width=width>
                <LongRows list n_at_once=DRAWN_ROWS epoch=Signal::stored(0) draw=Arc::new(rows)/>
            </div>
        </div>
    }
    .into_any()
}
