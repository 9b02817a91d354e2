//! What the sections of a case are made of, as plain data: components draw it.
//!
//! Names of parts stand in it where something is asked for only when it is needed: when a fold is opened, when
//! a place comes near.

use super::diffs::plain_diff::{ChangeShown, DiffPart, DiffShown};
use super::shown::FactShown;
use super::texts::plain_text::{BlockShown, FindShown, LinesShown, SaidShown};
use super::trees::plain_tree::{NodesShown, TreeShown};
use crate::report::Outcome;
use serde::{Deserialize, Serialize};

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Piece {
    /// A line of words.
    Line(LineKind, String),
    /// Names with short values.
    Facts(Vec<FactShown>),
    /// Something that can be opened.
    Fold(Box<Fold>),
    /// Something that comes when it is near.
    Later(Later),
    /// Checks.
    Checks(Vec<CheckShown>),
    /// Texts side by side.
    Sides(Vec<SideShown>),
    /// The attempts, one at a time.
    Attempts(Vec<AttemptShown>),
    /// A request or a response of HTTP.
    Request(RequestShown),
    /// A conversation: its outline, a field to search it, its messages.
    Transcript(Box<TranscriptShown>),
    /// Messages.
    Entries(Vec<EntryItem>),
    /// Lines of an outline.
    Outline(Vec<OutlineLine>),
    /// Files that changed.
    Files(Vec<FileShown>),
    /// Something that there is a way to.
    Place(String, Vec<Piece>),
    /// Rows of a table.
    Rows(Vec<String>, Vec<Vec<String>>),
    /// A text with its label.
    Block(Box<BlockShown>),
    /// What somebody said.
    Said(Box<SaidShown>),
    /// A text line by line.
    Lines(Box<LinesShown>),
    /// A short text: what it is, and it.
    Short(String, String),
    /// A JSON text as a tree.
    Tree(Box<TreeShown>),
    /// Values of a tree.
    Nodes(NodesShown),
    /// How two texts differ.
    Diff(Box<DiffShown>),
    /// Rows of a difference.
    DiffParts(Vec<DiffPart>),
    /// Values that differ.
    Changes(Vec<ChangeShown>),
}

/// What a line of words is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineKind {
    /// That there is nothing.
    Empty,
    /// How many there are.
    Count,
    /// The title of an attempt.
    Attempt,
    /// That something is as it was.
    Same,
    /// What has to be known to read what follows.
    Note,
    /// Why something is not here.
    Failed,
}

/// Something that can be opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fold {
    /// What it says before its size; empty where a few words of what is in it say it.
    pub label: String,
    /// A few words of what is in it.
    pub preview: String,
    /// How long what is in it is.
    pub size: String,
    /// Whether it is open from the start.
    pub is_open: bool,
    /// Whether its line is as low as a line of text.
    pub is_low: bool,
    /// What is in it.
    pub body: Body,
}

/// What is in a fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// This.
    Here(Vec<Piece>),
    /// What this part is.
    Part(String),
}

/// A place for what comes when it is near.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Later {
    /// Name of the part.
    pub part: String,
    /// How much room is kept for it.
    pub room: ReservedRoom,
}

/// How much room is kept for what comes later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReservedRoom {
    /// For a text or a difference.
    Text,
    /// For a screen of messages.
    Chunk,
    /// For many of them.
    Chunks,
}

/// A check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckShown {
    /// Its name.
    pub name: String,
    /// How it came out.
    pub outcome: Outcome,
    /// The word for that.
    pub word: String,
    /// Its score.
    pub score: Option<String>,
    /// Attempt, weight, and the verdict in the file's own word, where they say something.
    pub notes: Vec<String>,
    /// Why it came out so.
    pub reason: Option<String>,
    /// Expected, actual and the like, where they fit into a line.
    pub sides: Vec<(String, String)>,
    /// What was compared.
    pub below: Vec<Piece>,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SideShown {
    /// Its title, unless its only text says it.
    pub title: Option<String>,
    /// Its texts.
    pub pieces: Vec<Piece>,
}

