//! The worker's end: receives, lets the core answer, posts. There is no decision in here.

use super::core::Core;
use super::protocol::{
    Answer, Failure, PATH_END, Request, Task, ToPage, ToWorker, from_bytes, to_bytes,
};
use super::sql::{SqlData, SqlFiles, SqlFilesOf};
use crate::browser::{Batch, FileContent, Keep, WorkPhase, file_handles, later, turn};
use crate::input::{Dropped, Progress, Pulse};
use crate::pool::{Options, Pool, Workers};
use crate::readers::InProcess;
use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt as _, StreamExt as _};
use js_sys::{Array, Object, Reflect, Uint8Array};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

/// How long nobody must have asked for anything before what may be asked for next is prepared, in milliseconds: clicks that
/// follow each other quickly do not wait for it.
const QUIET_MS: u32 = 500;

/// Milliseconds between two messages about progress, at the least: the page draws each of them, while all cores are wanted for
/// reading.
const UNTOLD_MS: u32 = 100;

/// Files that are fetched together, at the least, where there are as many.
const MIN_FETCHED: usize = 100;

/// What all messages share.
struct WorkspaceServer {
    scope: DedicatedWorkerGlobalScope,
    core: Core,
    /// Readers beside this program; `None`: it reads our own reports by itself, and nothing else.
    readers: Option<Workers>,
    /// What makes files for the engine of the SQL page.
    sql_files: SqlFilesOf,
    /// How often the page has asked to stop; what began before then stops.
    n_cancels: Cell<u64>,
    /// Where the files of a request go, by its id.
    arriving: RefCell<HashMap<u64, UnboundedSender<JsValue>>>,
    /// Requests that have not begun, by id, in their order.
    waiting: RefCell<VecDeque<(u64, LocalBoxFuture<'static, ()>)>>,
    /// Whether somebody sees to them.
    is_serving: Cell<bool>,
    /// How many requests have waited.
    n_received: Cell<u64>,
    /// Whether the page was told just now how far the work is.
    is_told: Cell<bool>,
    /// How far it has come since.
    untold: RefCell<Option<Progress>>,
}

/// Begins to serve: says that it is ready, then answers until the page ends it. `sql_files` makes files of what is open for the
/// engine of the SQL page.
///
/// # Errors
/// When this is no worker.
pub fn start(options: &Options, sql_files: SqlFilesOf) -> Result<(), JsValue> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    // Now, while nobody has dropped anything.
    let readers = Workers::start(options.n_readers, &options.reader());
    let in_process = InProcess::of_own_reports();
    let core = match &readers {
        Some(readers) => Core::new(Box::new(Pool::new(Rc::new(readers.clone()), in_process))),
        None => Core::new(Box::new(in_process)),
    };
    let server = Rc::new(WorkspaceServer {
        scope,
        core,
        readers,
        sql_files,
        n_cancels: Cell::new(0),
        arriving: RefCell::default(),
        waiting: RefCell::default(),
        is_serving: Cell::default(),
        n_received: Cell::default(),
        is_told: Cell::default(),
        untold: RefCell::default(),
    });
    let receiver = Rc::clone(&server);
    let receive = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        receiver.receive(&event.data());
    });
    server.scope.set_onmessage(Some(receive.as_ref().unchecked_ref()));
    receive.forget();
    server.post(&ToPage::Ready);
    Ok(())
}

