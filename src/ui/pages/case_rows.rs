//! Rows of the case table as they come from the worker: some blocks of them, never all.

use crate::address::CasePlace;
use crate::browser;
use crate::report::{CaseLine, CasePage, CaseQuery};
use crate::ui::state::{Store, effect, memo};
use crate::worker::protocol::{Answer, Request};
use leptos::prelude::*;
use std::sync::Arc;

/// Rows that are asked for at once.
const BLOCK_ROWS: u64 = 128;

/// Blocks that are kept.
const MAX_BLOCKS: usize = 24;

/// A growing and shrinking part of the table. Copies are the same part.
#[derive(Clone, Copy)]
pub struct CaseRows {
    store: Store,
    /// What the table is about.
    query: Memo<CaseQuery>,
    /// Any page of the present answer: columns and counts.
    pub summary: RwSignal<Option<Arc<CasePage>>>,
    /// Why there are none.
    pub failure: RwSignal<Option<String>>,
    /// Counts the answers to new queries: rows of an older one are out of date.
    pub epoch: RwSignal<u64>,
    blocks: RwSignal<Vec<(u64, Arc<CasePage>)>>,
    asked: StoredValue<Vec<u64>>,
    asking: StoredValue<u64>,
}

impl CaseRows {
    /// Follows the filter and the order that the address names.
    pub fn new(store: Store) -> Self {
        let query = memo(move || {
            store.route.with(|route| CaseQuery {
                target: route.target,
                text: route.text.clone(),
                outcomes: route.outcomes.clone(),
                sort: route.sort,
                is_descending: route.is_descending,
                offset: 0,
                limit: BLOCK_ROWS,
            })
        });
        let rows = Self {
            store,
            query,
            summary: RwSignal::new(None),
            failure: RwSignal::new(None),
            epoch: RwSignal::new(0),
            blocks: RwSignal::default(),
            asked: StoredValue::default(),
            asking: StoredValue::new(0),
        };
        effect(move || {
            query.track();
            store.version.track();
            rows.asking.update_value(|asking| *asking += 1);
            rows.asked.update_value(Vec::clear);
            let at = store.route.with_untracked(|route| route.case.and_then(|case| case.at));
            rows.ask_block(at.unwrap_or_default() / BLOCK_ROWS, true);
        });
        rows
    }

    /// Asks for the rows of `first..end` that are not here; for those around them as well.
    pub fn want(self, first: u64, end: u64) {
        let n_matching = self.n_matching_untracked();
        let (from, to) = (first / BLOCK_ROWS, end.saturating_sub(1) / BLOCK_ROWS);
        for block in from.saturating_sub(1)..=to + 1 {
            if block * BLOCK_ROWS < n_matching {
                self.ask_block(block, false);
            }
        }
    }

    /// Row `at`, when it is here.
    pub fn row(self, at: u64) -> Option<CaseLine> {
        self.blocks.with(|blocks| row_of(blocks, at))
    }

    /// Row `at`, asked from outside of a view.
    pub fn row_untracked(self, at: u64) -> Option<CaseLine> {
        self.blocks.with_untracked(|blocks| row_of(blocks, at))
    }

    /// Number of rows.
    pub fn n_matching(self) -> u64 {
        self.summary.with(|summary| summary.as_ref().map_or(0, |page| page.n_matching))
    }

    /// Number of rows, asked from outside of a view.
    pub fn n_matching_untracked(self) -> u64 {
        self.summary.with_untracked(|summary| summary.as_ref().map_or(0, |page| page.n_matching))
    }

    /// Opens the case of row `at`.
    pub fn open(self, at: u64) {
        if let Some(line) = self.row_untracked(at) {
            let case = CasePlace { run: line.run, case_idx: line.case_idx, at: Some(at) };
            self.store.go(|route| route.case = Some(case));
            // The table, which had the focus, goes away.
            browser::focus("main");
        }
    }

    fn ask_block(self, block: u64, is_new: bool) {
        if self.asked.with_value(|asked| asked.contains(&block)) {
            return;
        }
        self.asked.update_value(|asked| asked.push(block));
        let asking = self.asking.get_value();
        let query = CaseQuery { offset: block * BLOCK_ROWS, ..self.query.get_untracked() };
        self.store.ask(Request::Cases(query), move |answer| {
            // The table may have turned to another query, or be gone.
            if self.asking.try_get_value() != Some(asking) {
                return;
            }
            match answer {
                Ok(Answer::Cases(page)) => self.take(block, page, is_new),
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

    fn take(self, block: u64, page: CasePage, is_new: bool) {
        let page = Arc::new(page);
        self.failure.set(None);
        self.blocks.update(|blocks| {
            if is_new {
                blocks.clear();
            }
            blocks.push((block, Arc::clone(&page)));
            if blocks.len() > MAX_BLOCKS {
                let distances = blocks.iter().map(|(known, _)| known.abs_diff(block));
                let farthest = distances.enumerate().max_by_key(|(_, distance)| *distance);
                if let Some((idx, _)) = farthest {
                    self.forget(blocks.swap_remove(idx).0);
                }
            }
        });
        if is_new {
            self.summary.set(Some(page));
            self.epoch.update(|epoch| *epoch += 1);
        }
    }
}

fn row_of(blocks: &[(u64, Arc<CasePage>)], at: u64) -> Option<CaseLine> {
    let (_, page) = blocks.iter().find(|(block, _)| *block == at / BLOCK_ROWS)?;
    page.rows.get(usize::try_from(at % BLOCK_ROWS).ok()?).cloned()
}
