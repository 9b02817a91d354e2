//! What page and worker say to each other.
//!
//! Every message is one JavaScript object `{ body: Uint8Array, hasFiles?: bool }`: `body` is a [`ToWorker`]
//! or [`ToPage`] in postcard form. [`Task::Open`] and [`Task::Reload`] have files, which cannot be
//! written as bytes: they follow in any number of messages `{ of, paths, files, isLast }`, where `of` is the
//! request's id and `paths` are those of the `files`, with [`PATH_END`] between them.
//!
//! The worker speaks first ([`ToPage::Ready`]); nothing is sent to it before. Every request carries an
//! id that its answer repeats, and a generation: the page counts it up when an older answer would be
//! stale, and drops answers of older ones.

pub use super::columns::{ColumnsChange, ColumnsShown};
pub use super::compare::{CompareAnswer, CompareQuestion};
pub use super::grid::{
    CaseGrid, CaseRow, FilterHelp, FilterOption, GridFrame, GridRows, HeatFrame, HeatRow,
};
pub use super::page::PageShown;
pub use super::palette::{Does, PaletteOption};
pub use super::rules::RulesShown;
pub use super::seal::{SealOffer, SealRule, SealSummary};
pub use crate::export::redact::Complaint as SealComplaint;
pub use crate::export::seal::{PAGE_MARKS, SealWishes};
pub use crate::export::{EXPORTS, Export, ExportKind};
pub use crate::reading::AgentShown;
pub use crate::reading::{CaseShown, PartShown};

use crate::format::{self, counted};
use crate::render::Look;
use crate::report::{
    CaseQuery, CaseTexts, Facets, GateEdit, Name, Neighbours, NeighboursQuery, Preview, Progress,
    Refinement, RuleWords, RunRef, Target, ThresholdCount, Topic, Tree,
};
use serde::{Deserialize, Serialize};

/// Stands between paths: no name of a file has it.
pub const PATH_END: char = '\0';

/// Page to worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToWorker {
    /// Repeated by the answer.
    pub id: u64,
    /// Counted up by the page when older answers become stale; repeated by the answer.
    pub generation: u64,
    /// What is wanted.
    pub request: Request,
}

/// What the page can ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// What is answered at once.
    Question(Question),
    /// What takes its time.
    Task(Task),
    /// Stop all tasks that go on; what was open before stays.
    Cancel,
    /// The answer to the request of this id is wanted no more: it is left out if it has not begun. Never answered.
    Withdraw(u64),
}

impl From<Question> for Request {
    fn from(question: Question) -> Self {
        Self::Question(question)
    }
}

impl From<Task> for Request {
    fn from(task: Task) -> Self {
        Self::Task(task)
    }
}

/// What takes its time: it tells how far it is, and can be cancelled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Task {
    /// Open the files that follow the message, besides what is open. `pruned` are folders that
    /// the page left out of a dropped folder, with the number of files in each.
    Open {
        /// Number that the page gives to what was dropped or picked at once.
        drop: u32,
        /// Left out folders.
        pruned: Vec<(String, u64)>,
    },
    /// Read files of a drop again: those that follow the message, in the place of those that had
    /// the same paths; what is new among them is opened besides.
    Reload {
        /// Number of the drop.
        drop: u32,
    },
    /// Read columns of tables as the page says: those that are open are read again.
    Columns(ColumnsChange),
    /// Look through the files of the cases for a text.
    Search {
        /// Of which cases.
        target: Target,
        /// The text.
        needle: String,
    },
    /// Read the cases of runs whose figures alone are here, however many bytes that takes.
    ReadCases(Vec<Target>),
    /// Everything that is open as files of datasets, for the engine of the SQL page.
    SqlFiles,
    /// A file to download.
    Export {
        /// Which format.
        kind: ExportKind,
        /// Of which cases, in which order; `None`: of everything.
        view: Option<ChosenCases>,
    },
    /// Prepare a sealed report: it is kept until `SealSave` or `Unseal`.
    Seal {
        /// The view, as it stands in the address.
        view: String,
        /// What the form says.
        wishes: Box<SealWishes>,
    },
}

