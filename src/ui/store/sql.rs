//! The engine of the SQL page: started when the page is opened, given what is open, asked one query after the other.

use super::Store;
use crate::browser::{self, SqlEngine, SqlEvent};
use crate::sql::{SqlAnswer, SqlCell, SqlError, SqlNames, history_of, with_query, written_history};
use crate::ui::words::sql as words;
use crate::worker::protocol::{Answer, Task};
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

/// What is known of the engine. Copies are the same.
#[derive(Clone, Copy)]
pub struct SqlState {
    /// What it is at.
    pub status: RwSignal<SqlStatus>,
    /// What a query can name.
    pub names: RwSignal<Arc<SqlNames>>,
    /// The last answer.
    pub answer: RwSignal<Option<Arc<SqlAnswer>>>,
    /// Why there is none.
    pub error: RwSignal<Option<Arc<SqlError>>>,
    /// The query that was asked last.
    pub asked: RwSignal<String>,
    /// Queries that were asked on this device, the newest first.
    pub history: RwSignal<Vec<String>>,
    /// Counts the answers: rows of an older one are out of date.
    pub epoch: RwSignal<u64>,
    /// Counts the blocks of rows that have come.
    pub n_come: RwSignal<u64>,
    engine: StoredValue<Option<SqlEngine>, LocalStorage>,
    blocks: StoredValue<Vec<(u64, Arc<Vec<SqlCell>>)>>,
    asked_blocks: StoredValue<Vec<u64>>,
    /// Asked as soon as the engine can be, and with how many bytes of servers.
    waiting: StoredValue<Option<(String, u64)>>,
    /// The version of the workspace that it was given.
    given: StoredValue<Option<u64>>,
}

impl Default for SqlState {
    fn default() -> Self {
        Self {
            status: RwSignal::default(),
            names: RwSignal::default(),
            answer: RwSignal::new(None),
            error: RwSignal::new(None),
            asked: RwSignal::default(),
            history: RwSignal::default(),
            epoch: RwSignal::new(0),
            n_come: RwSignal::new(0),
            engine: StoredValue::new_local(None),
            blocks: StoredValue::default(),
            asked_blocks: StoredValue::default(),
            waiting: StoredValue::default(),
            given: StoredValue::default(),
        }
    }
}

impl SqlState {
    /// The rows of the block in which row `at` lies, when they are here: cells, one row after the other.
    pub fn around(self, at: u64) -> Option<Arc<Vec<SqlCell>>> {
        self.blocks.try_with_value(|blocks| {
            let (_, cells) = blocks.iter().find(|(known, _)| *known == at / SQL_BLOCK)?;
            Some(Arc::clone(cells))
        })?
    }

    fn clear_rows(self) {
        self.blocks.update_value(Vec::clear);
        self.asked_blocks.update_value(Vec::clear);
        self.epoch.update(|epoch| *epoch += 1);
    }
}

impl Store {
    /// Starts the engine where it is not, and gives it what is open where that has changed.
    pub fn open_sql(self) {
        let sql = self.sql;
        if sql.history.with_untracked(Vec::is_empty) {
            sql.history.set(history_of(&browser::remembered(HISTORY).unwrap_or_default()));
        }
        if !browser::has_sql_engine() {
            return sql.status.set(SqlStatus::Failed(words::NOT_HERE.to_owned()));
        }
        if sql.engine.with_value(Option::is_none) {
            sql.status.set(SqlStatus::Starting);
            sql.given.set_value(None);
            let engine = SqlEngine::start(move |event| self.hear_sql(event));
            if engine.is_none() {
                sql.status.set(SqlStatus::Failed(words::NO_WORKER.to_owned()));
            }
            sql.engine.set_value(engine);
        } else if sql.given.get_value() != Some(self.version.get_untracked())
            && sql.status.with_untracked(|status| *status != SqlStatus::Starting)
        {
            self.give_sql();
        }
    }

    /// Gives the engine what is open.
    fn give_sql(self) {
        let (sql, version) = (self.sql, self.version.get_untracked());
        sql.status.set(SqlStatus::Opening);
        sql.answer.set(None);
        sql.clear_rows();
        sql.given.set_value(Some(version));
        self.ask(Task::SqlFiles, move |answer| match answer {
            Ok(Answer::SqlFiles { roots, paths }) => {
                let Some(client) = self.client.get_value() else { return };
                let files = client.take_files();
                sql.engine.with_value(|engine| {
                    if let Some(engine) = engine {
                        engine.open(&roots, &paths, &files);
                    }
                });
            }
            Ok(_) => {}
            Err(failure) => sql.status.set(SqlStatus::Failed(failure.to_string())),
        });
    }

