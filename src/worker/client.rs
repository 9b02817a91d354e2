//! The page's end of the worker.
//!
//! ```text
//!  ask ──> questions ─┐                        ┌─> pending ──> on_answer
//!                     ├─ (ready, restored) ──> worker
//!  change ─> changes ─┘   one at a time        └─> journal (what succeeded)
//! ```
//!
//! Nothing is sent before the worker is ready. Changes of the workspace go one at a time, and those
//! that succeeded are kept in a journal; when the worker dies, a new one is started and does them
//! again. Answers to questions that were asked before a change are dropped: the page asks anew. A question
//! whose answer is wanted no more is withdrawn, so that the worker leaves it out if it has not begun.

mod posting;

use super::protocol::{
    Answer, Failure, Question, Request, Task, ToPage, ToWorker, from_bytes, to_bytes,
};
use crate::browser::{PickedFile, keep_worker, turn, worker_program};
use crate::report::{Progress, Tree};
use js_sys::{Array, Reflect, Uint8Array};
use posting::{envelope, post_files, start_worker, thrown};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{ErrorEvent, Event as DomEvent, MessageEvent, Worker};

/// After so many deaths the page stops starting new workers.
const MAX_DEATHS: u32 = 5;

/// Setting: how many readers are started; nothing: as many as there are cores.
pub const READERS_SETTING: &str = "readers";

/// A question that was asked, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingAnswer(u64);

/// What receives an answer.
pub type OnAnswer = Box<dyn FnOnce(Result<Answer, Failure>)>;

/// What the worker does by itself.
pub enum WorkerEvent {
    /// It has come further with opening.
    Progress(Progress),
    /// Whether it fetches cases out of a dataset for a question.
    Fetching(bool),
    /// It died. A new one is being started, or not.
    Died {
        /// What the browser said.
        reason: String,
        /// Whether a new one is being started.
        is_restarting: bool,
    },
    /// A new one has opened again what was open.
    Restored(Tree),
}

/// The connection. Clones are the same connection.
#[derive(Clone)]
pub struct Client(Rc<ClientInner>);

struct ClientInner {
    state: RefCell<ClientState>,
    on_event: Box<dyn Fn(WorkerEvent)>,
}

#[derive(Default)]
struct ClientState {
    worker: Option<Worker>,
    is_ready: bool,
    n_deaths: u32,
    next_id: u64,
    generation: u64,
    n_asked: u64,
    questions: Vec<(PendingAnswer, Request, OnAnswer)>,
    /// With the id of the request.
    pending: Vec<(u64, PendingAnswer, OnAnswer)>,
    changes: VecDeque<PendingStep>,
    current: Option<(u64, PendingStep)>,
    journal: Vec<WorkspaceStep>,
    /// Files that came beside the last answer that had some.
    files: Option<Array>,
}

/// A change of the workspace, as it can be done again.
#[derive(Clone)]
struct WorkspaceStep {
    request: Request,
    files: Vec<PickedFile>,
}

/// A step to be done; without `on_answer` it is one that is done again.
struct PendingStep {
    step: WorkspaceStep,
    on_answer: Option<OnAnswer>,
}

impl Client {
    /// Starts the worker. `on_event` hears what it does by itself.
    pub fn start(on_event: impl Fn(WorkerEvent) + 'static) -> Self {
        let client =
            Self(Rc::new(ClientInner { state: RefCell::default(), on_event: Box::new(on_event) }));
        client.spawn();
        client
    }

    /// Asks; the answer is dropped when the workspace changes before it comes.
    pub fn ask(
        &self,
        request: impl Into<Request>,
        on_answer: impl FnOnce(Result<Answer, Failure>) + 'static,
    ) -> PendingAnswer {
        let asked = {
            let mut state = self.0.state.borrow_mut();
            state.n_asked += 1;
            PendingAnswer(state.n_asked)
        };
        if self.is_gone() {
            on_answer(Err(gone("the worker has stopped")));
            return asked;
        }
        self.0.state.borrow_mut().questions.push((asked, request.into(), Box::new(on_answer)));
        self.pump();
        asked
    }

    /// The answer to `asked` is wanted no more; without one that is still to come nothing happens.
    pub fn withdraw(&self, asked: PendingAnswer) {
        let mut state = self.0.state.borrow_mut();
        state.questions.retain(|(own, ..)| *own != asked);
        let Some(at) = state.pending.iter().position(|(_, own, _)| *own == asked) else { return };
        let (id, _, _on_answer) = state.pending.swap_remove(at);
        state.send(Request::Withdraw(id), false);
    }

    /// Changes the workspace: `Open` and `Reload` (with files), `Remove`, `Clear`, `Rules`.
    pub fn change(
        &self,
        request: impl Into<Request>,
        files: Vec<PickedFile>,
        on_answer: impl FnOnce(Result<Answer, Failure>) + 'static,
    ) {
        if self.is_gone() {
            return on_answer(Err(gone("the worker has stopped")));
        }
        let step = WorkspaceStep { request: request.into(), files };
        let change = PendingStep { step, on_answer: Some(Box::new(on_answer)) };
        self.0.state.borrow_mut().changes.push_back(change);
        self.pump();
    }

