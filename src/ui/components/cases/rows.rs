//! Rows of the cases: some blocks of them, never all. Texts of cases come after the rows that they stand in.

use crate::address::{CasePlace, column_words, columns_of};
use crate::browser;
use crate::report::{CaseQuery, CaseTexts, Name, RunRef, SortKey};
use crate::ui::state::{Store, effect, memo};
use crate::worker::protocol::{Answer, CaseGrid, GridFrame, Question};
use leptos::prelude::*;
use std::sync::Arc;

/// Rows that are asked for at once.
pub const BLOCK_ROWS: u64 = 32;

/// Blocks that are kept.
const MAX_BLOCKS: usize = 64;

/// The setting that keeps the chosen columns.
const COLUMNS_SETTING: &str = "case-columns";

/// Rows that came together.
struct RowBlock {
    /// Their number among all blocks of the table.
    nth: u64,
    grid: Arc<CaseGrid>,
    /// Of each row, once they are here; without any where they could not be read.
    texts: Option<Vec<Option<CaseTexts>>>,
}

/// What is known of a text of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextCell {
    /// It is not here yet.
    Coming,
    /// There is none, or it cannot be read.
    Missing,
    /// Its first words.
    Words(String),
}

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
    /// Whether a filter is being written that cannot be read: the rows are those of the one before.
    pub is_stale: RwSignal<bool>,
    /// Counts the blocks whose texts have come.
    n_texts: RwSignal<u64>,
    blocks: StoredValue<Vec<RowBlock>>,
    asked: StoredValue<Vec<u64>>,
    /// Counts the queries. An answer to an older one than this is out of date.
    asking: StoredValue<u64>,
    answered: StoredValue<CaseQuery>,
    /// The number of the query that the rows here are of.
    framed: StoredValue<u64>,
    /// Rows whose texts are wanted: first and end.
    in_sight: StoredValue<(u64, u64)>,
    /// The number of the query whose texts are being read.
    reading: StoredValue<Option<u64>>,
}

