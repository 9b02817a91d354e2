//! The engine of the SQL page: started when the page is opened, given what is open, asked one query after the other.

use super::Store;
use crate::browser::{self, SqlEngine, SqlEvent};
use crate::sql::{
    SqlAnswer, SqlBars, SqlCell, SqlCompletion, SqlError, SqlNames, history_of, with_query,
    written_history,
};
use crate::words::ui::sql as words;
use crate::worker::protocol::{Answer, Download, Task};
use leptos::prelude::*;
use std::sync::Arc;

/// The setting that keeps the queries that were asked.
const HISTORY: &str = "sql-history";

/// Rows that are asked for at once, and blocks of them that are kept.
pub const SQL_BLOCK: u64 = 64;
const MAX_BLOCKS: usize = 64;

/// Bytes that a query may fetch from servers before the user is asked.
pub const MAX_FETCHED: u64 = 200_000_000;

/// What the engine is at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SqlStatus {
    /// It was not started.
    #[default]
    Closed,
    /// Its program is on its way.
    Starting,
    /// It is given what is open.
    Opening,
    /// It waits for a query.
    Ready,
    /// It works on one.
    Asking,
    /// It has stopped; why.
    Failed(String),
}

/// What the engine has said, as far as it is shown.
#[derive(Default)]
pub struct SqlShown {
    /// What a query can name.
    pub names: SqlNames,
    /// The last answer.
    pub answer: Option<SqlAnswer>,
    /// Why there is none.
    pub error: Option<SqlError>,
    /// The first rows of the answer as bars, once they were asked for.
    pub bars: Option<SqlBars>,
    /// How the text could go on.
    pub completions: Vec<SqlCompletion>,
    /// Queries that were asked on this device, the newest first.
    pub history: Vec<String>,
    /// The query that was asked last.
    pub asked: String,
    /// Bytes and requests that it has cost servers so far, while it is worked on.
    pub fetched: (u64, u64),
    status: SqlStatus,
    /// Completions that are on their way: only the last ones are about what is written.
    n_completing: u32,
    /// Rows of the answer, by block.
    blocks: Vec<(u64, Arc<Vec<SqlCell>>)>,
    asked_blocks: Vec<u64>,
    /// Asked as soon as the engine can be, and with how many bytes of servers.
    waiting: Option<(String, u64)>,
    /// The version of the workspace that it was given.
    given: Option<u64>,
    engine: Option<SqlEngine>,
}

/// What is known of the engine. Copies are the same. Each count goes up with what it is about: what is shown lies in one place,
/// since every kind of signal is a few kilobytes of program.
#[derive(Clone, Copy)]
pub struct SqlState {
    shown: StoredValue<SqlShown, LocalStorage>,
    /// What the engine is at.
    n_status: RwSignal<u64>,
    /// Counts the lists of names.
    pub n_names: RwSignal<u64>,
    /// Counts the answers: rows of an older one are out of date.
    pub epoch: RwSignal<u64>,
    /// Counts the blocks of rows, and the bars, that have come.
    pub n_come: RwSignal<u64>,
    /// Counts the completions.
    pub n_completions: RwSignal<u64>,
    /// Counts the queries that were asked.
    pub n_asked: RwSignal<u64>,
}

impl Default for SqlState {
    fn default() -> Self {
        let count = || RwSignal::new(0);
        Self {
            shown: StoredValue::new_local(SqlShown::default()),
            n_status: count(),
            n_names: count(),
            epoch: count(),
            n_come: count(),
            n_completions: count(),
            n_asked: count(),
        }
    }
}

impl SqlState {
    /// Reads what is shown; follows nothing by itself.
    pub fn with<T>(self, read: impl FnOnce(&SqlShown) -> T) -> T {
        self.shown.with_value(read)
    }

    /// What the engine is at, followed.
    pub fn status(self) -> SqlStatus {
        self.n_status.track();
        self.with(|shown| shown.status.clone())
    }

    /// The rows of the block in which row `at` lies, when they are here: cells, one row after the other.
    pub fn around(self, at: u64) -> Option<Arc<Vec<SqlCell>>> {
        self.with(|shown| {
            let (_, cells) = shown.blocks.iter().find(|(known, _)| *known == at / SQL_BLOCK)?;
            Some(Arc::clone(cells))
        })
    }

    fn change<T>(self, change: impl FnOnce(&mut SqlShown) -> T) -> Option<T> {
        self.shown.try_update_value(change)
    }

    fn tell(self, say: impl FnOnce(&SqlEngine)) {
        self.with(|shown| shown.engine.as_ref().map(say));
    }

