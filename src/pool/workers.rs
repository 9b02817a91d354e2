//! Readers as workers of the workspace: started ahead, given one job at a time, replaced when they die.

mod outgoing;
mod reader_state;
mod runner;
mod tables;

use super::death::Death;
use super::help::For;
use super::look_ahead::LookedAhead;
use super::message::PoolMessage;
use super::reader_pool::{JobEvent, Urgency};
use crate::browser::{FetchedBatch, later, source};
use crate::model::TableParts;
use crate::readers::from_bytes;
use js_sys::{Array, Float64Array, Function, Reflect, Uint8Array};
use outgoing::{Hears, envelope};
use reader_state::{Doing, ReaderProgram, ReaderState};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
pub(super) use tables::{MIN_AHEAD_BYTES, streams, take_tables};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{ErrorEvent, Event as DomEvent, MessageEvent, Worker};

/// Milliseconds before another takes the place of a reader that is ended with the last job: what has been read is being drawn,
/// and all cores are wanted for it.
const REST_MS: u32 = 1_000;

/// Readers that are workers of this one.
#[derive(Clone)]
pub struct Workers(Rc<ProgramInner>);

struct ProgramInner {
    /// `startReader` of scripts/page/worker.js.
    start: Function,
    /// What each is called: `reader`, and what the address asks of it.
    name: String,
    n_wanted: usize,
    next: Cell<u32>,
    state: RefCell<ReaderState>,
}

impl Workers {
    /// Starts `n_wanted` readers, called `name`. `None` where the page has no reader program, or a worker
    /// cannot have workers.
    pub fn start(n_wanted: usize, name: &str) -> Option<Self> {
        let start = Reflect::get(&js_sys::global(), &"startReader".into()).ok()?;
        let start: Function = start.dyn_into().ok()?;
        // Safari had no workers in workers for long.
        Reflect::get(&js_sys::global(), &"Worker".into()).ok().filter(JsValue::is_function)?;
        let inner = ProgramInner {
            start,
            name: name.to_owned(),
            n_wanted,
            next: Cell::new(0),
            state: RefCell::default(),
        };
        let workers = Self(Rc::new(inner));
        workers.fill();
        Some(workers)
    }

    /// Ends what is being done and forgets what waits.
    pub fn cancel(&self) {
        let mut state = self.0.state.borrow_mut();
        state.queue.clear();
        let (busy, idle): (Vec<ReaderProgram>, Vec<ReaderProgram>) =
            std::mem::take(&mut state.readers)
                .into_iter()
                .partition(|reader| !reader.tasks.is_empty());
        state.readers = idle;
        drop(state);
        // They end, and with the senders goes what waits for them.
        drop(busy);
        self.fill();
    }

    /// Starts as many as are missing.
    fn fill(&self) {
        loop {
            {
                let state = self.0.state.borrow();
                if state.readers.len() >= state.n_needed(self.0.n_wanted) || state.is_hopeless() {
                    return;
                }
            }
            if !self.spawn() {
                self.0.state.borrow_mut().n_stillborn += 1;
            }
        }
    }

