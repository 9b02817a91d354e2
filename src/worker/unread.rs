//! Cases that lie in a dataset until an answer needs them.

use super::compare::CompareQuestion;
use super::core::Core;
use super::protocol::{Answer, Failure, Question, Task};
use crate::address::CompareView;
use crate::format::counted;
use crate::input::Pulse;
use crate::readers::{Error, Given, RunRead};
use crate::report::compare::{SideSpec, suggested_sides};
use crate::report::{Target, Topic};
use crate::workspace::{RunOrder, UnreadRun, Workspace};
use futures_util::{StreamExt as _, stream};

/// Bytes that are fetched without asking, at the most.
const MAX_UNASKED: u64 = 200_000_000;

impl Core {
    /// Reads what `question` needs of datasets.
    ///
    /// # Errors
    /// [`Failure::Unread`] when that is more than is fetched without asking, or was cancelled; and when nothing of it can be
    /// read, why.
    pub(super) async fn ready_for(
        &self,
        question: &Question,
        pulse: &Pulse,
    ) -> Result<(), Failure> {
        let targets = targets_of(question, &self.workspace.borrow());
        self.read_cases(&targets, Some(MAX_UNASKED), pulse).await
    }

    /// The same for a task that works on cases.
    ///
    /// # Errors
    /// As above.
    pub(super) async fn ready_to_do(&self, task: &Task, pulse: &Pulse) -> Result<(), Failure> {
        let targets = match task {
            Task::Search { target, .. } => vec![*target],
            Task::Export { view, .. } => {
                vec![view.as_ref().map_or(Target::All, |view| view.query.target)]
            }
            Task::Seal { .. } => vec![Target::All],
            Task::Open { .. }
            | Task::Reload { .. }
            | Task::Columns(_)
            | Task::ReadCases(_)
            | Task::SqlFiles => Vec::new(),
        };
        self.read_cases(&targets, Some(MAX_UNASKED), pulse).await
    }

    /// Reads the cases of everything that is open, however many bytes that takes.
    ///
    /// # Errors
    /// When the work is cancelled, or none can be read.
    pub async fn read_all_cases(&self, pulse: &Pulse) -> Result<(), Failure> {
        self.read_cases(&[Target::All], None, pulse).await
    }

    /// The answer to [`Task::ReadCases`]. What could not be read before is tried again.
    pub(super) async fn read_asked(
        &self,
        targets: &[Target],
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        self.workspace.borrow_mut().retry(targets);
        self.read_cases(targets, None, pulse).await?;
        Ok(Answer::Workspace(self.shown_tree(&self.workspace.borrow())))
    }

    /// Reads the cases of `targets` that are not here, unless they take more than `limit` bytes. Runs that cannot be read
    /// are named in the notes; the others are here afterwards.
    async fn read_cases(
        &self,
        targets: &[Target],
        limit: Option<u64>,
        pulse: &Pulse,
    ) -> Result<(), Failure> {
        if targets.is_empty() || self.workspace.borrow().unread(targets).is_empty() {
            return self.lost(targets);
        }
        // Several questions of one page need the same.
        let _turn = self.fetching.lock().await;
        let unread = self.workspace.borrow().unread(targets);
        let n_bytes: u64 = unread.iter().map(|run| run.n_bytes).sum();
        let not_read =
            || Failure::Unread { targets: targets.to_vec(), n_runs: unread.len() as u64, n_bytes };
        if limit.is_some_and(|limit| n_bytes > limit) {
            return Err(not_read());
        }
        let orders: Vec<(UnreadRun, Result<RunOrder, Error>)> = {
            let (mut next, mut workspace) = (self.next_source.get(), self.workspace.borrow_mut());
            let order = |run: &UnreadRun| (*run, workspace.run_order(run.run, &mut next));
            let orders = unread.iter().map(order).collect();
            self.next_source.set(next);
            orders
        };
        pulse.set_file(&format!("cases of {}", counted(unread.len() as u64, "run", "runs")));
        pulse.tell(0, n_bytes).await.map_err(|_cancelled| not_read())?;
        let read = |(run, order): (UnreadRun, Result<RunOrder, Error>)| async move {
            (run, self.run_of(order).await)
        };
        let mut reading = stream::iter(orders).map(read).buffered(self.service.n_at_once());
        while let Some((run, read)) = reading.next().await {
            if read.as_ref().is_err_and(Error::is_cancelled) {
                return Err(not_read());
            }
            let label = {
                let mut workspace = self.edit();
                workspace.take_run(run.run, read);
                workspace.run(run.run).map(|(_, run)| run.label.clone())
            };
            pulse.set_file(&format!("cases of {}", label.unwrap_or_default()));
            pulse.advance(run.n_bytes).await.map_err(|_cancelled| not_read())?;
        }
        self.lost(targets)
    }

    async fn run_of(&self, order: Result<RunOrder, Error>) -> Result<RunRead, Error> {
        let RunOrder { producer, bundle, wanted } = order?;
        match self.service.again(producer, &bundle, &wanted).await? {
            Given::Run(read) => Ok(read),
            _ => Err(Error::new(crate::readers::ErrorKind::Gone)),
        }
    }

    /// Why nothing of `targets` can be shown, when that is so.
    fn lost(&self, targets: &[Target]) -> Result<(), Failure> {
        match self.workspace.borrow().why_lost(targets) {
            Some(reason) => Err(Failure::File { path: None, reason }),
            None => Ok(()),
        }
    }
}

/// What the cases are of that an answer to `question` is made of. Overview, trends, audit and rules need figures alone.
fn targets_of(question: &Question, workspace: &Workspace) -> Vec<Target> {
    match question {
        Question::Sections { topic, .. } | Question::Figure { topic, .. } => match topic {
            Topic::Statistics(target) | Topic::Failures(target) => vec![*target],
            Topic::How(name) => vec![name.target()],
            Topic::Overview(_)
            | Topic::Audit { .. }
            | Topic::Notes
            | Topic::NotesAlone
            | Topic::Trends { .. } => Vec::new(),
        },
        Question::Compare(question) => compared(question, workspace),
        Question::Cases { query, .. }
        | Question::CaseTexts(query)
        | Question::Facets(query)
        | Question::Copy { query, .. } => vec![query.target],
        Question::Neighbours(asked) => vec![asked.query.target],
        Question::Suggest { target, .. } | Question::Threshold { target, .. } => vec![*target],
        Question::Preview { run, .. } | Question::Case { run, .. } => vec![Target::Run(*run)],
        _ => Vec::new(),
    }
}

/// The sides of a comparison. The line about the newest one needs none: it stands on the first page.
fn compared(question: &CompareQuestion, workspace: &Workspace) -> Vec<Target> {
    let of_view = |view: &CompareView| view.sides.concat();
    match question {
        CompareQuestion::Page(view, target) if view.sides.is_empty() => {
            let sides = suggested_sides(workspace, *target);
            sides.into_iter().flat_map(|side: SideSpec| side.members).collect()
        }
        CompareQuestion::Page(view, _)
        | CompareQuestion::Pairs(view, ..)
        | CompareQuestion::Further(view)
        | CompareQuestion::Pair(view, ..)
        | CompareQuestion::Suggest(view, ..)
        | CompareQuestion::Ranks(view)
        | CompareQuestion::Markdown(view)
        | CompareQuestion::Html(view)
        | CompareQuestion::PairsCsv(view) => of_view(view),
        CompareQuestion::Line(_) => Vec::new(),
    }
}
