//! Rows of the cases as the worker draws them: some blocks of them, never all.

use crate::address::{CasePlace, columns_of};
use crate::browser;
use crate::report::{CaseQuery, Name, RunRef};
use crate::ui::state::{Store, effect, memo};
use crate::worker::protocol::{Answer, CaseGrid, GridFrame, Question};
use leptos::prelude::*;
use std::sync::Arc;

/// Rows that are asked for, and drawn, at once.
pub const BLOCK_ROWS: u64 = 32;

/// Blocks that are kept.
const MAX_BLOCKS: usize = 64;

/// The setting that keeps the chosen columns.
pub const COLUMNS_SETTING: &str = "case-columns";

/// A growing and shrinking part of the table. Copies are the same part.
#[derive(Clone, Copy)]
pub struct CaseRows {
    store: Store,
    /// What the table is about.
    pub query: Memo<CaseQuery>,
    /// What stands around the rows of the present answer.
    pub frame: RwSignal<Option<Arc<GridFrame>>>,
    /// Why there are none.
    pub failure: RwSignal<Option<String>>,
    /// Counts the answers to new queries: rows of an older one are out of date.
    pub epoch: RwSignal<u64>,
    /// Counts those that came in another order, or of other cases.
    pub turn: RwSignal<u64>,
    /// Counts the blocks that have come.
    pub n_come: RwSignal<u64>,
    /// Columns that the reader has chosen on this machine.
    pub columns: RwSignal<String>,
    /// Asks everything again when it changes.
    pub again: RwSignal<u64>,
    blocks: StoredValue<Vec<(u64, CaseGrid)>>,
    asked: StoredValue<Vec<u64>>,
    asking: StoredValue<u64>,
    answered: StoredValue<CaseQuery>,
}

impl CaseRows {
    /// Follows the filter and the order that the address names.
    pub fn new(store: Store) -> Self {
        let columns = RwSignal::new(browser::remembered(COLUMNS_SETTING).unwrap_or_default());
        let query = memo(move || {
            let mut query = store.route.with(|route| route.case_query());
            if query.columns.is_empty() {
                query.columns = columns_of(&columns.get());
            }
            query
        });
        let rows = Self {
            store,
            query,
            frame: RwSignal::new(None),
            failure: RwSignal::new(None),
            epoch: RwSignal::new(0),
            turn: RwSignal::new(0),
            n_come: RwSignal::new(0),
            columns,
            again: RwSignal::new(0),
            blocks: StoredValue::default(),
            asked: StoredValue::default(),
            asking: StoredValue::new(0),
            answered: StoredValue::default(),
        };
        effect(move || {
            query.track();
            store.version.track();
            rows.again.track();
            rows.asking.update_value(|asking| *asking += 1);
            rows.asked.update_value(Vec::clear);
            let at =
                store.route.with_untracked(|route| route.case.as_ref().and_then(|case| case.at));
            rows.ask_block(at.unwrap_or_default() / BLOCK_ROWS, true);
        });
        rows
    }

    /// Asks for the rows of `first..end` that are not here; for those around them as well.
    pub fn want(self, first: u64, end: u64) {
        let n_rows = self.n_matching_untracked();
        let (from, to) = (first / BLOCK_ROWS, end.saturating_sub(1) / BLOCK_ROWS);
        for block in from.saturating_sub(1)..=to + 1 {
            if block * BLOCK_ROWS < n_rows {
                self.ask_block(block, false);
            }
        }
    }

    /// The rows of `block` as markup, when they are here.
    pub fn markup(self, block: u64) -> Option<String> {
        self.blocks.with_value(|blocks| {
            let (_, grid) = blocks.iter().find(|(known, _)| *known == block)?;
            Some(grid.rows.as_str().to_owned())
        })
    }

    /// Number of rows.
    pub fn n_matching(self) -> u64 {
        self.frame.with(|frame| frame.as_ref().map_or(0, |frame| frame.n_rows))
    }

    /// Number of rows, asked from outside of a view.
    pub fn n_matching_untracked(self) -> u64 {
        self.frame.with_untracked(|frame| frame.as_ref().map_or(0, |frame| frame.n_rows))
    }

    /// Opens the case of row `at`.
    pub fn open(self, at: u64) {
        if let Some((run, key)) = self.case(at) {
            let (case, spot) = (Name::Key(key), String::new());
            let case = CasePlace { run, case, at: Some(at), spot };
            self.store.go(|route| route.case = Some(case));
            // The table, which had the focus, goes away.
            browser::focus("main");
        }
    }

    /// The case of row `at`, when it is here.
    fn case(self, at: u64) -> Option<(RunRef, String)> {
        self.blocks.with_value(|blocks| {
            let (_, grid) = blocks.iter().find(|(block, _)| *block == at / BLOCK_ROWS)?;
            grid.cases.get(usize::try_from(at % BLOCK_ROWS).ok()?).cloned()
        })
    }

    fn ask_block(self, block: u64, is_new: bool) {
        if self.asked.with_value(|asked| asked.contains(&block)) {
            return;
        }
        self.asked.update_value(|asked| asked.push(block));
        let asking = self.asking.get_value();
        let query = CaseQuery {
            offset: block * BLOCK_ROWS,
            limit: BLOCK_ROWS,
            ..self.query.get_untracked()
        };
        let request = Question::Cases { query, is_framed: is_new };
        self.store.ask(request, move |answer| {
            // The table may have turned to another query, or be gone.
            if self.asking.try_get_value() != Some(asking) {
                return;
            }
            match answer {
                Ok(Answer::Cases(grid)) => self.take(block, *grid),
                Ok(_) => {}
                Err(failure) => {
                    self.failure.set(Some(failure.to_string()));
                    self.forget(block);
                }
            }
        });
    }

    /// Lets `block` be asked for again.
    fn forget(self, block: u64) {
        self.asked.update_value(|asked| asked.retain(|asked| *asked != block));
    }

    fn take(self, block: u64, mut grid: CaseGrid) {
        self.failure.set(None);
        let frame = grid.frame.take();
        self.blocks.update_value(|blocks| {
            if frame.is_some() {
                blocks.clear();
            }
            blocks.push((block, grid));
            if blocks.len() > MAX_BLOCKS {
                let distances = blocks.iter().map(|(known, _)| known.abs_diff(block));
                let farthest = distances.enumerate().max_by_key(|(_, distance)| *distance);
                if let Some((idx, _)) = farthest {
                    self.forget(blocks.swap_remove(idx).0);
                }
            }
        });
        if let Some(frame) = frame {
            let query = self.query.get_untracked();
            let other_columns = CaseQuery { columns: Vec::new(), ..query };
            let is_turned = self.answered.get_value() != other_columns;
            self.answered.set_value(other_columns);
            self.frame.set(Some(Arc::new(frame)));
            self.epoch.update(|epoch| *epoch += 1);
            if is_turned {
                self.turn.update(|turn| *turn += 1);
            }
        }
        self.n_come.update(|n| *n += 1);
    }
}
