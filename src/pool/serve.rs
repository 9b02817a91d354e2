//! The reader's end: receives jobs, has them done, posts what there is to say.

use super::death::CrashTest;
use super::help::{For, HelpWait};
use super::job::{ReaderMessage, WorkspaceLine, work};
use super::look_ahead::{LookedAhead, look_ahead};
use super::message::{MessageWriter, PoolMessage};
use super::workers::{MIN_AHEAD_BYTES, streams, take_tables};
use crate::browser::{Batch, FetchedBatch, WorkPhase, blob, fetch_small, unpack};
use crate::input::{LocalFuture, ReadAt};
use crate::model::TableParts;
use crate::readers::{FetchedFiles, to_bytes};
use js_sys::{Array, Float64Array, Object, Reflect, Uint8Array};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

struct ReaderServer {
    scope: DedicatedWorkerGlobalScope,
    trial: Option<CrashTest>,
    /// Jobs that are being done, by number.
    waiting: RefCell<HashMap<u32, Rc<HelpWait>>>,
}

/// Begins to serve. `trial`: what a test wants it to die of.
///
/// # Errors
/// When this is no worker.
pub fn start(trial: Option<CrashTest>) -> Result<(), JsValue> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    crate::input::unpack_here();
    let telling = scope.clone();
    std::panic::set_hook(Box::new(move |info| {
        let message = Object::new();
        // The program ends here; what cannot be said is said by the browser, in other words.
        let _ = Reflect::set(&message, &"panic".into(), &info.to_string().into())
            .and_then(|_set| telling.post_message(&message));
    }));
    let server = Rc::new(ReaderServer { scope, trial, waiting: RefCell::default() });
    let receiver = Rc::clone(&server);
    let receive = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        receiver.receive(&event.data());
    });
    server.scope.set_onmessage(Some(receive.as_ref().unchecked_ref()));
    receive.forget();
    let ready = Object::new();
    Reflect::set(&ready, &"isReady".into(), &true.into())?;
    server.scope.post_message(&ready)
}

impl ReaderServer {
    fn receive(self: &Rc<Self>, message: &JsValue) {
        let get = |name: &str| Reflect::get(message, &name.into()).unwrap_or_default();
        let number = get("task").as_f64().unwrap_or_default() as u32;
        let bytes = |value: JsValue| value.unchecked_into::<Uint8Array>().to_vec();
        let body = bytes(get("body"));
        if let (Some(help), Some(nth)) = (get("help").as_f64(), get("nth").as_f64()) {
            if let Some(waiting) = self.waiting.borrow().get(&number) {
                let mut tables = TableParts::default();
                take_tables(&mut tables, &Array::from(&get("tables")));
                let said = PoolMessage { body, tables: tables.finish(), ..PoolMessage::default() };
                waiting.take(help as u32, nth as u32, said);
            }
            return;
        }
        if get("fetch").is_truthy() {
            let batch = Array::from(&get("fetch"));
            let (batch, has_room) = Batch::unpack([0, 1, 2, 3].map(|nth| batch.get(nth)));
            let server = Rc::clone(self);
            return spawn_local(async move { server.fetch(number, batch, has_room).await });
        }
        let (items, kept) = (Array::from(&get("sources")), get("bytes").unchecked_into());
        let own = get("own").dyn_into::<Array>().ok().map(|place| {
            let number = |nth| place.get(nth).as_f64().unwrap_or_default() as u32;
            For { job: number(0), help: number(1), nth: number(2) }
        });
        let waiting = Rc::new(HelpWait::default());
        self.waiting.borrow_mut().insert(number, Rc::clone(&waiting));
        let line: Rc<dyn WorkspaceLine> =
            Rc::new(Post { server: Rc::clone(self), number, phase: RefCell::default() });
        let server = Rc::clone(self);
        spawn_local(async move {
            let working = WorkPhase::begin("work");
            let said = match unpack(&items, &kept) {
                Ok(sources) => {
                    let job = PoolMessage { body, sources, tables: Vec::new() };
                    work(&job, &line, &waiting).await
                }
                Err(err) => message_of(&ReaderMessage::Misread(err.to_string())),
            };
            drop(working);
            let _answering = WorkPhase::begin("answer");
            server.waiting.borrow_mut().remove(&number);
            match own {
                Some(own) => server.keep(number, own, said),
                None => server.post(number, said, true),
            }
        });
    }

    /// Keeps what was said of a stretch for a job of this reader.
    fn keep(&self, number: u32, own: For, said: PoolMessage) {
        if let Some(waiting) = self.waiting.borrow().get(&own.job) {
            waiting.take(own.help, own.nth, said);
        }
        let fields: [(&str, JsValue); 4] = [
            ("task", number.into()),
            ("isKept", true.into()),
            ("isLast", true.into()),
            ("heap", heap_bytes().into()),
        ];
        self.send(&Object::new(), &fields, &Array::new());
    }

