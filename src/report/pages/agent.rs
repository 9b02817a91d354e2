//! What belongs to a run beyond its cases, by name: the page about the agent.

use crate::model::{Locator, Run, RunUsage};
use crate::report::{DocumentKind, Link, RunRef, Target};
use crate::words::report::cases as words;
use crate::workspace::{Entry, Workspace};

/// The page about what the agents of runs did.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentPage {
    /// Runs that have something to show.
    Runs(Vec<AgentRun>),
    /// One run.
    Run(Box<AgentView>),
}

/// A run with documents.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentRun {
    /// Which.
    pub run: RunRef,
    /// Evaluation and run, as lists name them.
    pub labels: [String; 2],
    /// How many documents it has.
    pub n_documents: u64,
    /// The way to the last step, when it ended in an error.
    pub failed: Option<Link>,
}

/// A run and its documents.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentView {
    /// Which.
    pub run: RunRef,
    /// Evaluation and run, as lists name them.
    pub labels: [String; 2],
    /// Agent or model.
    pub subject: Option<String>,
    /// Tokens, cost, steps, time of the agent.
    pub usage: Option<RunUsage>,
    /// Documents, in the order in which they are shown.
    pub documents: Vec<DocumentLine>,
    /// The way to the last step, when there is one.
    pub last_step: Option<Link>,
    /// The runs with documents before and after it.
    pub around: [Option<RunRef>; 2],
}

/// A document, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentLine {
    /// Its place in the run.
    pub place: u32,
    /// What it is.
    pub kind: DocumentKind,
    /// What it is called.
    pub title: String,
    /// The file it was first read from.
    pub file: String,
    /// Bytes of it, where it is a whole file.
    pub len: Option<u64>,
    /// Whether it is one among several of its kind that is not the first.
    pub is_further: bool,
}

/// The page about `target`; `None` when it is not loaded. Of one run alone: that run.
pub fn agent_page(workspace: &Workspace, target: Target) -> Option<AgentPage> {
    let known: Vec<RunRef> = workspace
        .entries_of(target_of(target))
        .flat_map(|entry| {
            let of = move |nth: u32| RunRef { evaluation: entry.id, run: nth };
            let runs = entry.evaluation.runs.iter().zip(0_u32..);
            runs.filter(|(run, _)| !run.documents.is_empty()).map(move |(_, nth)| of(nth))
        })
        .collect();
    let chosen = match (target, known.as_slice()) {
        (Target::Run(run), _) => Some(run),
        (_, [only]) => Some(*only),
        _ => None,
    };
    let Some(at) = chosen else {
        if let Target::Evaluation(id) = target {
            workspace.entry(id)?;
        }
        let line = |at: RunRef| {
            let (entry, run) = workspace.run(at)?;
            let failed = has_error(run).then(|| last_step(run, at)).flatten();
            let n_documents = run.documents.len() as u64;
            Some(AgentRun { run: at, labels: labels(entry, run), n_documents, failed })
        };
        return Some(AgentPage::Runs(known.into_iter().filter_map(line).collect()));
    };
    let (entry, run) = workspace.run(at)?;
    let place = known.iter().position(|run| *run == at);
    let beside = |by: fn(usize) -> Option<usize>| known.get(by(place?)?).copied();
    Some(AgentPage::Run(Box::new(AgentView {
        run: at,
        labels: labels(entry, run),
        subject: run.key.subject.clone(),
        usage: run.usage,
        documents: lines(run),
        last_step: last_step(run, at),
        around: [beside(|place| place.checked_sub(1)), beside(|place| place.checked_add(1))],
    })))
}

/// What is looked through for the runs before and after: all of the evaluation.
fn target_of(target: Target) -> Target {
    match target {
        Target::Run(run) => Target::Evaluation(run.evaluation),
        target => target,
    }
}

fn labels(entry: &Entry, run: &Run) -> [String; 2] {
    [entry.evaluation.label.clone(), run.label.clone()]
}

fn lines(run: &Run) -> Vec<DocumentLine> {
    let mut last = None;
    let line = |(document, place): (&crate::model::RunDocument, u32)| {
        let is_further = last == Some(document.kind);
        last = Some(document.kind);
        DocumentLine {
            place,
            kind: document.kind,
            title: document.title.clone(),
            file: document.file.clone(),
            len: match document.at {
                Locator::Span { len, offset: 0, .. } => Some(len),
                _ => None,
            },
            is_further,
        }
    };
    run.documents.iter().zip(0_u32..).map(line).collect()
}

/// Whether the files say that the run ended in an error.
fn has_error(run: &Run) -> bool {
    run.documents.iter().any(|document| document.kind == DocumentKind::Error)
}

/// The way to the last step of the agent.
fn last_step(run: &Run, at: RunRef) -> Option<Link> {
    let is_transcript =
        |document: &crate::model::RunDocument| document.kind == DocumentKind::Transcript;
    let place = run.documents.iter().position(is_transcript)?;
    Some(Link::Agent { run: at, spot: format!("{place}-last") })
}

/// From an overview to what the agent did: to the last step and the error where one ended so, else to
/// all of it.
pub(in crate::report) fn ways(workspace: &Workspace, target: Target) -> Vec<(String, Link)> {
    let mut failed = Vec::new();
    let mut others = None;
    for entry in workspace.entries_of(target) {
        for (run, nth) in entry.evaluation.runs.iter().zip(0_u32..) {
            let at = RunRef { evaluation: entry.id, run: nth };
            if matches!(target, Target::Run(own) if own != at) || run.documents.is_empty() {
                continue;
            }
            if has_error(run) {
                let whole = Link::Agent { run: at, spot: String::new() };
                let link = last_step(run, at).unwrap_or(whole);
                let words = match target {
                    Target::Run(_) => words::LAST_STEP.to_owned(),
                    _ => words::last_step_of(&run.label),
                };
                failed.push((words, link));
            } else if let Target::Run(_) = target {
                let words = words::AGENT.to_owned();
                others = Some((words, Link::Agent { run: at, spot: String::new() }));
            }
        }
    }
    failed.truncate(MAX_WAYS);
    failed.extend(others);
    failed
}

/// Runs with errors that an overview names.
const MAX_WAYS: usize = 5;