/// What is answered at once, with what is here and what readers read for it: pages, rows, texts, and small
/// changes of what is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Question {
    /// Forget an evaluation.
    Remove(u32),
    /// Forget everything.
    Clear,
    /// Take back the last `Remove` or `Clear`.
    Restore,
    /// Call something otherwise.
    Rename {
        /// An evaluation or a run.
        target: Target,
        /// Its name from now on.
        label: String,
    },
    /// Put these rules in force.
    Rules(RuleWords),
    /// The page about the rules.
    RulesView {
        /// Of what.
        target: Target,
        /// Ids of tables to be drawn whole.
        whole: Vec<String>,
    },
    /// The text of the user's gate after a change, without putting it in force; empty: no gate.
    EditGate {
        /// Of what the page is about.
        target: Target,
        /// What is changed.
        edit: GateEdit,
        /// What was chosen or typed.
        value: String,
    },
    /// How many cases and runs would pass by a comparison of their scores.
    Threshold {
        /// Of what.
        target: Target,
        /// The comparison: `>= 0.8`.
        rule: String,
    },
    /// Let things look so from now on.
    Look(Look),
    /// A page.
    Sections {
        /// Which.
        topic: Topic,
        /// Ids of tables to be drawn whole.
        whole: Vec<String>,
    },
    /// About sides that are compared.
    Compare(CompareQuestion),
    /// How the table of an evaluation is read.
    Columns(Target),
    /// The same as a mapping file.
    ColumnsFile(Target),
    /// What the words of the command palette find.
    Palette {
        /// The words.
        text: String,
        /// What the page is about.
        target: Target,
    },
    /// Rows of the case table, or of its heat map.
    Cases {
        /// Which.
        query: CaseQuery,
        /// Whether what stands around the rows is wanted too.
        is_framed: bool,
    },
    /// The first words of the texts of the cases in some rows.
    CaseTexts(CaseQuery),
    /// The facets of the case table.
    Facets(CaseQuery),
    /// What is wrong with a filter, and how it could go on.
    Suggest {
        /// Of what.
        target: Target,
        /// The filter as far as it is written.
        text: String,
        /// Where it is being written, in units of UTF-16, as browsers count.
        at: u32,
    },
    /// A case beside the table.
    Preview {
        /// Its run.
        run: RunRef,
        /// Its name there.
        case: Name,
    },
    /// A filter with another range.
    Refine(Refinement),
    /// Rows as text with tabs.
    Copy {
        /// Of which answer.
        query: CaseQuery,
        /// Rows, each range as first and end; none: all.
        ranges: Vec<(u64, u64)>,
    },
    /// A case.
    Case {
        /// Its run.
        run: RunRef,
        /// Its name there.
        case: Name,
        /// What of it is looked at: a message's number or the word of a part; empty: the whole.
        spot: String,
    },
    /// What the agents of runs did.
    Agent {
        /// Of which.
        target: Target,
        /// What is looked at: a document's place, with a message's number or `last` behind it.
        spot: String,
    },
    /// What the one who opens a copied link to a view needs besides, as a sentence.
    Needed {
        /// What the view is about.
        target: Target,
        /// Evaluations that the address itself brings.
        fetched: Vec<u32>,
    },
    /// A part of a case or of a document, by its name.
    Part(String),
    /// A text of a case or of a document, whole, by its name.
    Text(String),
    /// What comes before and after a case in the table.
    Neighbours(NeighboursQuery),
    /// What the dialog that seals a report can offer.
    SealForm {
        /// The view, as it stands in the address.
        view: String,
    },
    /// The block of the report that was prepared.
    SealSave,
    /// Forget what was prepared.
    Unseal,
    /// A chart of a page as an SVG document.
    Figure {
        /// The page.
        topic: Topic,
        /// The figure's id.
        id: String,
    },
}

/// Cases that somebody has chosen: by what the page is about and a filter, and maybe row by row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChosenCases {
    /// Of which answer.
    pub query: CaseQuery,
    /// Rows of it, each range as first and end; none: all.
    pub rows: Vec<(u64, u64)>,
}

/// Worker to page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ToPage {
    /// The worker is up; requests may come.
    Ready,
    /// How far opening has come.
    Progress(Progress),
    /// Whether cases are being fetched out of a dataset for a question; `Progress` says how far.
    Fetching(bool),
    /// The answer to request `id`.
    Answer {
        /// Of the request.
        id: u64,
        /// Of the request.
        generation: u64,
        /// Answer, or why there is none.
        answer: Result<Answer, Failure>,
    },
}