    /// Fetches the bytes of files, and looks at them. Those that are read once more are kept if it `has_room`.
    async fn fetch(self: &Rc<Self>, number: u32, batch: Batch, has_room: bool) {
        let fetching = WorkPhase::begin("fetch");
        let fetched = batch.fetch().await;
        drop(fetching);
        let _looking = WorkPhase::begin("look ahead");
        let line: Rc<dyn WorkspaceLine> =
            Rc::new(Post { server: Rc::clone(self), number, phase: RefCell::default() });
        let looked = look_ahead(batch.whole(&fetched), &line).await;
        let is_kept = |nth: usize| {
            let looked = looked.get(nth).and_then(Option::as_ref);
            has_room && looked.is_none_or(LookedAhead::is_read_again)
        };
        let FetchedBatch { bytes, lens, .. } = batch.kept(fetched, is_kept);
        // Without it they are looked at later.
        let looked = Uint8Array::from(to_bytes(&looked).unwrap_or_default().as_slice());
        let envelope = Object::new();
        let fields: [(&str, JsValue); 6] = [
            ("task", number.into()),
            ("body", bytes.clone().into()),
            ("lens", Float64Array::from(lens.as_slice()).into()),
            ("looked", looked.clone().into()),
            ("isLast", true.into()),
            ("heap", heap_bytes().into()),
        ];
        self.send(&envelope, &fields, &Array::of2(&bytes.buffer(), &looked.buffer()));
    }

    /// A message that cannot be posted leaves the workspace waiting, so it is an uncaught error, which
    /// is noticed.
    fn post(&self, number: u32, said: PoolMessage, is_last: bool) {
        let PoolMessage { body, sources, tables } = said;
        let (envelope, bytes) = (Object::new(), Uint8Array::from(body.as_slice()));
        drop(body);
        let sources: Option<Array> =
            sources.into_iter().map(|source| blob(&*source).map(JsValue::from)).collect();
        let Some(sources) = sources else {
            wasm_bindgen::throw_str("a source cannot be passed on")
        };
        let (mut apart, mut buffers, mut n_bytes) = (Array::new(), Array::new(), 0);
        for stream in tables.into_iter().flat_map(streams) {
            let Ok(stream) = stream else { wasm_bindgen::throw_str("a table cannot be passed on") };
            buffers.push(&stream.buffer());
            n_bytes += stream.byte_length();
            apart.push(&stream);
            if n_bytes >= MIN_AHEAD_BYTES {
                // They are taken while the next are written.
                let fields: [(&str, JsValue); 3] =
                    [("task", number.into()), ("tables", apart.into()), ("isAhead", true.into())];
                self.send(&Object::new(), &fields, &buffers);
                (apart, buffers, n_bytes) = (Array::new(), Array::new(), 0);
            }
        }
        buffers.push(&bytes.buffer());
        let fields: [(&str, JsValue); 6] = [
            ("task", number.into()),
            ("body", bytes.clone().into()),
            ("sources", sources.into()),
            ("tables", apart.into()),
            ("isLast", is_last.into()),
            ("heap", heap_bytes().into()),
        ];
        self.send(&envelope, &fields, &buffers);
    }

    fn send(&self, envelope: &Object, fields: &[(&str, JsValue)], transferred: &Array) {
        let posted = fields
            .iter()
            .try_for_each(|(name, value)| {
                Reflect::set(envelope, &(*name).into(), value).map(|_set| ())
            })
            .and_then(|()| self.scope.post_message_with_transfer(envelope, transferred));
        if let Err(err) = posted {
            wasm_bindgen::throw_val(err);
        }
    }
}

fn message_of(said: &ReaderMessage) -> PoolMessage {
    match MessageWriter::default().finish(said) {
        Ok(message) => message,
        Err(err) => wasm_bindgen::throw_str(&err.to_string()),
    }
}

/// Bytes of this program's heap.
fn heap_bytes() -> f64 {
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
    f64::from(buffer.byte_length())
}

/// The line of one job.
struct Post {
    server: Rc<ReaderServer>,
    number: u32,
    phase: RefCell<Option<WorkPhase>>,
}

impl WorkspaceLine for Post {
    fn say(&self, said: &ReaderMessage) {
        self.server.post(self.number, message_of(said), false);
    }

    fn waits(&self, is_waiting: bool) {
        let message = Object::new();
        let posted = Reflect::set(&message, &"task".into(), &self.number.into())
            .and_then(|_set| Reflect::set(&message, &"isWaiting".into(), &is_waiting.into()))
            .and_then(|_set| self.server.scope.post_message(&message));
        if let Err(err) = posted {
            wasm_bindgen::throw_val(err);
        }
    }

    fn fetch<'a>(&'a self, sources: &'a [Rc<dyn ReadAt>]) -> LocalFuture<'a, FetchedFiles> {
        Box::pin(async {
            let _fetching = WorkPhase::begin("fetch small files");
            FetchedFiles::new(fetch_small(sources).await)
        })
    }

    fn begins(&self, path: &str) {
        if let Some(trial) = &self.server.trial {
            trial.meet(path);
        }
    }

    fn phase(&self, name: &'static str) {
        // The one before ends as this one begins.
        self.phase.take();
        self.phase.replace(WorkPhase::begin(name));
    }
}
