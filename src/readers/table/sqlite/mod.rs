//! SQLite databases, read page by page: <https://www.sqlite.org/fileformat2.html>.
//!
//! ```text
//! Database (header, pages) ── Walk (b-tree, cell by cell) ── record ──> values
//!        └─ definition: CREATE TABLE ──> columns                  └──> SqliteRows: a table as rows
//! ```
//!
//! Every table with a row is a table of its own. Left out are views, virtual tables with what they keep, and SQLite's
//! own tables. Not read are changes that a `-wal` or `-journal` file beside it holds. A page that is broken costs its
//! rows, and is noted with its byte.

mod definition;
mod pages;
mod record;
mod rows;
mod tree;

use super::sheet::Sheet;
use crate::input::InputFile;
use crate::readers::Error;
use definition::Definition;
use pages::Database;
use record::{Stored, values};
use rows::SqliteRows;
use std::rc::Rc;
use tree::{BTreeWalk, SqliteFault};

/// How a database begins.
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";

/// The most tables that are read.
const MAX_TABLES: usize = 1_000;

/// The page that lists the tables.
const SCHEMA_PAGE: u32 = 1;

/// The tables of a database that have a row.
///
/// # Errors
/// When its header cannot be read, or says what no database says.
pub(super) fn sheets(file: &InputFile) -> Result<Vec<Rc<dyn Sheet>>, Error> {
    let database = Rc::new(Database::open(file)?);
    let mut entries = Vec::new();
    let mut faults: Vec<SqliteFault> = Vec::new();
    for cell in BTreeWalk::new(&database, SCHEMA_PAGE, true) {
        match cell {
            Ok(cell) => entries.extend(SqliteTable::of(&values(&cell.payload, database.encoding))),
            Err(fault) => faults.push(fault),
        }
    }
    let is_kept_by = |name: &str, owner: &str| {
        name.strip_prefix(owner).is_some_and(|rest| rest.starts_with('_'))
    };
    let virtuals: Vec<&str> =
        entries.iter().filter(|one| one.root == 0).map(|one| one.name.as_str()).collect();
    let tables = entries.iter().filter(|one| {
        one.root != 0
            && !one.name.starts_with("sqlite_")
            && !virtuals.iter().any(|owner| is_kept_by(&one.name, owner))
    });
    let mut found: Vec<Rc<dyn Sheet>> = Vec::new();
    for entry in tables.take(MAX_TABLES) {
        let Some(definition) = Definition::parse(&entry.sql) else {
            let reason = format!("the definition of table {} is not understood", entry.name);
            faults.push(SqliteFault { byte: 0, reason });
            continue;
        };
        let has_row = BTreeWalk::new(&database, entry.root, !definition.is_without_rowid).next();
        if has_row.is_some() {
            let name = entry.name.clone();
            // What is broken in the list of tables is noted once.
            let faults = std::mem::take(&mut faults);
            let rows = SqliteRows::new(&database, name, entry.root, definition, faults);
            found.push(Rc::new(rows));
        }
    }
    Ok(found)
}

/// A table in the list of tables.
struct SqliteTable {
    name: String,
    /// Page of its tree; 0: a virtual table.
    root: u32,
    sql: String,
}

impl SqliteTable {
    /// The table that a row of the list is; `None`: it is an index, a view or a trigger.
    fn of(row: &[Stored]) -> Option<Self> {
        let [Stored::Text(kind), Stored::Text(name), _, root, Stored::Text(sql)] = row else {
            return None;
        };
        let root = match root {
            Stored::Whole(root) => u32::try_from(*root).ok()?,
            _ => 0,
        };
        (kind == "table").then(|| Self { name: name.clone(), root, sql: sql.clone() })
    }
}