impl CaseRows {
    /// Follows the filter and the order that the address names.
    pub fn new(store: Store) -> Self {
        let columns = RwSignal::new(browser::remembered(COLUMNS_SETTING).unwrap_or_default());
        // Whichever columns are shown, rows hold them all.
        let query = memo(move || CaseQuery {
            columns: Vec::new(),
            ..store.route.with(|route| route.case_query())
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
            is_stale: RwSignal::new(false),
            n_texts: RwSignal::new(0),
            blocks: StoredValue::default(),
            asked: StoredValue::default(),
            asking: StoredValue::new(0),
            answered: StoredValue::default(),
            framed: StoredValue::new(0),
            in_sight: StoredValue::default(),
            reading: StoredValue::default(),
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

    /// The rows of the block in which row `at` lies, when they are here.
    pub fn around(self, at: u64) -> Option<Arc<CaseGrid>> {
        self.blocks.try_with_value(|blocks| {
            let block = blocks.iter().find(|block| block.nth == at / BLOCK_ROWS)?;
            Some(Arc::clone(&block.grid))
        })?
    }

    /// Asks for the texts of the cases in rows `first..end` that are here without them.
    pub fn want_texts(self, first: u64, end: u64) {
        self.in_sight.set_value((first, end));
        self.ask_texts();
    }

    /// What is known of the text that column `key` says of the case in row `at`.
    pub fn text(self, at: u64, key: SortKey) -> TextCell {
        self.n_texts.track();
        let found = self.blocks.try_with_value(|blocks| {
            let block = blocks.iter().find(|block| block.nth == at / BLOCK_ROWS)?;
            let nth = usize::try_from(at % BLOCK_ROWS).ok()?;
            let texts = block.texts.as_ref()?.get(nth).and_then(Option::as_ref);
            let words = texts.and_then(|texts| key.text(texts));
            Some(words.map_or(TextCell::Missing, |words| TextCell::Words(words.to_owned())))
        });
        found.flatten().unwrap_or(TextCell::Coming)
    }

    /// Columns of the table: those of the address, those chosen on this machine, or the usual ones.
    pub fn shown_columns(self) -> Vec<SortKey> {
        let asked = self.store.route.with(|route| route.columns.clone());
        let chosen = if asked.is_empty() { columns_of(&self.columns.get()) } else { asked };
        match chosen.is_empty() {
            false => chosen,
            true => self.frame.with(|frame| {
                frame.as_ref().map(|frame| frame.columns.clone()).unwrap_or_default()
            }),
        }
    }

    /// The heading of a column.
    pub fn heading(self, key: SortKey) -> String {
        self.frame.with(|frame| {
            let metrics = frame.as_ref().map(|frame| frame.metrics.as_slice());
            key.heading(metrics.unwrap_or_default()).to_owned()
        })
    }

    /// Shows these columns, now and on the next visit; without any, the usual ones.
    pub fn choose_columns(self, columns: &[SortKey]) {
        let words = column_words(columns);
        browser::remember(COLUMNS_SETTING, &words);
        self.columns.set(words);
        self.store.adjust(|route| route.columns = columns.to_vec());
    }

    /// Whether they are those of the heat map.
    pub fn is_heat(self) -> bool {
        self.frame.with(|frame| frame.as_ref().is_some_and(|frame| frame.heat.is_some()))
    }

    /// The same, asked from outside of a view.
    pub fn is_heat_untracked(self) -> bool {
        untrack(|| self.is_heat())
    }

    /// Whether the filter is not applied because it cannot be read.
    pub fn has_error(self) -> bool {
        self.frame.with(|frame| frame.as_ref().is_some_and(|frame| frame.error.is_some()))
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

    /// Opens what cell `nth` of row `at` of the heat map leads to.
    pub fn open_cell(self, at: u64, nth: u64) {
        let Some(grid) = self.around(at) else { return };
        let (Ok(row), Ok(nth)) = (usize::try_from(at % BLOCK_ROWS), usize::try_from(nth)) else {
            return;
        };
        if let Some(address) = grid.rows.address(row, nth) {
            self.store.follow(&self.store.route_of(address));
            browser::focus("main");
        }
    }

    /// The case of row `at`, when it is here.
    pub fn case(self, at: u64) -> Option<(RunRef, String)> {
        let grid = self.around(at)?;
        let nth = usize::try_from(at % BLOCK_ROWS).ok()?;
        grid.rows.case(nth)
    }

    fn ask_block(self, block: u64, is_new: bool) {
        if self.asked.with_value(|asked| asked.contains(&block)) {
            return;
        }
        self.asked.update_value(|asked| asked.push(block));
        let asking = self.asking.get_value();
        let request = Question::Cases { query: self.query_of(block), is_framed: is_new };
        self.store.ask(request, move |answer| {
            // The table may have turned to another query, or be gone.
            if self.asking.try_get_value() != Some(asking) {
                return;
            }
            match answer {
                Ok(Answer::Cases(grid)) => self.take(block, *grid, asking),
                Ok(_) => {}
                Err(failure) => {
                    self.failure.set(Some(failure.to_string()));
                    self.forget(block);
                }
            }
        });
    }

    fn query_of(self, block: u64) -> CaseQuery {
        CaseQuery { offset: block * BLOCK_ROWS, limit: BLOCK_ROWS, ..self.query.get_untracked() }
    }

    /// Asks for the texts of one block in sight. The next one is asked for when they are here: those that have been
    /// scrolled past meanwhile are not read.
    fn ask_texts(self) {
        let asking = self.asking.get_value();
        if self.framed.get_value() != asking || self.reading.get_value() == Some(asking) {
            return;
        }
        let (first, end) = self.in_sight.get_value();
        let is_wanted = |block: &&RowBlock| {
            let rows = block.nth * BLOCK_ROWS..(block.nth + 1) * BLOCK_ROWS;
            block.texts.is_none() && rows.start < end && first < rows.end
        };
        let next = self
            .blocks
            .with_value(|blocks| blocks.iter().filter(is_wanted).map(|block| block.nth).min());
        let Some(block) = next else { return };
        self.reading.set_value(Some(asking));
        self.store.ask(Question::CaseTexts(self.query_of(block)), move |answer| {
            // As with rows.
            if self.asking.try_get_value() != Some(asking) {
                return;
            }
            let texts = match answer {
                Ok(Answer::CaseTexts(texts)) => texts,
                // Cells without a text say that there is none.
                _ => Vec::new(),
            };
            self.blocks.update_value(|blocks| {
                if let Some(block) = blocks.iter_mut().find(|known| known.nth == block) {
                    block.texts = Some(texts);
                }
            });
            self.reading.set_value(None);
            self.n_texts.update(|n| *n += 1);
            self.ask_texts();
        });
    }

    /// Lets `block` be asked for again.
    fn forget(self, block: u64) {
        self.asked.update_value(|asked| asked.retain(|asked| *asked != block));
    }

    fn take(self, block: u64, mut grid: CaseGrid, asking: u64) {
        self.failure.set(None);
        let frame = grid.frame.take();
        self.blocks.update_value(|blocks| {
            if frame.is_some() {
                blocks.clear();
            }
            blocks.push(RowBlock { nth: block, grid: Arc::new(grid), texts: None });
            if blocks.len() > MAX_BLOCKS {
                let distances = blocks.iter().map(|known| known.nth.abs_diff(block));
                let farthest = distances.enumerate().max_by_key(|(_, distance)| *distance);
                if let Some((idx, _)) = farthest {
                    self.forget(blocks.swap_remove(idx).nth);
                }
            }
        });
        if let Some(frame) = frame {
            let query = self.query.get_untracked();
            let is_turned = self.answered.get_value() != query;
            self.answered.set_value(query);
            self.framed.set_value(asking);
            self.frame.set(Some(Arc::new(frame)));
            self.epoch.update(|epoch| *epoch += 1);
            if is_turned {
                self.turn.update(|turn| *turn += 1);
            }
        }
        self.n_come.update(|n| *n += 1);
    }
}
