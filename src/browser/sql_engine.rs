//! The engine of the SQL page: a worker with a program of its own, started when somebody opens the page
//! (`crates/sql/src/page/serve.rs` says what messages hold).

use super::hosted::part_address;
use crate::sql::{
    SqlAnswer, SqlBar, SqlBars, SqlCell, SqlColumn, SqlCompletion, SqlError, SqlNames, SqlQuery,
    SqlTable,
};
use js_sys::{Array, Object, Reflect, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{ErrorEvent, Event as DomEvent, MessageEvent, Worker};

/// What the engine says.
#[derive(Debug, Clone, PartialEq)]
pub enum SqlEvent {
    /// Its program is there.
    Ready,
    /// The files are open.
    Opened(SqlNames),
    /// They cannot be opened, or rows cannot be shown; why.
    Failed(String),
    /// Bytes and requests that the query has cost servers so far.
    Fetched(u64, u64),
    /// The answer to the last query.
    Answer(SqlAnswer),
    /// There is none.
    Refused(SqlError),
    /// Rows of the answer from this one on: cells, one row after the other.
    Rows(u64, Vec<SqlCell>),
    /// How the text could go on.
    Completions(Vec<SqlCompletion>),
    /// The first rows as bars.
    Bars(SqlBars),
    /// All rows as CSV.
    Csv(Vec<u8>),
    /// The program has ended; why.
    Died(String),
}

/// The engine; it ends with this.
pub struct SqlEngine {
    worker: Worker,
    _receive: Closure<dyn FnMut(MessageEvent)>,
    _fail: Closure<dyn FnMut(DomEvent)>,
}

/// Whether the page comes with the engine.
pub fn has_sql_engine() -> bool {
    part_address("sql").is_some()
}

impl SqlEngine {
    /// Starts it; `None` where the page does not come with it, or the browser gives out no worker. `hear` is told what it says.
    pub fn start(hear: impl Fn(SqlEvent) + 'static) -> Option<Self> {
        let worker = Worker::new(&part_address("sql")?).ok()?;
        let hear = Rc::new(hear);
        let (told, died) = (Rc::clone(&hear), hear);
        let receive = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(event) = event_of(&event.data()) {
                told(event);
            }
        });
        worker.set_onmessage(Some(receive.as_ref().unchecked_ref()));
        let fail = Closure::<dyn FnMut(DomEvent)>::new(move |event: DomEvent| {
            event.prevent_default();
            let reason = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
            let reason = reason.filter(|reason| !reason.is_empty());
            died(SqlEvent::Died(reason.unwrap_or_else(|| "it could not be loaded".to_owned())));
        });
        worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
        Some(Self { worker, _receive: receive, _fail: fail })
    }

    /// Has it open the datasets in the folders `roots` of the files at `paths`, which `handles` stand for, in this order.
    pub fn open(&self, roots: &[String], paths: &[String], handles: &Array) {
        let list =
            |texts: &[String]| texts.iter().map(|text| JsValue::from_str(text)).collect::<Array>();
        self.tell(
            "open",
            &[
                ("roots", list(roots).into()),
                ("paths", list(paths).into()),
                ("blobs", handles.into()),
            ],
        );
    }

    /// Asks; at most `limit` bytes may come from servers.
    pub fn ask(&self, text: &str, limit: u64) {
        self.tell("ask", &[("text", text.into()), ("limit", (limit as f64).into())]);
    }

    /// Wants `n` rows of the last answer, from `first` on.
    pub fn rows(&self, first: u64, n: u64) {
        self.tell("rows", &[("first", (first as f64).into()), ("n", (n as f64).into())]);
    }

    /// Wants to know how `text` could go on at `at`, in units of UTF-16.
    pub fn complete(&self, text: &str, at: u32) {
        self.tell("complete", &[("text", text.into()), ("at", at.into())]);
    }

    /// Wants the first rows of the last answer as bars.
    pub fn bars(&self) {
        self.tell("bars", &[]);
    }

    /// Wants all rows of the last answer as CSV.
    pub fn csv(&self) {
        self.tell("csv", &[]);
    }

    fn tell(&self, kind: &str, members: &[(&str, JsValue)]) {
        let message = Object::new();
        let set = |name: &str, value: &JsValue| Reflect::set(&message, &name.into(), value);
        let filled = set("kind", &kind.into()).and_then(|_set| {
            members.iter().try_for_each(|(name, value)| set(name, value).map(drop))
        });
        // An engine that cannot be told anything has died, and says so.
        let _ = filled.and_then(|()| self.worker.post_message(&message));
    }
}

