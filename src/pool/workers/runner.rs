//! What the workspace asks of the readers: jobs, and bytes of files.

use super::Workers;
use super::outgoing::{Hears, Outgoing};
use super::reader_state::QueuedJob;
use crate::browser::{Batch, CachedFile, FetchedBatch, FileSource, blob_of, passing};
use crate::input::{InputFile, ReadAt, SourceOrigin};
use crate::pool::help::For;
use crate::pool::look_ahead::LookedAhead;
use crate::pool::message::PoolMessage;
use crate::pool::reader_pool::{JobRunner, Urgency, Work};
use futures_channel::mpsc::unbounded;
use futures_channel::oneshot;
use js_sys::{Array, Uint8Array};
use std::rc::Rc;

impl JobRunner for Workers {
    fn n_readers(&self) -> usize {
        if self.0.state.borrow().is_hopeless() { 0 } else { self.0.n_wanted }
    }

    fn keep(&self, bytes: &[u8]) -> Option<Rc<dyn ReadAt>> {
        let blob = blob_of(bytes)?;
        Some(Rc::new(FileSource::new(blob).ok()?))
    }

    fn start(&self, job: &PoolMessage, urgency: Urgency) -> Option<Work> {
        let sources: Option<_> = job.sources.iter().map(|source| passing(&**source)).collect();
        let said = Outgoing::Job { body: Uint8Array::from(job.body.as_slice()), sources: sources? };
        let (sender, events) = unbounded();
        let number = self.give_out(said, urgency, Hears::Events(sender));
        Some(Work { number, events })
    }

    fn looked(&self, file: &InputFile) -> Option<LookedAhead> {
        let SourceOrigin::Handle(handle) = file.data.origin() else { return None };
        let told = handle.downcast_ref::<CachedFile>()?.take_told()?;
        told.downcast::<LookedAhead>().ok().map(|own| *own)
    }

    fn give(&self, for_whom: For, said: PoolMessage) {
        // It has no tables: those of stretches are passed on as they come, and this program has none of the readers that
        // make some.
        self.pass(for_whom, &Uint8Array::from(said.body.as_slice()), &Array::new());
    }
}

impl Workers {
    /// Has a reader fetch the bytes of `batch`; `None` when nobody did.
    pub fn fetch(&self, batch: &Rc<Batch>) -> impl Future<Output = Option<FetchedBatch>> + use<> {
        let (sender, fetched) = oneshot::channel();
        let hears = Hears::Fetched(Rc::clone(batch), sender);
        self.give_out(Outgoing::Fetch(Rc::clone(batch)), Urgency::Import, hears);
        async move { fetched.await.ok() }
    }

    /// Has a job done; its number.
    fn give_out(&self, said: Outgoing, urgency: Urgency, hears: Hears) -> u32 {
        let number = self.0.next.replace(self.0.next.get() + 1);
        let task = QueuedJob { number, said, urgency, hears };
        {
            let mut state = self.0.state.borrow_mut();
            // Somebody waits for all the others.
            let is_behind = |task: &QueuedJob| task.urgency == Urgency::Import;
            let first = state.queue.iter().position(is_behind).unwrap_or(state.queue.len());
            let at = if urgency == Urgency::Import { state.queue.len() } else { first };
            state.queue.insert(at, task);
        }
        self.fill();
        self.pump();
        number
    }
}