impl WorkspaceServer {
    fn receive(self: &Rc<Self>, message: &JsValue) {
        let get = |name: &str| Reflect::get(message, &name.into()).unwrap_or_default();
        if let Some(of) = get("of").as_f64() {
            // Files of a request that has been cancelled are nobody's.
            if let Some(sender) = self.arriving.borrow().get(&(of as u64)) {
                let _ = sender.unbounded_send(message.clone());
            }
            return;
        }
        let body = get("body");
        let ToWorker { id, generation, request } =
            match from_bytes(&Uint8Array::new(&body).to_vec()) {
                Ok(message) => message,
                Err(failure) => return self.answer(0, 0, Err(failure)),
            };
        let server = Rc::clone(self);
        match request {
            Request::Question(question) => self.wait(id, async move {
                let is_fetching = Rc::new(Cell::new(false));
                let pulse = server.pulse(Some(Rc::clone(&is_fetching)));
                let answer = server.core.answer_telling(question, &pulse).await;
                if is_fetching.get() {
                    server.post(&ToPage::Fetching(false));
                }
                server.answer(id, generation, answer);
            }),
            Request::Task(Task::SqlFiles) => {
                let pulse = self.pulse(None);
                self.wait(id, async move {
                    let (answer, files) = match server.files_for_sql(&pulse).await {
                        Ok((answer, files)) => (Ok(answer), Some(files)),
                        Err(failure) => (Err(failure), None),
                    };
                    server.post_with(&ToPage::Answer { id, generation, answer }, files.as_ref());
                });
            }
            Request::Task(task) => {
                let pulse = self.pulse(None);
                let (sender, arriving) = unbounded();
                let has_files = get("hasFiles").is_truthy();
                if has_files {
                    self.arriving.borrow_mut().insert(id, sender);
                }
                self.wait(id, async move {
                    let answer = server.do_task(task, arriving, &pulse).await;
                    if has_files {
                        server.arriving.borrow_mut().remove(&id);
                    }
                    server.answer(id, generation, answer);
                });
            }
            Request::Cancel => {
                self.n_cancels.set(self.n_cancels.get() + 1);
                if let Some(readers) = &self.readers {
                    readers.cancel();
                }
                self.answer(id, generation, Ok(Answer::Cancelling));
            }
            Request::Withdraw(id) => self.waiting.borrow_mut().retain(|(own, _)| *own != id),
        }
    }

    /// Has `work` done, which is request `id`, after those that wait.
    fn wait(self: &Rc<Self>, id: u64, work: impl Future<Output = ()> + 'static) {
        self.n_received.set(self.n_received.get() + 1);
        self.waiting.borrow_mut().push_back((id, work.boxed_local()));
        if !self.is_serving.replace(true) {
            let server = Rc::clone(self);
            spawn_local(async move { server.serve().await });
        }
    }

    /// Begins what waits, one after the other. Before each one, messages come in that were sent meanwhile: they may
    /// withdraw it.
    async fn serve(self: Rc<Self>) {
        loop {
            turn().await;
            let next = self.waiting.borrow_mut().pop_front();
            let Some((_, mut work)) = next else { break };
            // Here, and not later: the next turn comes after all that it does at once.
            if work.as_mut().now_or_never().is_none() {
                spawn_local(work);
            }
        }
        self.is_serving.set(false);
        let n_received = self.n_received.get();
        later(QUIET_MS, move || {
            if self.n_received.get() == n_received {
                spawn_local(async move { self.prepare().await });
            }
        });
    }

    /// Goes on with what may be asked for next, until somebody asks for something.
    async fn prepare(&self) {
        while !self.is_serving.get() && self.core.prepare() {
            turn().await;
        }
    }

    /// Does a task with the files that come over `arriving`.
    async fn do_task(
        &self,
        task: Task,
        arriving: UnboundedReceiver<JsValue>,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        // Small files are fetched once for all that is done with them here.
        let keep = Keep::opening();
        let fetching = WorkPhase::begin("fetch");
        let files = self.dropped(arriving, &keep, pulse).await?;
        drop(fetching);
        self.core.do_task(task, files, pulse).await
    }

    /// Tells the page how far it is, then lets the messages in that have come meanwhile. Of a question that fetches
    /// something, `is_fetching` becomes known, and is said first.
    fn pulse(self: &Rc<Self>, is_fetching: Option<Rc<Cell<bool>>>) -> Pulse {
        let (server, n_cancels) = (Rc::clone(self), self.n_cancels.get());
        let telling = Rc::clone(self);
        let phase = RefCell::new(None);
        Pulse::new(move |progress| {
            let server = Rc::clone(&server);
            let begins = is_fetching.as_ref().is_some_and(|is_told| !is_told.replace(true));
            Box::pin(async move {
                if begins {
                    server.post(&ToPage::Fetching(true));
                }
                server.tell(progress);
                turn().await;
                server.n_cancels.get() == n_cancels
            })
        })
        .on_phase(move |name| {
            // The one before ends as this one begins.
            phase.take();
            phase.replace(WorkPhase::begin(name));
        })
        .on_progress(move |progress| telling.tell(progress))
    }

