//! The page about what the agent of a run did: its documents by name, each read when it comes near or is
//! opened, the errors at once.

use super::{Body, FactShown, LineKind, Piece, Reading, Way, way_to_spot, whole_name};
use crate::address::{Page, Route};
use crate::format;
use crate::model::RunUsage;
use crate::render::View;
use crate::report::{AgentPage, AgentRun, AgentView, DocumentKind, DocumentLine, Link, Target};
use crate::words::reading as words;
use serde::{Deserialize, Serialize};

/// The page as it is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AgentShown {
    /// The runs, of which one is to be chosen.
    Runs(Vec<AgentRunShown>),
    /// A run.
    Run(Box<AgentRunPage>),
}

/// A run in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentRunShown {
    /// Evaluation and run.
    pub labels: [String; 2],
    /// Its address.
    pub address: String,
    /// How many documents it has.
    pub n_documents: String,
    /// The address of the last step, when it ended in an error.
    pub failed: Option<String>,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentRunPage {
    /// Evaluation and run.
    pub labels: [String; 2],
    /// The address of its overview.
    pub overview: String,
    /// The addresses of the runs before and after.
    pub around: [Option<String>; 2],
    /// Who it was, and what it used.
    pub facts: Vec<FactShown>,
    /// The address of the last step.
    pub last_step: Option<String>,
    /// Its documents.
    pub documents: Vec<DocumentShown>,
    /// The way to what the address names.
    pub spot: Option<Way>,
}

/// A document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentShown {
    /// Its place, which is its word in addresses.
    pub place: u32,
    /// Its title.
    pub title: String,
    /// Its file and the length of that.
    pub file: (String, Option<String>),
    /// What is in it.
    pub body: Body,
    /// Whether it is shown without being opened.
    pub is_open: bool,
}

impl DocumentShown {
    /// Id of its heading.
    pub fn id(&self) -> String {
        element(self.place)
    }
}

/// The page. `read` gives a document, or why it cannot be read; `spot` is what is looked at.
pub fn agent_page(
    page: &AgentPage,
    spot: &str,
    view: View<'_>,
    read: &dyn Fn(u32) -> Result<std::rc::Rc<Reading>, String>,
) -> AgentShown {
    match page {
        AgentPage::Runs(runs) => {
            AgentShown::Runs(runs.iter().map(|line| run_line(line, view)).collect())
        }
        AgentPage::Run(run) => AgentShown::Run(Box::new(of_run(run, spot, view, read))),
    }
}

fn href(link: &Link, view: View<'_>) -> String {
    Route::of_link(link, Page::Agent, view.target, view.names).to_hash(view.names)
}

fn run_line(line: &AgentRun, view: View<'_>) -> AgentRunShown {
    let link = Link::Agent { run: line.run, spot: String::new() };
    AgentRunShown {
        labels: line.labels.clone(),
        address: href(&link, view),
        n_documents: format::count(line.n_documents),
        failed: line.failed.as_ref().map(|link| href(link, view)),
    }
}

fn of_run(
    run: &AgentView,
    spot: &str,
    view: View<'_>,
    read: &dyn Fn(u32) -> Result<std::rc::Rc<Reading>, String>,
) -> AgentRunPage {
    let overview = Route { page: Page::Overview, target: Target::Run(run.run), ..Route::default() };
    let beside = |run| href(&Link::Agent { run, spot: String::new() }, view);
    let (place, message) = spot.split_once('-').unwrap_or((spot, ""));
    let known = run.documents.iter().find(|document| document.place.to_string() == place);
    let way = known.and_then(|document| {
        let reading = read(document.place).ok()?;
        Some(way_to_spot(&reading, message, &element(document.place)))
    });
    AgentRunPage {
        labels: run.labels.clone(),
        overview: overview.to_hash(view.names),
        around: run.around.map(|run| run.map(beside)),
        facts: facts(run),
        last_step: run.last_step.as_ref().map(|link| href(link, view)),
        documents: run.documents.iter().map(|document| shown(document, read, run)).collect(),
        spot: way,
    }
}

/// Who it was, and what it used.
fn facts(run: &AgentView) -> Vec<FactShown> {
    let usage = run.usage.unwrap_or_default();
    let RunUsage { prompt_tokens, completion_tokens, cached_input_tokens, .. } = usage;
    let tokens = |n: Option<f64>| n.map(|n| format::number(n, 0));
    let all = [
        (words::SUBJECT, run.subject.clone()),
        (words::STEPS, tokens(usage.n_steps)),
        (words::AGENT_TIME, usage.agent_secs.map(format::secs)),
        (words::COST, usage.cost_usd.map(|usd| format::usd(usd, false))),
        (words::INPUT_TOKENS, tokens(prompt_tokens)),
        (words::OUTPUT_TOKENS, tokens(completion_tokens)),
        (words::CACHED_TOKENS, tokens(cached_input_tokens)),
    ];
    let known = all.into_iter().filter_map(|(label, value)| Some((label, value?)));
    known
        .map(|(label, value)| FactShown { label: label.to_owned(), value, written: None })
        .collect()
}

/// Id of the heading of a document.
fn element(place: u32) -> String {
    format!("doc-{place}")
}

fn shown(
    document: &DocumentLine,
    read: &dyn Fn(u32) -> Result<std::rc::Rc<Reading>, String>,
    run: &AgentView,
) -> DocumentShown {
    let name = whole_name(run.run, document.place);
    let is_error = document.kind == DocumentKind::Error;
    let is_read = matches!(
        document.kind,
        DocumentKind::Transcript | DocumentKind::Changes | DocumentKind::Prompt
    );
    DocumentShown {
        place: document.place,
        title: document.title.clone(),
        file: (document.file.clone(), document.len.map(format::bytes)),
        // Errors are short, and what the page is opened for.
        body: match is_error {
            true => Body::Here(match read(document.place) {
                Ok(reading) => reading.whole(),
                Err(reason) => vec![Piece::Line(LineKind::Failed, reason)],
            }),
            false => Body::Part(name),
        },
        is_open: is_error || (is_read && !document.is_further),
    }
}