    fn set_status(self, status: SqlStatus) {
        self.change(|shown| shown.status = status);
        count_up(self.n_status);
    }

    /// Another answer, or none.
    fn set_answer(self, answer: Option<SqlAnswer>, error: Option<SqlError>) {
        self.change(|shown| {
            (shown.answer, shown.error, shown.bars) = (answer, error, None);
            shown.blocks.clear();
            shown.asked_blocks.clear();
        });
        count_up(self.epoch);
    }
}

fn count_up(count: RwSignal<u64>) {
    count.update(|n| *n += 1);
}

impl Store {
    /// Starts the engine where it is not, and gives it what is open where that has changed.
    pub fn open_sql(self) {
        let sql = self.sql;
        if sql.with(|shown| shown.history.is_empty()) {
            sql.change(|shown| {
                shown.history = history_of(&browser::remembered(HISTORY).unwrap_or_default());
            });
            count_up(sql.n_asked);
        }
        if !browser::has_sql_engine() {
            return sql.set_status(SqlStatus::Failed(words::NOT_HERE.to_owned()));
        }
        let version = self.version.get_untracked();
        let (has_engine, is_given, is_starting) = sql.with(|shown| {
            let is_starting = shown.status == SqlStatus::Starting;
            (shown.engine.is_some(), shown.given == Some(version), is_starting)
        });
        if !has_engine {
            let engine = SqlEngine::start(move |event| self.hear_sql(event));
            let status = match engine {
                Some(_) => SqlStatus::Starting,
                None => SqlStatus::Failed(words::NO_WORKER.to_owned()),
            };
            sql.change(|shown| {
                (shown.engine, shown.given, shown.n_completing) = (engine, None, 0);
            });
            sql.set_status(status);
        } else if !is_given && !is_starting {
            self.give_sql();
        }
    }

    /// Gives the engine what is open. An answer that is shown is of what was open: its query is asked again.
    fn give_sql(self) {
        let (sql, version) = (self.sql, self.version.get_untracked());
        sql.change(|shown| {
            let is_shown = shown.answer.is_some() || shown.status == SqlStatus::Asking;
            if is_shown && shown.waiting.is_none() {
                shown.waiting = Some((shown.asked.clone(), MAX_FETCHED));
            }
        });
        sql.set_answer(None, None);
        sql.change(|shown| shown.given = Some(version));
        sql.set_status(SqlStatus::Opening);
        self.ask(Task::SqlFiles, move |answer| match answer {
            Ok(Answer::SqlFiles { roots, paths }) => {
                let Some(client) = self.client.get_value() else { return };
                let files = client.take_files();
                sql.tell(|engine| engine.open(&roots, &paths, &files));
            }
            Ok(_) => {}
            Err(failure) => sql.set_status(SqlStatus::Failed(failure.to_string())),
        });
    }

    /// Asks `text`, as soon as the engine can be; the address names it from now on. `is_unbounded`: however many bytes that
    /// takes from servers.
    pub fn ask_sql(self, text: &str, is_unbounded: bool) {
        let sql = self.sql;
        if text.trim().is_empty() {
            return;
        }
        let history = sql.with(|shown| with_query(&shown.history, text));
        browser::remember(HISTORY, &written_history(&history));
        let limit = if is_unbounded { u64::MAX } else { MAX_FETCHED };
        let status = sql.change(|shown| {
            text.clone_into(&mut shown.asked);
            shown.history = history;
            shown.waiting = Some((text.to_owned(), limit));
            shown.status.clone()
        });
        count_up(sql.n_asked);
        if self.route.with_untracked(|route| route.sql != text) {
            self.go(|route| text.clone_into(&mut route.sql));
        }
        match status.unwrap_or_default() {
            SqlStatus::Ready => self.ask_waiting_sql(),
            SqlStatus::Asking => self.cancel_sql(),
            SqlStatus::Closed | SqlStatus::Failed(_) => self.open_sql(),
            SqlStatus::Starting | SqlStatus::Opening => {}
        }
    }

    fn ask_waiting_sql(self) {
        let Some((text, limit)) = self.sql.change(|shown| shown.waiting.take()).flatten() else {
            return;
        };
        self.sql.change(|shown| (shown.error, shown.fetched) = (None, (0, 0)));
        self.sql.set_status(SqlStatus::Asking);
        self.sql.tell(|engine| engine.ask(&text, limit));
    }