    /// Asks `text`, as soon as the engine can be; the address names it from now on. `is_unbounded`: however many bytes that
    /// takes from servers.
    pub fn ask_sql(self, text: &str, is_unbounded: bool) {
        let sql = self.sql;
        if text.trim().is_empty() {
            return;
        }
        let history = with_query(&sql.history.get_untracked(), text);
        browser::remember(HISTORY, &written_history(&history));
        sql.history.set(history);
        if self.route.with_untracked(|route| route.sql != text) {
            self.go(|route| text.clone_into(&mut route.sql));
        }
        sql.asked.set(text.to_owned());
        let limit = if is_unbounded { u64::MAX } else { MAX_FETCHED };
        sql.waiting.set_value(Some((text.to_owned(), limit)));
        match sql.status.get_untracked() {
            SqlStatus::Ready => self.ask_waiting_sql(),
            SqlStatus::Asking => self.cancel_sql(),
            SqlStatus::Closed | SqlStatus::Failed(_) => self.open_sql(),
            SqlStatus::Starting | SqlStatus::Opening => {}
        }
    }

    fn ask_waiting_sql(self) {
        let sql = self.sql;
        let Some((text, limit)) = sql.waiting.try_update_value(Option::take).flatten() else {
            return;
        };
        sql.error.set(None);
        sql.status.set(SqlStatus::Asking);
        sql.engine.with_value(|engine| {
            if let Some(engine) = engine {
                engine.ask(&text, limit);
            }
        });
    }

    /// Stops the query that is being worked on: the engine is started anew. What waits is asked then.
    pub fn cancel_sql(self) {
        self.sql.engine.set_value(None);
        self.sql.answer.set(None);
        self.sql.clear_rows();
        self.open_sql();
    }

    /// Forgets the queries that were asked.
    pub fn forget_sql(self) {
        self.sql.history.set(Vec::new());
        browser::remember(HISTORY, "");
    }

    /// Wants the rows of `first..end` that are not here.
    pub fn want_sql_rows(self, first: u64, end: u64) {
        let sql = self.sql;
        let n_rows =
            sql.answer.with_untracked(|answer| answer.as_ref().map_or(0, |one| one.n_rows));
        for block in first / SQL_BLOCK..=end.saturating_sub(1) / SQL_BLOCK {
            let is_asked = sql.asked_blocks.with_value(|asked| asked.contains(&block));
            if is_asked || block * SQL_BLOCK >= n_rows {
                continue;
            }
            sql.asked_blocks.update_value(|asked| asked.push(block));
            sql.engine.with_value(|engine| {
                if let Some(engine) = engine {
                    engine.rows(block * SQL_BLOCK, SQL_BLOCK);
                }
            });
        }
    }

    /// Saves all rows of the answer as CSV.
    pub fn save_sql(self) {
        self.sql.engine.with_value(|engine| {
            if let Some(engine) = engine {
                engine.csv();
            }
        });
    }

    fn hear_sql(self, event: SqlEvent) {
        let sql = self.sql;
        match event {
            SqlEvent::Ready => self.give_sql(),
            SqlEvent::Opened(names) => {
                sql.names.set(Arc::new(names));
                sql.status.set(SqlStatus::Ready);
                // Something may have been opened meanwhile.
                if sql.given.get_value() == Some(self.version.get_untracked()) {
                    self.ask_waiting_sql();
                } else {
                    self.give_sql();
                }
            }
            SqlEvent::Failed(why) => sql.status.set(SqlStatus::Failed(why)),
            SqlEvent::Answer(answer) => {
                sql.clear_rows();
                sql.answer.set(Some(Arc::new(answer)));
                sql.status.set(SqlStatus::Ready);
                self.ask_waiting_sql();
            }
            SqlEvent::Refused(error) => {
                sql.clear_rows();
                sql.answer.set(None);
                sql.error.set(Some(Arc::new(error)));
                sql.status.set(SqlStatus::Ready);
                self.ask_waiting_sql();
            }
            SqlEvent::Rows(first, cells) => {
                sql.blocks.update_value(|blocks| {
                    blocks.push((first / SQL_BLOCK, Arc::new(cells)));
                    if blocks.len() > MAX_BLOCKS {
                        let (gone, _) = blocks.remove(0);
                        sql.asked_blocks.update_value(|asked| asked.retain(|known| *known != gone));
                    }
                });
                sql.n_come.update(|n| *n += 1);
            }
            SqlEvent::Csv(bytes) => self.save(&crate::worker::protocol::Download {
                name: words::CSV_NAME.to_owned(),
                mime: "text/csv".to_owned(),
                bytes,
            }),
            SqlEvent::Died(why) => {
                sql.engine.set_value(None);
                sql.status.set(SqlStatus::Failed(words::died(&why)));
            }
        }
    }
}
