//! Messages of the page, one after the other, and their answers. While an answer waits for a server, the page may ask how a text
//! goes on; all else waits for its turn.
//!
//! Every message is an object with `kind`, its answer has the same `id`:
//!
//! | page | answer |
//! |---|---|
//! | `open`: `paths`, `blobs`, `roots` | `opened`: `names`; or `failed`: `message` |
//! | `complete`: `text`, `at` | `completions`: `options`, each `[label, note, text, at]` |
//! | `bars` | `bars`: `label`, `value`, `names`, `values`, `spans` (start and length in turn), `nMore`; no `value`: nothing to draw |
//! | `ask`: `text`, `limit` (bytes of servers) | `answer`: `columns`, `nRows`, `isCut`, `ms`, `bytes`, `requests`; or `error`: `message`, `line`, `column`, `at`, `isLimit` |
//! | | before it, while servers are asked: `fetched`: `bytes`, `requests` |
//! | `rows`: `first`, `n` | `rows`: `cells`, `first` |
//! | `csv` | `csv`: `bytes` |

use super::source::{PageFile, allow, fetched, is_spent, n_on_the_way, on_arrival, words};
use super::{names, rows};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::object_store::path::Path;
use datafusion::prelude::SessionContext;
use evalglass_sql::bars::{Bars, bars};
use evalglass_sql::completion::{Completion, Names, completions};
use evalglass_sql::file_store::FileStore;
use evalglass_sql::place::unit_of_place;
use evalglass_sql::query::{Limits, QueryError, Rows, answer};
use evalglass_sql::read_ahead::Lines;
use evalglass_sql::turns::{self, Work};
use evalglass_sql::{csv, dataset};
use js_sys::{Array, Date, Object, Reflect, Uint8Array};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;
use tokio::runtime::Runtime;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

/// What an answer may hold.
const LIMITS: Limits = Limits { rows: 1_000_000, bytes: 512 << 20 };

/// Bytes at the end of a file that are read at once, to find out what is in it: the footer of a part has 2 to 10 KB.
const TAIL: u64 = 16 << 10;

/// Files of servers that are read at the same time. Browsers have at most six requests at a time on their way to a server that
/// speaks HTTP/1.1.
const LINES: usize = 8;

/// Turns with no request on its way after which work is given up, since it would never end. A task that computes for a long time
/// ends turns like that too, but far fewer.
const MAX_IDLE: u32 = 1_000_000;

/// Milliseconds between two times that the page is told how much has come.
const TELL_EVERY: f64 = 250.0;

/// What the page is told at the end of work.
type Told = Result<JsValue, JsValue>;

struct Server {
    scope: DedicatedWorkerGlobalScope,
    runtime: Runtime,
    /// What is being worked on, between its turns.
    work: RefCell<Option<Work<Told>>>,
    /// Messages that wait until it is done.
    waiting: RefCell<VecDeque<JsValue>>,
    cx: RefCell<Option<SessionContext>>,
    kept: RefCell<Option<Rows>>,
    names: RefCell<Names>,
    /// The query that is being worked on: its id, and what servers had been asked for before it.
    asked: RefCell<Option<(JsValue, (u64, u64))>>,
    /// When the page was last told how much has come.
    told_at: Cell<f64>,
}

/// Begins to serve.
///
/// # Errors
/// When this is no worker.
pub fn start() -> Result<(), JsValue> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    let runtime = turns::runtime().map_err(|err| JsValue::from(err.to_string()))?;
    let telling = scope.clone();
    std::panic::set_hook(Box::new(move |info| {
        // The program ends here; what cannot be said is said by the browser, in other words.
        let _ = said("panic", JsValue::NULL, &[("message", info.to_string().into())])
            .and_then(|message| telling.post_message(&message));
    }));
    let server = Rc::new(Server {
        scope,
        runtime,
        work: RefCell::default(),
        waiting: RefCell::default(),
        cx: RefCell::default(),
        kept: RefCell::default(),
        names: RefCell::default(),
        asked: RefCell::default(),
        told_at: Cell::default(),
    });
    let receiver = Rc::clone(&server);
    let receive = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        if let Err(err) = receiver.receive(event.data()) {
            wasm_bindgen::throw_val(err);
        }
    });
    let worker = Rc::clone(&server);
    on_arrival(move || {
        if let Err(err) = worker.go_on().and_then(|()| worker.tell_fetched()) {
            wasm_bindgen::throw_val(err);
        }
    });
    server.scope.set_onmessage(Some(receive.as_ref().unchecked_ref()));
    receive.forget();
    server.scope.post_message(&said("ready", JsValue::NULL, &[])?)
}

/// A message.
fn said(kind: &str, id: JsValue, members: &[(&str, JsValue)]) -> Result<JsValue, JsValue> {
    let message = Object::new();
    Reflect::set(&message, &"kind".into(), &kind.into())?;
    Reflect::set(&message, &"id".into(), &id)?;
    for (name, value) in members {
        Reflect::set(&message, &(*name).into(), value)?;
    }
    Ok(message.into())
}

