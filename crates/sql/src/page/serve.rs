//! Messages of the page, one after the other, and their answers.
//!
//! Every message is an object with `kind`, its answer has the same `id`:
//!
//! | page | answer |
//! |---|---|
//! | `open`: `paths`, `blobs`, `roots` | `opened`: `names`; or `failed`: `message` |
//! | `complete`: `text`, `at` | `completions`: `options`, each `[label, note, text, at]` |
//! | `bars` | `bars`: `label`, `value`, `names`, `values`, `spans` (start and length in turn), `nMore`; no `value`: nothing to draw |
//! | `ask`: `text`, `limit` (bytes of servers) | `answer`: `columns`, `nRows`, `isCut`, `ms`, `bytes`, `requests`; or `error`: `message`, `line`, `column`, `at`, `isLimit` |
//! | `rows`: `first`, `n` | `rows`: `cells`, `first` |
//! | `csv` | `csv`: `bytes` |

use super::source::{Source, allow, fetched, is_spent, words};
use super::store::PageStore;
use super::{names, rows};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::object_store::path::Path;
use datafusion::prelude::SessionContext;
use evalglass_sql::bars::{Bars, bars};
use evalglass_sql::completion::{Completion, Names, completions};
use evalglass_sql::place::unit_of_place;
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

/// Bytes at the end of a file that are read at once, to find out what is in it: the footer of a part has 2 to 10 KB.
const TAIL: u64 = 16 << 10;

struct Server {
    scope: DedicatedWorkerGlobalScope,
    runtime: Runtime,
    cx: RefCell<Option<SessionContext>>,
    kept: RefCell<Option<Rows>>,
    names: RefCell<Names>,
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
    let server = Rc::new(Server {
        scope,
        runtime,
        cx: RefCell::default(),
        kept: RefCell::default(),
        names: RefCell::default(),
    });
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
                    Err(err) => refused(id, &text, &err)?,
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
        let names = Names { tables, functions: names::functions(&cx) };
        let said = names::to_js(&names, &queries).map_err(words)?;
        self.names.replace(names);
        self.kept.take();
        self.cx.replace(Some(cx));
        Ok(said)
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
