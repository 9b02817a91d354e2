//! Differences as plain data: of texts row by row, of values as a table.

use crate::reading::piece::Piece;
use crate::reading::texts::plain_text::{Choices, ViewShown};
use serde::{Deserialize, Serialize};

/// How two texts differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiffShown {
    /// What ways to its rows lead to.
    pub id: String,
    /// Lines removed and added.
    pub count: String,
    /// Ways to see it.
    pub choices: Vec<Choices>,
    /// Name of the difference to be copied.
    pub copy: String,
    /// What has to be known to read it rightly.
    pub notes: Vec<String>,
    /// It.
    pub body: DiffBody,
}

/// How two texts differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DiffBody {
    /// As values.
    Values(Vec<Piece>),
    /// Row by row, all of them.
    Whole(DiffLayout, Vec<DiffPart>),
    /// Row by row; those in sight are asked for.
    View(DiffLayout, ViewShown),
}

/// How the rows of a difference stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DiffLayout {
    /// One column.
    Unified,
    /// Expected beside actual.
    SideBySide,
}

/// What stands in the place of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum DiffPart {
    /// A row.
    Row(DiffRowShown),
    /// Unchanged rows that are folded away.
    Fold {
        /// How many.
        words: String,
        /// The part that they are.
        part: String,
    },
    /// The same where there are very many rows: it leads to them among all rows.
    Jump {
        /// How many.
        words: String,
        /// The part that is the difference with all rows.
        part: String,
        /// The row in it.
        row: u64,
    },
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffRowShown {
    /// What the whole row stands for.
    pub sign: DiffSign,
    /// Numbers of the expected and the actual line; nothing where the row has none.
    pub numbers: [String; 2],
    /// Its line, or both lines; nothing where one side has none.
    pub lines: Vec<Option<DiffLine>>,
}

/// A line of one of the texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffLine {
    /// Whether it is in one text only.
    pub sign: DiffSign,
    /// What stands in it.
    pub runs: Vec<LetterRun>,
}

/// In which of the texts something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DiffSign {
    /// In both.
    Same,
    /// In the expected one.
    Removed,
    /// In the actual one.
    Added,
}

/// Letters of a line that are drawn alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetterRun {
    /// Whether they are what was changed in the line.
    pub is_changed: bool,
    /// What they are.
    pub ink: Ink,
    /// They; or the words for what cannot be seen.
    pub text: String,
}

/// What letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ink {
    /// Letters.
    Letters,
    /// Spaces that are made visible.
    Spaces,
    /// A tab that is made visible.
    Tab,
    /// Words in the place of what cannot be seen.
    Sign,
}

/// A value that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeShown {
    /// Where it is.
    pub path: String,
    /// In which of the texts; in both it differs.
    pub sign: DiffSign,
    /// How it differs.
    pub word: String,
    /// As expected, and as it came.
    pub values: [ChangedValue; 2],
}

/// A value that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangedValue {
    /// None.
    Nothing,
    /// One that fits into a cell.
    Short(String),
    /// One that is opened to be read.
    Long {
        /// Its beginning.
        preview: String,
        /// How long it is.
        size: String,
        /// As much of it as is shown.
        text: String,
        /// Whether that is only its beginning.
        is_cut: bool,
    },
}