impl Server {
    fn receive(self: &Rc<Self>, message: JsValue) -> Result<(), JsValue> {
        let get = |name: &str| Reflect::get(&message, &name.into()).unwrap_or_default();
        let id = get("id");
        let number = |name: &str| get(name).as_f64().unwrap_or_default() as usize;
        let kind = get("kind").as_string().unwrap_or_default();
        if kind != "complete" && self.work.borrow().is_some() {
            self.waiting.borrow_mut().push_back(message);
            return Ok(());
        }
        match kind.as_str() {
            "open" => {
                let [paths, blobs, roots] =
                    ["paths", "blobs", "roots"].map(|name| Array::from(&get(name)));
                let own = Rc::clone(self);
                self.begin(async move {
                    match own.open(&paths, &blobs, &roots).await {
                        Ok(names) => said("opened", id, &[("names", names)]),
                        Err(why) => said("failed", id, &[("message", why.into())]),
                    }
                })
            }
            "ask" => {
                let text = get("text").as_string().unwrap_or_default();
                // Past the largest whole number it is the largest one.
                allow(get("limit").as_f64().unwrap_or(f64::MAX) as u64);
                let own = Rc::clone(self);
                self.asked.replace(Some((id.clone(), fetched())));
                self.begin(async move {
                    match own.ask(&text).await {
                        Ok(members) => said("answer", id, &members),
                        Err(err) => refused(id, &text, &err),
                    }
                })
            }
            "rows" => {
                let kept = self.kept.borrow();
                let cells =
                    match kept.as_ref().map(|kept| rows::cells(kept, number("first"), number("n")))
                    {
                        Some(Ok(cells)) => cells,
                        Some(Err(why)) => {
                            return self.scope.post_message(&said(
                                "failed",
                                id,
                                &[("message", why.into())],
                            )?);
                        }
                        None => Array::new().into(),
                    };
                self.scope.post_message(&said(
                    "rows",
                    id,
                    &[("cells", cells), ("first", get("first"))],
                )?)
            }
            "complete" => {
                let text = get("text").as_string().unwrap_or_default();
                let at = u32::try_from(number("at")).unwrap_or(u32::MAX);
                let found = completions(&self.names.borrow(), &text, at);
                let option = |option: &Completion| {
                    let words = [&option.label, &option.note, &option.text]
                        .map(|text| JsValue::from_str(text));
                    words.into_iter().chain([JsValue::from(option.at)]).collect::<Array>()
                };
                let options = found.iter().map(option).collect::<Array>();
                self.scope.post_message(&said("completions", id, &[("options", options.into())])?)
            }
            "bars" => {
                let kept = self.kept.borrow();
                let found = kept.as_ref().map_or(Ok(None), bars);
                let found = found.map_err(|err| JsValue::from(err.to_string()))?;
                self.scope.post_message(&bars_said(id, &found.unwrap_or_default())?)
            }
            "csv" => {
                let bytes = self.csv().map_err(JsValue::from)?;
                let bytes = Uint8Array::from(bytes.as_slice());
                let buffer = bytes.buffer();
                let message = said("csv", id, &[("bytes", bytes.into())])?;
                self.scope.post_message_with_transfer(&message, &Array::of1(&buffer))
            }
            _ => Ok(()),
        }
    }

    fn begin(self: &Rc<Self>, work: impl Future<Output = Told> + 'static) -> Result<(), JsValue> {
        self.work.replace(Some(Work::new(work)));
        self.go_on()
    }

    /// Does what can be done now, and tells the page when all is done.
    fn go_on(self: &Rc<Self>) -> Result<(), JsValue> {
        let Some(mut work) = self.work.take() else { return Ok(()) };
        for _ in 0..MAX_IDLE {
            match work.turn(&self.runtime) {
                Poll::Ready(message) => {
                    self.asked.take();
                    self.scope.post_message(&message?)?;
                    return self.take_waiting();
                }
                Poll::Pending if n_on_the_way() > 0 => {
                    self.work.replace(Some(work));
                    return Ok(());
                }
                Poll::Pending => {}
            }
        }
        Err("the engine waits for nothing".into())
    }

    fn tell_fetched(&self) -> Result<(), JsValue> {
        let (asked, now) = (self.asked.borrow(), Date::now());
        let Some((id, before)) = asked.as_ref().filter(|_| now - self.told_at.get() >= TELL_EVERY)
        else {
            return Ok(());
        };
        self.told_at.set(now);
        let (n_bytes, n_requests) = fetched();
        let members = [
            ("bytes", JsValue::from_f64((n_bytes - before.0) as f64)),
            ("requests", JsValue::from_f64((n_requests - before.1) as f64)),
        ];
        self.scope.post_message(&said("fetched", id.clone(), &members)?)
    }

