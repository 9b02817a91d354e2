//! The readers of a pool, what each is doing, and what waits.

use super::outgoing::{Hears, Outgoing};
use crate::model::TableParts;
use crate::pool::reader_pool::Urgency;
use js_sys::Array;
use std::collections::VecDeque;
use wasm_bindgen::closure::Closure;
use web_sys::{Event as DomEvent, MessageEvent, Worker};

/// Deaths before the first word of any reader, after which there are none here.
const MAX_STILLBORN: u32 = 3;

/// Stretches, or batches to be fetched, that a reader is given at the same time.
const TASKS_EACH: usize = 2;

/// A reader whose heap has grown past this is replaced after its job: a heap never gets smaller.
const MAX_HEAP_BYTES: f64 = 192e6;

/// The same once there is nothing left to do: what it would keep is more than what starting another takes.
const MAX_IDLE_HEAP_BYTES: f64 = 16e6;

/// All readers, and the jobs that wait for one.
#[derive(Default)]
pub(super) struct ReaderState {
    pub(super) readers: Vec<ReaderProgram>,
    /// Jobs of stretches come first: somebody waits for them.
    pub(super) queue: VecDeque<QueuedJob>,
    /// Whether some reader has said a word.
    pub(super) has_come_up: bool,
    /// Readers that died before they said one, while none had.
    pub(super) n_stillborn: u32,
}

/// A reader, which ends when this is dropped.
pub(super) struct ReaderProgram {
    pub(super) number: u32,
    pub(super) worker: Worker,
    pub(super) is_ready: bool,
    pub(super) tasks: Vec<Doing>,
    pub(super) panic: Option<String>,
    pub(super) heap_bytes: f64,
    pub(super) _receive: Closure<dyn FnMut(MessageEvent)>,
    pub(super) _fail: Closure<dyn FnMut(DomEvent)>,
}

/// A job that is to be done.
pub(super) struct QueuedJob {
    pub(super) number: u32,
    pub(super) said: Outgoing,
    pub(super) urgency: Urgency,
    pub(super) hears: Hears,
}

/// A job that is being done.
pub(super) struct Doing {
    pub(super) number: u32,
    pub(super) urgency: Urgency,
    pub(super) hears: Hears,
    /// Whether it waits for help: its reader may help as well.
    pub(super) is_waiting: bool,
    /// Tables that came ahead of its last message.
    pub(super) tables: TableParts,
    /// The same of a stretch, as they came: they are for somebody else.
    pub(super) passing: Array,
}

impl ReaderProgram {
    /// Whether it is at job `number`.
    pub(super) fn is_at(&self, number: u32) -> bool {
        self.tasks.iter().any(|doing| doing.number == number)
    }

    /// Whether it has nothing to do.
    pub(super) fn is_free(&self) -> bool {
        self.is_ready && self.tasks.is_empty()
    }

    /// Whether it can be given `task`. Stretches and what is to be fetched come in twos, so that one is read while the
    /// bytes of the other are fetched; a reader that waits for help may help.
    pub(super) fn has_room(&self, task: &QueuedJob) -> bool {
        let is_fetch = |hears: &Hears| matches!(hears, Hears::Fetched(..));
        let busy = || self.tasks.iter().filter(|doing| !doing.is_waiting);
        let has_room_beside = |is_alike: &dyn Fn(&Doing) -> bool| {
            self.is_ready && busy().count() < TASKS_EACH && busy().all(is_alike)
        };
        match task.urgency {
            Urgency::Help(_) => has_room_beside(&|doing| matches!(doing.urgency, Urgency::Help(_))),
            _ if is_fetch(&task.hears) => has_room_beside(&|doing| is_fetch(&doing.hears)),
            _ => self.is_free(),
        }
    }
}

impl Drop for ReaderProgram {
    fn drop(&mut self) {
        // Messages and errors that are on their way come after the closures that would hear them are gone.
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.set_onmessageerror(None);
        self.worker.terminate();
    }
}

impl ReaderState {
    /// Ends readers without work whose heaps are too large to be kept, and those past `n_wanted`. Whether there is nothing
    /// left to do.
    pub(super) fn shed(&mut self, n_wanted: usize) -> bool {
        let is_idle =
            self.queue.is_empty() && self.readers.iter().all(|reader| reader.tasks.is_empty());
        let most = if is_idle { MAX_IDLE_HEAP_BYTES } else { MAX_HEAP_BYTES };
        let mut n_over = self.readers.len().saturating_sub(n_wanted);
        self.readers.retain(|reader| {
            let is_over = n_over > 0 && reader.is_ready && self.queue.is_empty();
            let is_kept = !reader.tasks.is_empty() || (reader.heap_bytes <= most && !is_over);
            if !is_kept {
                n_over = n_over.saturating_sub(1);
            }
            is_kept
        });
        is_idle
    }

    /// How many readers there are to be where `n_wanted` are started: one more while somebody waits for an
    /// answer and all of them are at work.
    pub(super) fn n_needed(&self, n_wanted: usize) -> usize {
        let is_asked = self.queue.iter().any(|task| task.urgency == Urgency::Asked);
        let is_any_free = self.readers.iter().any(ReaderProgram::is_free);
        n_wanted + usize::from(is_asked && !is_any_free)
    }

    /// Whether no reader ever came up.
    pub(super) fn is_hopeless(&self) -> bool {
        !self.has_come_up && self.n_stillborn >= MAX_STILLBORN
    }
}
