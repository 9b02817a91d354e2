//! What goes out to a reader, and who hears what comes of it.

use crate::browser::{Batch, FetchedBatch, Passing, pack};
use crate::pool::help::For;
use crate::pool::reader_pool::JobEvent;
use futures_channel::mpsc::UnboundedSender;
use futures_channel::oneshot;
use js_sys::{Array, Object, Reflect, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::Worker;

/// What a reader is told; written when it is posted, so that what waits holds no bytes twice.
pub(super) enum Outgoing {
    /// A job, with what it is about.
    Job { body: Uint8Array, sources: Vec<Passing> },
    /// To fetch the files of a batch.
    Fetch(Rc<Batch>),
}

/// Who hears of a job.
pub(super) enum Hears {
    /// Its events.
    Events(UnboundedSender<JobEvent>),
    /// What was fetched of the batch.
    Fetched(Rc<Batch>, oneshot::Sender<FetchedBatch>),
}

impl Hears {
    /// Tells of `event`.
    pub(super) fn hear(&self, event: JobEvent) {
        // Who asked may have left. Who waits for bytes hears of their not coming when this is dropped.
        if let Self::Events(events) = self {
            let _ = events.unbounded_send(event);
        }
    }
}

impl Outgoing {
    /// Posts it as job `number`. `own`: it is a stretch of a job of the same reader, which keeps what comes of it.
    pub(super) fn post(
        self,
        number: u32,
        own: Option<For>,
        worker: &Worker,
    ) -> Result<(), JsValue> {
        let (message, bytes) = match self {
            Self::Job { body, sources } => {
                let message = envelope(number, &body)?;
                let (items, bytes) = pack(&sources);
                Reflect::set(&message, &"sources".into(), &items)?;
                if let Some(For { job, help, nth }) = own {
                    let place = Array::of3(&job.into(), &help.into(), &nth.into());
                    Reflect::set(&message, &"own".into(), &place)?;
                }
                (message, bytes)
            }
            Self::Fetch(batch) => {
                let message = envelope(number, &Uint8Array::default())?;
                let packed: Array = batch.pack().into_iter().collect();
                Reflect::set(&message, &"fetch".into(), &packed)?;
                (message, Uint8Array::default())
            }
        };
        Reflect::set(&message, &"bytes".into(), &bytes)?;
        worker.post_message_with_transfer(&message, &Array::of1(&bytes.buffer()))
    }
}

/// `{ task, body }`.
pub(super) fn envelope(number: u32, body: &Uint8Array) -> Result<JsValue, JsValue> {
    let envelope = Object::new();
    Reflect::set(&envelope, &"task".into(), &number.into())?;
    Reflect::set(&envelope, &"body".into(), body)?;
    Ok(envelope.into())
}
