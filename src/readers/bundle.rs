//! Files that a reader claims, and those that make one evaluation.

use super::error::{Error, ErrorKind};
use super::table;
use crate::input::json::Cursor;
use crate::input::{InputFile, Shape};
use crate::model::word::{self, Word};
use crate::model::{Locator, SourceId};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// That a file is a reader's, and what for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// What the file is, in the reader's own closed list of roles.
    #[serde(with = "word")]
    pub role: Word,
    /// Generation, when this file alone tells.
    #[serde(with = "word::maybe")]
    pub generation: Option<Word>,
    /// What it was recognised by: `group_outcomes, pass_counts and total_counts`.
    #[serde(with = "word")]
    pub why: Word,
}

/// A file with its claim.
#[derive(Clone)]
pub struct Claimed {
    /// The file.
    pub file: InputFile,
    /// Its shape.
    pub shape: Shape,
    /// What it is.
    pub claim: Claim,
}

impl Claimed {
    /// Whether it lies in the folder of `other`, or in one below that.
    pub fn is_at_or_below(&self, other: &Self) -> bool {
        let folder = other.file.folder();
        let rest = self.file.path.strip_prefix(folder);
        folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether it says how the columns of tables are read: one may be for several tables.
    pub fn is_mapping(&self) -> bool {
        self.claim.role == table::MAPPING
    }
}

/// Files that make one evaluation.
#[derive(Clone)]
pub struct Bundle {
    /// Folder (or file) that names it, relative to what was dropped.
    pub path: String,
    /// The files, in path order.
    pub files: Vec<Rc<Claimed>>,
}

impl Bundle {
    /// The files of a role, in path order.
    pub fn of_role(&self, role: &str) -> impl Iterator<Item = &Rc<Claimed>> {
        self.files.iter().filter(move |claimed| claimed.claim.role == role)
    }

    /// The file with this identity.
    pub fn file(&self, id: SourceId) -> Option<&InputFile> {
        self.files.iter().map(|claimed| &claimed.file).find(|file| file.id == id)
    }

    /// The bytes that `locator` spans; `None` for a Parquet row.
    ///
    /// # Errors
    /// When the file is not in the bundle or cannot be read.
    pub fn span_bytes(&self, locator: Locator) -> Result<Option<Vec<u8>>, Error> {
        let Locator::Span { source, offset, len } = locator else { return Ok(None) };
        let file = self.file(source).ok_or_else(|| Error::new(ErrorKind::Gone))?;
        let bytes = file
            .bytes(offset..offset.saturating_add(len))
            .map_err(|err| Error::from(err).in_file(&file.path))?;
        Ok(Some(bytes))
    }

    /// The text of the JSON string that `locator` spans; `None` when it cannot be read any more.
    pub fn text_at(&self, locator: Locator) -> Option<String> {
        let bytes = self.span_bytes(locator).ok()??;
        let text = Cursor::new(&bytes).text().ok()??;
        Some(text.into_owned())
    }
}
