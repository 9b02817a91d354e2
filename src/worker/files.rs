//! What answers need of the files. The workspace reads none: readers do, and the answer is made again with
//! what they have read.

use super::core::Core;
use super::exports::{outdated, unwritten};
use super::protocol::{Answer, Failure, Question, Request, Task};
use crate::export::StepWriter;
use crate::input::{Dropped, Pulse};
use crate::readers;
use crate::workspace::{Need, Supply, SupplyRequest};
use futures_util::stream::{self, FuturesOrdered};
use futures_util::{FutureExt as _, StreamExt as _};

/// How often an answer is made again at the most: each time something else is missing, or what is loaded
/// has changed.
const MAX_ROUNDS: usize = 8;

impl Core {
    /// Answers `request`, to which no files belong that the page sends.
    ///
    /// # Errors
    /// When there is no answer; why.
    pub async fn answer_soon(&self, request: impl Into<Request>) -> Result<Answer, Failure> {
        match request.into() {
            Request::Question(question) => self.answer_question(question).await,
            Request::Task(task) => self.do_task(task, Vec::new(), &Pulse::silent()).await,
            Request::Cancel | Request::Withdraw(_) => Ok(Answer::Cancelling),
        }
    }

    /// Answers a question, once readers have read what it needs.
    ///
    /// # Errors
    /// As above.
    pub async fn answer_question(&self, question: Question) -> Result<Answer, Failure> {
        self.answer_telling(question, &Pulse::silent()).await
    }

    /// The same; `pulse` is told what is fetched for it, and stops that.
    ///
    /// # Errors
    /// As above.
    pub async fn answer_telling(
        &self,
        question: Question,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        self.ready_for(&question, pulse).await?;
        let _turn = match question {
            // Answers about cases come in the order of the questions.
            Question::Case { .. } | Question::Part(_) | Question::Text(_) => {
                Some(self.reading.lock().await)
            }
            _ => None,
        };
        self.with_files(|| self.answer_now(question.clone())).await?
    }

    /// Does a task with the files that came with it; `pulse` is told how far it is, and stops it.
    ///
    /// # Errors
    /// When it is cancelled, or nothing comes of it.
    pub async fn do_task(
        &self,
        task: Task,
        files: Vec<Dropped>,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        self.ready_to_do(&task, pulse).await?;
        match task {
            Task::ReadCases(targets) => self.read_asked(&targets, pulse).await,
            // Answered by the program around this, which alone can pass files on.
            Task::SqlFiles => {
                Err(Failure::Message("there is no engine here to be given files".to_owned()))
            }
            Task::Open { drop, pruned } => self.open_drop(drop, files, pruned, pulse).await,
            Task::Reload { drop } => self.reload(drop, files, pulse).await,
            Task::Columns(change) => self.change_columns(change, pulse).await,
            Task::Search { target, needle } => self.search(target, &needle, pulse).await,
            Task::Export { kind, view } => self.export_view(kind, view.as_ref(), pulse).await,
            Task::Seal { view, wishes } => self.seal(&view, *wishes, pulse).await,
        }
    }

    /// The same at once, where this program reads the files itself.
    ///
    /// # Errors
    /// As above; and when others read the files.
    pub fn answer(&self, request: impl Into<Request>) -> Result<Answer, Failure> {
        at_once(self.answer_soon(request))?
    }

    /// What `make` gives when everything is here that it asks of the files.
    pub(super) async fn with_files<T>(&self, make: impl Fn() -> T) -> Result<T, Failure> {
        let mut supply = Supply::default();
        for _ in 0..MAX_ROUNDS {
            self.workspace.borrow().put_supply(supply);
            let made = make();
            let missing = self.workspace.borrow().take_missing();
            self.workspace.borrow().put_supply(Supply::default());
            if missing.is_empty() {
                return Ok(made);
            }
            let n_edits = self.n_edits.get();
            supply = match self.supply_of(missing).await {
                // Somebody has cancelled something else.
                Err(err) if err.is_cancelled() => Supply::default(),
                read => read.map_err(failure)?,
            };
            if self.n_edits.get() != n_edits {
                supply = Supply::default();
            }
        }
        Err(outdated())
    }

    /// Writes something in steps, and calls `each` after every one. What the next steps need is read
    /// meanwhile.
    pub(super) async fn write<S: StepWriter>(
        &self,
        steps: &mut S,
        pulse: &Pulse,
        mut each: impl FnMut(&mut S) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let n_edits = self.n_edits.get();
        let (mut ahead, mut next) = (FuturesOrdered::new(), 0);
        loop {
            while ahead.len() <= self.service.n_at_once()
                && let Some(needs) = steps.needs(&self.workspace.borrow(), next)
            {
                ahead.push_back(self.supply_of(needs));
                next += 1;
            }
            let Some(supply) = ahead.next().await else { return Ok(()) };
            if self.n_edits.get() != n_edits {
                return Err(outdated());
            }
            self.workspace.borrow().put_supply(supply.map_err(failure)?);
            let has_more = steps.step(&self.workspace.borrow());
            let missing = self.workspace.borrow().take_missing();
            self.workspace.borrow().put_supply(Supply::default());
            if !missing.is_empty() {
                return Err(Failure::Message(
                    "a text was not read before it was written".to_owned(),
                ));
            }
            let has_more = has_more.map_err(unwritten)?;
            each(steps)?;
            if !has_more {
                return Ok(());
            }
            let (n_done, n_total) = steps.progress();
            pulse.tell(n_done, n_total).await.map_err(|_err| Failure::Cancelled)?;
        }
    }

    /// Has `needs` read.
    async fn supply_of(&self, needs: Vec<Need>) -> Result<Supply, readers::Error> {
        let orders = self.workspace.borrow().orders(&needs);
        let orders = orders.ok_or_else(|| readers::Error::new(readers::ErrorKind::Gone))?;
        let read = |order: SupplyRequest| async move {
            let given = self.service.again(order.producer, &order.bundle, &order.wanted).await;
            given.map(|given| (order, given))
        };
        let mut all = stream::iter(orders).map(read).buffered(self.service.n_at_once());
        let mut supply = Supply::default();
        while let Some(read) = all.next().await {
            let (order, given) = read?;
            supply.keep(&order, given);
        }
        Ok(supply)
    }
}

/// The result of `work`, if it is ready without waiting for another program.
pub(super) fn at_once<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let later =
        || Failure::Message("other programs read the files: the answer comes later".to_owned());
    work.now_or_never().ok_or_else(later)
}

/// Why something could not be read.
pub(super) fn failure(err: readers::Error) -> Failure {
    if err.is_cancelled() {
        return Failure::Cancelled;
    }
    Failure::File { path: err.file().map(str::to_owned), reason: err.to_string() }
}