    /// Stops what is being opened, and forgets what waits to be opened.
    pub fn cancel(&self) {
        let waiting: VecDeque<PendingStep> = {
            let mut state = self.0.state.borrow_mut();
            let (opens, others) =
                std::mem::take(&mut state.changes).into_iter().partition(|change| {
                    matches!(change.step.request, Request::Task(Task::Open { .. }))
                });
            state.changes = others;
            opens
        };
        for on_answer in waiting.into_iter().filter_map(|change| change.on_answer) {
            on_answer(Err(Failure::Cancelled));
        }
        self.0.state.borrow_mut().send(Request::Cancel, false);
    }

    /// The files that came beside the answer that has just come.
    pub fn take_files(&self) -> Array {
        self.0.state.borrow_mut().files.take().unwrap_or_default()
    }

    /// Whether there is no worker and will be none.
    fn is_gone(&self) -> bool {
        let state = self.0.state.borrow();
        state.worker.is_none() && state.n_deaths > 0
    }

    fn spawn(&self) {
        let program = worker_program().unwrap_or_default();
        let (worker, said) = match start_worker(&program) {
            Ok(started) => started,
            Err(err) => {
                let reason = format!("the browser gives out no worker: {}", thrown(&err));
                return (self.0.on_event)(WorkerEvent::Died { reason, is_restarting: false });
            }
        };
        // Messages and errors of a worker may come after another one has taken its place.
        let nth = self.0.state.borrow().n_deaths;
        let client = self.clone();
        let receive = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if client.0.state.borrow().n_deaths == nth {
                client.receive(&event.data());
            }
        });
        worker.set_onmessage(Some(receive.as_ref().unchecked_ref()));
        let client = self.clone();
        let fail = Closure::<dyn FnMut(DomEvent)>::new(move |event: DomEvent| {
            if client.0.state.borrow().n_deaths != nth {
                return;
            }
            let reason = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
            let reason = reason.filter(|reason| !reason.is_empty());
            client.died(&reason.unwrap_or_else(|| "its program could not be loaded".to_owned()));
        });
        worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(fail.as_ref().unchecked_ref()));
        // A worker is as old as the page, or dead after a handful of these.
        receive.forget();
        fail.forget();
        keep_worker(&worker);
        self.0.state.borrow_mut().worker = Some(worker);
        for message in said {
            self.receive(&message);
        }
    }

    fn receive(&self, message: &JsValue) {
        let body = Reflect::get(message, &"body".into()).unwrap_or_default();
        let files = Reflect::get(message, &"files".into()).unwrap_or_default();
        if let Ok(files) = files.dyn_into::<Array>() {
            self.0.state.borrow_mut().files = Some(files);
        }
        match from_bytes(&Uint8Array::new(&body).to_vec()) {
            Ok(ToPage::Ready) => {
                self.0.state.borrow_mut().is_ready = true;
                self.pump();
            }
            Ok(ToPage::Progress(progress)) => (self.0.on_event)(WorkerEvent::Progress(progress)),
            Ok(ToPage::Fetching(is_on)) => (self.0.on_event)(WorkerEvent::Fetching(is_on)),
            Ok(ToPage::Answer { id, generation, answer }) => self.answered(id, generation, answer),
            Err(failure) => self.died(&failure.to_string()),
        }
    }

    fn answered(&self, id: u64, generation: u64, answer: Result<Answer, Failure>) {
        let mut state = self.0.state.borrow_mut();
        if state.current.as_ref().is_none_or(|(current, _)| *current != id) {
            let on_answer = state.taken(id).filter(|_| generation == state.generation);
            drop(state);
            if let Some(on_answer) = on_answer {
                on_answer(answer);
            }
            return;
        }
        let Some((_, change)) = state.current.take() else { return };
        if answer.is_ok() {
            state.generation += 1;
            state.keep(change.step);
        }
        let is_restored = change.on_answer.is_none() && !state.is_restoring();
        drop(state);
        match (change.on_answer, answer) {
            (Some(on_answer), answer) => on_answer(answer),
            (None, Ok(Answer::Workspace(tree))) if is_restored => {
                (self.0.on_event)(WorkerEvent::Restored(tree));
            }
            (None, _) => {}
        }
        self.pump();
    }

    /// Sends what may be sent now.
    fn pump(&self) {
        let mut state = self.0.state.borrow_mut();
        if !state.is_ready {
            return;
        }
        if state.current.is_none()
            && let Some(change) = state.changes.pop_front()
        {
            let has_files = !change.step.files.is_empty();
            let id = state.send(change.step.request.clone(), has_files);
            state.current = Some((id, change));
            if has_files {
                let client = self.clone();
                spawn_local(async move { client.send_files(id).await });
            }
        }
        if state.is_restoring() {
            return;
        }
        for (asked, request, on_answer) in std::mem::take(&mut state.questions) {
            let id = state.send(request, false);
            state.pending.push((id, asked, on_answer));
        }
    }

    /// Posts the files of request `id`, in slices, until another one is at work.
    async fn send_files(&self, id: u64) {
        let mut next = Some(0);
        while let Some(n_sent) = next {
            next = self.0.state.borrow().post_files(id, n_sent);
            turn().await;
        }
    }

    /// Starts a new worker in the place of the one that died, and has it do again what succeeded.
    fn died(&self, reason: &str) {
        let mut state = self.0.state.borrow_mut();
        let Some(worker) = state.worker.take() else { return };
        worker.terminate();
        state.n_deaths += 1;
        // A program that never came up will not come up the next time either.
        let is_restarting = state.is_ready && state.n_deaths < MAX_DEATHS;
        state.is_ready = false;
        let current = state.current.take().and_then(|(_, change)| change.on_answer);
        let mut lost: Vec<_> = std::mem::take(&mut state.pending)
            .into_iter()
            .map(|(.., on_answer)| on_answer)
            .chain(current)
            .collect();
        if !is_restarting {
            let changes = std::mem::take(&mut state.changes);
            lost.extend(changes.into_iter().filter_map(|change| change.on_answer));
            let questions = std::mem::take(&mut state.questions);
            lost.extend(questions.into_iter().map(|(.., on_answer)| on_answer));
        }
        let again = std::mem::take(&mut state.journal);
        for step in again.into_iter().rev() {
            state.changes.push_front(PendingStep { step, on_answer: None });
        }
        drop(state);
        (self.0.on_event)(WorkerEvent::Died { reason: reason.to_owned(), is_restarting });
        let reason = format!("the worker stopped while working on this: {reason}");
        for on_answer in lost {
            on_answer(Err(gone(&reason)));
        }
        if is_restarting {
            self.spawn();
        }
    }
}

