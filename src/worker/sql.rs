//! What the engine of the SQL page is given: files of datasets.

use super::core::Core;
use super::protocol::Failure;
use crate::input::{LocalFuture, Pulse, ReadAt};
use std::rc::Rc;

/// Files of datasets.
#[derive(Default)]
pub struct SqlFiles {
    /// The folders in which a dataset lies.
    pub roots: Vec<String>,
    /// The files.
    pub files: Vec<SqlFile>,
}

/// A file of a dataset.
pub struct SqlFile {
    /// Where it lies: below one of the folders.
    pub path: String,
    /// What is in it.
    pub data: SqlData,
}

/// What is in a file.
pub enum SqlData {
    /// These bytes.
    Bytes(Vec<u8>),
    /// What the user has given, or what lies on a server.
    Source(Rc<dyn ReadAt>),
}

/// What makes the files of everything that is open.
pub type SqlFilesOf = for<'a> fn(&'a Core, &'a Pulse) -> LocalFuture<'a, Result<SqlFiles, Failure>>;