/// An attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptShown {
    /// Its title.
    pub title: String,
    /// How it came out.
    pub outcome: Outcome,
    /// What it gave.
    pub body: Body,
    /// Whether it is the one that is seen first.
    pub is_chosen: bool,
}

/// A request or a response of HTTP.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RequestShown {
    /// Its method, or the word for a response.
    pub method: String,
    /// Its path, or the status.
    pub path: String,
    /// Query and headers.
    pub pairs: Vec<(String, Vec<(String, String)>)>,
    /// Its further parts.
    pub pieces: Vec<Piece>,
}

/// A conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TranscriptShown {
    /// Its outline, where there is something to be outlined.
    pub outline: Option<OutlineShown>,
    /// What searches it, where that is worth it.
    pub find: Option<FindShown>,
    /// Its first messages.
    pub first: Vec<EntryItem>,
    /// Places for the others.
    pub later: Vec<Later>,
}

/// What a conversation comes by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutlineShown {
    /// What its line says.
    pub words: String,
    /// Whether it is open from the start.
    pub is_open: bool,
    /// Its lines.
    pub pieces: Vec<Piece>,
}

/// A line of an outline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutlineLine {
    /// Where it leads.
    pub way: Way,
    /// The number of the turn; nothing for a tool that failed.
    pub turn: Option<String>,
    /// The tool, or a few words of the message.
    pub words: String,
}

/// A way to an element of the page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// Its id.
    pub id: String,
    /// The row of it that is meant.
    pub row: Option<u64>,
    /// Names of the parts that have to be there first, outermost first.
    pub through: Vec<String>,
    /// Its word in addresses; empty: none.
    pub spot: String,
}

impl Way {
    /// To row `row` of the text or difference `id`.
    pub(super) fn to_row(id: String, row: u64) -> Self {
        Self { id, row: Some(row), ..Self::default() }
    }
}

/// What stands in a list of messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum EntryItem {
    /// The head of a turn.
    Turn(TurnShown),
    /// A message.
    Entry(Box<EntryShown>),
}

/// The head of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnShown {
    /// `Turn 1`.
    pub title: String,
    /// Its tokens.
    pub usage: String,
    /// Its grades.
    pub grades: Vec<GradeShown>,
}

/// A grade of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GradeShown {
    /// Whose.
    pub grader: String,
    /// The score.
    pub score: String,
    /// Expected, actual, reason, where they fit into a line.
    pub sides: Vec<(String, String)>,
    /// Those that do not.
    pub below: Vec<Piece>,
}

/// Who speaks, for the sign beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Speaker {
    /// Somebody who asks.
    User,
    /// What is evaluated.
    Assistant,
    /// Instructions.
    System,
    /// Thoughts.
    Thoughts,
    /// A tool.
    Tool,
    /// Anything else.
    Other,
}

/// A message; of a call, with what came back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntryShown {
    /// Its way: id and word in addresses.
    pub way: Way,
    /// Its number.
    pub number: String,
    /// Its address.
    pub address: String,
    /// Who speaks.
    pub speaker: Speaker,
    /// The same in words.
    pub role: String,
    /// The sub-agent that it is of.
    pub agent: Option<String>,
    /// When: as the file writes it, and as it is shown.
    pub at: Option<(String, String)>,
    /// How long after the message before.
    pub gap: Option<String>,
    /// Whether something went wrong in it.
    pub is_error: bool,
    /// What is in it.
    pub body: EntryBody,
}

/// What is in a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum EntryBody {
    /// Words.
    Words {
        /// The tool that is named.
        tool: Option<String>,
        /// The words.
        pieces: Vec<Piece>,
    },
    /// A tool that was called, or what came back from one.
    Call {
        /// Its name.
        tool: String,
        /// Whether it failed.
        has_failed: bool,
        /// How long it took.
        took: Option<String>,
        /// What it was given; nothing where only its return is here.
        given: Option<Vec<Piece>>,
        /// What it gave back, where that is recorded.
        returned: Option<Vec<Piece>>,
    },
}

/// A file that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileShown {
    /// Its path.
    pub path: String,
    /// Where its difference is.
    pub way: Option<Way>,
    /// How it changed, lines added and removed, sizes.
    pub cells: [String; 4],
}