impl ClientState {
    /// Whether a new worker is still doing again what an older one had done.
    fn is_restoring(&self) -> bool {
        let is_again = |change: &PendingStep| change.on_answer.is_none();
        self.current.as_ref().is_some_and(|(_, change)| is_again(change))
            || self.changes.front().is_some_and(is_again)
    }

    /// Keeps a step that succeeded. Once something is opened after everything was forgotten, what
    /// was there before cannot come back, and only the rules and the look still matter.
    fn keep(&mut self, step: WorkspaceStep) {
        if let Request::Task(Task::Reload { drop }) = step.request {
            return self.keep_again(drop, step.files);
        }
        if let Request::Task(Task::Columns(change)) = &step.request
            && let Some(WorkspaceStep { request: Request::Task(Task::Columns(last)), .. }) =
                self.journal.last_mut()
        {
            *last = std::mem::take(last).then(change.clone());
            return;
        }
        let is_last_clear = self
            .journal
            .last()
            .is_some_and(|last| matches!(last.request, Request::Question(Question::Clear)));
        if is_last_clear && matches!(step.request, Request::Task(Task::Open { .. })) {
            self.journal.retain(|step| {
                matches!(
                    step.request,
                    Request::Question(Question::Rules(_) | Question::Look(_))
                        | Request::Task(Task::Columns(_))
                )
            });
        }
        self.journal.push(step);
    }

    /// Puts files that were read again in the place of those that were opened: older ones cannot be read
    /// once they have changed.
    fn keep_again(&mut self, drop: u32, files: Vec<PickedFile>) {
        let opened =
            self.journal.iter_mut().rev().find(
                |step| matches!(step.request, Request::Task(Task::Open { drop: own, .. }) if own == drop),
            );
        let Some(opened) = opened else { return };
        for file in files {
            match opened.files.iter_mut().find(|known| known.path == file.path) {
                Some(known) => *known = file,
                None => opened.files.push(file),
            }
        }
    }

    /// Who waits for the answer to request `id`.
    fn taken(&mut self, id: u64) -> Option<OnAnswer> {
        let at = self.pending.iter().position(|(pending, ..)| *pending == id)?;
        Some(self.pending.swap_remove(at).2)
    }

    /// Posts `request` and returns its id. A message that cannot be posted is never answered; only a
    /// dead worker brings that about, and its death is noticed.
    fn send(&mut self, request: Request, has_files: bool) -> u64 {
        self.next_id += 1;
        let message = ToWorker { id: self.next_id, generation: self.generation, request };
        if let (Ok(bytes), Some(worker)) = (to_bytes(&message), &self.worker) {
            // See above.
            let _ = envelope(&bytes, has_files).and_then(|message| worker.post_message(&message));
        }
        self.next_id
    }

    /// Posts files of request `id`, as many as a slice has time for, after the first `n_sent`; how many
    /// have been posted then, if some are left.
    fn post_files(&self, id: u64, n_sent: usize) -> Option<usize> {
        let (_, change) = self.current.as_ref().filter(|(current, _)| *current == id)?;
        let (worker, files) = (self.worker.as_ref()?, change.step.files.get(n_sent..)?);
        let n_posted = n_sent + post_files(worker, id, files);
        (n_posted < change.step.files.len()).then_some(n_posted)
    }
}

/// Why there is no answer from a worker that has stopped.
fn gone(reason: &str) -> Failure {
    Failure::File { path: None, reason: reason.to_owned() }
}
