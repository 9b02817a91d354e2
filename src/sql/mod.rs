//! Queries of the SQL page: what the engine says of them, how a text goes on, what a chart of an answer shows.
//!
//! The engine is a program of its own (`crates/sql`); `browser` talks to it in these words, `ui` draws them.

mod bars;
mod completion;
mod history;
mod place;

pub use bars::{SqlBar, SqlBars, bars};
pub use completion::{SqlCompletion, completions};
pub use history::{history_of, with_query, written_history};
pub use place::unit_of_place;

/// What a query can name, and queries to begin with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlNames {
    /// Tables and views, by name.
    pub tables: Vec<SqlTable>,
    /// Functions, by name.
    pub functions: Vec<String>,
    /// Queries to begin with.
    pub queries: Vec<SqlQuery>,
}

/// A table or view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SqlTable {
    /// Its name.
    pub name: String,
    /// Names of its columns.
    pub columns: Vec<String>,
}

/// A query that is offered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SqlQuery {
    /// Its name.
    pub name: String,
    /// What it answers, as a sentence.
    pub about: String,
    /// Its text.
    pub text: String,
}

/// A column of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SqlColumn {
    /// Its name.
    pub name: String,
    /// Whether it holds numbers.
    pub is_number: bool,
}

/// A value of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum SqlCell {
    /// There is none.
    Null,
    /// A number, which need not be finite.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Anything else, as text.
    Text(String),
}

/// An answer, whose rows stay with the engine.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlAnswer {
    /// Its columns.
    pub columns: Vec<SqlColumn>,
    /// Number of rows.
    pub n_rows: u64,
    /// Whether there are more, which the engine has left out.
    pub is_cut: bool,
    /// Milliseconds that it took.
    pub millis: f64,
    /// Bytes that came from servers.
    pub n_bytes: u64,
    /// Requests to servers.
    pub n_requests: u64,
}

/// Why there is no answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SqlError {
    /// In words.
    pub message: String,
    /// Line and column of the text, from 1; `None`: the engine names none.
    pub place: Option<(u32, u32)>,
    /// Whether more bytes of servers were needed than were allowed.
    pub is_limit: bool,
}
