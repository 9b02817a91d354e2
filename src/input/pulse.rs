//! Progress, cancelling and breathing of long work.
//!
//! The worker is one thread: while it reads, no message reaches it. So every loop over input calls
//! [`Pulse::advance`] now and then; in the worker that gives the event loop a turn (and lets a cancel
//! or a question in), natively it is always ready at once.

use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;

/// How many bytes may pass between two breaths.
const BREATH_BYTES: u64 = 4 << 20;

/// How far the work has come.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Bytes done.
    pub n_done: u64,
    /// Bytes in all; 0 while that is not known. Of an export, as far as can be told.
    pub n_total: u64,
    /// File being read, or being written by an export.
    pub file: String,
}

/// The user has asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A future that stays on its thread.
pub type LocalFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

type Breath = Box<dyn Fn(Progress) -> LocalFuture<'static, bool>>;
type OnProgress = Box<dyn Fn(Progress)>;
type OnFile = Box<dyn Fn(&str)>;
type OnPhase = Box<dyn Fn(&'static str)>;

/// Handed down to everything that reads much.
pub struct Pulse {
    breath: Option<Breath>,
    on_progress: Option<OnProgress>,
    on_file: Option<OnFile>,
    on_phase: Option<OnPhase>,
    progress: RefCell<Progress>,
    since_breath: Cell<u64>,
    unreadable: RefCell<Option<(String, String)>>,
}

impl Pulse {
    /// One that never stops and tells nobody.
    pub fn silent() -> Self {
        Self {
            breath: None,
            on_progress: None,
            on_file: None,
            on_phase: None,
            progress: RefCell::default(),
            since_breath: Cell::new(0),
            unreadable: RefCell::default(),
        }
    }

    /// One that reports through `breath` every few megabytes; when the future that it returns gives
    /// `false`, the work is cancelled.
    pub fn new(breath: impl Fn(Progress) -> LocalFuture<'static, bool> + 'static) -> Self {
        Self { breath: Some(Box::new(breath)), ..Self::silent() }
    }

    /// The same; `on_progress` hears of what others have done for it ([`count`](Self::count)).
    pub fn on_progress(self, on_progress: impl Fn(Progress) + 'static) -> Self {
        Self { on_progress: Some(Box::new(on_progress)), ..self }
    }

    /// The same; `on_file` hears of each file that is begun.
    pub fn on_file(self, on_file: impl Fn(&str) + 'static) -> Self {
        Self { on_file: Some(Box::new(on_file)), ..self }
    }

    /// The same; `on_phase` hears of each part of the work that begins: the one before it has ended.
    pub fn on_phase(self, on_phase: impl Fn(&'static str) + 'static) -> Self {
        Self { on_phase: Some(Box::new(on_phase)), ..self }
    }

    /// Whether the work may wait for something: on a silent one all is to be done at once.
    pub fn may_wait(&self) -> bool {
        self.breath.is_some()
    }

    /// Says that another part of the work begins.
    pub fn set_phase(&self, name: &'static str) {
        if let Some(on_phase) = &self.on_phase {
            on_phase(name);
        }
    }

    /// Sets the number of bytes in all.
    pub fn set_total(&self, n_total: u64) {
        self.progress.borrow_mut().n_total = n_total;
    }

    /// Says which file is being read.
    pub fn set_file(&self, path: &str) {
        path.clone_into(&mut self.progress.borrow_mut().file);
        if let Some(on_file) = &self.on_file {
            on_file(path);
        }
    }

    /// The file that is being read.
    pub fn file(&self) -> String {
        self.progress.borrow().file.clone()
    }

    /// How many bytes are done.
    pub fn n_done(&self) -> u64 {
        self.progress.borrow().n_done
    }

    /// Says that the file `path` could not be read, and why.
    pub fn found_unreadable(&self, path: String, reason: String) {
        self.unreadable.borrow_mut().get_or_insert((path, reason));
    }

    /// The first file that could not be read, and why.
    pub fn unreadable(&self) -> Option<(String, String)> {
        self.unreadable.borrow().clone()
    }

    /// Counts `n_bytes` that another program has done.
    pub fn count(&self, n_bytes: u64) {
        {
            let mut progress = self.progress.borrow_mut();
            progress.n_done += n_bytes;
            // What was read by a program that then stopped is read again.
            if progress.n_total > 0 {
                progress.n_done = progress.n_done.min(progress.n_total);
            }
        }
        let since = self.since_breath.get() + n_bytes;
        self.since_breath.set(since % BREATH_BYTES);
        if let (Some(on_progress), true) = (&self.on_progress, since >= BREATH_BYTES) {
            on_progress(self.progress.borrow().clone());
        }
    }

    /// Counts `n_bytes` as done and, when enough have passed, breathes.
    ///
    /// # Errors
    /// When the work is to stop.
    pub async fn advance(&self, n_bytes: u64) -> Result<(), Cancelled> {
        self.progress.borrow_mut().n_done += n_bytes;
        let since = self.since_breath.get() + n_bytes;
        if since < BREATH_BYTES {
            self.since_breath.set(since);
            return Ok(());
        }
        self.breathe().await
    }

    /// Sets how far the work is, and breathes.
    ///
    /// # Errors
    /// When the work is to stop.
    pub async fn tell(&self, n_done: u64, n_total: u64) -> Result<(), Cancelled> {
        {
            let mut progress = self.progress.borrow_mut();
            (progress.n_done, progress.n_total) = (n_done, n_total);
        }
        self.breathe().await
    }

    /// Breathes now.
    ///
    /// # Errors
    /// When the work is to stop.
    pub async fn breathe(&self) -> Result<(), Cancelled> {
        self.since_breath.set(0);
        let Some(breath) = &self.breath else { return Ok(()) };
        let progress = self.progress.borrow().clone();
        if breath(progress).await { Ok(()) } else { Err(Cancelled) }
    }
}

/// What `work` comes to when it is done at once, as all work on a [`Pulse::silent`] is; `None` when it
/// waits for something.
pub fn at_once<T>(work: impl Future<Output = T>) -> Option<T> {
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(work).poll(&mut cx) {
        std::task::Poll::Ready(outcome) => Some(outcome),
        std::task::Poll::Pending => None,
    }
}