    fn take_waiting(self: &Rc<Self>) -> Result<(), JsValue> {
        while self.work.borrow().is_none() {
            let next = self.waiting.borrow_mut().pop_front();
            let Some(message) = next else { break };
            self.receive(message)?;
        }
        Ok(())
    }

    /// Opens the datasets in the folders `roots` of the files.
    async fn open(&self, paths: &Array, blobs: &Array, roots: &Array) -> Result<JsValue, String> {
        let path = |text: JsValue| {
            Path::parse(text.as_string().unwrap_or_default()).map_err(|err| err.to_string())
        };
        allow(u64::MAX);
        let mut files = BTreeMap::new();
        for (name, blob) in paths.iter().zip(blobs.iter()) {
            let blob: Blob = blob.dyn_into().map_err(words)?;
            files.insert(path(name)?, PageFile::of(blob)?);
        }
        let is_remote = files.values().any(PageFile::is_remote);
        let roots = roots.iter().map(path).collect::<Result<Vec<Path>, String>>()?;
        // There is one thread, so that plans have one partition; what takes its time is servers.
        let config = dataset::config()
            .with_extension(Arc::new(Lines(if is_remote { LINES } else { 1 })))
            .with_target_partitions(1)
            .with_repartition_file_scans(false)
            .with_collect_statistics(false)
            .set_u64("datafusion.execution.parquet.metadata_size_hint", TAIL);
        let cx = SessionContext::new_with_config(config);
        let url = ObjectStoreUrl::parse("evalglass://page").map_err(|err| err.to_string())?;
        cx.register_object_store(url.as_ref(), Arc::new(FileStore::new(files)));
        let opened = async {
            dataset::register(&cx, &url, &roots).await?;
            Ok((names::tables(&cx).await?, names::queries(&cx).await?))
        };
        let opened = opened.await;
        let (tables, queries) = opened.map_err(|err| QueryError::of(&err).message)?;
        let names = Names { tables, functions: names::functions(&cx) };
        let said = names::to_js(&names, &queries).map_err(words)?;
        self.names.replace(names);
        self.kept.take();
        self.cx.replace(Some(cx));
        Ok(said)
    }

    async fn ask(&self, text: &str) -> Result<Vec<(&'static str, JsValue)>, QueryError> {
        let in_words = |message: String| QueryError { message, place: None };
        self.kept.take();
        let cx = self.cx.borrow().clone();
        let cx = cx.ok_or_else(|| in_words("nothing is open".to_owned()))?;
        let (from, before) = (Date::now(), fetched());
        let found = answer(&cx, text, LIMITS).await?;
        let now = fetched();
        let columns = rows::columns(&found).map_err(|err| in_words(words(err)))?;
        let members = vec![
            ("columns", columns),
            ("nRows", JsValue::from_f64(found.n_rows as f64)),
            ("isCut", found.is_cut.into()),
            ("ms", JsValue::from_f64(Date::now() - from)),
            ("bytes", JsValue::from_f64((now.0 - before.0) as f64)),
            ("requests", JsValue::from_f64((now.1 - before.1) as f64)),
        ];
        self.kept.replace(Some(found));
        Ok(members)
    }

    fn csv(&self) -> Result<Vec<u8>, String> {
        let (kept, mut out) = (self.kept.borrow(), Vec::new());
        if let Some(kept) = kept.as_ref() {
            let names: Vec<String> =
                kept.schema.fields().iter().map(|field| field.name().clone()).collect();
            csv::header(&names, &mut out);
            for batch in &kept.batches {
                csv::rows(batch, &mut out).map_err(|err| err.to_string())?;
            }
        }
        Ok(out)
    }
}

fn refused(id: JsValue, text: &str, err: &QueryError) -> Result<JsValue, JsValue> {
    let place = err.place.map(|(line, column)| {
        let at = f64::from(unit_of_place(text, (line, column)));
        [line as f64, column as f64, at]
    });
    let [line, column, at] = place.map_or([JsValue::NULL, JsValue::NULL, JsValue::NULL], |place| {
        place.map(JsValue::from_f64)
    });
    let members = [
        ("message", err.message.as_str().into()),
        ("line", line),
        ("column", column),
        ("at", at),
        ("isLimit", is_spent().into()),
    ];
    said("error", id, &members)
}

fn bars_said(id: JsValue, found: &Bars) -> Result<JsValue, JsValue> {
    let numbers =
        |numbers: &mut dyn Iterator<Item = f64>| numbers.map(JsValue::from_f64).collect::<Array>();
    let names = found.bars.iter().map(|bar| JsValue::from_str(&bar.name)).collect::<Array>();
    let spans = numbers(&mut found.bars.iter().flat_map(|bar| [bar.span.0, bar.span.1]));
    let members = [
        ("label", found.label.as_str().into()),
        ("value", found.value.as_str().into()),
        ("names", names.into()),
        ("values", numbers(&mut found.bars.iter().map(|bar| bar.value)).into()),
        ("spans", spans.into()),
        ("nMore", JsValue::from_f64(found.n_more as f64)),
    ];
    said("bars", id, &members)
}
