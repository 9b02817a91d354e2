//! Queries of the SQL page: what its engine says of them, and which were asked.
//!
//! The engine is a program of its own (`crates/sql`), which answers, completes and says what a chart shows; `browser` talks to
//! it in these words, `ui` draws them.

mod history;

pub use history::{history_of, with_query, written_history};

/// What a query can name, and queries to begin with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlNames {
    /// Tables and views, by name.
    pub tables: Vec<SqlTable>,
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

/// One way in which a text can go on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SqlCompletion {
    /// What it is called.
    pub label: String,
    /// What it is: `table`, `column of runs`, `function`.
    pub note: String,
    /// The whole text with it.
    pub text: String,
    /// The place behind it, in units of UTF-16.
    pub at: u32,
}

/// The first rows of an answer as bars.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlBars {
    /// The column that names them; empty: rows are numbered.
    pub label: String,
    /// The column that they show; empty: there is none with numbers.
    pub value: String,
    /// The bars, in the order of the rows.
    pub bars: Vec<SqlBar>,
    /// Rows that are not drawn.
    pub n_more: u64,
}

/// A bar.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlBar {
    /// What it is called.
    pub name: String,
    /// Its value; not finite where there is none.
    pub value: f64,
    /// Where it begins and how long it is, in percent of the width.
    pub span: (f64, f64),
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
    /// Line and column of the text, from 1, and the same in units of UTF-16 from its start; `None`: the engine names none.
    pub place: Option<(u32, u32, u32)>,
    /// Whether more bytes of servers were needed than were allowed.
    pub is_limit: bool,
}
