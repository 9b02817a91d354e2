//! Messages of the page, one after the other, and their answers.
//!
//! Every message is an object with `kind`, its answer has the same `id`:
//!
//! | page | answer |
//! |---|---|
//! | `open`: `paths`, `blobs`, `roots` | `opened`: `names`; or `failed`: `message` |
//! | `ask`: `text`, `limit` (bytes of servers) | `answer`: `columns`, `nRows`, `isCut`, `ms`, `bytes`, `requests`; or `error`: `message`, `line`, `column`, `isLimit` |
//! | `rows`: `first`, `n` | `rows`: `cells`, `first` |
//! | `csv` | `csv`: `bytes` |

use super::source::{Source, allow, fetched, is_spent, words};
use super::store::PageStore;
use super::{names, rows};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::object_store::path::Path;
use datafusion::prelude::SessionContext;
use evalglass_sql::query::{Limits, QueryError, Rows, answer};
use evalglass_sql::{csv, dataset};
use js_sys::{Array, Date, Object, Reflect, Uint8Array};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

/// What an answer may hold.
const LIMITS: Limits = Limits { rows: 1_000_000, bytes: 512 << 20 };

/// Bytes at the end of a file that are read at once, to find out what is in it.
const TAIL: u64 = 64 << 10;

struct Server {
    scope: DedicatedWorkerGlobalScope,
    runtime: Runtime,
    cx: RefCell<Option<SessionContext>>,
    kept: RefCell<Option<Rows>>,
}

/// Begins to serve.
///
/// # Errors
/// When this is no worker.
pub fn start() -> Result<(), JsValue> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    let runtime =
        Builder::new_current_thread().build().map_err(|err| JsValue::from(err.to_string()))?;
    let telling = scope.clone();
    std::panic::set_hook(Box::new(move |info| {
        // The program ends here; what cannot be said is said by the browser, in other words.
        let _ = said("panic", JsValue::NULL, &[("message", info.to_string().into())])
            .and_then(|message| telling.post_message(&message));
    }));
    let server =
        Rc::new(Server { scope, runtime, cx: RefCell::default(), kept: RefCell::default() });
    let receiver = Rc::clone(&server);
    let receive = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        if let Err(err) = receiver.receive(&event.data()) {
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
    fn receive(&self, message: &JsValue) -> Result<(), JsValue> {
        let get = |name: &str| Reflect::get(message, &name.into()).unwrap_or_default();
        let id = get("id");
        let number = |name: &str| get(name).as_f64().unwrap_or_default() as usize;
        match get("kind").as_string().unwrap_or_default().as_str() {
            "open" => {
                let message = match self.open(
                    &Array::from(&get("paths")),
                    &Array::from(&get("blobs")),
                    &Array::from(&get("roots")),
                ) {
                    Ok(names) => said("opened", id, &[("names", names)])?,
                    Err(why) => said("failed", id, &[("message", why.into())])?,
                };
                self.scope.post_message(&message)
            }
            "ask" => {
                let text = get("text").as_string().unwrap_or_default();
                // Past the largest whole number it is the largest one.
                allow(get("limit").as_f64().unwrap_or(f64::MAX) as u64);
                let message = match self.ask(&text) {
                    Ok(members) => said("answer", id, &members)?,
                    Err(err) => refused(id, &err)?,
                };
                self.scope.post_message(&message)
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

    /// Opens the datasets in the folders `roots` of the files.
    fn open(&self, paths: &Array, blobs: &Array, roots: &Array) -> Result<JsValue, String> {
        let path = |text: JsValue| {
            Path::parse(text.as_string().unwrap_or_default()).map_err(|err| err.to_string())
        };
        allow(u64::MAX);
        let mut files = BTreeMap::new();
        for (name, blob) in paths.iter().zip(blobs.iter()) {
            let blob: Blob = blob.dyn_into().map_err(words)?;
            files.insert(path(name)?, Source::of(blob)?);
        }
        let roots = roots.iter().map(path).collect::<Result<Vec<Path>, String>>()?;
        // One after the other: there is one thread.
        let config = dataset::config()
            .with_target_partitions(1)
            .with_collect_statistics(false)
            .set_u64("datafusion.execution.parquet.metadata_size_hint", TAIL);
        let cx = SessionContext::new_with_config(config);
        let url = ObjectStoreUrl::parse("evalglass://page").map_err(|err| err.to_string())?;
        cx.register_object_store(url.as_ref(), Arc::new(PageStore::new(files)));
        let opened = self.runtime.block_on(async {
            dataset::register(&cx, &url, &roots).await?;
            Ok((names::tables(&cx).await?, names::queries(&cx).await?))
        });
        let (tables, queries) = opened.map_err(|err| QueryError::of(&err).message)?;
        let names = names::to_js(&tables, &names::functions(&cx), &queries).map_err(words)?;
        self.kept.take();
        self.cx.replace(Some(cx));
        Ok(names)
    }

    fn ask(&self, text: &str) -> Result<Vec<(&'static str, JsValue)>, QueryError> {
        let in_words = |message: String| QueryError { message, place: None };
        self.kept.take();
        let cx = self.cx.borrow();
        let cx = cx.as_ref().ok_or_else(|| in_words("nothing is open".to_owned()))?;
        let (from, before) = (Date::now(), fetched());
        let found = self.runtime.block_on(answer(cx, text, LIMITS))?;
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

fn refused(id: JsValue, err: &QueryError) -> Result<JsValue, JsValue> {
    let (line, column) = err.place.map_or((JsValue::NULL, JsValue::NULL), |(line, column)| {
        (JsValue::from_f64(line as f64), JsValue::from_f64(column as f64))
    });
    let members = [
        ("message", err.message.as_str().into()),
        ("line", line),
        ("column", column),
        ("isLimit", is_spent().into()),
    ];
    said("error", id, &members)
}