    fn spawn(&self) -> bool {
        let number = self.0.next.replace(self.0.next.get() + 1);
        let name = JsValue::from_str(&self.0.name);
        let Ok(worker) = self.0.start.call1(&JsValue::NULL, &name) else { return false };
        let worker: Worker = worker.unchecked_into();
        let owner = Rc::downgrade(&self.0);
        let receive = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(inner) = owner.upgrade() {
                Self(inner).receive(number, &event.data());
            }
        });
        worker.set_onmessage(Some(receive.as_ref().unchecked_ref()));
        let owner = Rc::downgrade(&self.0);
        let fail = Closure::<dyn FnMut(DomEvent)>::new(move |event: DomEvent| {
            let thrown = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
            if let Some(inner) = owner.upgrade() {
                Self(inner).died(number, &thrown.unwrap_or_default());
            }
        });
        worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(fail.as_ref().unchecked_ref()));
        self.0.state.borrow_mut().readers.push(ReaderProgram {
            number,
            worker,
            is_ready: false,
            tasks: Vec::new(),
            panic: None,
            heap_bytes: 0.0,
            _receive: receive,
            _fail: fail,
        });
        true
    }

    fn receive(&self, number: u32, message: &JsValue) {
        let get = |name: &str| Reflect::get(message, &name.into()).unwrap_or_default();
        let is = |name: &str| get(name).is_truthy();
        let streams = || Array::from(&get("tables"));
        let (mut is_passed, mut passed) = (false, None);
        let mut done = None;
        let mut has_rest = false;
        {
            let mut state = self.0.state.borrow_mut();
            let state = &mut *state;
            let Some(at) = state.readers.iter().position(|reader| reader.number == number) else {
                return;
            };
            let Some(reader) = state.readers.get_mut(at) else { return };
            if is("isReady") {
                reader.is_ready = true;
                state.has_come_up = true;
            } else if let Some(panic) = get("panic").as_string() {
                reader.panic = Some(panic);
                return;
            } else {
                let task = get("task").as_f64().unwrap_or_default();
                let is_it = |doing: &Doing| f64::from(doing.number) == task;
                let Some(doing_at) = reader.tasks.iter().position(is_it) else { return };
                let Some(doing) = reader.tasks.get_mut(doing_at) else { return };
                let is_last = is("isLast");
                if let Some(is_waiting) = get("isWaiting").as_bool() {
                    doing.is_waiting = is_waiting;
                } else if is("isAhead") {
                    match doing.urgency {
                        Urgency::Help(_) => doing.passing = doing.passing.concat(&streams()),
                        _ => take_tables(&mut doing.tables, &streams()),
                    }
                } else if is("isKept") {
                    is_passed = true;
                } else if let (true, Urgency::Help(whom)) = (is_last, doing.urgency) {
                    is_passed = true;
                    passed = Some((whom, doing.passing.concat(&streams())));
                } else if let Hears::Events(events) = &doing.hears {
                    let body = get("body").unchecked_into::<Uint8Array>().to_vec();
                    let blobs = Array::from(&get("sources"));
                    // A file without its source is missed where it is wanted.
                    let sources =
                        blobs.iter().filter_map(|blob| source(blob.unchecked_into()).ok());
                    let sources = sources.collect();
                    let mut tables = TableParts::default();
                    if is_last {
                        tables = std::mem::take(&mut doing.tables);
                        take_tables(&mut tables, &streams());
                    }
                    let said = PoolMessage { body, sources, tables: tables.finish() };
                    // Who asked may have left.
                    let _ = events.unbounded_send(JobEvent::Said(said));
                }
                if is_last {
                    done = Some(reader.tasks.remove(doing_at).hears);
                    reader.heap_bytes = get("heap").as_f64().unwrap_or_default();
                    has_rest = state.shed(self.0.n_wanted);
                }
            }
        }
        if let Some((whom, tables)) = passed {
            // As it is: what is known of a large file would fill this program's heap.
            self.pass(whom, &get("body").unchecked_into(), &tables);
        }
        match done {
            Some(Hears::Fetched(batch, sender)) => {
                let lens = get("lens").unchecked_into::<Float64Array>().to_vec();
                let looked = get("looked").unchecked_into::<Uint8Array>().to_vec();
                // What is not understood is looked at later.
                let looked: Vec<Option<LookedAhead>> = from_bytes(&looked).unwrap_or_default();
                let told = looked.into_iter().map(|own| Some(Box::new(own?) as Box<dyn Any>));
                let bytes: Uint8Array = get("body").unchecked_into();
                batch.settle(bytes.length());
                // Who asked may have left.
                let _ = sender.send(FetchedBatch { bytes, lens, told: told.collect() });
            }
            Some(hears) if is_passed => hears.hear(JobEvent::Passed),
            _ => {}
        }
        if has_rest {
            let owner = Rc::downgrade(&self.0);
            later(REST_MS, move || {
                if let Some(inner) = owner.upgrade() {
                    Self(inner).fill();
                }
            });
            return;
        }
        self.fill();
        self.pump();
    }

    /// A reader has stopped: its jobs hear of it, and another takes its place.
    fn died(&self, number: u32, thrown: &str) {
        let reader = {
            let mut state = self.0.state.borrow_mut();
            let found = state.readers.iter().position(|reader| reader.number == number);
            let Some(at) = found else { return };
            let reader = state.readers.remove(at);
            state.n_stillborn += u32::from(!reader.is_ready && !state.has_come_up);
            // Nobody waits for these any more.
            state.queue.retain(
                |task| !matches!(task.urgency, Urgency::Help(whom) if reader.is_at(whom.job)),
            );
            reader
        };
        let reason = Death { panic: reader.panic.as_deref(), thrown }.reason();
        for doing in &reader.tasks {
            doing.hears.hear(JobEvent::Died(reason.clone()));
        }
        drop(reader);
        self.fill();
        self.pump();
    }

    /// Gives waiting jobs to free readers.
    fn pump(&self) {
        let mut state = self.0.state.borrow_mut();
        let state = &mut *state;
        if state.is_hopeless() {
            for task in state.queue.drain(..) {
                task.hears.hear(JobEvent::Nobody);
            }
            return;
        }
        while let Some(task) = state.queue.front() {
            let has_room = |reader: &&mut ReaderProgram| reader.has_room(task);
            let free = state.readers.iter_mut().filter(has_room);
            let Some(reader) = free.min_by_key(|reader| reader.tasks.len()) else { return };
            let Some(task) = state.queue.pop_front() else { return };
            let own = match task.urgency {
                Urgency::Help(whom) => Some(whom).filter(|whom| reader.is_at(whom.job)),
                _ => None,
            };
            if task.said.post(task.number, own, &reader.worker).is_err() {
                task.hears.hear(JobEvent::Nobody);
                continue;
            }
            reader.tasks.push(Doing {
                number: task.number,
                urgency: task.urgency,
                hears: task.hears,
                is_waiting: false,
                tables: TableParts::default(),
                passing: Array::new(),
            });
        }
    }

    /// Posts what was said of a stretch to the reader whose job waits for it; `body` and `tables` are gone then.
    fn pass(&self, whom: For, body: &Uint8Array, tables: &Array) {
        let state = self.0.state.borrow();
        let is_it = |reader: &&ReaderProgram| reader.is_at(whom.job);
        let Some(reader) = state.readers.iter().find(is_it) else { return };
        let message = envelope(whom.job, body).and_then(|message| {
            Reflect::set(&message, &"help".into(), &whom.help.into())?;
            Reflect::set(&message, &"nth".into(), &whom.nth.into())?;
            Reflect::set(&message, &"tables".into(), tables)?;
            Ok(message)
        });
        let transferred = Array::of1(&body.buffer());
        for table in tables.iter() {
            transferred.push(&table.unchecked_into::<Uint8Array>().buffer());
        }
        // A reader that cannot be posted to is dead, which is noticed.
        let _ = message
            .and_then(|message| reader.worker.post_message_with_transfer(&message, &transferred));
    }
}
