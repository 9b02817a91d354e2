//! Words of the SQL page.

use crate::format::{bytes, count, counted, secs};

/// Heading of the page.
pub const TITLE: &str = "SQL";
/// What it is.
pub const LEAD: &str = "Queries over everything that is open, in this browser. A query only reads.";
/// Name of the field.
pub const EDITOR: &str = "Query";
/// Below the field.
pub const KEYS: &str = "Ctrl+Enter runs the query, Ctrl+Space completes.";
/// Runs it.
pub const RUN: &str = "Run";
/// Stops it.
pub const CANCEL: &str = "Cancel";
/// Starts the engine anew.
pub const AGAIN: &str = "Start the engine again";
/// Copies the address.
pub const COPY_LINK: &str = "Copy link";
/// What the user hears then.
pub const LINK_COPIED: &str = "Copied the link to this query.";
/// Saves the rows.
pub const SAVE: &str = "Save as CSV";
/// Name of that file.
pub const CSV_NAME: &str = "query.csv";
/// The rows as a table, and as bars.
pub const AS_TABLE: &str = "Table";
/// See above.
pub const AS_BARS: &str = "Chart";
/// Names the choice between them.
pub const SHOWN_AS: &str = "Show the result as";
/// Name of the table.
pub const RESULT: &str = "Result";
/// Heading of the queries to begin with.
pub const READY: &str = "Ready queries";
/// Heading of what was asked before.
pub const HISTORY: &str = "History";
/// Empties it.
pub const FORGET: &str = "Clear";
/// Heading of the tables.
pub const TABLES: &str = "Tables";
/// Goes to the place of the error.
pub const SHOW_PLACE: &str = "Show in query";
/// While the program is loaded.
pub const STARTING: &str = "Loading the SQL engine …";
/// While it is given what is open.
pub const OPENING: &str = "Preparing the tables …";
/// Before the first query.
pub const NOTHING_YET: &str = "Run a query, or choose a ready one.";
/// No row.
pub const NO_ROWS: &str = "The query gave no rows.";
/// There is nothing to draw.
pub const NO_BARS: &str = "No chart: the first rows have no numbers.";
/// The page comes without the engine.
pub const NOT_HERE: &str = "This copy of the page is one file and comes without the SQL engine. The hosted page has it; on this machine, report --sql answers the same queries.";
/// The browser gives out no worker.
pub const NO_WORKER: &str = "The browser does not let the page start the SQL engine.";
/// The result was fetched as far as was allowed.
pub const FETCH_MORE: &str = "Run without limit";

/// The engine has stopped.
pub fn died(why: &str) -> String {
    format!("The SQL engine stopped: {why}. The rest of the page is not affected.")
}

/// What a query would have to fetch.
pub fn limit(n: u64) -> String {
    format!("Stopped: the query needs more than {} from the server.", bytes(n))
}

/// What is said of an answer with these `rows`, in words.
pub fn answered(rows: &str, millis: f64) -> String {
    format!("{rows} · {}", secs(millis / 1000.0))
}

/// The same of an answer for which servers were asked.
pub fn answered_fetched(rows: &str, millis: f64, n_bytes: u64, n_requests: u64) -> String {
    format!("{} · {}", answered(rows, millis), fetched(n_bytes, n_requests))
}

/// While it works: bytes and requests that servers have been asked for.
pub fn asking((n_bytes, n_requests): (u64, u64)) -> String {
    match n_requests {
        0 => "Running …".to_owned(),
        _ => format!("Running … {}", fetched(n_bytes, n_requests)),
    }
}

fn fetched(n_bytes: u64, n_requests: u64) -> String {
    format!("{} fetched in {}", bytes(n_bytes), counted(n_requests, "request", "requests"))
}

/// Rows of an answer, in what is said of it.
pub fn rows(n: u64) -> String {
    counted(n, "row", "rows")
}

/// The same where only the first were kept.
pub fn first_rows(n: u64) -> String {
    format!("First {}; the result has more", rows(n))
}

/// Where an error is.
pub fn place(line: u32, column: u32) -> String {
    format!("Line {}, column {}", count(line.into()), count(column.into()))
}

/// Bars that are not drawn.
pub fn more_bars(n: u64) -> String {
    format!("{} not drawn.", counted(n, "more row is", "more rows are"))
}