impl Drop for SqlEngine {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

fn event_of(message: &JsValue) -> Option<SqlEvent> {
    let text = |name: &str| get(message, name).as_string().unwrap_or_default();
    let number = |name: &str| get(message, name).as_f64().unwrap_or_default();
    Some(match text("kind").as_str() {
        "ready" => SqlEvent::Ready,
        "opened" => SqlEvent::Opened(names(&get(message, "names"))),
        "failed" => SqlEvent::Failed(text("message")),
        "panic" => SqlEvent::Died(text("message")),
        "fetched" => SqlEvent::Fetched(number("bytes") as u64, number("requests") as u64),
        "answer" => SqlEvent::Answer(SqlAnswer {
            columns: list(message, "columns", |column| column_of(&column)),
            n_rows: number("nRows") as u64,
            is_cut: get(message, "isCut").is_truthy(),
            millis: number("ms"),
            n_bytes: number("bytes") as u64,
            n_requests: number("requests") as u64,
        }),
        "error" => SqlEvent::Refused(SqlError {
            message: text("message"),
            place: match ["line", "column", "at"].map(|name| get(message, name).as_f64()) {
                [Some(line), Some(column), Some(at)] => {
                    Some((line as u32, column as u32, at as u32))
                }
                _ => None,
            },
            is_limit: get(message, "isLimit").is_truthy(),
        }),
        "rows" => {
            SqlEvent::Rows(number("first") as u64, list(message, "cells", |cell| cell_of(&cell)))
        }
        "completions" => {
            SqlEvent::Completions(list(message, "options", |option| completion(&option)))
        }
        "bars" => SqlEvent::Bars(bars(message)),
        "csv" => SqlEvent::Csv(get(message, "bytes").dyn_into::<Uint8Array>().ok()?.to_vec()),
        _ => return None,
    })
}

fn get(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or_default()
}

fn column_of(column: &JsValue) -> SqlColumn {
    SqlColumn {
        name: get(column, "name").as_string().unwrap_or_default(),
        is_number: get(column, "isNumber").is_truthy(),
    }
}

fn cell_of(cell: &JsValue) -> SqlCell {
    if let Some(number) = cell.as_f64() {
        SqlCell::Number(number)
    } else if let Some(is) = cell.as_bool() {
        SqlCell::Flag(is)
    } else {
        cell.as_string().map_or(SqlCell::Null, SqlCell::Text)
    }
}

fn names(said: &JsValue) -> SqlNames {
    let table = |table: JsValue| SqlTable {
        name: get(&table, "name").as_string().unwrap_or_default(),
        columns: texts(&get(&table, "columns")),
    };
    let query = |query: JsValue| {
        let mut words = texts(&query).into_iter();
        let mut next = || words.next().unwrap_or_default();
        SqlQuery { name: next(), about: next(), text: next() }
    };
    SqlNames { tables: list(said, "tables", table), queries: list(said, "queries", query) }
}

fn completion(option: &JsValue) -> SqlCompletion {
    let mut words = texts(option).into_iter();
    let mut next = || words.next().unwrap_or_default();
    let at = Reflect::get_u32(option, 3).ok().and_then(|at| at.as_f64()).unwrap_or_default();
    SqlCompletion { label: next(), note: next(), text: next(), at: at as u32 }
}

fn bars(said: &JsValue) -> SqlBars {
    let numbers = |name: &str| list(said, name, |number| number.as_f64().unwrap_or(f64::NAN));
    let (values, spans) = (numbers("values"), numbers("spans"));
    let names = texts(&get(said, "names")).into_iter();
    let bar = |((name, value), span): ((String, f64), &[f64])| SqlBar {
        name,
        value,
        span: (span.first().copied().unwrap_or_default(), span.last().copied().unwrap_or_default()),
    };
    SqlBars {
        label: get(said, "label").as_string().unwrap_or_default(),
        value: get(said, "value").as_string().unwrap_or_default(),
        bars: names.zip(values).zip(spans.chunks_exact(2)).map(bar).collect(),
        n_more: get(said, "nMore").as_f64().unwrap_or_default() as u64,
    }
}

/// The texts of a list; what is none is left out.
fn texts(list: &JsValue) -> Vec<String> {
    Array::from(list).iter().filter_map(|text| text.as_string()).collect()
}

/// What the list `name` of `of` holds.
fn list<T>(of: &JsValue, name: &str, read: impl FnMut(JsValue) -> T) -> Vec<T> {
    Array::from(&get(of, name)).iter().map(read).collect()
}