    /// Stops the query that is being worked on: the engine is started anew. What waits is asked then.
    pub fn cancel_sql(self) {
        self.sql.change(|shown| shown.engine = None);
        self.sql.set_answer(None, None);
        self.open_sql();
    }

    /// Forgets the queries that were asked.
    pub fn forget_sql(self) {
        self.sql.change(|shown| shown.history.clear());
        browser::remember(HISTORY, "");
        count_up(self.sql.n_asked);
    }

    /// Wants to know how `text` could go on at `at`, in units of UTF-16.
    pub fn complete_sql(self, text: &str, at: u32) {
        self.close_sql_completions();
        self.sql.change(|shown| shown.n_completing += u32::from(shown.engine.is_some()));
        self.sql.tell(|engine| engine.complete(text, at));
    }

    /// Closes the list of completions.
    pub fn close_sql_completions(self) {
        let had_some = self.sql.change(|shown| !std::mem::take(&mut shown.completions).is_empty());
        if had_some == Some(true) {
            count_up(self.sql.n_completions);
        }
    }

    /// Wants the rows of `first..end` that are not here.
    pub fn want_sql_rows(self, first: u64, end: u64) {
        let sql = self.sql;
        let n_rows = sql.with(|shown| shown.answer.as_ref().map_or(0, |answer| answer.n_rows));
        for block in first / SQL_BLOCK..=end.saturating_sub(1) / SQL_BLOCK {
            let is_new = sql.change(|shown| {
                let is_new = !shown.asked_blocks.contains(&block) && block * SQL_BLOCK < n_rows;
                if is_new {
                    shown.asked_blocks.push(block);
                }
                is_new
            });
            if is_new == Some(true) {
                sql.tell(|engine| engine.rows(block * SQL_BLOCK, SQL_BLOCK));
            }
        }
    }

    /// Wants the first rows as bars.
    pub fn want_sql_bars(self) {
        self.sql.tell(SqlEngine::bars);
    }

    /// Saves all rows of the answer as CSV.
    pub fn save_sql(self) {
        self.sql.tell(SqlEngine::csv);
    }

    fn hear_sql(self, event: SqlEvent) {
        let sql = self.sql;
        match event {
            SqlEvent::Ready => self.give_sql(),
            SqlEvent::Opened(names) => {
                sql.change(|shown| shown.names = names);
                count_up(sql.n_names);
                sql.set_status(SqlStatus::Ready);
                // Something may have been opened meanwhile.
                let version = self.version.get_untracked();
                if sql.with(|shown| shown.given == Some(version)) {
                    self.ask_waiting_sql();
                } else {
                    self.give_sql();
                }
            }
            SqlEvent::Failed(why) => sql.set_status(SqlStatus::Failed(why)),
            SqlEvent::Fetched(n_bytes, n_requests) => {
                sql.change(|shown| shown.fetched = (n_bytes, n_requests));
                count_up(sql.n_status);
            }
            SqlEvent::Answer(answer) => self.answered_sql(Some(answer), None),
            SqlEvent::Refused(error) => self.answered_sql(None, Some(error)),
            SqlEvent::Rows(first, cells) => {
                sql.change(|shown| {
                    shown.blocks.push((first / SQL_BLOCK, Arc::new(cells)));
                    if shown.blocks.len() > MAX_BLOCKS {
                        let (gone, _) = shown.blocks.remove(0);
                        shown.asked_blocks.retain(|known| *known != gone);
                    }
                });
                count_up(sql.n_come);
            }
            SqlEvent::Bars(bars) => {
                sql.change(|shown| shown.bars = Some(bars));
                count_up(sql.n_come);
            }
            SqlEvent::Completions(found) => {
                let is_last = sql.change(|shown| {
                    shown.n_completing = shown.n_completing.saturating_sub(1);
                    shown.n_completing == 0
                });
                if is_last == Some(true) {
                    sql.change(|shown| shown.completions = found);
                    count_up(sql.n_completions);
                }
            }
            SqlEvent::Csv(bytes) => self.save(&Download {
                name: words::CSV_NAME.to_owned(),
                mime: "text/csv".to_owned(),
                bytes,
            }),
            SqlEvent::Died(why) => {
                sql.change(|shown| shown.engine = None);
                sql.set_status(SqlStatus::Failed(words::died(&why)));
            }
        }
    }

    fn answered_sql(self, answer: Option<SqlAnswer>, error: Option<SqlError>) {
        self.sql.set_answer(answer, error);
        // Before somebody has drawn the table that they stand in.
        self.want_sql_rows(0, 1);
        self.sql.set_status(SqlStatus::Ready);
        self.ask_waiting_sql();
    }
}
