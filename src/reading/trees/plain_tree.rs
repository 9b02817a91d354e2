//! A JSON text as a tree, as plain data.

use crate::reading::texts::plain_text::FindShown;
use serde::{Deserialize, Serialize};

/// A tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeShown {
    /// What it is.
    pub label: String,
    /// What searches it, where that is worth it.
    pub find: Option<FindShown>,
    /// All of it.
    pub root: NodeShown,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeShown {
    /// What ways lead to.
    pub id: String,
    /// What it is called where it stands; nothing for the whole.
    pub key: Option<KeyShown>,
    /// The value.
    pub value: ValueShown,
}

/// What a value is called where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyShown {
    /// By its key in an object.
    Name(String),
    /// By its place in an array.
    Place(String),
}

/// A value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ValueShown {
    /// A text, in quotes.
    Text(String),
    /// A number, `true`, `false`, `null`.
    Word(String),
    /// An object or an array of nothing.
    Empty(String),
    /// An object or an array.
    Group(Box<GroupShown>),
    /// A text that is opened to be read whole; not where texts lie in texts too often.
    Long {
        /// Its beginning, in quotes.
        preview: String,
        /// How long it is.
        size: String,
        /// The part that is the whole.
        part: Option<String>,
    },
}

/// An object or an array.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupShown {
    /// How many values it has.
    pub contents: String,
    /// Its beginning as it is written.
    pub preview: String,
    /// Whether it is open from the start.
    pub is_open: bool,
    /// The part that its values are.
    pub part: String,
    /// Its values, where they are here.
    pub inside: Option<NodesShown>,
}

/// Values directly inside of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum NodesShown {
    /// They.
    Nodes(Vec<NodeShown>),
    /// Very many: parts of them, each with its words and its name.
    Ranges(Vec<(String, String)>),
}