/// Answers, each to the request of the same name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// To `Open`, `ReadCases`, the task `Columns`, `Remove`, `Clear`, `Restore`, `Rename`, `Rules`, `Look`: what is loaded now.
    Workspace(Tree),
    /// To `Reload`: what is loaded now, and what came of it in one sentence.
    Reloaded(Tree, String),
    /// To `Cancel`.
    Cancelling,
    /// To `Sections`.
    Page(Box<PageShown>),
    /// To `Compare`, except for its texts and files.
    Compare(CompareAnswer),
    /// To the question `Columns`.
    Columns(Box<ColumnsShown>),
    /// To `Palette`.
    Palette(Vec<PaletteOption>),
    /// To `RulesView`.
    Rules(Box<RulesShown>),
    /// To `Threshold`; the reason when the comparison is none.
    Threshold(Result<ThresholdCount, String>),
    /// To `SqlFiles`: the folders in which a dataset lies, and the paths of all files. The files themselves come beside the
    /// message, in this order.
    SqlFiles {
        /// Folders.
        roots: Vec<String>,
        /// Files.
        paths: Vec<String>,
    },
    /// To `SealForm`.
    SealOffer(SealOffer),
    /// To `Seal`; or the patterns that are none.
    Sealed(Result<Box<SealSummary>, Vec<SealComplaint>>),
    /// To `Unseal`.
    Done,
    /// To `Part`.
    Part(Box<PartShown>),
    /// To `Agent`.
    Agent(Box<AgentShown>),
    /// To `Cases`.
    Cases(Box<CaseGrid>),
    /// To `CaseTexts`: of each row; `None`: its case cannot be read.
    CaseTexts(Vec<Option<CaseTexts>>),
    /// To `Facets`.
    Facets(Box<Facets>),
    /// To `Preview`.
    Preview(Box<Preview>),
    /// To `Suggest`.
    Suggestions(FilterHelp),
    /// To `EditGate`, `Refine`, `Needed`, `Text`, `Figure`, and `Compare` where it asks for a text.
    Text(String),
    /// To `Copy`: the text, and what was copied, as a sentence.
    Copied {
        /// The text.
        text: String,
        /// The sentence.
        said: String,
    },
    /// To `Search`: in how many cases the text was found.
    Found(u64),
    /// To `Case`.
    Case(Box<CaseShown>),
    /// To `Neighbours`.
    Neighbours(Neighbours),
    /// To `Export`, `SealSave`, `ColumnsFile`, and `Compare` where it asks for a file.
    Export(Download),
}

/// A file to download.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Download {
    /// Name.
    pub name: String,
    /// MIME type.
    pub mime: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// It was cancelled.
    Cancelled,
    /// What it asks about is not (or no longer) loaded.
    Gone,
    /// A file could not be read.
    File {
        /// Path.
        path: Option<String>,
        /// Reason.
        reason: String,
    },
    /// The cases of runs lie in a dataset, and would be many bytes: the user is asked first.
    Unread {
        /// Of what.
        targets: Vec<Target>,
        /// Runs.
        n_runs: u64,
        /// Bytes, about.
        n_bytes: u64,
    },
    /// The message could not be understood: page and worker are of different builds.
    Message(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Gone => f.write_str("what was asked for is no longer loaded"),
            Self::File { path: Some(path), reason } => write!(f, "{reason} ({path})"),
            Self::File { path: None, reason } => f.write_str(reason),
            Self::Unread { n_runs, n_bytes, .. } => {
                let (runs, bytes) = (counted(*n_runs, "run", "runs"), format::bytes(*n_bytes));
                write!(
                    f,
                    "the cases of {runs} are still in the dataset, about {bytes}: open their cases first, or choose fewer runs"
                )
            }
            Self::Message(reason) => write!(f, "a message could not be read: {reason}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Writes a message.
///
/// # Errors
/// When it cannot be written, which no type here brings about.
pub fn to_bytes<T: Serialize>(message: &T) -> Result<Vec<u8>, Failure> {
    postcard::to_allocvec(message).map_err(|err| Failure::Message(err.to_string()))
}

/// Reads a message.
///
/// # Errors
/// When the bytes are not one.
pub fn from_bytes<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Failure> {
    postcard::from_bytes(bytes).map_err(|err| Failure::Message(err.to_string()))
}