    /// Tells the page how far the work is, now or, when it was told just now, in a while.
    fn tell(self: &Rc<Self>, progress: Progress) {
        if self.is_told.replace(true) {
            self.untold.replace(Some(progress));
            return;
        }
        self.post(&ToPage::Progress(progress));
        let server = Rc::clone(self);
        later(UNTOLD_MS, move || {
            server.is_told.set(false);
            if let Some(progress) = server.untold.take() {
                server.tell(progress);
            }
        });
    }

    /// The files of a request, which come over `arriving`, the small ones fetched by readers as they come.
    async fn dropped(
        &self,
        mut arriving: UnboundedReceiver<JsValue>,
        keep: &Keep,
        pulse: &Pulse,
    ) -> Result<Vec<Dropped>, Failure> {
        let (mut paths, mut fetching, mut pending) = (Vec::new(), Vec::new(), Vec::new());
        let begin = |batch: Batch| {
            let batch = Rc::new(batch);
            let fetching = self.readers.as_ref().map(|readers| readers.fetch(&batch));
            (batch, fetching)
        };
        while let Some(message) = arriving.next().await {
            let get = |name: &str| Reflect::get(&message, &name.into()).unwrap_or_default();
            let names = get("paths").as_string().unwrap_or_default();
            let files = Array::from(&get("files"));
            let files = files.iter().map(JsValue::unchecked_into::<Blob>);
            pending.extend(names.split(PATH_END).map(str::to_owned).zip(files));
            let is_last = get("isLast").is_truthy();
            if is_last || pending.len() >= MIN_FETCHED {
                paths.extend(pending.iter().map(|(path, _)| path.clone()));
                fetching.extend(keep.batches(pending.drain(..)).into_iter().map(begin));
            }
            pulse.breathe().await.map_err(|_cancelled| Failure::Cancelled)?;
            if is_last {
                break;
            }
        }
        let mut sources = Vec::with_capacity(paths.len());
        for (batch, fetching) in fetching {
            let fetched = match fetching {
                Some(fetching) => fetching.await,
                None => None,
            };
            pulse.breathe().await.map_err(|_cancelled| Failure::Cancelled)?;
            let some = keep.sources(&batch, fetched);
            sources
                .extend(some.map_err(|err| Failure::File { path: None, reason: err.to_string() })?);
        }
        Ok(paths.into_iter().zip(sources).map(|(path, data)| Dropped { path, data }).collect())
    }

    /// Everything that is open as files for the engine of the SQL page.
    async fn files_for_sql(&self, pulse: &Pulse) -> Result<(Answer, Array), Failure> {
        let SqlFiles { roots, files } = (self.sql_files)(&self.core, pulse).await?;
        let (paths, data): (Vec<String>, Vec<_>) =
            files.into_iter().map(|file| (file.path, file.data)).unzip();
        let handles = file_handles(data.iter().map(|data| match data {
            SqlData::Bytes(bytes) => FileContent::Bytes(bytes),
            SqlData::Source(source) => FileContent::Source(source),
        }));
        let handles = handles.map_err(|err| Failure::Message(err.to_string()))?;
        Ok((Answer::SqlFiles { roots, paths }, handles))
    }

    fn answer(&self, id: u64, generation: u64, answer: Result<Answer, Failure>) {
        // What is answered is done.
        self.untold.take();
        self.post(&ToPage::Answer { id, generation, answer });
    }

    /// A message that cannot be posted leaves the page waiting, so it is an uncaught error: the page
    /// notices those.
    fn post(&self, message: &ToPage) {
        self.post_with(message, None);
    }

    /// The same with files beside the message.
    fn post_with(&self, message: &ToPage, files: Option<&Array>) {
        let Ok(bytes) = to_bytes(message) else { wasm_bindgen::throw_str("unwritable message") };
        let (envelope, body) = (Object::new(), Uint8Array::from(bytes.as_slice()));
        let filled = Reflect::set(&envelope, &"body".into(), &body).and_then(|set| match files {
            Some(files) => Reflect::set(&envelope, &"files".into(), files),
            None => Ok(set),
        });
        let posted = filled.and_then(|_set| {
            self.scope.post_message_with_transfer(&envelope, &Array::of1(&body.buffer()))
        });
        if let Err(err) = posted {
            wasm_bindgen::throw_val(err);
        }
    }
}
