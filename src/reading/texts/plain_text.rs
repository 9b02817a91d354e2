//! Texts as plain data: their lines, ways to see them otherwise, what was looked for in them.

use crate::markup::Markup;
use crate::reading::piece::Way;
use crate::reading::trees::plain_tree::TreeShown;
use serde::{Deserialize, Serialize};

/// Something can be seen in several ways: those of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    /// What they are about.
    pub label: String,
    /// The ways.
    pub all: Vec<ViewChoice>,
}

/// A way to see something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewChoice {
    /// What it is called. No two choices of one thing are called the same.
    pub word: String,
    /// The part that shows it so.
    pub part: String,
    /// Whether it is shown so.
    pub is_on: bool,
}

/// A text with its label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlockShown {
    /// What it is.
    pub label: String,
    /// How long it is; nothing for an empty one.
    pub size: String,
    /// Ways to see it.
    pub choices: Vec<Choices>,
    /// Name of the text to be copied.
    pub copy: String,
    /// The text.
    pub text: TextShown,
}

/// A text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum TextShown {
    /// One of no letters.
    Empty,
    /// As a JSON tree.
    Tree(TreeShown),
    /// Line by line.
    Lines(LinesShown),
}

/// A text line by line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinesShown {
    /// What ways to its rows lead to.
    pub id: String,
    /// What it is.
    pub label: String,
    /// What its lines are.
    pub kind: TextKind,
    /// Files and parts that a failure text names.
    pub places: Vec<PlaceShown>,
    /// Whether it names more than those.
    pub has_more_places: bool,
    /// The lines.
    pub body: LinesBody,
}

/// What the lines of a text are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextKind {
    /// Anything.
    Plain,
    /// Those of a unified diff.
    Diff,
    /// Those of a failure: a report of pytest, a traceback.
    Failure,
}

/// A file or a part that a failure text names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceShown {
    /// Its name.
    pub words: String,
    /// Its row.
    pub row: u64,
}

/// The lines of a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum LinesBody {
    /// All of them.
    Whole(Vec<LineShown>),
    /// Those in sight are asked for.
    View(ViewShown, FindShown),
}

/// A view of very many rows, which are asked for when they come into sight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewShown {
    /// Name of the rows, to which the page appends `:first:end`.
    pub rows: String,
    /// How many.
    pub n_rows: u64,
    /// Columns of the widest.
    pub n_columns: u64,
}

/// A row of a text: a line, or as much of it as a row may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineShown {
    /// The number of the line; a sign where the line began in a row before.
    pub number: String,
    /// Whether it began in a row before.
    pub is_continued: bool,
    /// What stands out.
    pub mark: LineMark,
    /// What stands there.
    pub text: String,
    /// Where in it a place in a file is named, in bytes.
    pub place: Option<(u32, u32)>,
}

impl LineShown {
    /// What stands there: before the place that it names, the place, after it. Without one all is before it.
    pub fn parts(&self) -> [&str; 3] {
        let Some((start, end)) = self.place else { return [&self.text, "", ""] };
        let cut = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        let (start, end) = (start as usize, end as usize);
        [cut(0, start), cut(start, end), cut(end, self.text.len())]
    }
}

/// What a line stands out as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineMark {
    /// Nothing.
    Plain,
    /// A line that a diff takes out.
    Removed,
    /// A line that a diff puts in.
    Added,
    /// The head of a part of a diff.
    Hunk,
    /// What went wrong.
    Error,
    /// Where the code stopped.
    Current,
    /// A place in a file.
    Place,
    /// The head of a part of a failure text.
    Section,
}

/// Something can be searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindShown {
    /// Id of the field.
    pub id: String,
    /// Name of what is found, to which the page appends `:find:` and what it looks for.
    pub stem: String,
    /// What is searched.
    pub what: String,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundShown {
    /// How much; nothing where nothing was looked for.
    pub words: String,
    /// Where.
    pub matches: Vec<MatchShown>,
}

/// A place where something was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchShown {
    /// A line, a path, a speaker.
    pub place: String,
    /// What stands there.
    pub words: String,
    /// The way there.
    pub way: Way,
}

/// What somebody said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SaidShown {
    /// Ways to see it.
    pub choices: Vec<Choices>,
    /// Name of the text to be copied.
    pub copy: String,
    /// What was said.
    pub body: SaidBody,
    /// Where only the beginning is here: words for that, and the part that is the whole.
    pub rest: Option<(String, String)>,
}

/// The words of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SaidBody {
    /// None.
    Empty,
    /// As the Markdown that they are.
    Rendered(Markup),
    /// As they are written.
    Written(String),
}
